// SPDX-License-Identifier: MIT
// asm goto: leaving for labels of the program, with outputs on all ways, or not
// leaving; a lock whose bit test jumps; a patched branch as kernels have it.
// LOAD: what follows the jump depends on what it looked at, so load buffering is
// forbidden.
// run: sc,tso,rc11,imm,armv8 ok 2
// run: flags=-DLOAD imm,armv8 ok 3
// run: flags=-DUNLOCKED sc,rc11 error race
#include "../common.h"

static int values(int from) {
  int out;
  asm goto("movl %1, %0; incl %0; testl %1, %1; js %l[below]; jz %l2"
           : "=&r"(out)
           : "r"(from)
           :
           : zero, below);
  return out;
zero:
  return 100 + out;
below:
  return 200 + out;
}

static int is_patched(void) {
  asm goto("1: nopl 0(%%rax,%%rax,1)\n"
           ".pushsection __jump_table, \"aw\"\n"
           ".quad 1b, %l[yes]\n"
           ".popsection" ::::yes);
  return 0;
yes:
  return 1;
}

static int jumps(void) {
  asm goto("jmp %l0" :::: there);
  return 0;
there:
  return 1;
}

static unsigned long word;
static int data;

static int try_lock(void) {
  asm goto("lock btsq %1, %0; jc %l[taken]"
           : "+m"(word)
           : "r"(3ul)
           : "memory", "cc"
           : taken);
  return 1;
taken:
  return 0;
}

static void unlock(void) {
  asm volatile("lock btrq %1, %0" : "+m"(word) : "r"(3ul) : "memory");
}

static void *add(void *unused) {
  while (!try_lock())
    ;
#ifdef UNLOCKED
  unlock();
#endif
  data++;
#ifndef UNLOCKED
  unlock();
#endif
  return unused;
}

#ifdef LOAD
static atomic_int x, y;
static void *left(void *unused) {
  int r = load(&x, rlx);
  asm goto("testl %0, %0; jz %l1" ::"r"(r)::none);
  store(&y, 1, rlx);
  return unused;
none:
  store(&y, 1, rlx);
  return unused;
}

static void *right(void *unused) {
  int r = load(&y, rlx);
  store(&x, 1 + (r ^ r), rlx);
  return unused;
}
#define FIRST left
#define SECOND right
#else
#define FIRST add
#define SECOND add
#endif

int main(void) {
  assert(values(7) == 8 && values(0) == 101 && values(-5) == 196);
  assert(!is_patched() && jumps());
  pthread_t a, b;
  pthread_create(&a, NULL, FIRST, NULL);
  pthread_create(&b, NULL, SECOND, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
#if !defined LOAD
  assert(data == 2 && word == 0);
#endif
  return 0;
}
