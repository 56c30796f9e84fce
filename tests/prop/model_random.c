// SPDX-License-Identifier: MIT
// Model files at random, by a grammar of what texts are made of.
#include "model_random.h"

#include "rng.h"

struct writer {
  struct rng rng;
  struct str *text, *other;
};

static void say(struct writer *w, const char *what) {
  str_add(w->text, "%s", what);
  str_add(w->other, "%s", what);
}

#define PICK(w, list) (list)[below(&(w)->rng, sizeof(list) / sizeof *(list))]

static const char *draw_set(struct writer *w) {
  static const char *const sets[] = {"R",
                                     "W",
                                     "R & ACQ",
                                     "W & REL",
                                     "R & RLX",
                                     "W & RLX",
                                     "SC",
                                     "X",
                                     "W \\ X",
                                     "R \\ X",
                                     "R & (ACQ | SC)",
                                     "W & (REL | SC)",
                                     "RLX",
                                     "(R | W) \\ SC",
                                     "R & X"};
  return PICK(w, sets);
}

// All pairs of two sets.
static void say_product(struct writer *w) {
  const char *from = draw_set(w), *to = draw_set(w);
  str_add(w->text, "((%s) * (%s))", from, to);
  str_add(w->other, "([%s]; (int | ext); [%s])", from, to);
}

// What is between two events of po.
static void say_between(struct writer *w) {
  static const char *const between[] = {"F", "F & SC", "R", "W", "X"};
  say(w, "(po; [");
  say(w, PICK(w, between));
  say(w, "]; po)");
}

static void say_reason(struct writer *w) {
  static const char *const reasons[] = {"data", "addr",        "ctrl", "rmw",
                                        "int",  "(ctrl; [R])", "loc"};
  switch (below(&w->rng, 4)) {
  case 0:
    say_between(w);
    break;
  case 1:
    say(w, PICK(w, reasons));
    break;
  default:
    say_product(w);
  }
}

// A relation, or some of it.
static void say_part(struct writer *w, const char *relation, unsigned whole) {
  bool is_whole = chance(&w->rng, whole);
  say(w, is_whole ? "" : "(");
  say(w, relation);
  if (is_whole)
    return;
  switch (below(&w->rng, 5)) {
  case 0:
    say(w, " & ");
    say_product(w);
    break;
  case 1:
    say(w, chance(&w->rng, 50) ? " & int" : " & ext");
    break;
  default:
    say(w, " \\ ");
    say_reason(w);
  }
  say(w, ")");
}

static void say_coherence(struct writer *w) {
  static const char *const rules[] = {
      "(po & loc); rf", "(po & loc); co",     "(po & loc); fr",
      "fr; (po & loc)", "(po & loc); co; rf", "fr; rf; (po & loc)"};
  unsigned whole = chance(&w->rng, 40) ? 100 : 75;
  if (chance(&w->rng, 20)) {
    for (unsigned i = 0; i < 6; i++)
      if (chance(&w->rng, 85)) {
        say(w, "irreflexive ");
        say(w, rules[i]);
        say(w, " as rule\n");
      }
    return;
  }
  say(w, "acyclic ");
  say_part(w, "(po & loc)", whole > 75 ? 100 : 40);
  say(w, " | ");
  say_part(w, "rf", whole + 10);
  say(w, " | ");
  say_part(w, "co", whole + 10);
  say(w, " | ");
  say_part(w, "fr", whole + 10);
  say(w, " as rule\n");
}

static void say_buffering(struct writer *w) {
  static const char *const rules[] = {
      "irreflexive [R]; po; [W]; rf as rule\n",
      "irreflexive [R]; po; [W]; rf; [R]; po; [W]; rf as rule\n",
      "acyclic addr | data | ctrl | rf as rule\n",
      "irreflexive (po | rf)+ as rule\n",
      "acyclic [R]; po; [W] | (rf & ext) as rule\n",
      "acyclic po | (rf & ext) as rule\n",
      "let hb = (po | rf)+\nirreflexive hb; (rf | co | fr)? as rule\n",
  };
  if (chance(&w->rng, 40)) {
    say(w, PICK(w, rules));
    return;
  }
  say(w, "acyclic ");
  say_part(w, "po", 40);
  say(w, " | ");
  say_part(w, "rf", 80);
  say(w, " as rule\n");
}

static void say_order(struct writer *w) {
  static const char *const rules[] = {
      "acyclic [SC]; (po | rf | co | fr); [SC] as rule\n",
      "acyclic [R & (ACQ | SC)]; po | po; [W & (REL | SC)] | rf as rule\n",
      "irreflexive po; [F & SC]; po; fr as rule\n",
      "empty [R & SC]; po; [W & RLX]; rf as rule\n",
  };
  if (chance(&w->rng, 50)) {
    say(w, PICK(w, rules));
    return;
  }
  say(w, "acyclic ");
  say_part(w, "po", 0);
  say(w, " | (rf & ext) | co | ");
  say_part(w, "fr", 70);
  say(w, " as rule\n");
}

void model_random(uint64_t seed, struct str *text, struct str *for_oracle) {
  struct writer w = {{seed * 0xa0761d6478bd642fu + 11}, text, for_oracle};
  if (chance(&w.rng, 60))
    say(&w, "empty rmw & ((fr & ext); (co & ext)) as rule\n");
  if (chance(&w.rng, 90))
    say_coherence(&w);
  if (chance(&w.rng, 65))
    say_buffering(&w);
  if (chance(&w.rng, 30))
    say_order(&w);
  say(&w, "empty 0 as rule\n"); // there has to be an axiom
}
