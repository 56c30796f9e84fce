// SPDX-License-Identifier: MIT
// Which events say little about an execution, so that a report may leave them
// out: threads talk to each other through memory, and an access to a location
// that does not take part in that talk is the thread's own business. So is one
// to a location that never changes once others look at it: one thread writes
// it, and all others see the last of those writes. But an atomic write that
// another thread reads atomically is how threads synchronise, or fail to: that
// location is always part of the talk. So are calls of the library that
// synchronise (library.c): that a call meets no other may be the bug.
// Pointers to virtual tables are the compiler's, and say nothing but the type;
// plain members of the containers and locks of C++'s library are its own, and
// so are the objects in which std::thread and std::async hand things over. As
// long as the finding is not about them, they have no row unless all is asked
// for; nor has what inline code of the library does to quiet locations.
#include "report/view.h"

#include <stdlib.h>
#include <string.h>

enum { NO_THREAD = -1, SEVERAL = -2 };

struct traffic {
  int user, writer;   // the thread; NO_THREAD, SEVERAL
  uint32_t last;      // the newest write so far, in the order of its thread
  bool is_seen_early; // another thread reads something else than the last
  bool is_signal;     // a thread reads another's write, both atomic
};

static void note(int *who, unsigned thread) {
  *who = *who == NO_THREAD || *who == (int)thread ? (int)thread : SEVERAL;
}

static bool is_access_of(const struct view_event *e) {
  return (e->kind == EV_READ || e->kind == EV_WRITE) && e->loc != NO_LOC;
}

static bool is_quiet(const struct traffic *t) {
  return t->user != SEVERAL || t->writer == NO_THREAD ||
         (t->writer != SEVERAL && !t->is_seen_early && !t->is_signal);
}

static bool reads_signal(const struct view *v, const struct view_event *e) {
  if (e->kind != EV_READ || e->rf >= v->events.len)
    return false;
  const struct view_event *write = &v->events.at[e->rf];
  return write->thread != e->thread && e->order != ORD_NA &&
         write->order != ORD_NA;
}

// libstdc++ calls its members _M_start, libc++ __begin_; the mutex in both has
// a __lock, which inline code sets up.
static bool is_private_member(const struct view_event *e) {
  for (const char *at = e->location; (at = strpbrk(at, ".>"));) {
    size_t len = strcspn(++at, ".-[+");
    if (strncmp(at, "_M_", 3) == 0 || (len > 3 && strncmp(at, "__", 2) == 0 &&
                                       (e->is_inside || at[len - 1] == '_')))
      return true;
  }
  return false;
}

// Is it in an object by which the library hands over what a thread is to run,
// or what comes of it?
static bool is_of_thread_object(const struct view_event *e) {
  static const char *const makers[] = {
      "std::thread::", "std::jthread::", "std::async#",
      "std::promise::", "std::packaged_task::"};
  for (unsigned i = 0; i < LENGTH(makers); i++)
    if (strncmp(e->location, makers[i], strlen(makers[i])) == 0 &&
        strchr(e->location, '#'))
      return true;
  return false;
}

bool event_is_capture(const struct view_event *e) {
  return (strncmp(e->location, "std::thread::", 13) == 0 ||
          strncmp(e->location, "std::jthread::", 14) == 0) &&
         is_of_thread_object(e) && e->order == ORD_NA && *e->value == '&';
}

bool event_is_of_table(const struct view_event *e) {
  static const char of_a_table[] = "&vtable ";
  return strncmp(e->value, of_a_table, sizeof of_a_table - 1) == 0;
}

// Does it guard a local variable of the library that is made once, or count who
// waits in libstdc++'s table for atomic::wait?
static bool is_guard(const struct view_event *e) {
  static const char of_std[] = "guard variable for std::", table[] = "__w[";
  return strncmp(e->location, of_std, sizeof of_std - 1) == 0 ||
         strncmp(e->location, table, sizeof table - 1) == 0;
}

bool event_is_of_cxx(const struct view *v, uint32_t e) {
  const struct view_event *ev = &v->events.at[e];
  return is_access_of(ev) &&
         (event_is_of_table(ev) || is_guard(ev) ||
          (ev->order == ORD_NA &&
           (is_private_member(ev) || is_of_thread_object(ev))));
}

static bool is_inner(const struct view *v, uint32_t e) {
  const struct view_event *ev = &v->events.at[e];
  if (ev->kind == EV_ALLOC || ev->kind == EV_FREE)
    return is_of_thread_object(ev);
  bool is_local = strncmp(ev->location, "std::", 5) == 0 &&
                  strchr(ev->location, '@') && ev->order == ORD_NA;
  return ev->is_minor && (is_local || event_is_of_cxx(v, e) ||
                          (ev->is_inside && ev->order == ORD_NA) ||
                          strcmp(ev->call, "std::thread::thread") == 0);
}

void view_hide_inner(struct view *v) {
  for (uint32_t e = 0; e < v->events.len; e++) {
    struct view_event *ev = &v->events.at[e];
    if (ev->row == e && !*ev->told && !ev->row_is_marked && !ev->row_matters &&
        is_inner(v, e))
      ev->row = VIEW_NOTHING;
  }
}

void view_find_minor(struct view *v) {
  uint32_t locs = 0;
  for (uint32_t e = 0; e < v->events.len; e++)
    if (is_access_of(&v->events.at[e]) && v->events.at[e].loc >= locs)
      locs = v->events.at[e].loc + 1;
  struct traffic *at = xcalloc(locs, sizeof *at);
  for (uint32_t l = 0; l < locs; l++)
    at[l] = (struct traffic){
        .user = NO_THREAD, .writer = NO_THREAD, .last = VIEW_INIT};
  for (uint32_t i = 0; i < v->events.len; i++) {
    const struct view_event *e = &v->events.at[i];
    if (!is_access_of(e))
      continue;
    note(&at[e->loc].user, e->thread);
    if (e->kind == EV_WRITE) {
      note(&at[e->loc].writer, e->thread);
      at[e->loc].last = i;
    }
  }
  for (uint32_t i = 0; i < v->events.len; i++) {
    const struct view_event *e = &v->events.at[i];
    if (!is_access_of(e) || e->kind != EV_READ)
      continue;
    struct traffic *t = &at[e->loc];
    t->is_seen_early |= (int)e->thread != t->writer && e->rf != t->last;
    t->is_signal |= reads_signal(v, e);
  }
  for (uint32_t i = 0; i < v->events.len; i++) {
    struct view_event *e = &v->events.at[i];
    e->is_minor = is_access_of(e) &&
                  (is_quiet(&at[e->loc]) || event_is_of_cxx(v, i)) &&
                  !e->is_marked && !e->matters;
  }
  for (uint32_t i = 0; i < v->events.len; i++) { // a row may tell of several
    uint32_t row = v->events.at[i].row;
    if (row < v->events.len && is_access_of(&v->events.at[i]))
      v->events.at[row].is_minor &=
          v->events.at[i].is_minor && !*v->events.at[row].told;
  }
  free(at);
}
