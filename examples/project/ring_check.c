// SPDX-License-Identifier: MIT
// The check of ring.h: what is put comes out, once, in order. Three items pass
// through two slots, so that a slot is used again. The second line makes sure
// that the check can fail: with a relaxed store the consumer may see the new
// tail before the item.
//
// heddle: --model rc11,armv8 expect ok
// heddle: --model rc11 -DPUBLISH=memory_order_relaxed expect error race
// expect: rc11 ok
// run: flags=-DPUBLISH=memory_order_relaxed rc11 error race
#include "ring.h"

#include <assert.h>
#include <pthread.h>

enum { ITEMS = 3 };

static struct ring ring;

static void *producer(void *unused) {
  for (int i = 1; i <= ITEMS; i++)
    while (!ring_put(&ring, i))
      ;
  return unused;
}

int main(void) {
  pthread_t id;
  pthread_create(&id, NULL, producer, NULL);
  for (int i = 1; i <= ITEMS; i++) {
    int item;
    while (!ring_take(&ring, &item))
      ;
    assert(item == i);
  }
  pthread_join(id, NULL);
  return 0;
}
