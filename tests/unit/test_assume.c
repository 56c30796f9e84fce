// SPDX-License-Identifier: MIT
// What several explorers have learned (explore/assume.c): which of them have to
// begin again when all of it is joined.
#include "explore/assume.h"

#include "explore/reduce.h"
#include "tap.h"

static struct assumed_lock lock(uint64_t address, uint64_t held) {
  return (struct assumed_lock){.address = address,
                               .size = 4,
                               .is_asked = true,
                               .held = {held},
                               .nheld = held != 0};
}

TEST(nothing_learned_is_known_to_all) {
  struct assumptions all = {0}, one = {0};
  assume_join(&all, &one);
  CHECK(assume_knows(&one, &all));
  CHECK_EQ(assume_size(&all), 0u);
  CHECK(!assume_refutes_symmetry(&all));
}

TEST(what_one_refutes_the_other_does_not_know) {
  struct assumptions all = {0}, one = {.refuted = REDUCE_SYMMETRY}, two = {0};
  assume_join(&all, &one);
  assume_join(&all, &two);
  CHECK(assume_knows(&one, &all) && !assume_knows(&two, &all));
  uint64_t size = assume_size(&all);
  assume_join(&all, &one);
  CHECK_EQ(assume_size(&all), size);
}

TEST(all_cuts_of_a_location_count) {
  struct assumptions all = {0}, one = {0}, two = {0};
  array_push(&one.cells, ((struct assumed_cell){8, 8, 0x10, false}));
  array_push(&two.cells, ((struct assumed_cell){8, 8, 0x04, false}));
  assume_join(&all, &one);
  assume_join(&all, &two);
  CHECK_EQ(all.cells.len, 1u);
  CHECK_EQ(all.cells.at[0].cuts, 0x14u);
  CHECK(!assume_knows(&one, &all) && !assume_knows(&two, &all));
  two.cells.at[0].cuts = 0x14;
  CHECK(assume_knows(&two, &all));
  array_push(&one.cells, ((struct assumed_cell){8, 4, 0, true}));
  assume_join(&all, &one);
  CHECK_EQ(all.cells.len, 2u);
  CHECK(!assume_knows(&two, &all));
  CHECK(assume_refutes_symmetry(&all));
  assume_done(&all);
  assume_done(&one);
  assume_done(&two);
}

// Each value of a lock that is taken must have been tried on all who take it.
TEST(values_of_locks_must_be_known_to_those_who_asked) {
  struct assumptions all = {0}, one = {0}, two = {0}, idle = {0};
  array_push(&one.locks, lock(16, 1));
  array_push(&two.locks, lock(16, 2));
  array_push(&idle.locks, lock(16, 0));
  idle.locks.at[0].is_asked = false;
  assume_join(&all, &one);
  CHECK(assume_knows(&one, &all));
  assume_join(&all, &two);
  assume_join(&all, &idle);
  CHECK_EQ(all.locks.len, 1u);
  CHECK_EQ(all.locks.at[0].nheld, 2u);
  CHECK(!assume_knows(&one, &all) && !assume_knows(&two, &all));
  CHECK(assume_knows(&idle, &all));
  assume_done(&all);
  assume_done(&one);
  assume_done(&two);
  assume_done(&idle);
}

// A round that does not release was left out by one, and another one has seen
// an access that does.
TEST(locks_are_weak_for_all_if_they_are_for_one) {
  struct assumptions all = {0}, one = {0}, two = {0};
  array_push(&one.locks, lock(16, 1));
  array_push(&two.locks, lock(16, 1));
  one.locks.at[0].is_weak = true;
  two.locks.at[0].releases = true;
  assume_join(&all, &one);
  CHECK(assume_knows(&one, &all));
  assume_join(&all, &two);
  CHECK(!assume_knows(&one, &all) && !assume_knows(&two, &all));
  assume_done(&all);
  assume_done(&one);
  assume_done(&two);
}

TEST(locks_with_two_free_values_are_none) {
  struct assumptions all = {0}, one = {0}, two = {0};
  array_push(&one.locks, lock(16, 1));
  array_push(&two.locks, lock(16, 1));
  two.locks.at[0].free = 7;
  assume_join(&all, &one);
  assume_join(&all, &two);
  CHECK(all.locks.at[0].is_refuted);
  CHECK(!assume_knows(&one, &all) && !assume_knows(&two, &all));
  assume_done(&all);
  assume_done(&one);
  assume_done(&two);
}

// Tries of one explorer and values that another one has seen are looked at
// together.
TEST(rollbacks_are_judged_together) {
  struct assumptions all = {0}, one = {0}, two = {0};
  struct tried t = {
      .least = 1, .most = 1, .wait_least = 1, .wait_most = 1, .add = -1u};
  array_push(&one.rollbacks,
             ((struct assumed_rollback){
                 16, 4, {.threads = 3, .tried = {t}, .ntried = 1}}));
  array_push(&two.rollbacks,
             ((struct assumed_rollback){16, 4, {.values = {1}, .nvalues = 1}}));
  assume_join(&all, &one);
  assume_join(&all, &two);
  CHECK(!all.refuted && assume_knows(&one, &all) && assume_knows(&two, &all));
  // Who fails at 2 would pass when another try has made 1 of it.
  two.rollbacks.at[0].word.values[0] = 2;
  assume_join(&all, &two);
  CHECK(all.refuted == REDUCE_ROLLBACK);
  CHECK(!assume_knows(&one, &all) && !assume_knows(&two, &all));
  assume_done(&all);
  assume_done(&one);
  assume_done(&two);
}
