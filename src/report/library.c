// SPDX-License-Identifier: MIT
// Calls of the library in the words of the call: `sem_post(&full): 0 -> 1`.
// The library is C on words that threads share (rt/), so a call is several
// events; here it becomes one row, or two if it waits in between: one where it
// begins to wait, and one where it goes on, with what it synchronised with.
// What each word means is written in rt/; the other events of a call are told
// in its row, and arrows that begin or end there are drawn to it.
#include "report/library.h"

#include "report/sentence.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum call_kind call_kind_of(const char *function) {
  static const struct {
    const char *name;
    enum call_kind kind;
  } calls[] = {
#define CALL(function, kind) {#function, CALL_##kind},
#include "report/library.def"
#undef CALL
  };
  for (unsigned i = 0; *function && i < LENGTH(calls); i++)
    if (strcmp(calls[i].name, function) == 0)
      return calls[i].kind;
  return CALL_OTHER;
}

// The words of futexes are known by name too: the library of C++ calls them
// from inline code, so its events have the name of another function.
static enum call_kind kind_at(const struct view *v, uint32_t e) {
  static const char futex[] = "__futex_";
  const struct view_event *ev = &v->events.at[e];
  enum call_kind k = call_kind_of(ev->call);
  bool is_futex = strncmp(ev->location, futex, sizeof futex - 1) == 0;
  return k == CALL_OTHER && is_futex ? CALL_FUTEX : k;
}

bool event_is_of_library(const struct view *v, uint32_t e) {
  const struct view_event *ev = &v->events.at[e];
  bool is_plain = ev->row == e && !*ev->told;
  return kind_at(v, e) != CALL_OTHER && !is_plain;
}

// -- what the kinds share

const struct event *call_event(const struct teller *t, uint32_t e) {
  const struct view_event *ev = &t->v->events.at[e];
  return graph_event(t->g, graph_at(t->g, ev->thread, ev->index));
}

int call_number(const struct teller *t, uint32_t e) {
  return (int)(uint32_t)call_event(t, e)->value;
}

bool call_is_update(const struct teller *t, uint32_t e) {
  return event_is_second_half(t->v, e);
}

uint32_t call_end(const struct teller *t) {
  return t->th->first + t->th->count;
}

bool call_is_same(const struct teller *t, uint32_t e, uint32_t other) {
  const struct view_event *a = &t->v->events.at[e],
                          *b = &t->v->events.at[other];
  return a->thread == b->thread && a->place.line == b->place.line &&
         a->place.column == b->place.column && strcmp(a->call, b->call) == 0 &&
         strcmp(a->place.file, b->place.file) == 0;
}

bool call_is_stuck(const struct teller *t, uint32_t e) {
  return e + 1 == call_end(t) && t->th->end == END_SPIN;
}

const char *call_keep(const struct teller *t, struct str *text) {
  struct strings *s = &t->v->strings;
  const char *kept = strings_get(s, strings_add(s, str_text(text)));
  str_done(text);
  return kept;
}

// The last member of a name, if it is one of the library's own: how much of
// the name comes before it.
static size_t without_member(const char *name) {
  size_t len = strlen(name), at = len;
  while (at > 0 && name[at - 1] != '.' && name[at - 1] != '>')
    at--;
  if (at == 0 || strncmp(name + at, "__", 2) != 0)
    return len;
  return name[at - 1] == '.' ? at - 1 : at - 2;
}

void call_object(const struct teller *t, uint32_t e, struct str *out) {
  const char *name = t->v->events.at[e].location;
  size_t len = without_member(name);
  bool is_heap = memchr(name, '#', len) && !memchr(name, '.', len) &&
                 !memchr(name, '>', len) && !memchr(name, '[', len);
  str_add(out, "%s%.*s", is_heap ? "" : "&", (int)len, name);
}

void call_join(struct teller *t, uint32_t e, uint32_t row) {
  t->v->events.at[e].row = row;
  if (call_is_update(t, e))
    t->v->events.at[e - 1].row = row;
}

