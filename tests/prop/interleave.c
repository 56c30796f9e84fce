// SPDX-License-Identifier: MIT
// SC by its definition: threads take turns on one memory, in every possible
// way. It knows nothing of relations, so it checks the oracle itself.
#include "oracle.h"

#include <string.h>

struct memory_cell {
  uint64_t value;
  struct picture_name writer;
};

struct turns {
  struct picture pic;
  struct memory_cell memory[PROGRAM_LOCS];
  struct runner run[PROGRAM_THREADS];
  bool was_created[PROGRAM_THREADS];
};

struct interleaver {
  const struct program *p;
  const struct oracle_query *q;
  uint64_t work;
};

static bool has_ended(const struct program *p, struct turns *w, unsigned t) {
  return w->was_created[t] && !program_next(p, t, &w->run[t]);
}

static bool can_move(const struct program *p, struct turns *w, unsigned t) {
  if (!w->was_created[t])
    return false;
  const struct action *a = program_next(p, t, &w->run[t]);
  if (!a)
    return false;
  if (a->kind == DO_ASSUME)
    return condition_holds(a->assumed, &w->run[t]);
  if (a->kind == DO_LOCK)
    return w->memory[a->loc].value == 0;
  return a->kind != DO_JOIN || has_ended(p, w, a->thread);
}

static void turn_access(struct turns *w, unsigned t, const struct action *a) {
  uint8_t loc = action_location(a, &w->run[t]);
  struct memory_cell *cell = &w->memory[loc];
  uint64_t read = cell->value;
  bool writes = action_writes(a, &w->run[t], read);
  struct picture_event e = {.loc = loc};
  if (action_reads(a)) {
    bool failed = a->kind == DO_CAS && !writes;
    e.kind = PIC_READ;
    e.order =
        (uint8_t)order_of_read((enum order)(failed ? a->order_fail : a->order));
    e.value = read;
    e.rf = cell->writer;
    picture_add(&w->pic, t, e);
  }
  if (writes) {
    e.kind = PIC_WRITE;
    e.order = (uint8_t)order_of_write((enum order)a->order);
    e.value = cell->value = action_result(a, t, &w->run[t], read);
    e.rf = (struct picture_name){0};
    cell->writer = picture_add(&w->pic, t, e);
    w->pic.co[loc][w->pic.co_len[loc]++] = cell->writer;
  }
  program_advance(a, &w->run[t], read);
}

// One turn of thread t; `value` is what a choice takes.
static void take_turn(const struct program *p, struct turns *w, unsigned t,
                      uint64_t value) {
  const struct action *a = program_next(p, t, &w->run[t]);
  struct picture_event e = {0};
  if (action_is_access(a)) {
    turn_access(w, t, a);
    return;
  }
  if (action_is_fence(a)) {
    e.kind = PIC_FENCE;
    e.order = a->order;
    picture_add(&w->pic, t, e);
  } else if (a->kind == DO_CHOOSE) {
    e.kind = PIC_CHOICE;
    e.value = value;
    picture_add(&w->pic, t, e);
  } else if (a->kind == DO_SPAWN) {
    w->was_created[a->thread] = true;
  }
  program_advance(a, &w->run[t], value);
}

// Yields false when it gave up.
static bool take_all_turns(struct interleaver *v, struct turns w) {
  if (v->q->max_work && ++v->work > v->q->max_work)
    return false;
  bool all_ended = true;
  for (unsigned t = 0; t < v->p->nthreads; t++) {
    all_ended &= has_ended(v->p, &w, t);
    if (!can_move(v->p, &w, t))
      continue;
    const struct action *a = program_next(v->p, t, &w.run[t]);
    unsigned last = a->kind == DO_CHOOSE ? a->value.plus : 0;
    for (unsigned value = 0; value <= last; value++) {
      struct turns next = w;
      take_turn(v->p, &next, t, value);
      if (!take_all_turns(v, next))
        return false;
    }
  }
  if (all_ended)
    v->q->found(v->q->arg, 1u << ORACLE_SC, &w.pic);
  return true;
}

bool interleave_run(const struct program *p, const struct oracle_query *q) {
  struct interleaver v = {.p = p, .q = q};
  struct turns w = {.pic = {.nthreads = p->nthreads, .nlocs = p->nlocs}};
  w.was_created[0] = true;
  for (unsigned l = 0; l < p->nlocs; l++)
    w.memory[l].writer.thread = PICTURE_INIT;
  return take_all_turns(&v, w);
}
