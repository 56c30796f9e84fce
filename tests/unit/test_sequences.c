// SPDX-License-Identifier: MIT
// Both rules for the order of sc events, on graphs that grow and, with C++11's
// release sequences, on complete ones: the fast code says what the definition
// says.
#include "model/model.h"
#include "random_graph.h"
#include "tap.h"

struct seen {
  uint32_t rules_differ; // steps that one rule allows and the other does not
  uint32_t differ, refused_complete;
};

static void compare(unsigned seed, enum sc_rule rule, struct seen *seen) {
  const struct model *m = model_find("rc11");
  struct model_options growing = {.sc_rule = rule};
  struct model_options complete = {.sc_rule = rule,
                                   .c11_release_sequences = true};
  uint64_t s = seed_of(seed);
  struct graph g;
  const struct shape *h = start_random(&g, seed);
  for (unsigned i = 0; i < 22; i++) {
    struct graph_mark mark = graph_mark(&g);
    event_id e = grow(&g, &s, h);
    if (e == NO_EVENT)
      continue;
    bool want = model_allows(m, &g, &growing);
    CHECK(m->consistent(&g, e, NO_EVENT, &growing) == want,
          "seed %u, step %u, rule %d: %d", seed, i, rule, !want);
    struct model_options other = {.sc_rule = SC_RC11 + SC_C11 - rule};
    seen->rules_differ += model_allows(m, &g, &other) != want;
    if (!want) {
      graph_undo_to(&g, mark);
      continue;
    }
    uint64_t before = graph_hash(&g);
    want = model_allows_complete(m, &g, &complete);
    CHECK(m->complete(&g, &complete) == want,
          "seed %u, step %u, rule %d, complete: %d", seed, i, rule, !want);
    CHECK(graph_hash(&g) == before, "seed %u: the graph has changed", seed);
    seen->differ += model_sequences_differ(&g);
    seen->refused_complete += !want;
  }
  graph_done(&g);
}

TEST(rules_and_sequences_are_those_of_the_definition) {
  struct seen seen = {0};
  for (unsigned seed = 1; seed <= 1200; seed++)
    for (enum sc_rule rule = SC_RC11; rule <= SC_C11; rule++)
      compare(seed, rule, &seen);
  printf("# the rules differ on %u graphs; of %u graphs with other sequences "
         "%u are refused\n",
         seen.rules_differ, seen.differ, seen.refused_complete);
  CHECK(seen.rules_differ > 20, "the rules are the same");
  CHECK(seen.refused_complete > 20, "sequences make no difference");
}