// "sem_wait(&full)"; of a class as its users write it: "cv.wait(m)".
static void add_call(const char *name, const char *args, struct str *out) {
  const char *method = strrchr(name, ':');
  size_t len = strcspn(args, ",");
  if (!method || args[0] != '&') {
    str_add(out, "%s(%s)", name, args);
    return;
  }
  str_add(out, "%.*s.%s(", (int)len - 1, args + 1, method + 1);
  for (const char *at = args + len + strspn(args + len, ", "); *at; at++)
    if (*at != '&')
      str_add_bytes(out, at, 1);
  str_add(out, ")");
}

void call_tell(struct teller *t, uint32_t e, const char *args, uint32_t with,
               uint32_t and_with, const char *outcome, ...) {
  struct view_event *ev = &t->v->events.at[e];
  enum call_kind kind = call_kind_of(ev->call);
  bool is_futex = kind == CALL_FUTEX || kind == CALL_OTHER;
  const char *name = is_futex ? "futex" : ev->call;
  struct str text = {0}, rest = {0};
  va_list list;
  va_start(list, outcome);
  str_addv(&rest, outcome, list);
  va_end(list);
  add_call(name, args, &text);
  str_add(&text, "%s%s", rest.len ? ": " : "", str_text(&rest));
  str_done(&rest);
  ev->told = call_keep(t, &text);
  ev->with[0] = with;
  ev->with[1] = and_with;
  call_join(t, e, e);
}

// The row of a call with one object, that of event `e`.
static void tell(struct teller *t, uint32_t e, uint32_t with,
                 const char *outcome, ...) PRINTF_LIKE(4, 5);
static void tell(struct teller *t, uint32_t e, uint32_t with,
                 const char *outcome, ...) {
  struct str object = {0}, text = {0};
  va_list list;
  va_start(list, outcome);
  str_addv(&text, outcome, list);
  va_end(list);
  call_object(t, e, &object);
  call_tell(t, e, str_text(&object), with, VIEW_NOTHING, "%s", str_text(&text));
  str_done(&object);
  str_done(&text);
}

static uint32_t source_of(const struct teller *t, uint32_t e) {
  return t->v->events.at[call_is_update(t, e) ? e - 1 : e].rf;
}

// -- semaphores

static bool takes_permit(const struct teller *t, uint32_t e) {
  if (e >= t->v->events.len || !call_is_update(t, e))
    return false;
  enum call_kind k = kind_at(t->v, e);
  return k == CALL_SEM_WAIT || k == CALL_SEM_TRY || k == CALL_SEM_TIMED;
}

// The post, or whatever set the number, that a wait synchronises with.
static uint32_t permit_of(const struct teller *t, uint32_t e) {
  uint32_t from = source_of(t, e);
  while (takes_permit(t, from))
    from = source_of(t, from);
  return from;
}

static void tell_semaphore(struct teller *t, uint32_t e, enum call_kind kind) {
  const struct view_event *ev = &t->v->events.at[e];
  uint32_t from = source_of(t, e);
  if (call_is_update(t, e)) {
    uint32_t post = permit_of(t, e);
    tell(t, e, post, "%d -> %d%s", call_number(t, e - 1), call_number(t, e),
         kind == CALL_SEM_POST ? ""
         : post == VIEW_INIT   ? " (\1)"
                               : " (after \1)");
  } else if (ev->kind == EV_WRITE) { // sem_getvalue gives the number
    t->v->events.at[e].row = e;
  } else if (ev->kind == EV_READ && kind == CALL_SEM_GET) {
    tell(t, e, from, "%d (from \1)", call_number(t, e));
  } else if (ev->kind == EV_READ &&
             (ev->order != ORD_RLX || !*ev->value || call_number(t, e) == 0)) {
    tell(t, e, from, "%s, value %d (from \1)",
         ev->order != ORD_RLX   ? "waits"
         : kind == CALL_SEM_TRY ? "fails"
                                : "times out",
         call_number(t, e));
  }
}

