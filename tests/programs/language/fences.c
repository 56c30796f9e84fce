// SPDX-License-Identifier: MIT
// Inline assembly that Heddle understands: a compiler barrier is nothing, a
// full fence of the machine is an sc fence. Barriers that C11 does not have
// order nothing here: not a store before a load.
// run: flags=-DBARRIER="" sc ok 3; rc11 ok 4
// run: flags=-DBARRIER=mfence sc,rc11 ok 3
// run: flags=-DBARRIER=nop sc ok 3; rc11 ok 4
// run: flags='-DBARRIER=lock; addl $0,0(%%rsp)' rc11 ok 3
// run: flags='-DBARRIER=DMB  ISH' rc11 ok 3
// run: flags='-DBARRIER=dmb ishld' rc11 ok 4
// run: flags=-DBARRIER=sync rc11 ok 3
// run: flags=-DBARRIER=lwsync rc11 ok 4
// run: flags='-DBARRIER=FENCE RW, RW' rc11 ok 3
// run: flags='-DBARRIER=FENCE W,W' rc11,imm,armv8 ok 4
// run: flags='-DBARRIER=dmb ishst' tso,pso,ra,rc11,imm,armv8 ok 4; sc ok 3
// run: flags=-DBARRIER=isb tso,pso,ra,rc11,imm,armv8 ok 4; sc ok 3
// run: flags='-DBARRIER=dsb osh' rc11,armv8 ok 3
#include "../common.h"

#define STRING(...) #__VA_ARGS__
#define TEXT(...) STRING(__VA_ARGS__)

static atomic_int x, y;

static void *first(void *unused) {
  store(&x, 1, rlx);
  __asm__ volatile(TEXT(BARRIER)::: "memory");
  load(&y, rlx);
  return unused;
}

static void *second(void *unused) {
  store(&y, 1, rlx);
  __asm__ volatile(TEXT(BARRIER)::: "memory");
  load(&x, rlx);
  return unused;
}

int main(void) {
  spawn(first);
  spawn(second);
  return 0;
}
