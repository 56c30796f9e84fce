// SPDX-License-Identifier: MIT
// The names of edges. All edges of a language are a list; what a user writes
// is looked up there, so that what is not in it can be answered with what is
// near.
#include "base/suggest.h"
#include "litmus/cycle.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

const struct cycle_fence cycle_fences[] = {
#define CYCLE_FENCE(dialect, edge, name, code)                                 \
  {DIALECT_##dialect, edge, name, code},
#include "litmus/cycle_edge.def"
    {.edge = NULL}};

const struct cycle_order cycle_orders[] = {
#define CYCLE_ORDER(dialect, mark, order, accesses)                            \
  {DIALECT_##dialect, mark, ORD_##order, accesses},
#include "litmus/cycle_edge.def"
    {.mark = NULL}};

// -- languages

static const struct {
  const char *name;  // of the command line
  const char *first; // in a test
} dialects[DIALECTS] = {
    [DIALECT_AARCH64] = {"AArch64", "AArch64"},
    [DIALECT_ARM] = {"ARM", "ARM"},
    [DIALECT_PPC] = {"PPC", "PPC"},
    [DIALECT_RISCV] = {"RISCV", "RISCV"},
    [DIALECT_X86] = {"X86", "X86"},
    [DIALECT_X86_64] = {"X86_64", "X86_64"},
    [DIALECT_C] = {"C", "C"},
    [DIALECT_LKMM] = {"LKMM", "C"},
};

const char *dialect_name(enum dialect d) {
  return dialects[d].first;
}

bool dialect_find(const char *name, enum dialect *ret, struct diag *why) {
  struct suggestion s = {.wanted = name};
  for (unsigned d = 0; d < DIALECTS; d++) {
    if (strcasecmp(name, dialects[d].name) == 0) {
      *ret = (enum dialect)d;
      return true;
    }
    suggest_consider(&s, dialects[d].name);
  }
  diag_set(why, NULL, 0, "no litmus tests can be made for '%s'", name);
  if (s.best)
    diag_hint(why, "did you mean %s?", s.best);
  else
    diag_hint(why, "the languages are AArch64, ARM, PPC, RISCV, X86, X86_64, C "
                   "and LKMM");
  return false;
}

// -- marks

const char *order_mark(enum dialect d, enum order o) {
  for (const struct cycle_order *m = cycle_orders; m->mark; m++)
    if (m->dialect == d && m->order == o)
      return m->mark;
  return "";
}

static bool mark_fits(const struct cycle_order *m, bool is_write) {
  return strpbrk(m->accesses, is_write ? "Ww" : "Rr");
}

// The longest mark that `text` begins with, for such an access; NULL: none.
static const struct cycle_order *mark_at(enum dialect d, const char *text,
                                         bool is_write) {
  const struct cycle_order *best = NULL;
  for (const struct cycle_order *m = cycle_orders; m->mark; m++)
    if (m->dialect == d && mark_fits(m, is_write) &&
        strncmp(text, m->mark, strlen(m->mark)) == 0 &&
        (!best || strlen(m->mark) > strlen(best->mark)))
      best = m;
  return best;
}

// -- the list

static void add(edge_list *to, struct cycle_edge e, const char *name,
                const char *rest) {
  struct named_edge *n = array_extend(to, 1);
  e.from = e.to = ANY_ORDER;
  n->edge = e;
  snprintf(n->name, sizeof n->name, "%s%s", name, rest);
}

static void add_communication(edge_list *to) {
  static const struct {
    const char *name;
    enum cycle_edge_kind kind;
    bool from_write, to_write;
  } kinds[] = {{"Rf", CYCLE_RF, true, false},
               {"Fr", CYCLE_FR, false, true},
               {"Co", CYCLE_CO, true, true}};
  for (unsigned i = 0; i < 3; i++)
    for (unsigned external = 2; external-- > 0;) {
      struct cycle_edge e = {.kind = kinds[i].kind,
                             .is_external = external,
                             .is_same = true,
                             .from_write = kinds[i].from_write,
                             .to_write = kinds[i].to_write};
      add(to, e, kinds[i].name, external ? "e" : "i");
    }
}

// The edges of a link, on one location or two, in all directions that it has.
static void add_link(edge_list *to, const char *name, struct cycle_edge e,
                     bool from_reads, bool to_writes) {
  char rest[4];
  bool is_dependency = e.link >= LINK_ADDR && e.link <= LINK_EXPECTED;
  e.kind = CYCLE_LINK;
  for (unsigned same = 0; same < 2; same++)
    for (unsigned from = 0; from < (from_reads ? 1 : 2); from++)
      for (unsigned target = to_writes; target < 2; target++) {
        e.is_same = same;
        e.from_write = from;
        e.to_write = target;
        snprintf(rest, sizeof rest, "%c%s%s", same ? 's' : 'd',
                 is_dependency ? ""
                 : from        ? "W"
                               : "R",
                 target ? "W" : "R");
        add(to, e, name, rest);
      }
}

static const struct cycle_fence *fence_named(enum dialect d, const char *name) {
  for (const struct cycle_fence *f = cycle_fences; f->edge; f++)
    if (f->dialect == d && strcmp(f->edge, name) == 0)
      return f;
  return NULL;
}

static void add_dependencies(enum dialect d, edge_list *to) {
  bool is_x86 = d == DIALECT_X86 || d == DIALECT_X86_64;
  const struct cycle_fence *isb =
      fence_named(d, d == DIALECT_PPC ? "ISync" : "ISB");
  if (is_x86)
    return;
  add_link(to, "DpAddr", (struct cycle_edge){.link = LINK_ADDR}, true, false);
  add_link(to, "DpData", (struct cycle_edge){.link = LINK_DATA}, true, true);
  add_link(to, "DpCtrl", (struct cycle_edge){.link = LINK_CTRL}, true, false);
  if (isb)
    add_link(to, d == DIALECT_PPC ? "DpCtrlIsync" : "DpCtrlIsb",
             (struct cycle_edge){.link = LINK_CTRL_FENCE, .fence = isb}, true,
             false);
  if (d == DIALECT_AARCH64) {
    add_link(to, "DpAddrCsel", (struct cycle_edge){.link = LINK_ADDR_PICK},
             true, false);
    add_link(to, "DpDataCsel", (struct cycle_edge){.link = LINK_DATA_PICK},
             true, true);
  }
}

static void add_updates(enum dialect d, edge_list *to) {
  bool has_llsc = d <= DIALECT_RISCV;
  bool has_swap = d != DIALECT_ARM && d != DIALECT_PPC;
  bool has_cas = has_swap && d != DIALECT_RISCV && d != DIALECT_C;
  struct cycle_edge e = {.kind = CYCLE_LINK,
                         .is_same = true,
                         .to_write = true,
                         .link = LINK_UPDATE};
  e.form = FORM_LLSC;
  if (has_llsc)
    add(to, e, "LxSx", "");
  e.form = FORM_SWAP;
  if (has_swap)
    add(to, e, "Amo.Swp", "");
  e.form = FORM_CAS;
  if (has_cas)
    add(to, e, "Amo.Cas", "");
}

void cycle_edges_of(enum dialect d, edge_list *ret) {
  add_communication(ret);
  add_link(ret, "Po", (struct cycle_edge){.link = LINK_PO}, false, false);
  add_dependencies(d, ret);
  for (const struct cycle_fence *f = cycle_fences; f->edge; f++)
    if (f->dialect == d)
      add_link(ret, f->edge,
               (struct cycle_edge){.link = LINK_FENCE, .fence = f}, false,
               false);
  if (d == DIALECT_LKMM)
    add_link(ret, "Rscs", (struct cycle_edge){.link = LINK_SECTION}, false,
             false);
  add_updates(d, ret);
}

// -- reading

enum { MOST_WORD = 63 };

// What other versions of diy call Coe and Coi.
static const char *modern(const char *word, char room[MOST_WORD + 1]) {
  if (strncmp(word, "Wse", 3) != 0 && strncmp(word, "Wsi", 3) != 0)
    return word;
  snprintf(room, MOST_WORD + 1, "Co%s", word + 2);
  return room;
}

static bool read_marks(enum dialect d, const char *text, struct cycle_edge *e) {
  const struct cycle_order *from = mark_at(d, text, e->from_write);
  if (!*text)
    return true;
  const struct cycle_order *to =
      from ? mark_at(d, text + strlen(from->mark), e->to_write) : NULL;
  if (!to || text[strlen(from->mark) + strlen(to->mark)])
    return false;
  e->from = (int8_t)from->order;
  e->to = (int8_t)to->order;
  return true;
}

static bool refuse_word(enum dialect d, const edge_list *all, const char *word,
                        struct diag *why) {
  struct suggestion s = {.wanted = word};
  for (uint32_t i = 0; i < all->len; i++)
    suggest_consider(&s, all->at[i].name);
  diag_set(why, NULL, 0, "'%s' is not an edge of %s", word, dialects[d].name);
  if (s.best)
    diag_hint(why, "did you mean %s? 'heddle litmus --generate %s' lists them",
              s.best, dialects[d].name);
  else
    diag_hint(why, "'heddle litmus --generate %s' lists them",
              dialects[d].name);
  return false;
}

// An edge with its marks; false: it is none.
static bool find_edge(enum dialect d, const edge_list *all, const char *word,
                      struct cycle_edge *ret) {
  char room[MOST_WORD + 1];
  word = modern(word, room);
  for (uint32_t i = 0; i < all->len; i++) {
    const struct named_edge *n = &all->at[i];
    *ret = n->edge;
    if (strncmp(word, n->name, strlen(n->name)) == 0 &&
        read_marks(d, word + strlen(n->name), ret))
      return true;
  }
  return false;
}

// The next word; false: there is none. `is_long`: it is none of ours.
static bool next_word(const char **at, char word[MOST_WORD + 1],
                      bool *is_long) {
  *at += strspn(*at, " \t\n,");
  size_t n = strcspn(*at, " \t\n,");
  size_t kept = n < MOST_WORD ? n : MOST_WORD;
  memcpy(word, *at, kept);
  word[kept] = 0;
  *is_long = n > MOST_WORD;
  *at += n;
  return n;
}

bool cycle_edges_parse(enum dialect d, const char *text,
                       struct cycle_edges *ret, struct diag *why) {
  edge_list all = {0};
  char word[MOST_WORD + 1];
  bool ok = true, is_long;
  *ret = (struct cycle_edges){0};
  cycle_edges_of(d, &all);
  while (ok && next_word(&text, word, &is_long)) {
    if (ret->len == MOST_EDGES)
      ok = diag_set(why, NULL, 0, "a cycle has at most %d edges", MOST_EDGES);
    else if (is_long || !find_edge(d, &all, word, &ret->at[ret->len]))
      ok = refuse_word(d, &all, word, why);
    else
      ret->len++;
  }
  array_done(&all);
  return ok;
}

// -- choosing

enum { MOST_MARKS = 8 }; // of a language

// Marks that are given alone.
typedef ARRAY(const struct cycle_order *) mark_list;

static bool find_mark(enum dialect d, const char *word, mark_list *to) {
  for (const struct cycle_order *m = cycle_orders; m->mark; m++) {
    bool is_known = false;
    for (uint32_t i = 0; i < to->len; i++)
      is_known |= to->at[i] == m;
    if (m->dialect != d || strcmp(m->mark, word) != 0)
      continue;
    if (!is_known)
      array_push(to, m);
    return true;
  }
  return false;
}

// Those that could be at an end of an edge: what is said, or any.
static uint32_t marks_at(const mark_list *marks, int said, bool is_write,
                         int8_t *ret) {
  uint32_t n = 0;
  if (said != ANY_ORDER) {
    ret[n++] = (int8_t)said;
    return n;
  }
  for (uint32_t i = 0; i < marks->len && n < MOST_MARKS; i++)
    if (mark_fits(marks->at[i], is_write))
      ret[n++] = (int8_t)marks->at[i]->order;
  return n;
}

// The edge with every choice of marks.
static void add_marked(const struct named_edge *n, const mark_list *marks,
                       edge_list *ret) {
  int8_t from[MOST_MARKS], to[MOST_MARKS];
  uint32_t f = marks_at(marks, n->edge.from, n->edge.from_write, from);
  uint32_t t = marks_at(marks, n->edge.to, n->edge.to_write, to);
  for (uint32_t i = 0; i < f; i++)
    for (uint32_t k = 0; k < t; k++) {
      struct named_edge marked = *n;
      marked.edge.from = from[i];
      marked.edge.to = to[k];
      array_push(ret, marked);
    }
}

static bool is_chosen(const edge_list *chosen, const char *name) {
  for (uint32_t i = 0; i < chosen->len; i++)
    if (strcmp(chosen->at[i].name, name) == 0)
      return true;
  return false;
}

static bool choose(enum dialect d, const edge_list *all, const char *word,
                   edge_list *chosen, mark_list *marks, struct diag *why) {
  char room[MOST_WORD + 1];
  bool found = false;
  word = modern(word, room);
  for (uint32_t i = 0; i < all->len; i++)
    if (fnmatch(word, all->at[i].name, 0) == 0) {
      found = true;
      if (!is_chosen(chosen, all->at[i].name))
        array_push(chosen, all->at[i]);
    }
  if (found || find_mark(d, word, marks))
    return true;
  struct named_edge n = {0};
  if (!find_edge(d, all, word, &n.edge))
    return refuse_word(d, all, word, why);
  snprintf(n.name, sizeof n.name, "%.31s", word);
  array_push(chosen, n);
  return true;
}

bool cycle_edges_select(enum dialect d, const char *text, edge_list *ret,
                        struct diag *why) {
  edge_list all = {0}, chosen = {0};
  mark_list marks = {0};
  char word[MOST_WORD + 1];
  bool ok = true, is_long;
  cycle_edges_of(d, &all);
  for (const struct cycle_order *m = cycle_orders; m->mark && !marks.len; m++)
    if (m->dialect == d)
      array_push(&marks, m);
  while (ok && next_word(&text, word, &is_long))
    ok = is_long ? refuse_word(d, &all, word, why)
                 : choose(d, &all, word, &chosen, &marks, why);
  for (uint32_t i = 0; ok && i < chosen.len; i++)
    add_marked(&chosen.at[i], &marks, ret);
  array_done(&all);
  array_done(&chosen);
  array_done(&marks);
  return ok;
}

// -- printing

static void print_plain(enum dialect d, const struct cycle_edge *e,
                        struct str *out) {
  edge_list all = {0};
  cycle_edges_of(d, &all);
  for (uint32_t i = 0; i < all.len; i++) {
    const struct cycle_edge *o = &all.at[i].edge;
    if (o->kind == e->kind && o->is_external == e->is_external &&
        o->is_same == e->is_same && o->from_write == e->from_write &&
        o->to_write == e->to_write && o->link == e->link &&
        o->fence == e->fence && o->form == e->form) {
      str_add(out, "%s", all.at[i].name);
      break;
    }
  }
  array_done(&all);
}

void cycle_edge_print(enum dialect d, const struct cycle_edge *e,
                      struct str *out) {
  const enum order first = ORD_RLX; // of all languages
  print_plain(d, e, out);
  if (e->from == ANY_ORDER && e->to == ANY_ORDER)
    return;
  enum order from = e->from == ANY_ORDER ? first : (enum order)e->from;
  enum order to = e->to == ANY_ORDER ? first : (enum order)e->to;
  if (from != first || to != first)
    str_add(out, "%s%s", order_mark(d, from), order_mark(d, to));
}

void cycle_edges_print(enum dialect d, const struct cycle_edges *e,
                       struct str *out) {
  for (unsigned i = 0; i < e->len; i++) {
    str_add(out, "%s", i ? " " : "");
    cycle_edge_print(d, &e->at[i], out);
  }
}