// -- locks

// " (held by T1 line 3)", or nothing of a lock that was always like that.
static const char *phrase(uint32_t with, const char *text) {
  return with == VIEW_INIT || with == VIEW_NOTHING ? "" : text;
}

// A mutex that is not waited for, or not for ever; the others are "lock m".
static void tell_trylock(struct teller *t, uint32_t e, enum call_kind kind) {
  const struct view_event *ev = &t->v->events.at[e];
  uint32_t from = source_of(t, e);
  if (call_is_update(t, e))
    tell(t, e, from, "taken%s", phrase(from, " (after \1)"));
  else if (ev->kind == EV_READ && *ev->value && strstr(ev->location, "__kind"))
    return;
  else if (ev->kind == EV_READ)
    tell(t, e, from, "%s%s",
         kind == CALL_TRYLOCK   ? "busy"
         : ev->order == ORD_RLX ? "times out"
                                : "waits",
         phrase(from, " (held by \1)"));
}

static bool is_for_reading(const struct view_event *e) {
  return strstr(e->call, "rdlock") || strncmp(e->call, "read_", 5) == 0;
}

// A reader synchronises with the last writer that gave the lock back, not with
// other readers.
static uint32_t writer_before(const struct teller *t, uint32_t from) {
  while (from < t->v->events.len && call_is_update(t, from) &&
         call_number(t, from - 1) >= 0)
    from = source_of(t, from);
  return from;
}

// A writer takes, and gives back, the words of all readers if they have words
// of their own: that is one row, the last.
static bool is_one_of_several(const struct teller *t, uint32_t e) {
  bool is_writer = call_number(t, e) == -1 || call_number(t, e - 1) == -1;
  return is_writer && e + 2 < call_end(t) && call_is_update(t, e + 2) &&
         call_is_same(t, e, e + 2) &&
         call_number(t, e + 1) == call_number(t, e - 1);
}

static void tell_holders(struct teller *t, uint32_t e, const char *outcome) {
  int readers = call_number(t, e);
  if (readers > 0)
    tell(t, e, source_of(t, e), "%s, %d reader%s (last \1)", outcome, readers,
         readers == 1 ? "" : "s");
  else
    tell(t, e, source_of(t, e), "%s%s", outcome,
         phrase(source_of(t, e), " (held by \1)"));
}

static void tell_rwlock(struct teller *t, uint32_t e, enum call_kind kind) {
  const struct view_event *ev = &t->v->events.at[e];
  if (call_is_update(t, e) && is_one_of_several(t, e))
    return;
  if (call_is_update(t, e) && kind == CALL_RW_UNLOCK) {
    int left = call_number(t, e);
    if (left > 0)
      tell(t, e, VIEW_NOTHING, "%d reader%s left", left, left == 1 ? "" : "s");
    else
      tell(t, e, VIEW_NOTHING, "free");
  } else if (call_is_update(t, e)) {
    uint32_t from = source_of(t, e);
    from = is_for_reading(ev) ? writer_before(t, from) : from;
    tell(t, e, from, "taken%s", phrase(from, " (after \1)"));
  } else if (ev->kind == EV_READ && ev->order != ORD_RLX) {
    tell_holders(t, e, kind == CALL_RW_TRY ? "busy" : "waits");
  } else if (ev->kind == EV_READ &&
             (is_for_reading(ev) ? call_number(t, e) < 0
                                 : call_number(t, e) != 0)) {
    tell_holders(t, e, kind == CALL_RW_TRY ? "busy" : "times out");
  }
}

static void tell_once(struct teller *t, uint32_t e) {
  const struct view_event *ev = &t->v->events.at[e];
  if (call_is_update(t, e))
    tell(t, e, VIEW_NOTHING, "runs the function");
  else if (ev->kind == EV_WRITE)
    tell(t, e, VIEW_NOTHING, "done");
  else if (ev->kind == EV_READ && call_number(t, e) == 2)
    tell(t, e, source_of(t, e), "was done before (by \1)");
  else if (ev->kind == EV_READ)
    tell(t, e, source_of(t, e), "waits (for \1)");
}

