// SPDX-License-Identifier: MIT
// The cat language: what is said of wrong texts, what right ones mean, and that
// the files in models/ mean what src/model says.
#include "cat/eval/eval.h"
#include "cat/model.h"
#include "model/axioms.h"
#include "random_graph.h"
#include "tap.h"

#include <stdlib.h>
#include <unistd.h>

static const struct model_options no_options;

static struct cat *load(const char *text) {
  struct cat *c = NULL;
  struct diag why;
  CHECK(cat_load_text("test.cat", text, strlen(text), NULL, &c, &why),
        "%s:%u:%u: %s", why.file, why.line, why.column, why.text);
  return c;
}

// -- wrong texts

struct wrong {
  const char *text;
  unsigned line, column;
  const char *message; // a part of it
};

static const struct wrong wrongs[] = {
    {"", 0, 0, "no axiom"},
    {"let x = po", 0, 0, "no axiom"},
    {"acyclic po |", 1, 13, "the text ends"},
    {"acyclic po | rfx as a", 1, 14, "'rfx' is not defined"},
    {"acyclic R as a", 1, 9, "expected a relation, but this is a set"},
    {"acyclic po | R as a", 1, 12,
     "a relation on the left, a set on the right"},
    {"acyclic [po] as a", 1, 10, "expected a set, but this is a relation"},
    {"acyclic R * po as a", 1, 13, "expected a set, but this is a relation"},
    {"acyclic domain(R) * R as a", 1, 16, "expected a relation"},
    {"acyclic po; as a", 1, 13, "expected a set or a relation, not 'as'"},
    {"let = po", 1, 5, "expected a name"},
    {"let x po", 1, 9, "expected '='"},
    {"let x = (po", 1, 12, "expected ')'"},
    {"let x = [R", 1, 11, "expected ']'"},
    {"\n\n  acyclic po as", 3, 16, "expected a name"},
    {"(* never\nclosed", 1, 1, "comment has no end"},
    {"include \"x", 1, 9, "string has no end"},
    {"let x = po % rf", 1, 12, "'%' means nothing"},
    {"let x = \x01", 1, 9, "byte 0x01"},
    {"let f(x, y) = x | y acyclic f(po) as a", 1, 29, "takes 2 arguments"},
    {"acyclic po rf as a", 1, 9, "not a function"},
    {"let f(x) = x acyclic f as a", 1, 22, "not a function"},
    {"let rec x = po \\ (let rec y = x | y; y in y) acyclic x as a", 1, 9,
     "no fixpoint"},
    {"let rec x = let rec y = po \\ x | y; y in y acyclic x as a", 1, 21,
     "no fixpoint"},
    {"let rec f(x) = f(x) acyclic po as a", 1, 9, "recursive function"},
    {"let rec x = po \\ x acyclic x as a", 1, 9, "no fixpoint"},
    {"let rec x = po | ~y and y = x acyclic x as a", 1, 9, "no fixpoint"},
    {"enum e = 'a || 'b", 1, 1, "'enum': this is not supported"},
    {"let x = fun y -> y", 1, 9, "'fun': this is not supported"},
    {"let x = {po}", 1, 9, "'{...}'"},
    {"let x = po ++ rf", 1, 12, "'++'"},
    {"forall x in y do end", 1, 1, "'forall'"},
    {"with S from linearisations(R, po)", 1, 1, "only co can be given"},
    {"include \"nowhere.cat\"", 1, 1, "no file 'nowhere.cat'"},
    {"call f(po)", 1, 1, "'f' is not defined"},
    {"let f = po call f(po)", 1, 12, "not a procedure"},
    {"acyclic po as a end", 1, 17, "expected let, include or a test"},
    {"if \"x\" acyclic po as a", 1, 23, "expected 'end'"},
};

TEST(wrong_texts_are_refused_where_they_are_wrong) {
  for (unsigned i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
    const struct wrong *w = &wrongs[i];
    struct cat *c;
    struct diag why;
    CHECK(!cat_load_text("test.cat", w->text, strlen(w->text), NULL, &c, &why),
          "accepted: %s", w->text);
    CHECK(strstr(why.text, w->message), "%s: \"%s\"", w->text, why.text);
    CHECK(why.line == w->line && why.column == w->column, "%s: at %u:%u: %s",
          w->text, why.line, why.column, why.text);
    CHECK_STR(why.file, "test.cat");
  }
}

