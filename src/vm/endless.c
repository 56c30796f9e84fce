// SPDX-License-Identifier: MIT
// Loops that make no access. Between two accesses a thread depends on nothing
// but its own state, so if it comes back to a state, it will come back for
// ever. The state is compared with a copy of an earlier one, which is made anew
// each time that the thread has run twice as far (R. P. Brent: An improved
// Monte Carlo factorization algorithm, BIT 1980); a quarter of that way is
// compared, so that the rest costs nothing. A loop that changes something in
// each round ends at a limit instead.
//
// Whoever runs in circles jumps, so copies are made behind jumps, and only what
// a jump leads to is compared. (A copy that was made where the circle is
// entered may be come back to by no jump. All later ones are made on the
// circle, where each state has one that comes before it: a jump again.)
#include "vm/cold.h"

#include <string.h>

enum {
  SLICE = 1 << 16,
  FRAME_BYTES = offsetof(struct frame, ref),
};

static uint32_t end_of_slots(const struct thread *t) {
  const struct frame *top = array_last(&t->frames);
  return top->base + t->vm->prog->funcs.at[top->func].nregs;
}

static void put(struct words *out, const void *data, size_t bytes) {
  uint32_t words = (uint32_t)((bytes + 3) / 4);
  if (!bytes)
    return;
  array_reserve(out, words);
  memcpy(out->at + out->len, data, bytes);
  out->len += words;
}

static void copy_state(const struct thread *t, struct words *out) {
  uint32_t slots = end_of_slots(t);
  out->len = 0;
  for (uint32_t i = 0; i < t->frames.len; i++)
    put(out, &t->frames.at[i], FRAME_BYTES);
  put(out, t->locals.at, t->locals.len * sizeof *t->locals.at);
  put(out, t->slot, slots * sizeof *t->slot);
  put(out, t->undef, slots * sizeof *t->undef);
  put(out, t->bytes, t->used);
  put(out, t->byte_undef, t->used);
}

// Compares one part of the copy, which begins at word `at`.
static bool is_same(const struct words *copy, uint32_t *at, const void *data,
                    size_t bytes) {
  bool same = !bytes || memcmp(copy->at + *at, data, bytes) == 0;
  *at += (uint32_t)((bytes + 3) / 4);
  return same;
}

// The slot that makes a difference now will make one again.
static void choose_probe(const struct thread *t, struct watch *w,
                         const uint32_t *copy, uint32_t slots) {
  for (uint32_t i = 0; i < slots; i++) {
    memcpy(&w->value, copy + 2 * i, sizeof w->value);
    w->probe = i;
    if (t->slot[i] != w->value)
      return;
  }
}

static bool is_back(const struct thread *t, struct watch *w) {
  const struct words *copy = &t->vm->cold->watched;
  uint32_t slots = end_of_slots(t), at = 0;
  if (t->depth != w->depth || t->parent != w->parent || t->used != w->used ||
      t->locals.len != w->locals)
    return false;
  for (uint32_t i = 0; i < t->frames.len; i++)
    if (!is_same(copy, &at, &t->frames.at[i], FRAME_BYTES))
      return false;
  if (!is_same(copy, &at, t->locals.at, t->locals.len * sizeof *t->locals.at))
    return false;
  choose_probe(t, w, copy->at + at, slots);
  return is_same(copy, &at, t->slot, slots * sizeof *t->slot) &&
         is_same(copy, &at, t->undef, slots * sizeof *t->undef) &&
         is_same(copy, &at, t->bytes, t->used) &&
         is_same(copy, &at, t->byte_undef, t->used);
}

static void begin_to_compare(struct thread *t, struct watch *w) {
  w->depth = t->depth;
  w->parent = t->parent;
  w->used = t->used;
  w->locals = t->locals.len;
  w->probe = 0;
  w->value = t->slot[0];
  copy_state(t, &t->vm->cold->watched);
}

static uint64_t least(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

uint64_t watch_begin(const struct thread *t, struct watch *w) {
  uint64_t most = t->vm->cold->config.max_steps;
  *w = (struct watch){.turn = SLICE, .mark = NO_MARK};
  w->slice = most ? least(most, SLICE) : SLICE;
  return w->slice;
}

// Says where that was, since nothing else of a report does.
static void cut_at_limit(struct thread *t, uint64_t most) {
  const struct prog *p = t->vm->prog;
  const struct source *s = prog_outside(p, &p->source.at[thread_site(t)]);
  const char *file = prog_text(p, s->file);
  thread_cut(t,
             "--max-steps: thread %u ran %llu instructions without an access "
             "to shared memory, the last of them at %s:%u: bound the loop, or "
             "give a larger number, 0 for none",
             t->id, (unsigned long long)most, file, s->line);
}

uint64_t watch_next(struct thread *t, struct watch *w) {
  uint64_t most = t->vm->cold->config.max_steps;
  const struct vm_config *c = &t->vm->cold->config;
  w->ran += w->slice;
  const char *why = c->why_stop ? c->why_stop(c->arg) : NULL;
  if (why) {
    thread_cut(t, "%s", why);
    return 0;
  }
  if (most && w->ran >= most) {
    cut_at_limit(t, most);
    return 0;
  }
  if (w->ran >= w->turn) {
    w->turn += w->mark == NO_MARK ? w->ran / 4 : w->ran / 4 * 3;
    w->mark = w->mark == NO_MARK ? ANY_MARK : NO_MARK;
  }
  w->slice = least(SLICE, w->turn - w->ran);
  if (most)
    w->slice = least(w->slice, most - w->ran);
  return w->slice;
}

bool watch_looks(struct thread *t, struct watch *w, uint32_t pc) {
  thread_top(t)->pc = pc; // a part of the state
  if (w->mark != ANY_MARK)
    return pc == w->mark && is_back(t, w) &&
           thread_raise(t, FIND_ENDLESS_LOOP,
                        "a loop without an access to shared memory comes back "
                        "to the state it was in");
  w->mark = pc;
  begin_to_compare(t, w);
  return false;
}
