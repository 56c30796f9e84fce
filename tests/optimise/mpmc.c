// SPDX-License-Identifier: MIT
// A bounded queue for many at both ends: each cell counts who may use it next.
// It has two cells, so that cells are used again; PUTS puts and GETS gets, each
// by a thread of its own, that wait for their turn.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef PUTS
#define PUTS 1
#endif
#ifndef GETS
#define GETS 1
#endif

enum { CELLS = 2 };
static struct cell {
  atomic_uint turn; // 2 * round to put, 2 * round + 1 to get
  int value;
} cells[CELLS];
static atomic_uint puts, gets;

static void *put(void *unused) {
  unsigned at = atomic_load(&puts);
  while (!atomic_compare_exchange_strong(&puts, &at, at + 1))
    continue;
  struct cell *c = &cells[at % CELLS];
  while (atomic_load(&c->turn) != at / CELLS * 2)
    continue;
  c->value = 1;
  atomic_store(&c->turn, at / CELLS * 2 + 1);
  return unused;
}

static void *get(void *unused) {
  unsigned at = atomic_load(&gets);
  while (!atomic_compare_exchange_strong(&gets, &at, at + 1))
    continue;
  struct cell *c = &cells[at % CELLS];
  while (atomic_load(&c->turn) != at / CELLS * 2 + 1)
    continue;
  assert(c->value == 1);
  c->value = 0;
  atomic_store(&c->turn, at / CELLS * 2 + 2);
  return unused;
}

int main(void) {
  pthread_t ids[PUTS + GETS];
  for (int i = 0; i < PUTS + GETS; i++)
    pthread_create(&ids[i], 0, i < PUTS ? put : get, 0);
  for (int i = 0; i < PUTS + GETS; i++)
    pthread_join(ids[i], 0);
}
