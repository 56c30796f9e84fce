// SPDX-License-Identifier: MIT
// Objects of synchronisation from their initialisation to their destruction.
// Both write the object's word without order, so that a use which nothing
// orders with them is a race; what is checked here is the order that there is.
#include "sync.h"

void sync_init(int *word, int value) {
  int seen = *word;
  if (__heddle_is_defined(seen) && seen != 0 && seen != SYNC_DESTROYED)
    __heddle_fail(FIND_SYNC_MISUSE,
                  "initialisation of a lock or semaphore that is in use");
  *word = value;
}

void sync_check(int word) {
  if (word == SYNC_DESTROYED)
    __heddle_fail(FIND_SYNC_MISUSE,
                  "use of a lock or semaphore that was destroyed");
}
