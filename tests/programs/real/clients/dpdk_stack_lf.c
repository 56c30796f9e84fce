// SPDX-License-Identifier: MIT
// A stack with a head of 16 bytes, which the first try reads as an ordinary
// variable.
// run: sc,rc11 error race
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
typedef struct {
  union {
    uint64_t val[2];
    __extension__ __int128 int128;
  };
} __attribute__((aligned(16))) rte_int128_t;
struct elem {
  void *data;
  struct elem *next;
};
struct head {
  struct elem *top;
  uint64_t cnt;
} __attribute__((aligned(16)));
static inline int cmp_exchange128(rte_int128_t *dst, rte_int128_t *exp,
                                  const rte_int128_t *src) {
  uint8_t res;
  asm volatile("lock ;"
               "cmpxchg16b %[dst];"
               " sete %[res]"
               : [dst] "=m"(dst->val[0]), "=a"(exp->val[0]),
                 "=d"(exp->val[1]), [res] "=r"(res)
               : "b"(src->val[0]), "c"(src->val[1]), "a"(exp->val[0]),
                 "d"(exp->val[1]), "m"(dst->val[0])
               : "memory");
  return res;
}
static struct {
  struct head head;
  uint64_t len;
} S;
static void push(struct elem *e) {
  struct head old = S.head;
  int ok;
  do {
    struct head n;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    e->next = old.top;
    n.top = e;
    n.cnt = old.cnt + 1;
    ok = cmp_exchange128((rte_int128_t *)&S.head, (rte_int128_t *)&old,
                         (rte_int128_t *)&n);
  } while (ok == 0);
  __atomic_add_fetch(&S.len, 1, __ATOMIC_RELEASE);
}
static struct elem el[2];
static void *run(void *a) {
  push(&el[(long)a]);
  return NULL;
}
int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&t[i], 0, run, (void *)i);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  assert(S.len == 2 && S.head.cnt == 2 && S.head.top && S.head.top->next &&
         !S.head.top->next->next);
}
