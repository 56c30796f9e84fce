// SPDX-License-Identifier: MIT
// A ticket lock of two halves of a word; a try compares and exchanges the word.
// run: tso,rc11,imm,armv8 ok
// run: flags=-DWEAK rc11 error race
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
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
static inline void ticketlock_lock(ticketlock_t *tl) {
  uint16_t me = __atomic_fetch_add(&tl->s.next, 1, __ATOMIC_RELAXED);
  while (__atomic_load_n(&tl->s.current, __ATOMIC_ACQUIRE) != me)
    __builtin_ia32_pause();
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
  if (oldl.s.next == oldl.s.current)
    if (__atomic_compare_exchange_n(&tl->tickets, &oldl.tickets, newl.tickets,
                                    0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      return 1;
  return 0;
}
static ticketlock_t lock;
static int x;
static void *locker(void *arg) {
  ticketlock_lock(&lock);
  x++;
  ticketlock_unlock(&lock);
  return arg;
}
static void *trier(void *arg) {
  if (ticketlock_trylock(&lock)) {
    x++;
    ticketlock_unlock(&lock);
  }
  return arg;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, locker, NULL);
  pthread_create(&t[1], NULL, trier, NULL);
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
  assert(x == 1 || x == 2);
}
