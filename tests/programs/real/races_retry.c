// SPDX-License-Identifier: MIT
// A push that is tried again writes a plain pointer in each round. That nobody
// can see what a failed round wrote is so because it would be a race; where the
// model orders such accesses it is seen, and no round may be left out.
// run: args=--races args=model sc error assertion
// run: args=--races args=off sc error assertion
// run: sc,rc11 error race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
  struct node *next;
};

static struct node poison, mine, other;
static _Atomic(struct node *) top;
static struct node *seen;

static void *push(void *arg) {
  struct node *t;
  do {
    t = atomic_load(&top);
    mine.next = t; // BUG
  } while (!atomic_compare_exchange_strong(&top, &t, &mine));
  return arg;
}

static void *look(void *arg) {
  seen = mine.next; // BUG
  atomic_store(&top, &other);
  return arg;
}

int main(void) {
  pthread_t t, u;
  mine.next = &poison;
  pthread_create(&t, 0, push, 0);
  pthread_create(&u, 0, look, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(!(seen == 0 && mine.next == &other)); // BUG
  return 0;
}