static void tell_life(struct teller *t, uint32_t e, enum call_kind kind) {
  if (t->v->events.at[e].kind != EV_WRITE)
    return;
  if (kind == CALL_SEM_INIT)
    tell(t, e, VIEW_NOTHING, "%d", call_number(t, e));
  else if (kind == CALL_BARRIER_INIT && call_number(t, e))
    tell(t, e, VIEW_NOTHING, "for %u threads", (unsigned)call_number(t, e));
  else if (kind == CALL_DESTROY)
    tell(t, e, VIEW_NOTHING, "%s", "");
}

// A look at a clock is worth a row if time has passed (rt/clock.c).
static void tell_clock(struct teller *t, uint32_t e) {
  if (t->v->events.at[e].kind == EV_CHOICE && call_number(t, e))
    call_tell(t, e, "", VIEW_NOTHING, VIEW_NOTHING, "a day later");
}

// -- the rows of a thread

static void tell_event(struct teller *t, uint32_t e, enum call_kind kind) {
  switch (kind) {
  case CALL_SEM_WAIT:
  case CALL_SEM_TRY:
  case CALL_SEM_TIMED:
  case CALL_SEM_POST:
  case CALL_SEM_GET:
    tell_semaphore(t, e, kind);
    break;
  case CALL_TRYLOCK:
  case CALL_TIMEDLOCK:
    tell_trylock(t, e, kind);
    break;
  case CALL_RW_READ:
  case CALL_RW_WRITE:
  case CALL_RW_TRY:
  case CALL_RW_TIMED:
  case CALL_RW_UNLOCK:
    tell_rwlock(t, e, kind);
    break;
  case CALL_COND_WAIT:
    tell_cond_wait(t, e);
    break;
  case CALL_SIGNAL:
  case CALL_BROADCAST:
    tell_wake(t, e, kind == CALL_BROADCAST);
    break;
  case CALL_BARRIER:
    tell_barrier(t, e);
    break;
  case CALL_ONCE:
    tell_once(t, e);
    break;
  case CALL_FUTEX:
    tell_futex(t, e);
    break;
  case CALL_SEM_INIT:
  case CALL_BARRIER_INIT:
  case CALL_INIT:
  case CALL_DESTROY:
    tell_life(t, e, kind);
    break;
  case CALL_CLOCK:
    tell_clock(t, e);
    break;
  case CALL_LOCK:
  case CALL_OTHER:
    break;
  }
}

// An event that the finding is about has a row in any case.
static void tell_marked(struct teller *t, uint32_t e) {
  const struct view_event *ev = &t->v->events.at[e];
  if (!ev->is_marked || ev->row != VIEW_NOTHING)
    return;
  bool is_private = strncmp(ev->location, "__", 2) == 0;
  if (is_private)
    call_tell(t, e, "", VIEW_NOTHING, VIEW_NOTHING, "%s", "");
  else
    tell(t, e, VIEW_NOTHING, "%s", "");
}

// The finding is about an object, not about the word in it.
static void name_accessed(struct teller *t) {
  for (uint32_t e = t->th->first; e < call_end(t); e++) {
    const struct view_event *ev = &t->v->events.at[e];
    if (!*ev->told || ev->location != t->v->accessed)
      continue;
    struct str name = {0};
    if (strncmp(ev->location, "__", 2) != 0)
      str_add(&name, "%.*s", (int)without_member(ev->location), ev->location);
    t->v->accessed = call_keep(t, &name);
  }
}

