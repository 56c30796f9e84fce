// SPDX-License-Identifier: MIT
// What to do about an error of which nothing better is known (cmd/mend.c): what
// is said of its kind, and of a deadlock what is said of what its threads wait
// for, and of a local variable something else than of an object of the heap.
// What an assertion says is the program's own, so it gets none.
#include "report/library.h"
#include "report/report.h"

#include <string.h>

// What the threads of a deadlock wait for.
struct waits {
  bool left;   // a lock of a thread that has ended
  bool joined; // a lock of a thread that joins, or the end of each other
  bool inside; // a lock of a thread that waits in the library
  bool condition, semaphore, barrier, futex, rwlock;
  bool something; // else in the library
};

static void note_call(enum call_kind k, struct waits *w) {
  switch (k) {
  case CALL_COND_WAIT:
    w->condition = true;
    break;
  case CALL_SEM_WAIT:
    w->semaphore = true;
    break;
  case CALL_BARRIER:
    w->barrier = true;
    break;
  case CALL_RW_READ:
  case CALL_RW_WRITE:
    w->rwlock = true;
    break;
  case CALL_FUTEX:
    w->futex = true;
    break;
  default:
    w->something = true;
  }
}

static struct waits waits_of(const struct view *v) {
  struct waits w = {0};
  for (uint32_t i = 0; i < v->threads.len; i++) {
    const struct view_thread *th = &v->threads.at[i];
    if (th->end == END_SPIN)
      note_call(call_kind_of(th->call), &w);
    if (th->end != END_LOCK || th->whom == VIEW_NOTHING)
      continue;
    enum end_kind by = v->threads.at[view_column(v, th->whom)].end;
    w.left |= by == END_FINISHED;
    w.joined |= by == END_JOIN;
    w.inside |= by == END_SPIN;
  }
  return w;
}

static const char *of_deadlock(const struct view *v) {
  struct waits w = waits_of(v);
  if (w.left)
    return "Unlock on every way out: a thread has ended with the lock, often "
           "by an early return, a break or an error.";
  if (w.something)
    return finding_advice(FIND_DEADLOCK);
  if (w.inside)
    return "Give the lock back before you wait: another thread needs it to do "
           "what this one waits for.";
  if (w.condition)
    return "A signal wakes only threads that wait already. Change the "
           "condition while the mutex is held and signal after that; with the "
           "mutex held, test it in a loop around the wait. One signal wakes "
           "one thread: use broadcast where several may wait, or wait for "
           "different things.";
  if (w.semaphore)
    return "Each wait needs a post of the same semaphore: look in the rows for "
           "one that is missing, comes too early, or goes to another "
           "semaphore.";
  if (w.barrier)
    return "In each round, as many threads must come to the barrier as it was "
           "initialised for.";
  if (w.rwlock)
    return "Release the lock as often as it is taken, take locks in the same "
           "order everywhere, and do not ask for the write lock while holding "
           "the read lock.";
  if (w.futex)
    return "A wake-up reaches only threads that wait already, and a wait "
           "begins only if the value is still the one it expects: change the "
           "value first, then wake.";
  if (w.joined)
    return "Release the lock before you join a thread that needs it.";
  return "Take locks in the same order everywhere.";
}

// Is what has ended, or may have, a local variable?
static bool is_about_variable(const struct view *v) {
  for (uint32_t e = 0; e < v->events.len; e++) {
    const struct view_event *ev = &v->events.at[e];
    if (ev->is_marked && ev->kind == EV_FREE && !(ev->flags & EVF_STACK))
      return false;
  }
  return true;
}

const char *report_advice(const struct report *r, const struct finding *f,
                          const struct view *v) {
  bool is_own = f->kind == FIND_ASSERTION || f->kind == FIND_ABORT ||
                f->kind == FIND_UNREACHABLE || f->kind == FIND_EXCEPTION ||
                f->kind == FIND_PANIC;
  bool is_mended = v == r->shown && r->mend && *r->mend;
  if (is_own || is_mended)
    return "";
  if (f->kind == FIND_DEADLOCK)
    return of_deadlock(v);
  if ((f->kind == FIND_USE_AFTER_FREE || f->kind == FIND_FREE_RACE) &&
      is_about_variable(v))
    return "A local variable ends with its block, and another thread still has "
           "its address: let that thread end first, or give it memory of its "
           "own.";
  return finding_advice(f->kind);
}
