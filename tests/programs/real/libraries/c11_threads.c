// SPDX-License-Identifier: MIT
// C11 threads: a bounded channel with a mutex and two conditions, an object
// that is made once, a value of each thread with a destructor, and a result.
// expect: all ok
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <threads.h>

struct channel {
  mtx_t lock;
  cnd_t not_full, not_empty;
  int items[1];
  size_t count;
};

static struct channel *channel;
static once_flag once = ONCE_FLAG_INIT;
static tss_t scratch;
static atomic_int destroyed;
static thread_local int sent;

static void make_channel(void) {
  channel = calloc(1, sizeof *channel);
  mtx_init(&channel->lock, mtx_plain);
  cnd_init(&channel->not_full);
  cnd_init(&channel->not_empty);
}

static struct channel *get_channel(void) {
  call_once(&once, make_channel);
  return channel;
}

static void send(struct channel *c, int item) {
  mtx_lock(&c->lock);
  while (c->count == 1)
    cnd_wait(&c->not_full, &c->lock);
  c->items[c->count++] = item;
  sent++;
  cnd_signal(&c->not_empty);
  mtx_unlock(&c->lock);
}

static int receive(struct channel *c) {
  mtx_lock(&c->lock);
  while (c->count == 0)
    cnd_wait(&c->not_empty, &c->lock);
  int item = c->items[--c->count];
  cnd_signal(&c->not_full);
  mtx_unlock(&c->lock);
  return item;
}

static void destroy(void *p) {
  free(p);
  atomic_fetch_add(&destroyed, 1);
}

static int sender(void *arg) {
  tss_set(scratch, malloc(4));
  send(get_channel(), *(int *)arg);
  return sent;
}

int main(void) {
  thrd_t t[2];
  int values[] = {1, 2}, results[2];
  assert(tss_create(&scratch, destroy) == thrd_success);
  for (int i = 0; i < 2; i++)
    assert(thrd_create(&t[i], sender, &values[i]) == thrd_success);
  int sum = receive(get_channel());
  sum += receive(get_channel());
  for (int i = 0; i < 2; i++)
    assert(thrd_join(t[i], &results[i]) == thrd_success && results[i] == 1);
  assert(sum == 3 && destroyed == 2);
  mtx_destroy(&channel->lock);
  free(channel);
  return 0;
}
