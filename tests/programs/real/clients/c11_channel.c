// SPDX-License-Identifier: MIT
// A channel without a buffer, storage of a thread with a destructor, a timed
// lock.
// run: sc,rc11,imm ok
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>
typedef struct {
  mtx_t m;
  cnd_t can_send, can_recv, taken;
  int value;
  bool full, closed;
} chan;
static chan c;
static tss_t key;
static once_flag once = ONCE_FLAG_INIT;
static _Atomic int freed;
static void drop(void *p) {
  free(p);
  freed++;
}
static void setup(void) {
  tss_create(&key, drop);
}
static bool send_(chan *c, int v) {
  mtx_lock(&c->m);
  while (c->full && !c->closed)
    cnd_wait(&c->can_send, &c->m);
  bool ok = !c->closed;
  if (ok) {
    c->value = v;
    c->full = true;
    cnd_signal(&c->can_recv);
    while (c->full && !c->closed)
      cnd_wait(&c->taken, &c->m);
  }
  mtx_unlock(&c->m);
  return ok;
}
static bool recv_(chan *c, int *v) {
  mtx_lock(&c->m);
  while (!c->full && !c->closed)
    cnd_wait(&c->can_recv, &c->m);
  bool ok = c->full;
  if (ok) {
    *v = c->value;
    c->full = false;
    cnd_signal(&c->taken);
    cnd_signal(&c->can_send);
  }
  mtx_unlock(&c->m);
  return ok;
}
static int sender(void *a) {
  call_once(&once, setup);
  tss_set(key, malloc(4));
  for (int i = 1; i <= 2; i++)
    send_(&c, i);
  return 0;
}
int main(void) {
  mtx_init(&c.m, mtx_timed);
  cnd_init(&c.can_send);
  cnd_init(&c.can_recv);
  cnd_init(&c.taken);
  thrd_t t;
  thrd_create(&t, sender, 0);
  int a, b;
  assert(recv_(&c, &a) && recv_(&c, &b) && a == 1 && b == 2);
  thrd_join(t, NULL);
  assert(freed == 1);
  struct timespec ts;
  timespec_get(&ts, TIME_UTC);
  ts.tv_sec += 1;
  if (mtx_timedlock(&c.m, &ts) == thrd_success)
    mtx_unlock(&c.m);
  thrd_sleep(&(struct timespec){.tv_nsec = 1}, NULL);
}
