// SPDX-License-Identifier: MIT
// A test as a text: threads side by side, first contents, and the question. The
// instructions are those of cycle_asm.c and cycle_c.c.
//
// The question asks for the value of each read of the cycle. Coherence of two
// writes is seen in the last value. Of more writes that is not enough: another
// thread reads all values but the last in their order.
#include "litmus/cycle_write.h"

#include <stdio.h>
#include <string.h>

const char *const cycle_locations[MOST_EDGES] = {"x", "y", "z", "a", "b", "c",
                                                 "d", "e", "f", "g", "h", "i",
                                                 "j", "k", "l", "m"};

bool cycle_acquires(const struct cycle *c, unsigned t, unsigned k) {
  const struct spot *s = &c->at[t][k];
  return s->link == LINK_UPDATE
             ? order_acquires(s[-1].order) || s->order == ORD_SC
             : s->order == ORD_SC;
}

bool cycle_releases(const struct cycle *c, unsigned t, unsigned k) {
  const struct spot *s = &c->at[t][k];
  return order_releases(s->order) ||
         (s->link == LINK_UPDATE && s[-1].order == ORD_SC &&
          c->dialect != DIALECT_AARCH64); // there A is of the read alone
}

static bool is_c(const struct cycle *c) {
  return c->dialect == DIALECT_C || c->dialect == DIALECT_LKMM;
}

// -- assembly

static void write_thread(struct cycle_thread *w) {
  const struct cycle *c = w->c;
  const struct cycle_language *l = &cycle_languages[c->dialect];
  unsigned t = w->number;
  for (unsigned k = 0; k < c->len[t]; k++) {
    if (k + 1 < c->len[t] && c->at[t][k + 1].link == LINK_UPDATE)
      continue; // one instruction, or two, with the write
    unsigned entry = cycle_entry(c, t, k);
    if (entry)
      l->link(w, entry, w->value[entry - 1]);
    bool waits = c->at[t][k].waits;
    unsigned label = cycle_label(w, k);
    if (waits)
      str_add(&w->code, "A%02u:\n", label);
    l->access(w, k);
    if (waits)
      l->again(w, w->value[k], c->at[t][k].value, label);
  }
}

// The columns of assembly from the lines of each thread.
static void write_columns(struct cycle_thread *threads, unsigned n,
                          struct str *out) {
  char *rest[MOST_THREADS + MOST_EDGES];
  int width[MOST_THREADS + MOST_EDGES];
  bool more = true;
  for (unsigned i = 0; i < n; i++) {
    rest[i] = threads[i].code.at ? threads[i].code.at : (char *)"";
    width[i] = 2;
    for (const char *at = rest[i]; *at; at += strcspn(at, "\n"), at += *at != 0)
      if ((int)strcspn(at, "\n") > width[i])
        width[i] = (int)strcspn(at, "\n");
  }
  for (unsigned i = 0; i < n; i++) {
    char head[8];
    snprintf(head, sizeof head, "P%u", i);
    str_add(out, "%s %-*s", i ? " |" : "", width[i], head);
  }
  str_add(out, " ;\n");
  while (more) {
    more = false;
    for (unsigned i = 0; i < n; i++) {
      int len = (int)strcspn(rest[i], "\n");
      str_add(out, "%s %-*.*s", i ? " |" : "", width[i], len, rest[i]);
      rest[i] += len;
      rest[i] += *rest[i] != 0;
      more |= *rest[i];
    }
    str_add(out, " ;\n");
  }
}

// -- the question

// A register as the language calls it.
static void add_register(const struct cycle *c, unsigned r, struct str *out) {
  const struct cycle_language *l = &cycle_languages[c->dialect];
  if (is_c(c))
    str_add(out, "r%u", r);
  else if (l->names)
    str_add(out, "%s", l->names[r]);
  else
    str_add(out, "%s%u", l->reg, r);
}

struct question {
  const struct cycle *c;
  struct str *out;
  unsigned atoms;
};

static void ask_register(struct question *q, unsigned thread, unsigned r,
                         unsigned value) {
  str_add(q->out, "%s%u:", q->atoms++ ? " /\\ " : "", thread);
  add_register(q->c, r, q->out);
  str_add(q->out, "=%u", value);
}

static void ask_thread(struct question *q, const struct cycle_thread *w) {
  const struct cycle *c = q->c;
  unsigned t = w->number;
  for (unsigned k = 0; k < c->len[t]; k++) {
    const struct spot *s = &c->at[t][k];
    if (!s->is_write)
      ask_register(q, t, is_c(c) ? k : w->value[k], s->value);
    if (w->status[k])
      ask_register(q, t, w->status[k] - 1, 0);
  }
}

