// SPDX-License-Identifier: MIT
// What is known of a word that updates are tried on and undone (rollback.c):
// which values it has had, and which tries there were. All of that together
// says whether rounds may be left out, whichever thread has seen it.
#include "bytecode/prog.h"
#include "explore/assume.h"

#include <string.h>

static bool passes(const struct tried *t, uint32_t value) {
  return (int32_t)value >= t->least && (int32_t)value <= t->most;
}

// Would it pass, though who has failed goes on waiting?
static bool passes_unseen(const struct tried *t, uint32_t value) {
  return passes(t, value) &&
         ((int32_t)value < t->wait_least || (int32_t)value > t->wait_most);
}

// Would it pass with what `n` other threads have added, from the kind `from` of
// tries on?
static bool may_pass(const struct rollback_word *w, const struct tried *t,
                     uint32_t value, uint32_t from, uint32_t n) {
  if (passes(t, value))
    return true;
  for (uint32_t i = from; n && i < w->ntried; i++)
    if (may_pass(w, t, value + w->tried[i].add, i, n - 1))
      return true;
  return false;
}

static bool is_harmless(const struct rollback_word *w, uint32_t value) {
  if (value == SYNC_DESTROYED) // means something else to a TAKE
    return false;
  for (uint32_t i = 0; i < w->ntried; i++)
    if (passes_unseen(&w->tried[i], value) ||
        (!passes(&w->tried[i], value) &&
         may_pass(w, &w->tried[i], value, 0, w->threads)))
      return false;
  return true;
}

static bool all_are_harmless(const struct rollback_word *w) {
  for (uint32_t i = 0; i < w->nvalues; i++)
    if (!is_harmless(w, w->values[i]))
      return false;
  return true;
}

void rollback_word_add(struct rollback_word *w, uint32_t value) {
  for (uint32_t i = 0; i < w->nvalues; i++)
    if (w->values[i] == value)
      return;
  if (w->nvalues == MAX_KNOWN)
    w->is_seen = true;
  else
    w->values[w->nvalues++] = value;
}

bool rollback_word_holds(const struct rollback_word *w) {
  return !w->ntried || (!w->is_seen && all_are_harmless(w));
}

static bool has_tried(const struct rollback_word *w, const struct tried *t) {
  for (uint32_t i = 0; i < w->ntried; i++)
    if (memcmp(&w->tried[i], t, sizeof *t) == 0)
      return true;
  return false;
}

void rollback_word_join(struct rollback_word *into,
                        const struct rollback_word *w) {
  into->is_seen |= w->is_seen;
  if (into->threads < w->threads)
    into->threads = w->threads;
  for (uint32_t i = 0; i < w->nvalues; i++)
    rollback_word_add(into, w->values[i]);
  for (uint32_t i = 0; i < w->ntried; i++) {
    if (has_tried(into, &w->tried[i]))
      continue;
    if (into->ntried == MAX_TRIED)
      into->is_seen = true;
    else
      into->tried[into->ntried++] = w->tried[i];
  }
}