// What has no row of its own belongs to the next one of its call, or else to
// the one before it.
static void join_others(struct teller *t) {
  uint32_t first = t->th->first, end = call_end(t), row = VIEW_NOTHING;
  struct view_event *at = t->v->events.at;
  for (uint32_t e = end; e-- > first;) {
    row = row != VIEW_NOTHING && call_is_same(t, e, row) ? row : VIEW_NOTHING;
    if (at[e].row == VIEW_NOTHING && kind_at(t->v, e) != CALL_OTHER)
      at[e].row = row;
    row = at[e].row != VIEW_NOTHING ? at[e].row : row;
  }
  row = VIEW_NOTHING;
  for (uint32_t e = first; e < end; e++) {
    row = row != VIEW_NOTHING && call_is_same(t, e, row) ? row : VIEW_NOTHING;
    if (at[e].row == VIEW_NOTHING && kind_at(t->v, e) != CALL_OTHER)
      at[e].row = row;
    row = at[e].row != VIEW_NOTHING ? at[e].row : row;
  }
}

// Inline code of the library that spins reads the same again and again; the
// last time is told.
static void join_same_reads(const struct view *v,
                            const struct view_thread *th) {
  for (uint32_t e = th->first + th->count; th->count && e-- > th->first + 1;) {
    struct view_event *to = &v->events.at[e], *from = to - 1;
    if (from->kind == EV_READ && to->kind == EV_READ && *from->call &&
        from->row == e - 1 && to->row < v->events.len && from->loc == to->loc &&
        from->rf == to->rf && from->order == to->order &&
        !(from->flags & EVF_EXCLUSIVE) && !(to->flags & EVF_EXCLUSIVE) &&
        from->place.line == to->place.line &&
        from->place.column == to->place.column &&
        strcmp(from->call, to->call) == 0)
      from->row = to->row;
  }
}

// "waits in sem_wait(&full)".
static void tell_end(struct teller *t, struct view_thread *th) {
  uint32_t last = th->first + th->count - 1;
  const struct view_event *ev = &t->v->events.at[last];
  if (th->end != END_SPIN || kind_at(t->v, last) == CALL_OTHER)
    return;
  const char *told =
      ev->row < t->v->events.len ? t->v->events.at[ev->row].told : "";
  const char *close = strstr(told, "): ");
  struct str text = {0};
  if (close)
    str_add(&text, "waits in %.*s", (int)(close + 1 - told), told);
  else
    str_add(&text, "waits in %s", *told ? told : ev->call);
  th->end_text = call_keep(t, &text);
  th->call = ev->call;
}

static bool has_calls(const struct view *v, const struct view_thread *th) {
  for (uint32_t e = th->first; e < th->first + th->count; e++)
    if (kind_at(v, e) != CALL_OTHER)
      return true;
  return false;
}

void view_find_rows(struct view *v) {
  for (uint32_t e = 0; e < v->events.len; e++) {
    enum call_kind k = kind_at(v, e);
    bool is_plain = k == CALL_OTHER || k == CALL_LOCK;
    v->events.at[e].row = VIEW_NOTHING;
    if (!is_plain || !event_has_row(v, e))
      continue;
    v->events.at[e].row = e;
    if (event_is_second_half(v, e))
      v->events.at[e - 1].row = e;
  }
}

void view_tell_calls(struct view *v, struct vm *vm, const struct graph *g,
                     const struct names *names) {
  view_find_rows(v);
  for (uint32_t i = 0; i < v->threads.len; i++) {
    struct view_thread *th = &v->threads.at[i];
    struct teller t = {.v = v,
                       .vm = vm,
                       .g = g,
                       .names = names,
                       .th = th,
                       .first_row = VIEW_NOTHING,
                       .args = "",
                       .woken_by = VIEW_NOTHING};
    join_same_reads(v, th);
    if (!has_calls(v, th))
      continue;
    for (uint32_t e = th->first; e < th->first + th->count; e++) {
      bool is_first_half = e + 1 < call_end(&t) && call_is_update(&t, e + 1);
      if (!is_first_half)
        tell_event(&t, e, kind_at(v, e));
    }
    for (uint32_t e = th->first; e < th->first + th->count; e++)
      if (kind_at(v, e) != CALL_OTHER)
        tell_marked(&t, e);
    name_accessed(&t);
    join_others(&t);
    tell_end(&t, th);
  }
}
