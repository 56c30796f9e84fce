// SPDX-License-Identifier: MIT
// A ring whose head and tail are exchanged together, in one word of 64 bits,
// and read on their own by the other side.
// run: rc11,imm,armv8 ok
// run: flags=-DWEAK rc11 error race
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

union hts_pos {
  uint64_t raw;
  struct {
    uint32_t head;
    uint32_t tail;
  } pos;
};
struct headtail {
  volatile union hts_pos ht __attribute__((aligned(8)));
};
struct ring {
  uint32_t mask, capacity;
  struct headtail prod __attribute__((aligned(64)));
  struct headtail cons __attribute__((aligned(64)));
  void *slots[4];
};
#ifdef WEAK
#define TAIL __ATOMIC_RELAXED
#else
#define TAIL __ATOMIC_RELEASE
#endif

static inline void hts_wait(const struct headtail *ht, union hts_pos *p) {
  while (p->pos.head != p->pos.tail) {
    __builtin_ia32_pause();
    p->raw = __atomic_load_n(&ht->ht.raw, __ATOMIC_ACQUIRE);
  }
}
static inline unsigned hts_move(struct headtail *me, struct headtail *other,
                                uint32_t limit, uint32_t *old) {
  unsigned n;
  union hts_pos np, op;
  op.raw = __atomic_load_n(&me->ht.raw, __ATOMIC_ACQUIRE);
  do {
    n = 1;
    hts_wait(me, &op);
    uint32_t entries = limit +
                       __atomic_load_n(&other->ht.pos.tail, __ATOMIC_ACQUIRE) -
                       op.pos.head;
    if (n > entries)
      return 0;
    np.pos.tail = op.pos.tail;
    np.pos.head = op.pos.head + n;
  } while (__atomic_compare_exchange_n(&me->ht.raw, &op.raw, np.raw, 0,
                                       __ATOMIC_ACQUIRE,
                                       __ATOMIC_ACQUIRE) == 0);
  *old = op.pos.head;
  return n;
}
static inline void hts_update_tail(struct headtail *ht, uint32_t old,
                                   uint32_t n) {
  __atomic_store_n(&ht->ht.pos.tail, old + n, TAIL);
}
static unsigned ring_enqueue(struct ring *r, void *v) {
  uint32_t head;
  unsigned n = hts_move(&r->prod, &r->cons, r->capacity, &head);
  if (n) {
    r->slots[head & r->mask] = v;
    hts_update_tail(&r->prod, head, n);
  }
  return n;
}
static unsigned ring_dequeue(struct ring *r, void **v) {
  uint32_t head;
  unsigned n = hts_move(&r->cons, &r->prod, 0, &head);
  if (n) {
    *v = r->slots[head & r->mask];
    hts_update_tail(&r->cons, head, n);
  }
  return n;
}

static struct ring ring = {.mask = 3, .capacity = 3};
static int items[2];
static void *enqueue(void *arg) {
  int *i = arg;
  *i = 5;
  unsigned n = ring_enqueue(&ring, i);
  assert(n == 1);
  return NULL;
}
static void *dequeue(void *arg) {
  void *v;
  if (ring_dequeue(&ring, &v))
    assert(*(int *)v == 5);
  return arg;
}
int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], NULL, enqueue, &items[0]);
  pthread_create(&t[1], NULL, enqueue, &items[1]);
  pthread_create(&t[2], NULL, dequeue, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
}
