// SPDX-License-Identifier: MIT
#include "report/sentence.h"

#include "report/name.h"

#include <string.h>

struct tally {
  const char *file;
  uint32_t events;
};

const char *view_main_file(const struct view *v) {
  ARRAY(struct tally) files = {0};
  uint32_t best = 0;
  for (uint32_t i = 0; i < v->events.len; i++) {
    const struct place *p = &v->events.at[i].place;
    uint32_t f = 0;
    while (f < files.len && strcmp(files.at[f].file, p->file) != 0)
      f++;
    if (!p->line)
      continue;
    if (f == files.len)
      array_push(&files, (struct tally){p->file, 0});
    if (++files.at[f].events > files.at[best].events)
      best = f;
  }
  const char *file = files.len ? files.at[best].file : "";
  array_done(&files);
  return file;
}

void place_label(struct place p, const char *main_file, struct str *out) {
  if (!p.line)
    return;
  if (strcmp(p.file, main_file) != 0)
    str_add(out, "%s:", base_name(p.file));
  str_add(out, "%u", p.line);
}

// "line 14", "other.c:14".
static void place_in_words(struct place p, const char *main_file,
                           struct str *out) {
  if (strcmp(p.file, main_file) == 0)
    str_add(out, "line ");
  place_label(p, main_file, out);
}

void event_reference(const struct view *v, uint32_t e, const char *main_file,
                     struct str *out) {
  if (e == VIEW_INIT) {
    str_add(out, "initial value");
    return;
  }
  check(e < v->events.len);
  const struct view_event *ev = &v->events.at[e];
  str_add(out, "T%u", ev->thread);
  if (!ev->place.line)
    return;
  str_add(out, " ");
  place_in_words(ev->place, main_file, out);
}

// The other half of a read-modify-write: +1 after a read, -1 before a write.
static bool is_first_half(const struct view *v, uint32_t e) {
  const struct view_event *r = &v->events.at[e], *w = r + 1;
  return e + 1 < v->events.len && r->kind == EV_READ && w->kind == EV_WRITE &&
         (r->flags & w->flags & EVF_EXCLUSIVE) && r->thread == w->thread;
}

static bool is_second_half(const struct view *v, uint32_t e) {
  return e > 0 && is_first_half(v, e - 1);
}

// What the library keeps for itself, such as the kind of a mutex, says nothing
// about the program; taking the mutex does.
static bool is_internal(const struct view *v, uint32_t e) {
  const struct view_event *ev = &v->events.at[e];
  unsigned flags = ev->flags | (is_second_half(v, e) ? (ev - 1)->flags : 0);
  return *ev->call && !(flags & (EVF_LOCK | EVF_UNLOCK)) &&
         strstr(ev->location, ".__") != NULL;
}

bool event_is_shown(const struct view *v, uint32_t e) {
  const struct view_event *ev = &v->events.at[e];
  if (ev->is_marked && !is_first_half(v, e))
    return true;
  if (ev->kind == EV_START || ev->kind == EV_END || is_first_half(v, e))
    return false;
  bool is_local =
      (ev->kind == EV_ALLOC || ev->kind == EV_FREE) && (ev->flags & EVF_STACK);
  return !is_local && !is_internal(v, e);
}

// The variable as written in the program; the resolved name when that is
// another one follows in the details.
static const char *subject(const struct view_event *e) {
  return *e->text ? e->text : e->location;
}

// Collects "(a, b, c)".
struct details {
  struct str *out;
  bool is_open;
};

static struct str *next_detail(struct details *d) {
  str_add(d->out, d->is_open ? ", " : " (");
  d->is_open = true;
  return d->out;
}

static void close_details(struct details *d) {
  if (d->is_open)
    str_add(d->out, ")");
}

static const char *source_word(const struct view_event *e) {
  if (!(e->flags & EVF_LOCK))
    return "from";
  return e->flags & EVF_EXCLUSIVE ? "after" : "by";
}

enum { MOST_SOURCES = 3 }; // named for one dependency, newest first

static bool is_named(const struct place *named, unsigned n, struct place p) {
  for (unsigned i = 0; i < n; i++)
    if (named[i].line == p.line && strcmp(named[i].file, p.file) == 0)
      return true;
  return false;
}

// "value from line 14 and line 12". That an update reads what it writes to
// needs no words.
static void dependency_detail(const struct view *v, const struct view_event *e,
                              enum view_dep how, const char *main_file,
                              struct details *d) {
  static const char *const words[] = {[DEP_ADDR] = "address from ",
                                      [DEP_DATA] = "value from ",
                                      [DEP_CTRL] = "branch on "};
  struct place named[MOST_SOURCES];
  unsigned n = 0;
  for (uint32_t i = e->deps[how].count; i-- > 0 && n < MOST_SOURCES;) {
    uint32_t read = v->dep_events.at[e->deps[how].first + i];
    struct place p = v->events.at[read].place;
    if (is_first_half(v, read) && &v->events.at[read + 1] == e)
      continue;
    if (!p.line || is_named(named, n, p))
      continue;
    str_add(n ? d->out : next_detail(d), "%s", n ? " and " : words[how]);
    place_in_words(p, main_file, d->out);
    named[n++] = p;
  }
}