static void repeat(struct str *s, const char *what, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    str_add(s, "%s", what);
}

// Neither the stack nor time gives out.
TEST(large_texts_end) {
  static const char *const parts[] = {
      "(", "[", "~", "let x = ", "try ", "if \"x\" ", "(*", "f ", "po;"};
  for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++) {
    struct str s = {0};
    struct cat *c;
    struct diag why;
    str_add(&s, "let y = ");
    repeat(&s, parts[i], 100000);
    CHECK(!cat_load_text("big.cat", str_text(&s), s.len, NULL, &c, &why),
          "accepted: %s...", parts[i]);
    str_done(&s);
  }
  struct str s = {0};
  str_add(&s, "let f0(x) = x | po\n");
  for (unsigned i = 1; i < 60; i++)
    str_add(&s, "let f%u(x) = f%u(x); f%u(x | rf)\n", i, i - 1, i - 1);
  str_add(&s, "acyclic f59(po) as a");
  struct cat *c;
  struct diag why;
  CHECK(!cat_load_text("big.cat", str_text(&s), s.len, NULL, &c, &why),
        "accepted");
  CHECK(strstr(why.text, "too large"), "%s", why.text);
  str_done(&s);
}

// A long union is no deep one.
TEST(long_chains_are_fine) {
  struct str s = {0};
  str_add(&s, "acyclic po");
  repeat(&s, " | rf; co \\ (po & fr)", 500);
  str_add(&s, " as a");
  cat_free(load(str_text(&s)));
  str_done(&s);
}

// -- what texts mean

// x = 1 || r = x (1); y = 1 || r2 = y (1); r3 = x (0)
static void make_wrc(struct graph *g) {
  graph_init(g);
  graph_need_threads(g, 3);
  graph_need_loc(g, 1);
  for (uint8_t t = 0; t < 3; t++)
    graph_add(g,
              (struct event){
                  .kind = EV_START, .thread = t, .rf = NO_EVENT, .state = 1});
  struct event e = {.order = ORD_RLX, .state = 1, .rf = NO_EVENT};
  e.kind = EV_WRITE;
  e.co = 1;
  event_id x = graph_add(g, e);
  e = (struct event){
      .kind = EV_READ, .order = ORD_ACQ, .thread = 1, .rf = x, .state = 1};
  graph_add(g, e);
  e = (struct event){.kind = EV_WRITE,
                     .order = ORD_REL,
                     .thread = 1,
                     .loc = 1,
                     .co = 1,
                     .rf = NO_EVENT,
                     .state = 1};
  event_id y = graph_add(g, e);
  e = (struct event){.kind = EV_READ,
                     .order = ORD_RLX,
                     .thread = 2,
                     .loc = 1,
                     .rf = y,
                     .state = 1};
  graph_add(g, e);
  e = (struct event){.kind = EV_READ,
                     .order = ORD_SC,
                     .thread = 2,
                     .rf = INIT_EVENT,
                     .state = 1};
  graph_add(g, e);
}

