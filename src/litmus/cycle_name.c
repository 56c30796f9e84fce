// SPDX-License-Identifier: MIT
// Names of tests, as people have named them since the first papers: that of the
// family (MP, SB, ...) says which accesses the threads begin and end with, and
// behind it is what is between them in each thread. A cycle may be written down
// from any of its threads on; the one that the family begins with is the first,
// and if there are several, what makes the smallest name.
#include "litmus/cycle.h"

#include <ctype.h>
#include <string.h>

static const struct {
  const char *name, *threads;
} families[] = {
    {"MP", "WW RR"},       {"SB", "WR WR"},        {"LB", "RW RW"},
    {"S", "WW RW"},        {"R", "WW WR"},         {"2+2W", "WW WW"},
    {"CoRR", "W RR"},      {"CoRW", "W RW"},       {"CoWR", "W WR"},
    {"CoWW", "W WW"},      {"WRC", "W RW RR"},     {"WWC", "W RW RW"},
    {"RWC", "W RR WR"},    {"WRR+2W", "W RR WW"},  {"WRW+2W", "W RW WW"},
    {"WRW+WR", "W RW WR"}, {"ISA2", "WW RW RR"},   {"W+RWC", "WW RR WR"},
    {"3.SB", "WR WR WR"},  {"3.LB", "RW RW RW"},   {"3.2W", "WW WW WW"},
    {"Z6.0", "WW RW WR"},  {"Z6.1", "WW WW RW"},   {"Z6.2", "WW RW RW"},
    {"Z6.3", "WW WW RR"},  {"Z6.4", "WW WR WR"},   {"Z6.5", "WW WW WR"},
    {"IRIW", "W RR W RR"}, {"IRWIW", "W RR W RW"},
};
enum { FAMILIES = LENGTH(families) };

// A name in the making, for one way to begin the cycle.
struct naming {
  struct cycle_edges e;
  const char *family; // NULL: none is known
  struct str threads; // "WW RR"
  struct str parts;   // "+po+addr"
};

static void naming_done(struct naming *n) {
  str_done(&n->threads);
  str_done(&n->parts);
}

// -- parts

static void add_lower(struct str *out, const char *text) {
  for (; *text; text++)
    str_add(out, "%c", tolower((unsigned char)*text));
}

static const char *link_name(const struct cycle_edge *e) {
  switch (e->link) {
  case LINK_PO:
    return "po";
  case LINK_ADDR:
    return "addr";
  case LINK_DATA:
    return "data";
  case LINK_CTRL:
    return "ctrl";
  case LINK_CTRL_FENCE:
    return "ctrl";
  case LINK_ADDR_PICK:
    return "addrcsel";
  case LINK_DATA_PICK:
    return "datacsel";
  case LINK_EXPECTED:
    return "expected";
  case LINK_FENCE:
    return e->fence->name;
  case LINK_SECTION:
    return "rscs";
  case LINK_UPDATE:
    return e->form == FORM_LLSC   ? "lxsx"
           : e->form == FORM_SWAP ? "amo.swp"
                                  : "amo.cas";
  }
  return "";
}

// The kernel's tests name all marks, the others those that are special.
static bool says_marks(enum dialect d, int from, int to) {
  return d == DIALECT_LKMM || from != ORD_RLX || to != ORD_RLX;
}

static void add_part(enum dialect d, const struct cycle_edge *e,
                     struct str *out) {
  static const char *const inner[] = {
      [CYCLE_RF] = "rfi", [CYCLE_FR] = "fri", [CYCLE_CO] = "coi"};
  if (e->kind != CYCLE_LINK) {
    str_add(out, "%s", inner[e->kind]);
  } else {
    str_add(out, "%s", link_name(e));
    if (e->link == LINK_CTRL_FENCE)
      str_add(out, "%s", e->fence->name);
    if (e->is_same && e->link != LINK_UPDATE)
      str_add(out, e->link == LINK_PO ? "s" : ".s");
  }
  if (!says_marks(d, e->from, e->to))
    return;
  add_lower(out, order_mark(d, (enum order)e->from));
  add_lower(out, order_mark(d, (enum order)e->to));
}

// -- one way to begin

