// One event where the source has one: no write-back branch after a
// compare-exchange, no loop for compound assignments, no event for locals.
// shape: strong cas_load=1 cas_store=1 br=0 local=0
// shape: strong_value cas_load=1 br=0 select=1 local=0
// shape: wrapped cas_load=1 cas_store=1 br=0 call=0
// shape: shared_expected cas_load=1 br=1 select=0
// shape: structure cas_load=1 br=0 select=1
// shape: compound rmw_load=5 rmw_store=5 cas_load=0 br=0 load=0
// shape: ordered load=1 switch=0 call=0
// shape: fences fence=2
// shape: loop cas_load=1 br=1
// shape: assembly fence=6
// shape: barriers fence=6
#include <stdatomic.h>
#include <stdbool.h>

struct pair {
  int a, b;
};
atomic_int x;
_Atomic double d;
_Atomic(int *) p;
_Atomic unsigned char c;
_Atomic struct pair pair;
int shared;

bool strong(void) {
  int e = 1;
  return atomic_compare_exchange_strong(&x, &e, 2);
}

int strong_value(void) {
  int e = 1;
  atomic_compare_exchange_strong(&x, &e, 2);
  return e;
}

static bool wrapper(atomic_int *at, int *expected, int wanted) {
  return atomic_compare_exchange_weak_explicit(
      at, expected, wanted, memory_order_acq_rel, memory_order_relaxed);
}

int wrapped(void) {
  int e = 1;
  bool ok = wrapper(&x, &e, 2);
  return ok + e;
}

bool shared_expected(void) {
  return atomic_compare_exchange_strong(&x, &shared, 2);
}

int structure(void) {
  struct pair was = {1, 2}, now = {3, 4};
  atomic_compare_exchange_strong(&pair, &was, now);
  return was.a;
}

void compound(void) {
  x *= 2;
  d += 1.5;
  p++;
  c <<= 1;
  x -= 3;
}

static int load(atomic_int *at, memory_order order) {
  return atomic_load_explicit(at, order);
}

int ordered(void) {
  return load(&x, memory_order_acquire);
}

void fences(void) {
  atomic_thread_fence(memory_order_seq_cst);
  atomic_signal_fence(memory_order_seq_cst);
  __asm__ volatile("mfence" ::: "memory");
  __asm__ volatile("" ::: "memory");
}

void loop(void) {
  int e = 0;
  while (!atomic_compare_exchange_weak(&x, &e, e + 1))
    ;
}

void assembly(void) {
  __asm__ volatile("lock; addl $0,0(%%rsp)" ::: "memory", "cc");
  __asm__ volatile("lfence" ::: "memory");
  __asm__ volatile("dmb ish" ::: "memory");
  __asm__ volatile("lwsync" ::: "memory");
  __asm__ volatile("fence\trw, rw" ::: "memory");
  __asm__ volatile("dmb ishld\n" ::: "memory");
  __asm__ volatile("pause; ");
  __asm__ volatile("yield");
}

void barriers(void) {
  __asm__ volatile("isb" ::: "memory");
  __asm__ volatile("dmb ishst" ::: "memory");
  __asm__ volatile("dmb st" ::: "memory");
  __asm__ volatile("dsb oshst" ::: "memory");
  __asm__ volatile("dsb osh" ::: "memory");
  __asm__ volatile("fence w, w" ::: "memory");
}

void *volatile keep[] = {strong,    strong_value, wrapped, shared_expected,
                         structure, compound,     ordered, fences,
                         loop,      assembly,     barriers};

int main(void) {
  return keep[0] == 0;
}