// What holds of that graph: events are W(x) R(x) W(y) | R(y) R(x), two initial
// writes and three starts of threads.
static const char *const facts[] = {
    "acyclic po | rf",
    "~acyclic po | rf | co | fr",
    "~empty rf",
    "empty rmw",
    "irreflexive po",
    "~irreflexive id",
    "empty R & W",
    "empty M \\ (R | W)",
    "empty (R | W | THREAD) \\ _",
    "empty _ \\ (R | W | THREAD)",
    "empty IW \\ NA",
    "~empty [IW]; rf",
    "~empty [IW]; co; [W & RLX]",
    "empty rfi",
    "~empty rfe & ext",
    "empty rfe \\ rf",
    "empty (rf; rf^-1) \\ id",
    "~empty (fr; rf) & loc",
    "empty fr \\ (rf^-1; co)",
    "empty (rf^-1; co) \\ fr",
    "empty domain(rf) \\ W",
    "empty range(rf) \\ R",
    "empty R \\ range(rf)",
    "empty (R * W) & rf",
    "empty rf \\ W * R",
    "~empty po & (R & ACQ) * (W & REL)",
    "empty 0",
    "empty po & 0",
    "empty R & 0",
    "~empty ~0 & R",
    "~empty ~rf & po",
    "empty id \\ [_]",
    "empty [_] \\ id",
    "~empty po; rf; po",
    "empty po+ \\ po",
    "~empty po* \\ po",
    "empty po? \\ (po | id)",
    "empty (po; po) \\ po",
    // Precedence: a; b \ c is a; (b \ c), and so on.
    "empty (rf; po \\ po) \\ (rf; (po \\ po))",
    "~empty (po \\ rf & rf) & po",
    "~empty po | rf & 0",
    "~empty R * W & po",
    // Functions, local definitions, choices.
    "empty let x = po \\ po in x",
    "empty let f(a, b) = a & b in f(R, W)",
    "empty let f a = a \\ a in f po",
    "empty try nothing with 0",
    "~empty try po with 0",
    "empty try R; po with 0",
    "empty if \"strange\" then po else 0",
    "empty if ~\"strange\" then 0 else po",
    "empty if ~\"strange\" && \"odd\" then po else 0",
    "~empty if \"strange\" && \"odd\" || ~\"new\" then po else 0",
    "empty fencerel(F)",
    "~empty fencerel(R)",
    "empty singlestep(po) \\ po",
    // The least fixpoint, of relations and of sets.
    "empty let rec x = po | x; x in x \\ po",
    "empty let rec x = rf | y; x and y = po | x in x \\ (po | rf)+",
    "~empty let rec x = rf | y; x and y = po | x in x",
    "empty let rec x = po | (let rec y = x | rf; y? in y) in x \\ (rf | po)+",
    ("empty (po | rf)+ \\ "
     "(let rec x = po | (let rec y = x | rf | y; y in y) in x)"),
    ("empty (po | rf | co)+ \\ "
     "(let rec x = po | (let rec y = rf | x; y | "
     "(let rec z = y | co | z; x in z) in y?; x | y) in x)"),
    ("empty let rec x = po | (let rec y = rf | x; y | "
     "(let rec z = y | co | z; x in z) in y?; x | y) in x \\ (po | rf | co)+"),
    ("empty let rec x = po | "
     "[(let rec s = domain(x) | range([s]; rf) in s)]; co in "
     "x \\ po \\ [domain(po) | range([domain(po)]; rf+)]; co"),
    "~empty let rec x = po | (let rec y = x; rf | y; y in y) in x \\ po",
    "empty let rec s = IW | range([s]; rf) in s \\ (IW | R)",
    "~empty let rec s = IW | range([s]; rf) in s & R",
};

TEST(facts_hold) {
  struct graph g;
  make_wrc(&g);
  for (unsigned i = 0; i < sizeof facts / sizeof *facts; i++) {
    struct cat *c = load(facts[i]);
    CHECK(!cat_broken(c, &g, &no_options), "%s", facts[i]);
    // And what does not hold is found not to.
    c->axioms.at[0].is_negated ^= true;
    CHECK(cat_broken(c, &g, &no_options), "also not: %s", facts[i]);
    cat_free(c);
  }
  graph_done(&g);
}

TEST(statements) {
  struct graph g;
  make_wrc(&g);
  static const char *const texts[] = {
      "X86 \"a title\"\ninclude \"cos.cat\"\nacyclic po | rf as a",
      ("\"a title\"\nwith co from generate(co)\nempty po \\ po as a\n"
       "show po\nunshow rf, co\nshow po | rf as x"),
      "// a comment\n# another\nlet po-loc' = po & loc acyclic po-loc' as a",
      "let po = rf empty po \\ rf as a",                // shadowed
      "let f(x) = x; po let po = 0 ~empty f(po?) as a", // and not for f
      "if \"x\" empty po as a else empty po \\ po as b end",
      "procedure p(a, b) = let c = a & b empty c as x end call p(R, W)",
      "flag ~empty po as x undefined_unless empty po as y acyclic po as z",
      "let rec x = y and y = x empty x | y as a",
      "let x = po and y = rf acyclic x | y as a",
      "include \"sc.cat\" let a = po",
  };
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
    bool is_last = i + 1 == sizeof texts / sizeof *texts;
    struct cat *c = load(texts[i]);
    CHECK(!cat_broken(c, &g, &no_options) == !is_last, "%s", texts[i]);
    cat_free(c);
  }
  graph_done(&g);
}

