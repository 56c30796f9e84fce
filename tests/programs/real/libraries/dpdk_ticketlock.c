// SPDX-License-Identifier: MIT
// A ticket lock of two halves that is tried as one word, in the style of packet
// processing kits.
// run: sc,tso,rc11,imm,armv8 ok
// run: flags=-DWEAK rc11 error race
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#define rte_pause() __builtin_ia32_pause()

#ifdef WEAK
#define NEXT __ATOMIC_RELAXED
#else
#define NEXT __ATOMIC_RELEASE
#endif

typedef union {
  uint32_t tickets;
  struct {
    uint16_t current;
    uint16_t next;
  } s;
} ticketlock_t;

static inline void wait_until_equal_16(volatile uint16_t *addr,
                                       uint16_t expected, int memorder) {
  while (__atomic_load_n(addr, memorder) != expected)
    rte_pause();
}

static inline void ticketlock_lock(ticketlock_t *tl) {
  uint16_t me = __atomic_fetch_add(&tl->s.next, 1, __ATOMIC_RELAXED);
  wait_until_equal_16(&tl->s.current, me, __ATOMIC_ACQUIRE);
}

static inline void ticketlock_unlock(ticketlock_t *tl) {
  uint16_t i = __atomic_load_n(&tl->s.current, __ATOMIC_RELAXED);
  __atomic_store_n(&tl->s.current, i + 1, NEXT);
}

static inline int ticketlock_trylock(ticketlock_t *tl) {
  ticketlock_t oldl, newl;
  oldl.tickets = __atomic_load_n(&tl->tickets, __ATOMIC_RELAXED);
  newl.tickets = oldl.tickets;
  newl.s.next++;
  if (oldl.s.next == oldl.s.current) {
    if (__atomic_compare_exchange_n(&tl->tickets, &oldl.tickets, newl.tickets,
                                    0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      return 1;
  }
  return 0;
}

static ticketlock_t tl;
static int counter, tried;

static void *locks(void *arg) {
  ticketlock_lock(&tl);
  counter++;
  ticketlock_unlock(&tl);
  return arg;
}

static void *tries(void *arg) {
  if (ticketlock_trylock(&tl)) {
    counter++;
    tried = 1;
    ticketlock_unlock(&tl);
  }
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, locks, NULL);
  pthread_create(&b, NULL, tries, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(counter == 1 + tried);
  return 0;
}