static void access_details(const struct view *v, const struct view_event *e,
                           enum order order, uint32_t rf, const char *main_file,
                           struct str *out) {
  struct details d = {.out = out};
  if (strcmp(subject(e), e->location) != 0)
    str_add(next_detail(&d), "%s", e->location);
  if (!(e->flags & (EVF_LOCK | EVF_UNLOCK))) {
    str_add(next_detail(&d), "%s", order_name(order));
    if (*e->call)
      str_add(next_detail(&d), "in %s", e->call);
  }
  if (rf != VIEW_NOTHING && !(e->flags & EVF_LOCK && rf == VIEW_INIT)) {
    str_add(next_detail(&d), "%s ", source_word(e));
    event_reference(v, rf, main_file, out);
  }
  dependency_detail(v, e, DEP_ADDR, main_file, &d);
  dependency_detail(v, e, DEP_DATA, main_file, &d);
  if (e->kind == EV_WRITE) // reads do not wait for branches
    dependency_detail(v, e, DEP_CTRL, main_file, &d);
  close_details(&d);
}

static enum order joint_order(enum order read, enum order write) {
  if (read == ORD_SC || write == ORD_SC)
    return ORD_SC;
  if (order_acquires(read) && order_releases(write))
    return ORD_ACQREL;
  return order_acquires(read) ? read : write;
}

static void update_sentence(const struct view *v, uint32_t write,
                            const char *main_file, struct str *out) {
  const struct view_event *r = &v->events.at[write - 1], *w = r + 1;
  if (r->flags & EVF_LOCK)
    str_add(out, "lock %s", r->location);
  else
    str_add(out, "update %s = %s -> %s", subject(w), r->value, w->value);
  access_details(v, r->flags & EVF_LOCK ? r : w,
                 joint_order(r->order, w->order), r->rf, main_file, out);
}

static void read_sentence(const struct view *v, const struct view_event *e,
                          const char *main_file, struct str *out) {
  if (e->flags & EVF_LOCK)
    str_add(out, "lock %s: held", e->location);
  else if (e->flags & EVF_CAS)
    str_add(out, "compare-exchange %s = %s fails, expected %s", subject(e),
            e->value, e->expected);
  else
    str_add(out, "read %s = %s", subject(e), e->value);
  access_details(v, e, e->order, e->rf, main_file, out);
}

static void write_sentence(const struct view *v, const struct view_event *e,
                           const char *main_file, struct str *out) {
  if (e->flags & EVF_UNLOCK)
    str_add(out, "unlock %s", e->location);
  else
    str_add(out, "write %s = %s", subject(e), e->value);
  access_details(v, e, e->order, VIEW_NOTHING, main_file, out);
}

static void create_sentence(const struct view_event *e, struct str *out) {
  str_add(out, "create %s", e->location);
  if (*e->text)
    str_add(out, " (%s)", e->text);
}

void event_sentence(const struct view *v, uint32_t at, const char *main_file,
                    struct str *out) {
  const struct view_event *e = &v->events.at[at];
  switch (e->kind) {
  case EV_READ:
    read_sentence(v, e, main_file, out);
    return;
  case EV_WRITE:
    if (is_second_half(v, at))
      update_sentence(v, at, main_file, out);
    else
      write_sentence(v, e, main_file, out);
    return;
  case EV_FENCE:
    str_add(out, "fence (%s)",
            e->flags & EVF_ISB      ? "isb"
            : e->flags & EVF_STORES ? "dmb st"
                                    : order_name(e->order));
    return;
  case EV_SPAWN:
    create_sentence(e, out);
    return;
  case EV_JOIN:
    str_add(out, "join %s", e->location);
    return;
  case EV_DETACH:
    str_add(out, "detach %s", e->location);
    return;
  case EV_ALLOC:
    str_add(out, "allocate %s (%s bytes)", e->location, e->value);
    return;
  case EV_FREE:
    str_add(out, e->flags & EVF_STACK ? "end of %s" : "free %s", e->location);
    return;
  case EV_CHOICE:
    str_add(out, "choose %s", e->value);
    return;
  case EV_OUTPUT:
    str_add(out, "print %s", e->value);
    return;
  case EV_INIT:
  case EV_START:
  case EV_END:
    str_add(out, "%s", event_kind_name(e->kind));
    return;
  }
}