// Equal terms are one node, so are equal ones of different functions.
TEST(equal_terms_are_one) {
  struct cat *c = load("let f(x) = (x | rf)+ let a = f(po) let b = (rf | po)+\n"
                       "acyclic a as a acyclic b as b");
  CHECK_EQ(c->axioms.at[0].node, c->axioms.at[1].node, "a and b");
  CHECK_EQ(c->names.len, 2, "functions are no values");
  cat_free(c);
}

// -- files

static void write_file(const char *dir, const char *name, const char *text) {
  char path[300];
  snprintf(path, sizeof path, "%s/%s", dir, name);
  FILE *f = fopen(path, "w");
  CHECK(f && fputs(text, f) >= 0 && fclose(f) == 0, "%s", path);
}

TEST(includes_are_searched_for) {
  char here[] = "/tmp/heddle-cat-XXXXXX", there[] = "/tmp/heddle-cat-XXXXXX";
  CHECK(mkdtemp(here) && mkdtemp(there), "no folder");
  write_file(here, "a.cat", "include \"b.cat\"\nacyclic b as a");
  write_file(here, "b.cat", "include \"c.cat\"\nlet b = c");
  write_file(there, "c.cat", "let c = po");
  write_file(here, "x.cat", "include \"y.cat\"");
  write_file(here, "y.cat", "\n include \"x.cat\"");
  char path[300];
  struct cat *c;
  struct diag why;
  snprintf(path, sizeof path, "%s/a.cat", here);
  unsetenv("HEDDLE_CAT_PATH");
  CHECK(!cat_load(path, NULL, &c, &why), "c.cat was found");
  CHECK(strstr(why.text, "no file 'c.cat'") && strstr(why.file, "b.cat"),
        "%s: %s", why.file, why.text);
  const char *dirs[] = {"/nowhere", there};
  struct cat_search search = {.dirs = dirs, .ndirs = 2};
  CHECK(cat_load(path, &search, &c, &why), "%s", why.text);
  cat_free(c);
  char both[100];
  snprintf(both, sizeof both, "/nowhere:%s", there);
  setenv("HEDDLE_CAT_PATH", both, 1);
  CHECK(cat_load(path, NULL, &c, &why), "%s", why.text);
  cat_free(c);
  unsetenv("HEDDLE_CAT_PATH");
  snprintf(path, sizeof path, "%s/x.cat", here);
  CHECK(!cat_load(path, NULL, &c, &why), "a cycle");
  CHECK(strstr(why.text, "includes itself") && why.line == 2 && why.column == 2,
        "%u: %s", why.line, why.text);
  CHECK(!cat_load("/nowhere/z.cat", NULL, &c, &why), "no such file");
  CHECK(strstr(why.text, "cannot be read"), "%s", why.text);
  CHECK(!cat_load(here, NULL, &c, &why), "a folder");
  CHECK(strstr(why.text, "cannot be read"), "%s", why.text);
}

// -- the models

static struct cat *load_ours(const char *model) {
  char name[40];
  struct cat *c = NULL;
  struct diag why;
  snprintf(name, sizeof name, "%s.cat", model);
  const struct cat_text *t = cat_text_find(name);
  CHECK(t, "%s", name);
  CHECK(cat_load_text(name, t->text, t->size, NULL, &c, &why), "%s:%u: %s",
        why.file, why.line, why.text);
  return c;
}