struct walk {
  enum dialect d;
  struct str parts[MOST_THREADS];
  unsigned nparts;
  struct str lone; // marks of threads with one access
  bool lone_is_said;
};

// One thread, from edge i on; yields where the next one begins.
static unsigned walk_thread(struct walk *w, const struct cycle_edges *e,
                            unsigned i, struct str *threads) {
  unsigned first = i;
  while (!e->at[i].is_external)
    i++;
  str_add(threads, "%s%c", threads->len ? " " : "",
          e->at[first].from_write ? 'W' : 'R');
  if (i == first) {
    w->lone_is_said |= says_marks(w->d, e->at[i].from, ORD_RLX);
    str_add(&w->lone, "%s", order_mark(w->d, (enum order)e->at[i].from));
    return i + 1;
  }
  str_add(threads, "%c", e->at[i].from_write ? 'W' : 'R');
  struct str *part = &w->parts[w->nparts++];
  for (unsigned k = first; k < i; k++) {
    str_add(part, "%s", k > first ? "-" : "");
    add_part(w->d, &e->at[k], part);
  }
  return i + 1;
}

static void join_parts(struct walk *w, struct str *out) {
  bool is_same = true;
  for (unsigned i = 1; i < w->nparts; i++)
    is_same &= strcmp(str_text(&w->parts[0]), str_text(&w->parts[i])) == 0;
  bool is_plain =
      is_same && w->nparts && strcmp(str_text(&w->parts[0]), "po") == 0;
  if (is_same && w->nparts > 1 && !is_plain)
    str_add(out, "+%ss", str_text(&w->parts[0]));
  for (unsigned i = 0;
       (!is_same || w->nparts == 1) && !is_plain && i < w->nparts; i++)
    str_add(out, "+%s", str_text(&w->parts[i]));
  if (w->lone_is_said)
    str_add(out, "+%s", str_text(&w->lone));
}

static void name_one_way(enum dialect d, struct naming *n) {
  struct walk w = {.d = d};
  for (unsigned i = 0; i < n->e.len;)
    i = walk_thread(&w, &n->e, i, &n->threads);
  join_parts(&w, &n->parts);
  for (unsigned f = 0; f < FAMILIES; f++)
    if (strcmp(families[f].threads, str_text(&n->threads)) == 0)
      n->family = families[f].name;
  for (unsigned i = 0; i < MOST_THREADS; i++)
    str_done(&w.parts[i]);
  str_done(&w.lone);
}

// A family first; else threads that begin with writes; then the smaller name.
static bool is_better(const struct naming *a, const struct naming *b) {
  if (!a->family != !b->family)
    return a->family;
  int threads = strcmp(str_text(&a->threads), str_text(&b->threads));
  if (!a->family && threads)
    return threads > 0;
  return strcmp(str_text(&a->parts), str_text(&b->parts)) < 0;
}

// Each edge says how its two accesses are marked.
static void say_all_marks(struct cycle_edges *e) {
  for (unsigned i = 0; i < e->len; i++) {
    struct cycle_edge *one = &e->at[(i + e->len - 1) % e->len],
                      *two = &e->at[i];
    int said = one->to != ANY_ORDER ? one->to : two->from;
    one->to = two->from = (int8_t)(said == ANY_ORDER ? ORD_RLX : said);
  }
}

void cycle_name(enum dialect d, struct cycle_edges *e, struct str *name) {
  struct naming best = {0};
  say_all_marks(e);
  for (unsigned r = 0; r < e->len; r++) {
    struct naming n = {.e.len = e->len};
    if (!e->at[(r + e->len - 1) % e->len].is_external)
      continue;
    for (unsigned i = 0; i < e->len; i++)
      n.e.at[i] = e->at[(r + i) % e->len];
    name_one_way(d, &n);
    if (best.e.len && !is_better(&n, &best)) {
      naming_done(&n);
      continue;
    }
    naming_done(&best);
    best = n;
  }
  *e = best.e;
  if (best.family)
    str_add(name, "%s", best.family);
  for (const char *at = str_text(&best.threads); !best.family && *at; at++)
    str_add(name, "%c", *at == ' ' ? '+' : *at);
  str_add(name, "%s", str_text(&best.parts));
  naming_done(&best);
}
