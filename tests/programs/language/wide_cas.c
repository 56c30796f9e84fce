// SPDX-License-Identifier: MIT
// A 16-byte compare-exchange, as lock-free code uses to count changes of a
// pointer: two threads, one of them wins first.
// expect: sc,rc11 ok 2
#include "../common.h"

struct counted {
  void *pointer;
  uint64_t count;
};

static _Atomic struct counted top;

static void *thread(void *unused) {
  struct counted old = {NULL, 0};
  struct counted new = {&top, old.count + 1};
  while (!atomic_compare_exchange_strong(&top, &old, new))
    new.count = old.count + 1;
  return unused;
}

int main(void) {
  run(2, thread);
  struct counted end = atomic_load(&top);
  assert(end.pointer == &top && end.count == 2);
  return 0;
}