static struct cat_model *model_of(struct cat *c) {
  struct cat_model *m = NULL;
  struct diag why;
  CHECK(cat_model_of(c, &m, &why), "%s", why.text);
  return m;
}

// At each step the judge, which knows the graph before it, says what the
// definition says; now and then the search goes back some steps.
static void compare(const struct model *m, const struct cat_model *file,
                    unsigned seed, uint32_t *refused) {
  uint64_t s = seed_of(seed);
  struct graph g;
  const struct shape *h = start_random(&g, seed);
  struct graph_mark marks[40];
  for (unsigned i = 0, steps = 0; steps < 40 && i < 30; steps++) {
    marks[i] = graph_mark(&g);
    event_id e = grow(&g, &s, h);
    if (e == NO_EVENT)
      continue;
    // What only complete graphs are asked, code and file may put off
    // differently.
    bool filters = m->filters || file->model.filters;
    bool want = filters ? model_allows_complete(m, &g, &no_options)
                        : model_allows(m, &g, &no_options);
    bool slow = filters ? model_allows_complete(&file->model, &g, &no_options)
                        : model_allows(&file->model, &g, &no_options);
    bool fast = model_consistent(&file->model, &g, e, NO_EVENT, &no_options);
    CHECK(slow == want, "%s, seed %u, step %u: the file says %d", m->name, seed,
          steps, slow);
    CHECK(fast == want || (filters && fast),
          "%s, seed %u, step %u: the judge says %d", m->name, seed, steps,
          fast);
    *refused += !want;
    if (!want || below(&s, 12) == 0) {
      i -= want ? below(&s, i + 1) : 0;
      graph_undo_to(&g, marks[i]);
    } else {
      i++;
    }
  }
  graph_done(&g);
}

TEST(files_mean_what_the_models_say) {
  for (const struct model *const *m = models; *m; m++) {
    if ((*m)->justifier)
      continue; // no axioms on one graph say what it is
    struct cat_model *file = model_of(load_ours((*m)->name));
    uint32_t refused = 0;
    if (!(*m)->tracks_dependencies)
      for (unsigned seed = 1; seed <= 200; seed++)
        compare(*m, file, seed, &refused);
    CHECK((*m)->tracks_dependencies || strcmp((*m)->name, "ra") == 0 ||
              refused > 10,
          "%s: hardly anything is refused", (*m)->name);
    cat_model_free(file);
  }
}

// Terms that the models do not have, on graphs that grow at random: the judge
// says what the definition says.
static const char *const strange[] = {
    "irreflexive (po | rf | fr; co?)+ as a",
    "acyclic rf^-1; co | po as a",
    "empty (po; [F]; po) & (fr; rf) as a",
    "acyclic ((R | W) * R) & po | (W * R) & (co; rf) | fr & (_ * W) as a",
    "acyclic [domain(rmw) | range(co & int)]; po; [range(rf)] | rf | fr as a",
    "acyclic po \\ (po; po) | rf | co | fr as a",
    "acyclic po \\ ([W]; po; [R]) | (rf \\ po) | (co; rf \\ id) | fr as a",
    "acyclic ~(fr | co)^-1 & loc & ext \\ id as a",
    "let rec x = po | rf; x | x; co and y = x | y; fr; x irreflexive y as a",
    ("let rec ci = rf & ext | ci; ii | cc; ci and ii = po & loc | ci | ii; ii\n"
     "and cc = po & (R * W) | ci; ii acyclic ci | cc | fr | po & (W * R) as a"),
    ("let rec s = SC | range([s]; rf) | domain(po; [s]) "
     "acyclic [s]; po | fr | rf as a"),
    "empty range(rf) & SC & domain(fr) as a",
    "irreflexive po; fr; rf; po; fr as a",
    "acyclic (po | rf)* & ((W * W) | (R * R)) \\ id | co as a",
    "empty [SC]; (co | fr); ((po | rf | co | fr)+ & id) as a",
    "acyclic [ISB]; po | [R | W]; po | [W]; (rf | co) | fr; [W] as a",
    "acyclic po; [ISB]; po | po | rf | co | fr as a",
    "acyclic po | rf | co | fr | [ISB]; po; [ISB] as a",
    "acyclic ([ISB]; po | [SC]; po); (rf | co | fr)+ as a",
    "acyclic po | co & (fr^-1; fr) as a",
    ("irreflexive (po & loc); (rf | co | fr)+ let M = R | W "
     "acyclic [W]; po; [W] | [R]; po; [M] | rf & ext | co | fr as a"),
    ("irreflexive (po & loc); (rf | co | fr)+ let M = R | W "
     "acyclic [M]; po; [W | SC] | [R]; po & (fr; (rf & ext)) | (rf & ext)\n"
     "| fr | co & (fr^-1; fr) as a"),
    ("irreflexive (po & loc); (rf | co | fr)+ let M = R | W "
     "acyclic [M]; po; [X] | [X]; po; [M] | rf & ext | co & ext | fr as a"),
};

