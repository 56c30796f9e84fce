// SPDX-License-Identifier: MIT
// The hash table against a list: numbers are added and taken out at random, and
// found if and only if they are there, under hashes that are few and crowd at
// the end of the table.
#include "base/table.h"
#include "tap.h"

#include <stdbool.h>

enum { NUMBERS = 300, STEPS = 20000 };

static uint32_t next_random(uint32_t *s) {
  *s = *s * 1664525 + 1013904223;
  return *s >> 8;
}

// Few hashes, next to each other, across the end of a table of any size.
static uint32_t hash_of(uint32_t number) {
  return (number * 7 % 40) - 20;
}

static unsigned count(const struct table *t, uint32_t number) {
  unsigned found = 0;
  for (uint32_t at = hash_of(number), n;
       (n = table_next(t, hash_of(number), &at)) != TABLE_NONE;) {
    CHECK_EQ(hash_of(n), hash_of(number), "%u", n);
    found += n == number;
  }
  return found;
}

static void compare(const struct table *t, const bool *is_there) {
  uint32_t all = 0;
  for (uint32_t n = 0; n < NUMBERS; n++) {
    CHECK_EQ(count(t, n), (unsigned)is_there[n], "%u", n);
    all += is_there[n] ? 1 : 0;
  }
  CHECK_EQ(t->count, all, "count");
}

TEST(what_is_there_is_found) {
  struct table t = {0};
  bool is_there[NUMBERS] = {0};
  uint32_t random = 1;
  compare(&t, is_there);
  for (unsigned i = 0; i < STEPS; i++) {
    // Up to the first half it grows, then it shrinks.
    uint32_t n = next_random(&random) % NUMBERS;
    bool wants = next_random(&random) % 10 < (i < STEPS / 2 ? 8 : 2);
    if (wants && !is_there[n])
      table_add(&t, hash_of(n), n);
    if (!wants && is_there[n])
      table_remove(&t, hash_of(n), n);
    is_there[n] = wants;
    if (i % 50 == 0)
      compare(&t, is_there);
  }
  struct table copy = table_copy(&t);
  table_clear(&t);
  compare(&copy, is_there);
  table_done(&copy);
  for (uint32_t n = 0; n < NUMBERS; n++)
    CHECK_EQ(count(&t, n), 0u, "%u", n);
  table_done(&t);
}
