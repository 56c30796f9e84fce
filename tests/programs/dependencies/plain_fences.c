// SPDX-License-Identifier: MIT
// A seqlock whose payload is plain: a race in C. Models without a non-atomic
// mode take plain accesses for relaxed ones, which synchronise through fences,
// so that the payload is never torn there.
// expect: sc,rc11,imm,armv8 error race
// run: args=--disable args=race rc11 error assertion; imm,armv8 ok
// run: args=--disable args=race flags=-DNO_FENCE imm,armv8 error assertion
#include "../common.h"

#ifdef NO_FENCE
#undef fence
#define fence(order)
#endif

static atomic_uint sequence;
static int left, right;

static void *writer(void *unused) {
  store(&sequence, 1, rlx);
  fence(rel);
  left = 1;  // BUG
  right = 1; // BUG
  store(&sequence, 2, rel);
  return unused;
}

static void *reader(void *unused) {
  unsigned before = load(&sequence, acq);
  int l = left, r = right; // BUG
  fence(acq);
  if (before % 2 == 0 && load(&sequence, rlx) == before)
    assert(l == r); // BUG
  return unused;
}

int main(void) {
  spawn(writer);
  spawn(reader);
}
