// SPDX-License-Identifier: MIT
// A ring of pointers whose words are plain except for the two
// compare-exchanges that reserve a slot. N threads put a pointer to an own
// variable and take one; what they take must be initialised. Its races are
// looked away from for the count; a lost reservation stops the thread.
// args: --disable race
// Three threads can see an item that is not there yet where sc fences do not
// order: one of them took the ring for full and never synchronised.
// run: flags=-DN=2 sc,tso ok 10; ra,rc11,imm ok 20
// run: flags=-DN=3 sc,tso ok 273; rc11,imm ok 1218; ra error assertion
#include "../common.h"

#define SLOTS 8
#define NEXT(i) (((i) + 1) & (SLOTS - 1))

static unsigned prod_head, prod_tail, cons_head, cons_tail;
static unsigned *slots[SLOTS];
static unsigned items[N];

// These words are plain in most places, so the builtins that take any object.
static bool reserve(unsigned *word, unsigned from) {
  return __atomic_compare_exchange_n(word, &from, NEXT(from), false,
                                     __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

static bool enqueue(unsigned *item) {
  unsigned head = prod_head;
  unsigned tail = cons_tail;
  if (NEXT(head) == tail)
    return false;
  heddle_assume(reserve(&prod_head, head));
  fence(sc);
  slots[head] = item;
  heddle_assume(prod_tail == head);
  prod_tail = NEXT(head);
  return true;
}

static unsigned *dequeue(void) {
  unsigned head = cons_head;
  unsigned tail = prod_tail;
  if (head == tail)
    return NULL;
  heddle_assume(reserve(&cons_head, head));
  unsigned *item = __atomic_load_n(&slots[head], __ATOMIC_RELAXED);
  heddle_assume(cons_tail == head);
  fence(sc);
  cons_tail = NEXT(head);
  return item;
}

static void *thread(void *number) {
  unsigned *mine = &items[(uintptr_t)number];
  *mine = 0xBEEF;
  if (!enqueue(mine))
    *mine = 0xDEAD;
  unsigned *got = dequeue();
  if (got)
    assert(*got == 0xBEEF);
  return NULL;
}

int main(void) {
  run(N, thread);
  return 0;
}
