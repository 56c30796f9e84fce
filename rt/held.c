// SPDX-License-Identifier: MIT
// The locks that this thread holds, in private memory.
#include <stddef.h>

#include "sync.h"

_Thread_local struct held held[MAX_HELD];

int held_find(int *word) {
  int i = 0;
  while (i < MAX_HELD && held[i].word != word)
    i++;
  return i;
}

int held_add(int *word, int count) {
  int i = held_find(NULL);
  if (i == MAX_HELD)
    __heddle_limit("a thread holds more than 8 recursive, error-checking or "
                   "read-write locks at a time");
  held[i].word = word;
  held[i].count = count;
  return i;
}
