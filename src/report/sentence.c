// SPDX-License-Identifier: MIT
// Sentences are put together from a verb, a location, a value and, in brackets,
// the order and the source; `struct wording` says how much of that is shown.
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
    if (!p->line || v->events.at[i].row == VIEW_NOTHING)
      continue;
    if (f == files.len)
      array_push(&files, (struct tally){p->file, 0});
    if (++files.at[f].events > files.at[best].events)
      best = f;
  }
  const char *file = files.len ? files.at[best].file : "";
  for (uint32_t t = 0; !*file && t < v->threads.len; t++)
    file = v->threads.at[t].at.line ? v->threads.at[t].at.file : "";
  array_done(&files);
  return file;
}

// -- wordings

struct wording wording_of(const struct view *v, bool is_short) {
  struct wording w = {.main_file = view_main_file(v), .is_short = is_short};
  for (uint32_t i = 0; i < v->events.len; i++) {
    const struct place *p = &v->events.at[i].place;
    uint32_t f = 0;
    while (f < w.files.len && strcmp(w.files.at[f], p->file) != 0)
      f++;
    if (p->line && v->events.at[i].row != VIEW_NOTHING && f == w.files.len &&
        strcmp(p->file, w.main_file) != 0)
      array_push(&w.files, p->file);
  }
  return w;
}

void wording_done(struct wording *w) {
  array_done(&w->files);
}

// The letter of a file other than the main one, 0 if it has none.
static char letter_of(const struct wording *w, const char *file) {
  for (uint32_t f = 0; f < w->files.len && f < 'z' - 'a'; f++)
    if (strcmp(w->files.at[f], file) == 0)
      return (char)('b' + f);
  return 0;
}

void wording_legend(const struct wording *w, struct str *out) {
  for (uint32_t f = 0; w->is_short && f < w->files.len; f++)
    if (letter_of(w, w->files.at[f]))
      str_add(out, "%s%c: %s", f ? ", " : "", letter_of(w, w->files.at[f]),
              base_name(w->files.at[f]));
}

enum { LONGEST_NAME = 24, LONGEST_VALUE = 20 }; // in few words

// A long name keeps its beginning and its end: "malloc#1->ver...number".
static void add_cut(const struct wording *w, const char *text, size_t longest,
                    struct str *out) {
  size_t len = strlen(text), head = (longest - 3) / 2;
  if (!w->is_short || len <= longest) {
    str_add(out, "%s", text);
    return;
  }
  size_t tail = len - (longest - 3 - head);
  while (head && ((unsigned char)text[head] & 0xc0) == 0x80)
    head--; // a character stays whole
  while (((unsigned char)text[tail] & 0xc0) == 0x80)
    tail++;
  str_add(out, "%.*s...%s", (int)head, text, text + tail);
}

static void add_name(const struct wording *w, const char *name,
                     struct str *out) {
  add_cut(w, name, LONGEST_NAME, out);
}

static void add_value(const struct wording *w, const char *value,
                      struct str *out) {
  add_cut(w, value, LONGEST_VALUE, out);
}

// -- threads and places

void thread_label(const struct view *v, unsigned thread, struct str *out) {
  str_add(out, v->is_litmus ? "P%u" : "T%u", thread - v->is_litmus);
}

void thread_title(const struct view *v, const struct view_thread *th,
                  struct str *out) {
  thread_label(v, th->id, out);
  if (*th->func && !v->is_litmus)
    str_add(out, " %s", th->func);
}

void place_label(const struct wording *w, struct place p, struct str *out) {
  if (!p.line)
    return;
  char letter = w->is_short ? letter_of(w, p.file) : 0;
  if (letter)
    str_add(out, "%c:", letter);
  else if (strcmp(p.file, w->main_file) != 0)
    str_add(out, "%s:", base_name(p.file));
  str_add(out, "%u", p.line);
}

// "line 14", "other.c:14".
static void place_in_words(const struct wording *w, struct place p,
                           struct str *out) {
  if (!w->is_short && strcmp(p.file, w->main_file) == 0)
    str_add(out, "line ");
  place_label(w, p, out);
}

void event_reference(const struct wording *w, const struct view *v, uint32_t e,
                     struct str *out) {
  if (e == VIEW_INIT) {
    str_add(out, w->is_short ? "initial" : "initial value");
    return;
  }
  check(e < v->events.len);
  const struct view_event *ev = &v->events.at[e];
  thread_label(v, ev->thread, out);
  if (!ev->place.line)
    return;
  str_add(out, w->is_short ? ":" : " ");
  place_in_words(w, ev->place, out);
}

// The other half of a read-modify-write: +1 after a read, -1 before a write.
static bool is_first_half(const struct view *v, uint32_t e) {
  const struct view_event *r = &v->events.at[e], *w = r + 1;
  return e + 1 < v->events.len && r->kind == EV_READ && w->kind == EV_WRITE &&
         (r->flags & w->flags & EVF_EXCLUSIVE) && r->thread == w->thread;
}

bool event_is_second_half(const struct view *v, uint32_t e) {
  return e > 0 && is_first_half(v, e - 1);
}

