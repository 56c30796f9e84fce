// SPDX-License-Identifier: MIT
// A bounded queue for many producers and many consumers.
//
// Each cell has a turn: cell i may be filled in turns i, i + SIZE, ... and
// emptied one later. A producer claims a position when the turn of its cell has
// come, writes the value and hands the cell to the consumers by the next turn;
// that store is the only synchronisation of the value.
//
// With -DWRONG it is relaxed, and a consumer can read a value that is not
// there.
//
// expect: sc ok; tso ok; rc11 ok
// run: flags=-DWRONG sc error race; rc11 error race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifdef WRONG
#define HAND_OVER memory_order_relaxed
#else
#define HAND_OVER memory_order_release
#endif

enum { SIZE = 2 };

struct cell {
  atomic_uint turn;
  int value;
};

struct cell cells[SIZE] = {{0, 0}, {1, 0}};
atomic_uint fill, empty; // the next positions

bool put(int value) {
  unsigned at = atomic_load_explicit(&fill, memory_order_relaxed);
  for (;;) {
    struct cell *cell = &cells[at % SIZE];
    unsigned turn = atomic_load_explicit(&cell->turn, memory_order_acquire);
    if ((int)(turn - at) < 0)
      return false; // full
    if (turn != at) {
      at = atomic_load_explicit(&fill, memory_order_relaxed);
    } else if (atomic_compare_exchange_weak_explicit(&fill, &at, at + 1,
                                                     memory_order_relaxed,
                                                     memory_order_relaxed)) {
      cell->value = value;
      atomic_store_explicit(&cell->turn, at + 1, HAND_OVER);
      return true;
    }
  }
}

bool get(int *value) {
  unsigned at = atomic_load_explicit(&empty, memory_order_relaxed);
  for (;;) {
    struct cell *cell = &cells[at % SIZE];
    unsigned turn = atomic_load_explicit(&cell->turn, memory_order_acquire);
    if ((int)(turn - (at + 1)) < 0)
      return false; // empty
    if (turn != at + 1) {
      at = atomic_load_explicit(&empty, memory_order_relaxed);
    } else if (atomic_compare_exchange_weak_explicit(&empty, &at, at + 1,
                                                     memory_order_relaxed,
                                                     memory_order_relaxed)) {
      *value = cell->value;
      atomic_store_explicit(&cell->turn, at + SIZE, HAND_OVER);
      return true;
    }
  }
}

void *producer(void *value) {
  assert(put((int)(long)value));
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, producer, (void *)1);
  pthread_create(&b, NULL, producer, (void *)2);
  int first = 0, second = 0;
  bool early = get(&first);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  if (!early)
    assert(get(&first));
  assert(get(&second));
  assert(first + second == 3);
}
