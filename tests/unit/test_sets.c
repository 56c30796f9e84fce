// SPDX-License-Identifier: MIT
// Interned sets: equal sets have equal ids, whichever way they came about.
#include "base/sets.h"
#include "tap.h"

#include <sys/wait.h>
#include <unistd.h>

static uint32_t next_random(uint32_t *s) {
  *s = *s * 1664525 + 1013904223;
  return *s >> 8;
}

static set_id of_mask(struct sets *s, uint32_t mask) {
  set_id id = 0;
  for (uint32_t i = 0; i < 20; i++)
    if (mask >> i & 1)
      id = set_union(s, id, set_of_one(s, i * 3));
  return id;
}

TEST(unions_are_interned) {
  struct sets s;
  sets_init(&s);
  uint32_t random = 1;
  for (unsigned i = 0; i < 5000; i++) {
    uint32_t a = next_random(&random) & 0xfffff;
    uint32_t b = next_random(&random) & 0xfffff;
    set_id both = set_union(&s, of_mask(&s, a), of_mask(&s, b));
    CHECK_EQ(both, of_mask(&s, a | b), "%x | %x", a, b);
    CHECK_EQ(set_len(&s, both), (uint32_t)__builtin_popcount(a | b), "%x", a);
    for (uint32_t k = 0; k < 60; k++)
      CHECK_EQ(set_contains(&s, both, k), k % 3 == 0 && ((a | b) >> k / 3 & 1),
               "%u in %x", k, a | b);
  }
  sets_done(&s);
}

// A number that is there plainly is not there by pick as well.
TEST(picks_give_way) {
  struct sets s;
  sets_init(&s);
  CHECK(!s.has_picks, "none yet");
  CHECK_EQ(set_picked(&s, 0), 0u, "nothing");
  uint32_t random = 7;
  for (unsigned i = 0; i < 2000; i++) {
    uint32_t a = next_random(&random) & 0xfffff;
    uint32_t b = next_random(&random) & 0xfffff;
    set_id picked = set_picked(&s, of_mask(&s, b));
    set_id both = set_union(&s, of_mask(&s, a), picked);
    CHECK_EQ(both, set_union(&s, picked, of_mask(&s, a)), "%x, %x", a, b);
    CHECK_EQ(set_picked(&s, both), set_picked(&s, of_mask(&s, a | b)), "%x", a);
    CHECK_EQ(set_len(&s, both), (uint32_t)__builtin_popcount(a | b), "%x", a);
    for (uint32_t k = 0; k < set_len(&s, both); k++)
      CHECK_EQ(set_is_pick(&s, both, k), !(a >> set_at(&s, both, k) / 3 & 1),
               "%u of %x, %x", k, a, b);
  }
  sets_done(&s);
}

// Sets that grow by larger numbers share them; others that begin with the same
// go on elsewhere, and no set changes.
TEST(what_grows_is_shared) {
  enum { N = 3000 };
  struct sets s;
  set_id grown[N + 1] = {0}, other[N + 1] = {0};
  sets_init(&s);
  for (uint32_t i = 0; i < N; i++) {
    set_id one = set_of_one(&s, 2 * i);
    grown[i + 1] =
        set_union(&s, i % 2 ? one : grown[i], i % 2 ? grown[i] : one);
    if (i % 100 == 50)
      other[i + 1] = set_union(&s, grown[i], set_of_one(&s, 2 * i + 1));
  }
  CHECK(sets_bytes(&s) < 100 * N * sizeof(uint32_t), "%lu",
        (unsigned long)sets_bytes(&s));
  for (uint32_t i = 1; i <= N; i++) {
    CHECK_EQ(set_len(&s, grown[i]), i, " ");
    CHECK_EQ(set_at(&s, grown[i], i - 1), 2 * (i - 1), " ");
    CHECK_EQ(set_union(&s, grown[i], grown[i / 2]), grown[i], "%u", i);
    CHECK_EQ(set_union(&s, grown[i], set_of_one(&s, i / 2 * 2)), grown[i], "%u",
             i);
    if (!other[i])
      continue;
    for (uint32_t k = 0; k < i; k++)
      CHECK_EQ(set_at(&s, other[i], k), 2 * k + (k == i - 1), "%u", i);
    CHECK_EQ(set_union(&s, other[i], grown[i]),
             set_union(&s, grown[i], set_of_one(&s, 2 * i - 1)), "%u", i);
  }
  sets_done(&s);
}

TEST(the_empty_set_is_zero) {
  struct sets s;
  sets_init(&s);
  CHECK_EQ(set_union(&s, 0, 0), 0u, "nothing");
  CHECK_EQ(set_len(&s, 0), 0u, "nothing");
  set_id one = set_of_one(&s, 7);
  CHECK_EQ(set_union(&s, one, 0), one, "{7}");
  CHECK_EQ(set_of_one(&s, 7), one, "{7}");
  sets_done(&s);
}

// Lengths have 32 bits. Who needs more is out of memory, which is no bug.
TEST(arrays_that_are_too_long) {
  ARRAY(uint8_t) a = {NULL, UINT32_MAX, UINT32_MAX};
  pid_t child = fork();
  if (child == 0) {
    (void)!freopen("/dev/null", "w", stderr);
    array_reserve(&a, 1);
    _exit(EXIT_OK);
  }
  int status = 0;
  CHECK_EQ(waitpid(child, &status, 0), child, " ");
  CHECK(WIFEXITED(status), " ");
  CHECK_EQ(WEXITSTATUS(status), EXIT_INCOMPLETE, " ");
}