// What the library keeps for itself, such as the kind of a mutex, says nothing
// about the program; taking the mutex does.
static bool is_internal(const struct view *v, uint32_t e) {
  const struct view_event *ev = &v->events.at[e];
  unsigned flags =
      ev->flags | (event_is_second_half(v, e) ? (ev - 1)->flags : 0);
  return *ev->call && !(flags & (EVF_LOCK | EVF_UNLOCK)) &&
         strstr(ev->location, ".__") != NULL;
}

bool event_is_shown(const struct view *v, uint32_t e) {
  return v->events.at[e].row == e;
}

bool event_has_row(const struct view *v, uint32_t e) {
  const struct view_event *ev = &v->events.at[e];
  if (ev->is_marked && !is_first_half(v, e))
    return true;
  bool is_outcome = ev->kind == EV_CHOICE && (ev->flags & EVF_PICK);
  if (ev->kind == EV_START || ev->kind == EV_END || ev->is_nothing ||
      is_outcome || // explore/cycles/promise/cas_choice.c: what follows says it
      is_first_half(v, e))
    return false;
  bool is_local =
      (ev->kind == EV_ALLOC || ev->kind == EV_FREE) && (ev->flags & EVF_STACK);
  return !is_local && !is_internal(v, e);
}

// -- sentences

