// SPDX-License-Identifier: MIT
// What is too much for Heddle is no error of the program: the answer is
// incomplete, and an option allows more. A loop is endless when it comes back
// to the state it was in, not when it is long.
// run: flags=-DDO=for(;;){} sc,rc11,imm error endless-loop
// run: flags=-DDO=turn(0) rc11 error endless-loop
// run: flags=-DDO=count(3000000) sc,rc11,imm ok 1
// run: args=--max-steps=100000 flags=-DDO=count(3000000) rc11 incomplete 0
// run: args=--max-steps=3000000 flags=-DDO=count(-1) rc11 incomplete 0
// run: flags=-DDO=deep(100) rc11 ok 1
// run: flags=-DDO=deep(2000) rc11,imm ok 1
// run: flags=-DDO=deep(70000) rc11,imm incomplete 0
// run: args=--max-calls=1000 flags=-DDO=deep(2000) rc11,imm incomplete 0
// run: args=--max-stack=4096 flags=-DDO=deep(70000) rc11 ok 1
// run: flags=-DDO=large(2000000) rc11 incomplete 0
// run: args=--max-stack=4096 flags=-DDO=large(2000000) rc11 ok 1
// run: args=--all-errors args=--max-calls=1000 flags=-DDO=deep(2000) flags=-DTHREAD rc11 error assertion
#include "../common.h"

static atomic_int x;

static void count(unsigned long n) {
  unsigned long i = 0;
  while (i != n)
    i++;
  assert(i == n); // otherwise the loop would only pass the time
}

// Every round is a call, and the state comes back after 1,000 of them.
static unsigned next(unsigned n) {
  return n == 999 ? 0 : n + 1;
}

static void turn(unsigned n) {
  while (n < 1000) // BUG
    n = next(n);   // BUG
}

static int deep(int n) {
  return n == 0 ? 0 : deep(n - 1) + 1;
}

static void large(size_t n) {
  char bytes[n];
  bytes[n - 1] = 1;
  assert(bytes[n - 1] == 1);
}

// Other threads are still checked where one was cut.
static void *other(void *unused) {
  assert(load(&x, rlx) == 1); // BUG
  return unused;
}

int main(void) {
#ifdef THREAD
  pthread_t id;
  pthread_create(&id, NULL, other, NULL);
#endif
  DO; // BUG
  (void)count, (void)turn, (void)deep, (void)large, (void)other;
  store(&x, 1, rlx);
  return 0;
}
