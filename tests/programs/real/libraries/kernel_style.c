// SPDX-License-Identifier: MIT
// Kernel style: READ_ONCE and friends over volatile, barriers by assembly,
// cmpxchg by assembly, a list that readers walk while a writer publishes and
// unpublishes, and a reference count that refuses to rise from zero.
// run: args=--volatile args=relaxed all ok
// run: args=--volatile args=relaxed flags=-DNO_WMB rc11,imm,armv8 error race
// expect: all error race
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#define READ_ONCE(x) (*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, v) (*(volatile __typeof__(x) *)&(x) = (v))
#define barrier() __asm__ __volatile__("" : : : "memory")
#define smp_mb()                                                               \
  __asm__ __volatile__("lock; addl $0,-4(%%rsp)" ::: "memory", "cc")
#ifdef NO_WMB
#define smp_wmb() barrier()
#else
#define smp_wmb() __asm__ __volatile__("sfence" ::: "memory")
#endif
#define smp_rmb() __asm__ __volatile__("lfence" ::: "memory")
#define container_of(ptr, type, member)                                        \
  ((type *)((char *)(ptr)-offsetof(type, member)))

static inline int cmpxchg(int *at, int old, int new) {
  int seen;
  __asm__ __volatile__("lock; cmpxchgl %2,%1"
                       : "=a"(seen), "+m"(*at)
                       : "r"(new), "0"(old)
                       : "memory");
  return seen;
}

struct list {
  struct list *next;
};
struct item {
  int key;
  int references;
  struct list link;
};

static struct list head;
static struct item first = {.key = 1, .references = 1};

static void add(struct item *i) {
  i->link.next = READ_ONCE(head.next); // BUG
  smp_wmb();
  WRITE_ONCE(head.next, &i->link); // BUG
}

static void remove_first(void) {
  struct list *l = READ_ONCE(head.next);     // BUG
  WRITE_ONCE(head.next, READ_ONCE(l->next)); // BUG
}

static bool get_unless_zero(int *count) {
  int now = READ_ONCE(*count); // BUG
  while (now) {
    int seen = cmpxchg(count, now, now + 1);
    if (seen == now)
      return true;
    now = seen;
  }
  return false;
}

static void *updater(void *arg) {
  add(&first);
  smp_mb();
  remove_first();
  return arg;
}

static int lookups;

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, updater, NULL);
  for (struct list *l = READ_ONCE(head.next); l;
       l = READ_ONCE(l->next)) { // BUG
    smp_rmb();
    struct item *i = container_of(l, struct item, link);
    assert(i->key == 1);
    if (get_unless_zero(&i->references)) // BUG
      lookups++;
  }
  pthread_join(t, NULL);
  assert(first.references == 1 + lookups);
  return 0;
}