// The variable as written in the program; the resolved name when that is
// another one follows in the details. In few words there is room for one, and
// that is the one that can be compared between threads.
static const char *subject(const struct wording *w,
                           const struct view_event *e) {
  return *e->text && !w->is_short ? e->text : e->location;
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

// Before where a value comes from; in few words the place is enough.
static const char *source_word(const struct wording *w,
                               const struct view_event *e) {
  if (!(e->flags & EVF_LOCK))
    return w->is_short ? "" : "from ";
  return e->flags & EVF_EXCLUSIVE ? "after " : "by ";
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
static void dependency_detail(const struct wording *w, const struct view *v,
                              const struct view_event *e, enum view_dep how,
                              struct details *d) {
  static const char *const words[][2] = {
      [DEP_ADDR] = {"address from ", "addr "},
      [DEP_DATA] = {"value from ", "data "},
      [DEP_CTRL] = {"branch on ", "ctrl "}};
  struct place named[MOST_SOURCES];
  unsigned n = 0;
  for (uint32_t i = e->deps[how].count; i-- > 0 && n < MOST_SOURCES;) {
    uint32_t read = v->dep_events.at[e->deps[how].first + i];
    struct place p = v->events.at[read].place;
    if (is_first_half(v, read) && &v->events.at[read + 1] == e)
      continue;
    if (!p.line || is_named(named, n, p))
      continue;
    str_add(n ? d->out : next_detail(d), "%s",
            n ? " and " : words[how][w->is_short]);
    place_in_words(w, p, d->out);
    named[n++] = p;
  }
}

// A lock that nothing had before, and contents that are not there, are from
// nowhere; arrows say it themselves.
static bool tells_source(const struct wording *w, const struct view *v,
                         const struct view_event *e, uint32_t rf) {
  if (rf == VIEW_NOTHING)
    return false;
  if (rf == VIEW_INIT)
    return !(e->flags & (EVF_LOCK | EVF_UNINIT));
  return !w->has_arrows &&
         !(e->flags & EVF_LOCK && v->events.at[rf].order == ORD_NA);
}

static void access_details(const struct wording *w, const struct view *v,
                           const struct view_event *e, enum order order,
                           uint32_t rf, struct str *out) {
  struct details d = {.out = out};
  if (strcmp(subject(w, e), e->location) != 0)
    str_add(next_detail(&d), "%s", e->location);
  if (!(e->flags & (EVF_LOCK | EVF_UNLOCK))) {
    str_add(next_detail(&d), "%s", order_name(order));
    if (*e->call)
      str_add(next_detail(&d), "in %s", e->call);
  }
  if (tells_source(w, v, e, rf)) {
    str_add(next_detail(&d), "%s", source_word(w, e));
    event_reference(w, v, rf, out);
  }
  if (!w->has_arrows) {
    dependency_detail(w, v, e, DEP_ADDR, &d);
    dependency_detail(w, v, e, DEP_DATA, &d);
  }
  if (e->kind == EV_WRITE && !w->has_arrows) // reads do not wait for branches
    dependency_detail(w, v, e, DEP_CTRL, &d);
  close_details(&d);
}

static enum order joint_order(enum order read, enum order write) {
  if (read == ORD_SC || write == ORD_SC)
    return ORD_SC;
  if (order_acquires(read) && order_releases(write))
    return ORD_ACQREL;
  return order_acquires(read) ? read : write;
}

// "read x = 1", without the details.
static void access_head(const struct wording *w, const char *verb,
                        const struct view_event *e, struct str *out) {
  str_add(out, "%s ", verb);
  add_name(w, subject(w, e), out);
  str_add(out, " = ");
  add_value(w, e->value, out);
}

static void update_sentence(const struct wording *w, const struct view *v,
                            uint32_t write, struct str *out) {
  const struct view_event *r = &v->events.at[write - 1], *wr = r + 1;
  if (r->flags & EVF_LOCK) {
    str_add(out, "lock ");
    add_name(w, r->location, out);
  } else {
    str_add(out, "update ");
    add_name(w, subject(w, wr), out);
    str_add(out, " = ");
    add_value(w, r->value, out);
    str_add(out, " -> ");
    add_value(w, wr->value, out);
  }
  access_details(w, v, r->flags & EVF_LOCK ? r : wr,
                 joint_order(r->order, wr->order), r->rf, out);
}

static void read_sentence(const struct wording *w, const struct view *v,
                          const struct view_event *e, struct str *out) {
  if (e->flags & EVF_LOCK) {
    str_add(out, "lock ");
    add_name(w, e->location, out);
    str_add(out, ": held");
  } else if ((e->flags & (EVF_CAS | EVF_PICK)) && !(e->flags & EVF_EXCLUSIVE)) {
    bool is_weak = strcmp(e->value, e->expected) == 0;
    access_head(w, w->is_short ? "cas" : "compare-exchange", e, out);
    str_add(out, is_weak       ? " fails spuriously"
                 : w->is_short ? ", not "
                               : " fails, expected ");
    add_value(w, is_weak ? "" : e->expected, out);
  } else {
    access_head(w, "read", e, out);
  }
  access_details(w, v, e, e->order, e->rf, out);
}

static void write_sentence(const struct wording *w, const struct view *v,
                           const struct view_event *e, struct str *out) {
  if (e->flags & EVF_UNLOCK) {
    str_add(out, "unlock ");
    add_name(w, e->location, out);
  } else {
    access_head(w, "write", e, out);
  }
  access_details(w, v, e, e->order, VIEW_NOTHING, out);
}

// A store-conditional begins with a choice whether it succeeds
// (litmus/build.c): is this one, with a load before that reserves its location?
static bool is_conditional(const struct view *v, uint32_t at) {
  for (uint32_t e = at;
       e-- > 0 && v->events.at[e].thread == v->events.at[at].thread;) {
    const struct view_event *before = &v->events.at[e];
    if (before->kind == EV_CHOICE)
      return false;
    if (before->kind == EV_READ && (before->flags & EVF_LINKED))
      return true;
  }
  return false;
}

static void create_sentence(const struct wording *w, const struct view_event *e,
                            struct str *out) {
  str_add(out, "create %s", e->location);
  if (*e->text && !w->is_short)
    str_add(out, " (%s)", e->text);
}

const char *call_in_words(const struct wording *w, const char *call) {
  static const char prefix[] = "pthread_";
  bool is_cut = w->is_short && strncmp(call, prefix, sizeof prefix - 1) == 0;
  return call + (is_cut ? sizeof prefix - 1 : 0);
}

// The words of library.c, with the events in them by name.
static void call_sentence(const struct wording *w, const struct view *v,
                          const struct view_event *e, struct str *out) {
  for (const char *at = call_in_words(w, e->told); *at; at++)
    if (*at == '\1' || *at == '\2')
      event_reference(w, v, e->with[*at - 1], out);
    else
      str_add_bytes(out, at, 1);
}

void event_sentence(const struct wording *w, const struct view *v, uint32_t at,
                    struct str *out) {
  const struct view_event *e = &v->events.at[at];
  if (*e->told) {
    call_sentence(w, v, e, out);
    return;
  }
  switch (e->kind) {
  case EV_READ:
    read_sentence(w, v, e, out);
    return;
  case EV_WRITE:
    if (event_is_second_half(v, at))
      update_sentence(w, v, at, out);
    else
      write_sentence(w, v, e, out);
    return;
  case EV_FENCE:
    str_add(out, "fence (%s)",
            e->flags & EVF_ISB ? "isb"
            : e->flags & EVF_STORES && strncmp(e->value, "DSB", 3) == 0
                ? "dsb st"
            : e->flags & EVF_STORES ? "dmb st"
            : *e->value             ? e->value
                                    : order_name(e->order));
    return;
  case EV_SPAWN:
    create_sentence(w, e, out);
    return;
  case EV_JOIN:
    str_add(out, "join %s", e->location);
    return;
  case EV_DETACH:
    str_add(out, "detach %s", e->location);
    return;
  case EV_ALLOC:
    str_add(out, w->is_short ? "allocate %s (%s B)" : "allocate %s (%s bytes)",
            e->location, e->value);
    return;
  case EV_FREE:
    str_add(out, e->flags & EVF_STACK ? "end of %s" : "free %s", e->location);
    return;
  case EV_CHOICE:
    if (is_conditional(v, at))
      str_add(out, "store-conditional %s",
              *e->value == '0' ? "fails" : "succeeds");
    else
      str_add(out, "choose %s", e->value);
    return;
  case EV_OUTPUT:
    if (*e->location) {
      access_head(w, "observe", e, out);
      return;
    }
    str_add(out, "print ");
    add_value(w, e->value, out);
    return;
  case EV_INIT:
  case EV_START:
  case EV_END:
  case EV_ANSWER:
    str_add(out, "%s", event_kind_name(e->kind));
    return;
  }
}
