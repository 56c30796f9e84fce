// SPDX-License-Identifier: MIT
// A thread that is cut after a read of something old is no thread whose
// assumption has failed: what it would have done is unknown, so there is no
// verdict, whatever stands for this execution otherwise.
// run: flags=-DDO=deep(2000) all error assertion
// run: flags=-DDO=deep(2000) pso,armv8,c11,jam21,xmm,armv7,power,riscv,lkmm error assertion
// run: args=--max-calls=1024 flags=-DDO=deep(2000) all incomplete 1
// run: args=--max-calls=1024 flags=-DDO=deep(2000) pso,armv8,c11,jam21,xmm,armv7,power,riscv,lkmm incomplete 1
// run: args=--max-calls=1024 flags=-DDO=deep(2000) all incomplete 1
// run: args=--max-calls=1024 args=--jobs=2 flags=-DDO=deep(2000) all incomplete 1
// run: args=--max-calls=1024 args=--equivalence=rf flags=-DDO=deep(2000) sc,tso,pso,ra,rc11 incomplete 1
// run: args=--max-stack=16 flags=-DDO=deep(2000) all incomplete 1
// run: args=--max-stack=16 flags=-DDO=large(20000) all incomplete 1
// run: args=--max-stack=16 flags=-DDO=large(20000) pso,armv8,c11,jam21,xmm,armv7,power,riscv,lkmm incomplete 1
// run: args=--max-steps=5000 flags=-DDO=count(10000) all incomplete 1
// run: args=--max-steps=5000 flags=-DDO=count(10000) pso,armv8,c11,jam21,xmm,armv7,power,riscv,lkmm incomplete 1
// run: args=--disable=null-pointer flags=-DDO=nowhere() all incomplete 1
// run: args=--disable=null-pointer flags=-DDO=nowhere() pso,armv8,c11,jam21,xmm,armv7,power,riscv,lkmm incomplete 1
// run: args=--unroll=3 flags=-DDO=write(5) all incomplete 1
// run: args=--unroll=3 flags=-DDO=write(5) pso,armv8,c11,jam21,xmm,armv7,power,riscv,lkmm incomplete 1
// run: args=--yield-bound=3 flags=-DDO=write(5) all incomplete 1
// run: args=--yield-bound=3 flags=-DDO=write(5) pso,armv8,c11,jam21,xmm,armv7,power,riscv,lkmm incomplete 1
#include "../common.h"

#include <sched.h>

static atomic_int x, own;

static int deep(int n) {
  return n == 0 ? 0 : deep(n - 1) + 1;
}

static unsigned count(unsigned n) {
  unsigned i = 0;
  while (i != n)
    i++;
  return i;
}

static int large(size_t n) {
  char bytes[n];
  bytes[n - 1] = 1;
  return bytes[n - 1];
}

static int nowhere(void) {
  int *volatile p = NULL;
  return *p; // BUG
}

static int write(int n) {
  for (int i = 0; i < n; i++) {
    store(&own, i, rlx);
    sched_yield();
  }
  return n;
}

static void *body(void *unused) {
  if (load(&x, rlx) == 0)
    assert(!DO); // BUG
  (void)deep, (void)count, (void)large, (void)nowhere, (void)write;
  return unused;
}

int main(void) {
  pthread_t id;
  pthread_create(&id, NULL, body, NULL);
  store(&x, 1, rlx);
  return 0;
}
