// SPDX-License-Identifier: MIT
// What a promise gives to a load may be as large as what it read before, and
// yet defined where that was not, or the other way round. (Where loads guess,
// under lkmm, a value that is not defined is none that can be guessed.)
// run: args=--all-errors args=--disable=uninitialized-atomic flags=-DDEFINED power,armv7,riscv,imm,armv8,c11 ok 4
// run: args=--all-errors args=--disable=uninitialized-atomic flags=-DDEFINED lkmm incomplete
// run: args=--disable=uninitialized-atomic flags=-DDEFINED power,armv7,riscv,imm,armv8,c11 ok 4
// run: args=--disable=uninitialized-atomic flags=-DDEFINED lkmm incomplete
// run: args=--all-errors flags=-DDEFINED power,armv7,riscv,lkmm,imm,armv8,c11 error uninitialized-atomic
// run: args=--disable=uninitialized-atomic flags=-DUNDEFINED power,armv7,riscv,imm,armv8,c11 error uninitialized
// run: args=--disable=uninitialized-atomic flags=-DUNDEFINED lkmm error uninitialized
// run: args=--disable=uninitialized-atomic flags=-DUNDEFINED sc,tso,rc11 ok
// run: args=--disable=uninitialized-atomic flags=-DPASSED power,armv7,riscv,imm,armv8,c11 error uninitialized
// run: args=--disable=uninitialized-atomic flags=-DPASSED lkmm error uninitialized
// run: args=--disable=uninitialized-atomic flags=-DPASSED sc,tso,rc11 ok
#include "../common.h"

struct node {
  atomic_int value, spare;
};
static struct node *node;
static atomic_int x, y;

#ifdef DEFINED
static void *one(void *unused) {
  store(&y, load(&node->value, rlx), rlx); // BUG
  return unused;
}

// What comes back to the load is 0, as memory that nobody has written seems.
static void *other(void *unused) {
  store(&x, load(&y, rlx), rlx);
  store(&node->value, 0, rlx);
  return unused;
}
#elif defined PASSED
static void *one(void *unused) {
  store(&y, load(&x, rlx), rlx);
  return unused;
}

// What comes back has no value either.
static void *other(void *unused) {
  int r = load(&y, rlx);
  store(&x, load(&node->spare, rlx), rlx);
  if (r) // BUG
    store(&node->value, 1, rlx);
  return unused;
}
#else
static void *one(void *unused) {
  int r = load(&x, rlx);
  store(&y, 1, rlx);
  if (r) // BUG
    store(&node->value, 1, rlx);
  return unused;
}

// x is 0, or has no value if this comes before the load that it waits for.
static void *other(void *unused) {
  if (load(&y, rlx) == 1)
    store(&x, load(&node->spare, rlx), rlx);
  return unused;
}
#endif

int main(void) {
  pthread_t ids[2];
  node = malloc(sizeof *node);
  pthread_create(&ids[0], NULL, one, NULL);
  pthread_create(&ids[1], NULL, other, NULL);
  return 0;
}
