// SPDX-License-Identifier: MIT
// Message passing whose receiver waits, in the many ways to write a wait. No
// loop has a bound or a mark, and still there is one execution, not one for
// each number of rounds; with relaxed accesses (ORDER) the data race, and
// without the message (SILENT) every form hangs.
//
//  1 while   2 do   3 for with an empty body   4 goto   5 in a function
//  6 with a pause and a yield   7 exponential backoff that starts anew
//  8 strong and 9 weak compare-exchange   10 two variables at once
// 11 through a pointer that is read each round   12 until two of three agree
// 13 with a counter that nobody reads
//
// run: flags=-DF=1 sc,tso,pso,ra,rc11,imm,armv8 ok 1
// run: flags=-DF=2 sc,rc11,imm,armv8 ok 1
// run: flags=-DF=3 sc,rc11,imm,armv8 ok 1
// run: flags=-DF=4 sc,rc11,imm,armv8 ok 1
// run: flags=-DF=5 sc,rc11,imm,armv8 ok 1
// run: flags=-DF=6 sc,rc11,imm,armv8 ok 1
// run: flags=-DF=7 sc,rc11,imm,armv8 ok
// run: flags=-DF=8 sc,rc11,imm,armv8 ok 1
// run: flags=-DF=9 sc,rc11,imm,armv8 ok 1
// run: flags=-DF=10 sc,rc11,imm,armv8 ok
// run: flags=-DF=11 sc,rc11,imm,armv8 ok
// run: flags=-DF=12 sc,rc11,imm,armv8 ok
// run: flags=-DF=13 sc,rc11,imm,armv8 ok 1
// run: flags=-DF=1 flags=-DORDER=rlx sc,tso,ra,rc11,imm,armv8 error race
// run: flags=-DF=1 flags=-DSILENT sc,tso,pso,ra,rc11,imm,armv8 error hang
// run: flags=-DF=2 flags=-DSILENT sc,rc11 error hang
// run: flags=-DF=3 flags=-DSILENT sc,rc11 error hang
// run: flags=-DF=4 flags=-DSILENT sc,rc11 error hang
// run: flags=-DF=5 flags=-DSILENT sc,rc11 error hang
// run: flags=-DF=6 flags=-DSILENT sc,rc11 error hang
// run: flags=-DF=7 flags=-DSILENT sc,rc11 error hang
// run: flags=-DF=8 flags=-DSILENT sc,rc11 error hang
// run: flags=-DF=9 flags=-DSILENT sc,rc11 error hang
// run: flags=-DF=10 flags=-DSILENT sc,rc11 error hang
// run: flags=-DF=11 flags=-DSILENT sc,rc11 error hang
// run: flags=-DF=12 flags=-DSILENT sc,rc11 error hang
// run: flags=-DF=13 flags=-DSILENT sc,rc11 error hang
#include "../common.h"
#include <sched.h>

#ifndef ORDER
#define ORDER acq
#endif

static atomic_int ready, second, third;
static _Atomic(atomic_int *) where = &ready;
static int data;

static void *sender(void *unused) {
  data = 42;
#ifndef SILENT
  store(&second, 1, rel);
  store(&third, 1, rel);
  store(&ready, 1, rel);
#endif
  return unused;
}

static bool is_ready(void) {
  return load(&ready, ORDER) != 0;
}

static void receive(void) {
#if F == 1
  while (!load(&ready, ORDER))
    continue;
#elif F == 2
  int seen;
  do
    seen = load(&ready, ORDER);
  while (seen != 1);
#elif F == 3
  for (; !load(&ready, ORDER);)
    ;
#elif F == 4
again:
  if (!load(&ready, ORDER))
    goto again;
#elif F == 5
  while (!is_ready())
    continue;
#elif F == 6
  while (!is_ready()) {
    __asm__ volatile("pause" ::: "memory");
    sched_yield();
  }
#elif F == 7
  while (!is_ready())
    for (volatile int pause = 1; pause < 8; pause *= 2)
      continue;
#elif F == 8
  while (!cas(&ready, 1, 2, ORDER, rlx))
    continue;
#elif F == 9
  int one = 1;
  while (!atomic_compare_exchange_weak_explicit(&ready, &one, 2, ORDER, rlx))
    one = 1;
#elif F == 10
  while (!load(&second, rlx) || !load(&ready, ORDER))
    continue;
#elif F == 11
  while (!load(load(&where, acq), ORDER))
    continue;
#elif F == 12
  while (load(&ready, acq) + load(&second, acq) + load(&third, acq) < 2)
    continue;
#elif F == 13
  for (unsigned rounds = 0; !is_ready(); rounds++)
    continue;
#endif
}

int main(void) {
  pthread_t id;
  pthread_create(&id, NULL, sender, NULL);
  receive();
  assert(data == 42);
  pthread_join(id, NULL);
  return 0;
}
