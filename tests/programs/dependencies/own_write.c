// SPDX-License-Identifier: MIT
// A thread reads x, then writes something that does not depend on it (HOW),
// reads that back and writes it to y; the other thread copies y to x. Does the
// first read see what came out in the end? It does when the write is known
// before the read is done. Then there are 4 executions, else 3.
// - po: the write of z is independent.
// - release: the store comes after the read, but reading it back need not: imm
//   and armv8 do not order what a thread reads from itself after the release.
// - data: z, and so y, is computed from what was read.
// run: flags=-DHOW=po rc11 ok 3; imm,armv8 ok 4
// run: flags=-DHOW=release rc11 ok 3; imm,armv8 ok 4
// run: flags=-DHOW=data rc11,imm,armv8 ok 3
// The same with one update of x in place of the read and the write. In rc11:
// the copier reads the old y and writes x before or after the update, which is
// read back, or the copier's write is: 3; or the copier reads the new y, and
// its write is the last: 1. armv8 has one more for an exchange, which reads the
// copy of what it wrote: its write does not depend on its read. That of an
// addition does; and imm orders the write of any update after its read.
// run: flags=-DHOW=exchange rc11,imm ok 4; armv8 ok 5
// run: args=--arm-rmw=llsc flags=-DHOW=exchange armv8 ok 5
// run: flags=-DHOW=add rc11,imm,armv8 ok 4
// run: args=--arm-rmw=llsc flags=-DHOW=add armv8 ok 4
#include "pairs.h"

static atomic_int x, y, z;

static inline int way_po(void) {
  rw_po(&x, &z);
  return load(&z, rlx);
}

static inline int way_release(void) {
  rw_release(&x, &z);
  return load(&z, rlx);
}

static inline int way_data(void) {
  rw_data(&x, &z);
  return load(&z, rlx);
}

static inline int way_exchange(void) {
  swap(&x, 1, rlx);
  return load(&x, rlx);
}

static inline int way_add(void) {
  fetch_add(&x, 1, rlx);
  return load(&x, rlx);
}

static void *writer(void *unused) {
  store(&y, NAMED(way_, HOW)(), rlx);
  return unused;
}

static void *copier(void *unused) {
  store(&x, load(&y, rlx), rlx);
  return unused;
}

int main(void) {
  spawn(writer);
  spawn(copier);
  return 0;
}