// What the last axiom of a text is to the search.
static enum polarity polarity_of(const char *axiom) {
  char text[200];
  snprintf(text, sizeof text, "acyclic po | rf as porf\n%s as a", axiom);
  struct cat_model *m = model_of(load(text));
  enum polarity p = (enum polarity)m->analysis.polarity[m->cat->axioms.len - 1];
  cat_model_free(m);
  return p;
}

// A new event that is the newest of all closes no cycle, unless something is
// followed backwards. The two events of an update are one step.
TEST(axioms_that_could_stop_the_search_only_filter) {
  static const struct {
    const char *axiom;
    enum polarity polarity;
  } rows[] = {
      {"acyclic po | rf | co | fr", POLARITY_MONOTONE},
      {"acyclic po | rf | co | rf^-1; co", POLARITY_MONOTONE},
      {"irreflexive rf; po; rf^-1; co; rf", POLARITY_MONOTONE},
      {"empty rmw & ((fr & ext); (co & ext))", POLARITY_MONOTONE},
      {"acyclic rmw; [SC]; rmw^-1; po | fr", POLARITY_MONOTONE},
      {"acyclic po \\ loc | rf | fr", POLARITY_STABLE},
      {"acyclic po \\ (fr; co) | rf | fr", POLARITY_UNSTABLE},
      {"empty po & fr", POLARITY_STUCK},
      {"acyclic po^-1; [F]; po | fr", POLARITY_STUCK},
      {"acyclic [domain(po; [F])]; fr | co; rf", POLARITY_STUCK},
      {"acyclic rcu-rscs^-1 | fr | rf | po", POLARITY_STUCK},
      {"empty [SC & W]", POLARITY_STUCK},
      {"irreflexive [SC]; po?", POLARITY_STUCK},
      {"irreflexive (([SC]; po?) \\ id); fr?", POLARITY_STABLE},
      {"acyclic po | (rf | [F])+", POLARITY_STUCK},
      {"acyclic po | [domain(rmw)]", POLARITY_STUCK},
      {"empty rmw & (po; [F]; po)", POLARITY_MONOTONE},
      {"empty rmw & ([SC]; po)", POLARITY_STUCK},
      {"irreflexive rmw; rmw^-1", POLARITY_STUCK},
      {"irreflexive rmw^-1; po", POLARITY_STUCK},
      {"acyclic rmw^-1 | co", POLARITY_MONOTONE},
      {"acyclic rmw^-1 | fr", POLARITY_STUCK},
      {"acyclic (po \\ rmw); rmw^-1 | rf", POLARITY_STABLE},
      {"acyclic (po \\ data); rmw^-1 | rf", POLARITY_STUCK},
      {"let rec x = po | x; [SC] | x; x irreflexive x", POLARITY_MONOTONE},
      {"let rec x = po | [SC] | x; x irreflexive x", POLARITY_STUCK},
      {"let rec x = id & x | po irreflexive po | id \\ x", POLARITY_STUCK},
  };
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
    CHECK_EQ(polarity_of(rows[i].axiom), rows[i].polarity, "%s", rows[i].axiom);
}

