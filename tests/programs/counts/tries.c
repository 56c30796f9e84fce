// SPDX-License-Identifier: MIT
// Two threads add N times, each time with at most TRIES compare-exchanges. A
// strong one fails only if the other thread has added meanwhile, so if that is
// less often than there are tries, no thread gives up, and the N successes of
// each come in any order: (2N)! / (N! N!).
// run: flags=-DN=1 flags=-DTRIES=2 flags=-DTRY=strong rc11,imm,armv8,c11,xmm ok 2
// run: flags=-DN=2 flags=-DTRIES=3 flags=-DTRY=strong rc11,imm,armv8,c11,riscv,xmm ok 6
// run: flags=-DN=3 flags=-DTRIES=5 flags=-DTRY=strong rc11,imm,armv8,c11,riscv,xmm ok 20
// run: args=--weak-cas=strong flags=-DN=3 flags=-DTRIES=5 flags=-DTRY=weak rc11,imm,xmm ok 20
// A weak one may fail for no reason; where that is seen, one such failure stands
// for all that are left.
// run: flags=-DN=2 flags=-DTRIES=3 flags=-DTRY=weak sc,tso,ra,rc11 ok 247
// run: flags=-DN=3 flags=-DTRIES=5 flags=-DTRY=weak rc11 ok 6623
// (Failed rounds are explored.)
// run: args=--explore-retries flags=-DN=3 flags=-DTRIES=5 flags=-DTRY=strong rc11,imm,armv8,c11 ok 496
#include "../common.h"

#define PASTE_(a, b, c) a##b##c
#define PASTE(a, b, c) PASTE_(a, b, c)
#define try PASTE(atomic_compare_exchange_, TRY, _explicit)

atomic_int x;

static void *thread(void *unused) {
  for (int i = 0; i < N; i++) {
    int old = load(&x, rlx);
    for (int n = 0; n < TRIES; n++)
      if (try(&x, &old, old + 1, acqrel, rlx))
        break;
  }
  return unused;
}

int main(void) {
  run(2, thread);
  return 0;
}
