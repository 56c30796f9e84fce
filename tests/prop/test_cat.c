// SPDX-License-Identifier: MIT
// The language of models/: what binds tighter, what every operator means, and
// what is said about mistakes. Two expressions are compared by letting a model
// demand that neither has a pair that the other one lacks.
#include "cat.h"
#include "tap.h"

enum { EVENTS = 7 };

// Some events without a meaning: every base name has its own random value.
static void fill(uint64_t seed, union cat_value base[CAT_BASE]) {
  memset(base, 0, CAT_BASE * sizeof *base);
  uint64_t x = seed * 0x9e3779b97f4a7c15u + 1;
  for (unsigned b = 0; b < CAT_BASE; b++)
    for (unsigned i = 0; i < EVENTS; i++) {
      x ^= x << 13, x ^= x >> 7, x ^= x << 17;
      event_set some = x >> 20 & ((1u << EVENTS) - 1) & (x >> 40);
      if (b < CAT_po) {
        base[b].set = some;
      } else {
        base[b].relation.n = EVENTS;
        base[b].relation.row[i] = b == CAT_id ? (event_set)1 << i : some;
      }
    }
}

static void parse_or_fail(const char *text, struct cat_model *m) {
  struct diag why;
  CHECK(definition_parse("text", text, m, &why), "%s: %u: %s", text, why.line,
        why.text);
}

// Sets are compared as [set].
static bool is_equal(const char *a, const char *b) {
  struct str text = {0};
  str_add(&text,
          "let a = %s let b = %s empty a \\ b as less empty b \\ a as more", a,
          b);
  struct cat_model m;
  parse_or_fail(str_text(&text), &m);
  bool all_equal = true;
  for (uint64_t seed = 0; seed < 200; seed++) {
    union cat_value base[CAT_BASE];
    fill(seed, base);
    all_equal &= !cat_broken_axiom(&m, EVENTS, base);
  }
  definition_done(&m);
  str_done(&text);
  return all_equal;
}

TEST(operators_bind_as_in_herd) {
  static const char *const rows[][3] = {
      // expression, what it means, what it does not mean
      {"po | rf; co", "po | (rf; co)", "(po | rf); co"},
      {"po; rf | co", "(po; rf) | co", "po; (rf | co)"},
      {"po; rf \\ co", "po; (rf \\ co)", "(po; rf) \\ co"},
      {"po \\ rf; co", "(po \\ rf); co", "po \\ (rf; co)"},
      {"po \\ rf & co", "po \\ (rf & co)", "(po \\ rf) & co"},
      {"po & rf \\ co | loc", "((po & rf) \\ co) | loc",
       "po & (rf \\ (co | loc))"},
      {"po \\ rf \\ co", "(po \\ rf) \\ co", "po \\ (rf \\ co)"},
      {"po; rf+", "po; (rf+)", "(po; rf)+"},
      {"po & rf^-1", "po & (rf^-1)", "(po & rf)^-1"},
      {"po; rf?", "po; (rf?)", "(po; rf)?"},
      {"po; rf^-1+", "po; ((rf^-1)+)", "(po; rf^-1)+"},
      {"[R | W \\ F]", "[R | (W \\ F)]", "[(R | W) \\ F]"},
  };
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
    CHECK(is_equal(rows[i][0], rows[i][1]), "%s", rows[i][0]);
    CHECK(!is_equal(rows[i][0], rows[i][2]), "%s", rows[i][0]);
  }
}

TEST(operators_obey_their_laws) {
  static const char *const rows[][2] = {
      {"po?", "po | id"},
      {"po*", "id | po+"},
      {"po+", "po | po; po+"},
      {"(po; rf)^-1", "rf^-1; po^-1"},
      {"po^-1^-1", "po"},
      {"po; (rf | co)", "po; rf | po; co"},
      {"[R & W]", "[R]; [W]"},
      {"[R \\ W]", "[R] \\ [W]"},
      {"[R | W]", "[R] | [W]"},
      {"po & rf", "po \\ (po \\ rf)"},
      {"(* (* nested *) ; *) po (**)", "po"},
  };
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
    CHECK(is_equal(rows[i][0], rows[i][1]), "%s", rows[i][0]);
  CHECK(!is_equal("po;rf", "rf;po"), "a sequence has a direction");
  CHECK(!is_equal("po+", "po"), "a closure has more than one step");
}

TEST(the_first_broken_axiom_is_named) {
  struct cat_model m;
  parse_or_fail("acyclic po as forward\n"
                "let back = po^-1\n"
                "irreflexive po; back as there-and-back\n"
                "empty po as nothing",
                &m);
  union cat_value base[CAT_BASE] = {0};
  struct relation *po = &base[CAT_po].relation;
  for (unsigned b = CAT_po; b < CAT_BASE; b++)
    base[b].relation.n = 3;
  CHECK(!cat_broken_axiom(&m, 3, base), "nothing is related");
  rel_add(po, 0, 1);
  CHECK_STR(cat_broken_axiom(&m, 3, base), "there-and-back");
  rel_add(po, 1, 2);
  rel_add(po, 2, 0);
  CHECK_STR(cat_broken_axiom(&m, 3, base), "forward");
  definition_done(&m);
}

TEST(mistakes_are_told_with_their_line) {
  static const struct {
    const char *text;
    unsigned line;
    const char *want;
  } rows[] = {
      {"let a = po\n\nlet b = c", 3, "c is not defined"},
      {"let a = a", 1, "a is not defined"},
      {"let po = rf", 1, "po is defined already"},
      {"let a = po\nlet a = rf", 2, "a is defined already"},
      {"let a = R | po\nlet b = po", 1,
       "| has a set on one side, a relation on the other"},
      {"let a = R; W\n", 1, "; is for relations, not for sets"},
      {"let a =\n R+\n", 2, "+ is for relations, not for sets"},
      {"let a = [po]\n", 1, "[] is for sets, not for relations"},
      {"acyclic R as r", 1, "an axiom is for relations, not for sets"},
      {"acyclic po\nlet a = po", 2, "expected as, not 'let'"},
      {"acyclic po as let", 1, "expected a name, not 'let'"},
      {"let a = (po\n", 2, "expected ) at the end"},
      {"let a = po ^ rf", 1,
       "expected let, acyclic, irreflexive or empty, not '^'"},
      {"let a = po; $", 1, "expected a name, not '$'"},
      {"let = po", 1, "expected a name, not '='"},
      {"let a = po (* open\n\n", 1,
       "expected let, acyclic, irreflexive or empty, not '(*'"},
      {"po", 1, "expected let, acyclic, irreflexive or empty, not 'po'"},
  };
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct cat_model m;
    struct diag why;
    CHECK(!definition_parse("some.cat", rows[i].text, &m, &why), "%s",
          rows[i].text);
    CHECK_STR(why.text, rows[i].want);
    CHECK_STR(why.file, "some.cat");
    CHECK_EQ(why.line, rows[i].line, "%s", rows[i].text);
  }
  struct cat_model m;
  struct diag why;
  CHECK(!definition_load("/nowhere/x.cat", &m, &why),
        "a file that is not there");
  CHECK_STR(why.file, "/nowhere/x.cat");
}