// Is there a store-conditional whose success no register tells?
static bool has_silent_store(const struct cycle *c, unsigned loc) {
  for (unsigned t = 0; c->dialect == DIALECT_PPC && t < c->threads; t++)
    for (unsigned k = 0; k < c->len[t]; k++)
      if (c->at[t][k].loc == loc && c->at[t][k].link == LINK_UPDATE)
        return true;
  return false;
}

static bool needs_observer(const struct cycle *c, unsigned loc) {
  return c->writes[loc] > 2 ||
         (c->writes[loc] == 2 && has_silent_store(c, loc));
}

// A cycle of which the thread is all: one read after the other.
static void observer_of(const struct cycle *c, unsigned loc,
                        struct cycle *ret) {
  *ret = (struct cycle){.dialect = c->dialect, .threads = 1, .locs = c->locs};
  for (unsigned v = 1; v < c->writes[loc]; v++)
    ret->at[0][ret->len[0]++] =
        (struct spot){.order = ORD_RLX, .loc = loc, .value = v};
}

// -- the whole

struct whole {
  const struct cycle *c;
  struct cycle observers[MOST_EDGES]; // threads of their own
  struct cycle_thread threads[MOST_THREADS + MOST_EDGES];
  unsigned n;
};

static bool write_threads(struct whole *w, struct diag *why) {
  const struct cycle_language *l = &cycle_languages[w->c->dialect];
  for (unsigned i = 0; i < w->n; i++) {
    struct cycle_thread *t = &w->threads[i];
    bool is_observer = i >= w->c->threads;
    t->c = is_observer ? &w->observers[i - w->c->threads] : w->c;
    t->number = is_observer ? 0 : i;
    t->next = l->first_register;
    if (!is_c(w->c))
      write_thread(t);
    if (!is_c(w->c) && t->next > l->registers)
      return diag_set(why, NULL, 0,
                      "%s has too few registers for this cycle: thread P%u "
                      "needs %u",
                      dialect_name(w->c->dialect), i, t->next);
  }
  return true;
}

static void write_bodies(const struct whole *w, struct str *out) {
  for (unsigned i = 0; i < w->n; i++) {
    struct str body = {0};
    cycle_c_thread(w->threads[i].c, w->threads[i].number, &body);
    str_add(out, "P%u (%s\n", i, str_text(&body));
    str_done(&body);
  }
}

static void write_question(const struct whole *w, struct str *out) {
  struct question q = {.c = w->c, .out = out};
  const struct cycle *c = w->c;
  str_add(out, "exists (");
  for (unsigned i = 0; i < w->n; i++) {
    const struct cycle_thread *t = &w->threads[i];
    if (i < c->threads) {
      ask_thread(&q, t);
      continue;
    }
    for (unsigned k = 0; k < t->c->len[0]; k++)
      ask_register(&q, i, is_c(c) ? k : t->value[k], t->c->at[0][k].value);
  }
  for (unsigned x = 0; x < c->locs; x++)
    if (c->writes[x] > 1)
      str_add(out, "%s%s=%u", q.atoms++ ? " /\\ " : "", cycle_locations[x],
              c->writes[x]);
  str_add(out, "%s)\n", q.atoms ? "" : "true");
}

static void write_init(const struct whole *w, struct str *out) {
  str_add(out, "{\n");
  for (unsigned i = 0; i < w->n; i++) {
    // Each is "X1=x;": the thread is ours to say.
    const char *at = str_text(&w->threads[i].init);
    bool has_any = *at;
    while (*at) {
      int len = (int)strcspn(at, ";");
      str_add(out, "%s%u:%.*s;", at == str_text(&w->threads[i].init) ? "" : " ",
              i, len, at);
      at += len + 1;
    }
    str_add(out, "%s", has_any ? "\n" : "");
  }
  str_add(out, "}\n");
}

bool cycle_write(const struct cycle *c, const char *name, const char *title,
                 struct str *out, struct diag *why) {
  struct whole *w = xcalloc(1, sizeof *w);
  w->c = c;
  w->n = c->threads;
  for (unsigned x = 0; x < c->locs; x++)
    if (needs_observer(c, x))
      observer_of(c, x, &w->observers[w->n++ - c->threads]);
  bool ok = write_threads(w, why);
  if (ok) {
    str_add(out, "%s %s\n", dialect_name(c->dialect), name);
    if (title)
      str_add(out, "\"%s\"\n", title);
    write_init(w, out);
    if (is_c(c))
      write_bodies(w, out);
    else
      write_columns(w->threads, w->n, out);
    write_question(w, out);
  }
  for (unsigned i = 0; i < w->n; i++) {
    str_done(&w->threads[i].code);
    str_done(&w->threads[i].init);
  }
  free(w);
  return ok;
}