// Lets the judge look at axioms too that are not extensible: that is wrong for
// a search, but it must judge them right.
static void judge_all_stable(struct cat_model *m) {
  for (uint32_t i = 0; i < m->cat->axioms.len; i++)
    if (m->analysis.polarity[i] == POLARITY_STUCK)
      m->pruning |= UINT64_C(1) << i;
  plan_done(&m->plan);
  plan_init(&m->plan, m->cat, m->pruning);
}

TEST(the_judge_says_what_the_definition_says) {
  for (unsigned i = 0; i < sizeof strange / sizeof *strange; i++) {
    char text[600];
    snprintf(text, sizeof text, "acyclic po | rf as porf\n%s", strange[i]);
    struct cat_model *m = model_of(load(text));
    judge_all_stable(m);
    uint32_t steps = 0, refused = 0;
    for (unsigned seed = 1; seed <= 150; seed++) {
      uint64_t s = seed_of(seed);
      struct graph g;
      const struct shape *h = start_random(&g, seed);
      for (unsigned k = 0; k < 25; k++) {
        struct graph_mark mark = graph_mark(&g);
        event_id e = grow(&g, &s, h);
        if (e == NO_EVENT)
          continue;
        bool want = model_allows(&m->model, &g, &no_options);
        bool got = model_consistent(&m->model, &g, e, NO_EVENT, &no_options);
        CHECK(got == want, "%s: seed %u, step %u: %d", strange[i], seed, k,
              got);
        steps++;
        refused += !want;
        if (!want || below(&s, 10) == 0)
          graph_undo_to(&g, mark);
      }
      graph_done(&g);
    }
    CHECK(refused > 5 && refused < steps - 5, "%s: %u of %u refused",
          strange[i], refused, steps);
    cat_model_free(m);
  }
}

// explore/reduce/symmetry.c needs it of those with fast code, too.
TEST(threads_may_be_exchanged_under_models_with_fast_code) {
  static const char *const names[] = {"rc11", "imm", "armv8"};
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
    struct cat *c = load_ours(names[i]);
    struct cat_analysis a;
    cat_analyse(&a, c);
    CHECK(a.proved.is_symmetric, "%s", names[i]);
    cat_analysis_done(&a);
    cat_free(c);
  }
}

// What is written down about the models that come with Heddle.
TEST(proofs_say_what_is_known) {
  static const struct {
    const char *name, *file;
    struct cat_proved known;
  } rows[] = {
#define TEXT_MODEL(name, file, title, tests, answers, declared, lifts, ...)    \
  {name, file, {__VA_ARGS__}},
#include "cat/builtin.def"
#undef TEXT_MODEL
  };
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
    const char *file = rows[i].file;
    struct cat *c = load_ours(rows[i].name);
    struct cat_analysis a;
    cat_analyse(&a, c);
    struct cat_proved proof = a.proved, told = rows[i].known;
    CHECK_EQ(proof.porf_is_acyclic, told.porf_is_acyclic, "%s", file);
    CHECK_EQ(proof.has_no_thin_air, told.has_no_thin_air, "%s", file);
    CHECK_EQ(proof.reads_nothing_later, told.reads_nothing_later, "%s", file);
    CHECK_EQ(proof.barriers_order, told.barriers_order, "%s", file);
    CHECK_EQ(proof.hb_is_coherent, told.hb_is_coherent, "%s", file);
    CHECK_EQ(proof.po_is_coherent, told.po_is_coherent, "%s", file);
    CHECK_EQ(proof.thread_is_coherent, told.thread_is_coherent, "%s", file);
    CHECK_EQ(proof.writes_are_coherent, told.writes_are_coherent, "%s", file);
    CHECK_EQ(proof.is_symmetric, told.is_symmetric, "%s", file);
    CHECK_EQ(proof.co_keeps_porf, told.co_keeps_porf, "%s", file);
    CHECK_EQ(proof.load_orders, told.load_orders, "%s", file);
    if (told.cycle_orders) // else nobody asks
      CHECK_EQ(proof.cycle_orders, told.cycle_orders, "%s", file);
    CHECK_EQ(proof.local, told.local, "%s", file);
    CHECK_EQ(proof.given, told.given, "%s", file);
    cat_analysis_done(&a);
    cat_free(c);
  }
}
