// SPDX-License-Identifier: MIT
// Calls of the library as rows: what library.c and library_wait.c share.
#pragma once

#include "report/name.h"
#include "report/view.h"

enum call_kind {
  CALL_OTHER, // no row of its own: its events are told as they are
  CALL_SEM_INIT,
  CALL_SEM_WAIT,
  CALL_SEM_TRY,
  CALL_SEM_TIMED,
  CALL_SEM_POST,
  CALL_SEM_GET,
  CALL_INIT,
  CALL_DESTROY,
  CALL_LOCK,
  CALL_TRYLOCK,
  CALL_TIMEDLOCK,
  CALL_RW_READ,
  CALL_RW_WRITE,
  CALL_RW_TRY,
  CALL_RW_TIMED,
  CALL_RW_UNLOCK,
  CALL_COND_WAIT,
  CALL_SIGNAL,
  CALL_BROADCAST,
  CALL_BARRIER_INIT,
  CALL_BARRIER,
  CALL_ONCE,
  CALL_FUTEX,
  CALL_CLOCK,
};

enum call_kind call_kind_of(const char *function);

// One thread, from its first event to its last.
struct teller {
  struct view *v;
  struct vm *vm;
  const struct graph *g;
  const struct names *names;
  const struct view_thread *th;
  uint32_t first_row; // of the call: where it waits, arrives, wakes
  const char *args;   // of that call
  uint32_t woken_by;  // the event that ended the wait
  uint64_t count;     // how many threads meet at the barrier
};

const struct event *call_event(const struct teller *t, uint32_t e);
// The signed number that a 32-bit word holds.
int call_number(const struct teller *t, uint32_t e);
bool call_is_update(const struct teller *t, uint32_t e);
// Do both belong to calls in the same place?
bool call_is_same(const struct teller *t, uint32_t e, uint32_t other);
// Is it the last thing that a thread does which waits for ever?
bool call_is_stuck(const struct teller *t, uint32_t e);
uint32_t call_end(const struct teller *t); // behind the last event

// "&empty", "malloc#1": the object whose word the event accesses.
void call_object(const struct teller *t, uint32_t e, struct str *out);
const char *call_keep(const struct teller *t, struct str *text);

// The row of event `e`: its function with `args`, and what came of it, in
// which \1 and \2 stand for the events `with` and `and_with`.
void call_tell(struct teller *t, uint32_t e, const char *args, uint32_t with,
               uint32_t and_with, const char *outcome, ...) PRINTF_LIKE(6, 7);
// It is told in the row of another event.
void call_join(struct teller *t, uint32_t e, uint32_t row);

// library_wait.c
void tell_cond_wait(struct teller *t, uint32_t e);
void tell_wake(struct teller *t, uint32_t e, bool is_broadcast);
void tell_barrier(struct teller *t, uint32_t e);
void tell_futex(struct teller *t, uint32_t e);
