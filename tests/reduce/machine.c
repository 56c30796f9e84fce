// SPDX-License-Identifier: MIT
// See machine.h.
#include "machine.h"

#include "base/hash.h"
#include "bytecode/prog.h"

#include <string.h>

enum {
  THREADS = 5,
  BUFFER = 12,
  LOCATIONS = 64,
  SLOTS = 1 << 16, // of the set of states
  MOST_STATES = SLOTS / 4,
};

struct stored {
  loc_id loc;
  uint64_t value;
};

struct turn {
  state_id state;
  bool exists, is_over, has_exited;
  uint64_t result;
  struct stored buffer[BUFFER];
  uint8_t len;
};

struct world {
  struct turn threads[THREADS];
  unsigned nthreads;
  uint64_t memory[LOCATIONS], written;
};

struct machine {
  struct vm *vm;
  const struct prog *prog;
  bool has_buffers;
  struct machine_answer ret;
  uint64_t met[SLOTS];
  uint32_t states;
};

static void visit(struct machine *m, const struct world *w);

// -- memory

static uint64_t memory_at(const struct machine *m, const struct world *w,
                          loc_id l) {
  check(l < LOCATIONS);
  return w->written >> l & 1 ? w->memory[l] : vm_location(m->vm, l)->initial;
}

static void set_memory(struct world *w, loc_id l, uint64_t value) {
  check(l < LOCATIONS);
  w->memory[l] = value;
  w->written |= UINT64_C(1) << l;
}

// What thread t sees: what it has stored itself comes first.
static uint64_t seen_by(const struct machine *m, const struct world *w,
                        const struct turn *t, loc_id l) {
  for (unsigned i = t->len; i-- > 0;)
    if (t->buffer[i].loc == l)
      return t->buffer[i].value;
  return memory_at(m, w, l);
}

static void flush_one(struct world *w, struct turn *t) {
  set_memory(w, t->buffer[0].loc, t->buffer[0].value);
  memmove(&t->buffer[0], &t->buffer[1], --t->len * sizeof t->buffer[0]);
}

// -- steps

// An instruction that reads, and writes at once if it has to.
static void update(struct machine *m, struct world *w, struct turn *t, loc_id l,
                   uint64_t value) {
  t->state = vm_step(m->vm, t->state, value);
  const struct access *a = vm_access(m->vm, t->state);
  if (a->kind == ACC_RMW_WRITE) {
    set_memory(w, l, a->value);
    t->state = vm_step(m->vm, t->state, 0);
  }
  visit(m, w);
}

static void compare_exchange(struct machine *m, const struct world *now,
                             unsigned t, const struct access *a) {
  uint64_t value = memory_at(m, now, a->loc);
  struct world w = *now;
  update(m, &w, &w.threads[t], a->loc, value);
  if (!(a->flags & ACCF_WEAK) || value != a->value)
    return;
  w = *now; // it fails for no reason
  state_id fails = vm_step(m->vm, vm_weak(m->vm, w.threads[t].state), 1);
  w.threads[t].state = vm_step(m->vm, fails, value);
  visit(m, &w);
}

static void put(struct machine *m, struct world *w, struct turn *t,
                const struct access *a) {
  if (m->has_buffers && a->order != ORD_SC && t->len < BUFFER)
    t->buffer[t->len++] = (struct stored){a->loc, a->value};
  else
    set_memory(w, a->loc, a->value);
  t->state = vm_step(m->vm, t->state, 0);
  visit(m, w);
}

static void spawn(struct machine *m, struct world *w, struct turn *t) {
  unsigned child = w->nthreads++;
  check(child < THREADS);
  w->threads[child] = (struct turn){.state = vm_spawned(m->vm, t->state, child),
                                    .exists = true};
  t->state = vm_step(m->vm, t->state, child);
  visit(m, w);
}

static void choose(struct machine *m, const struct world *now, unsigned t,
                   const struct access *a) {
  for (uint64_t v = a->value; v <= a->value2; v++) {
    struct world w = *now;
    w.threads[t].state = vm_step(m->vm, w.threads[t].state, v);
    visit(m, &w);
  }
}

// Does the access wait until the thread's stores have been made?
static bool drains(const struct access *a) {
  switch ((enum access_kind)a->kind) {
  case ACC_READ:
  case ACC_UNLOCK:
  case ACC_CHOOSE: // nothing in memory is concerned
    return false;
  case ACC_TAKE:
    return a->value2 != 0;
  case ACC_WRITE:
  case ACC_FENCE:
    return a->order == ORD_SC;
  default:
    return true;
  }
}

static bool can_join(const struct world *w, uint64_t whom) {
  return whom < w->nthreads && w->threads[whom].is_over &&
         !w->threads[whom].has_exited;
}

static bool can_step(const struct machine *m, const struct world *w,
                     unsigned t) {
  const struct turn *me = &w->threads[t];
  if (!me->exists || me->is_over)
    return false;
  const struct access *a = vm_access(m->vm, me->state);
  if (me->len && (drains(a) || me->len == BUFFER))
    return false;
  switch ((enum access_kind)a->kind) {
  case ACC_LOCK_READ:
    return memory_at(m, w, a->loc) == 0;
  case ACC_TAKE:
    return take_accepts(a, seen_by(m, w, me, a->loc));
  case ACC_JOIN:
    return can_join(w, a->value);
  case ACC_BLOCK:
  case ACC_CUT:
  case ACC_ERROR:
    return false;
  default:
    return true;
  }
}

static void step(struct machine *m, const struct world *now, unsigned t) {
  struct world w = *now;
  struct turn *me = &w.threads[t];
  const struct access a = *vm_access(m->vm, me->state);
  switch ((enum access_kind)a.kind) {
  case ACC_READ:
    me->state = vm_step(m->vm, me->state, seen_by(m, &w, me, a.loc));
    visit(m, &w);
    break;
  case ACC_TAKE:
  case ACC_LOCK_READ:
  case ACC_RMW_READ:
    update(m, &w, me, a.loc, seen_by(m, &w, me, a.loc));
    break;
  case ACC_CAS_READ:
    compare_exchange(m, now, t, &a);
    break;
  case ACC_WRITE:
  case ACC_UNLOCK:
    put(m, &w, me, &a);
    break;
  case ACC_SPAWN:
    spawn(m, &w, me);
    break;
  case ACC_CHOOSE:
    choose(m, now, t, &a);
    break;
  case ACC_END:
  case ACC_EXIT:
    me->is_over = true;
    me->has_exited = a.kind == ACC_EXIT;
    me->result = a.value;
    visit(m, &w);
    break;
  case ACC_JOIN:
    me->state = vm_step(m->vm, me->state, w.threads[a.value].result);
    visit(m, &w);
    break;
  case ACC_FENCE:
  case ACC_OUTPUT:
  case ACC_DETACH:
    me->state = vm_step(m->vm, me->state, 0);
    visit(m, &w);
    break;
  default:
    fatal_internal(__FILE__, __LINE__, "an access that the machine lacks");
  }
}

// -- states

static uint64_t name_of(const struct machine *m, const struct world *w) {
  uint64_t h = 1;
  for (unsigned t = 0; t < w->nthreads; t++) {
    const struct turn *me = &w->threads[t];
    h = hash_mix(h, me->is_over ? 1u + me->has_exited : 8 + me->state);
    h = hash_mix(h, me->is_over ? me->result : 0);
    for (unsigned i = 0; i < me->len; i++)
      h = hash_mix(hash_mix(h, me->buffer[i].loc), me->buffer[i].value);
    h = hash_mix(h, me->len);
  }
  for (loc_id l = 0; l < LOCATIONS; l++)
    if (w->written >> l & 1 && w->memory[l] != vm_location(m->vm, l)->initial)
      h = hash_mix(h, hash_mix(l, w->memory[l]));
  return h ? h : 1;
}

static bool is_new(struct machine *m, uint64_t name) {
  uint32_t at = (uint32_t)(name % SLOTS);
  for (; m->met[at]; at = (at + 1) % SLOTS)
    if (m->met[at] == name)
      return false;
  m->met[at] = name;
  return true;
}

static void note_error(struct machine *m, const struct turn *t) {
  const struct access *a = vm_access(m->vm, t->state);
  if (a->kind == ACC_ERROR && a->value == FIND_ASSERTION)
    array_push(&m->ret.assertions,
               m->prog->source.at[vm_site(m->vm, t->state)].line);
}

// No thread has anything left to do, and all that is left of them waits.
static bool is_deadlock(const struct machine *m, const struct world *w) {
  for (unsigned t = 0; t < w->nthreads; t++) {
    const struct turn *me = &w->threads[t];
    enum access_kind kind = vm_access(m->vm, me->state)->kind;
    bool waits = kind == ACC_LOCK_READ || kind == ACC_TAKE || kind == ACC_JOIN;
    if (me->has_exited || (!me->is_over && !waits))
      return false;
  }
  return !w->threads[0].is_over;
}

static void visit(struct machine *m, const struct world *w) {
  if (!m->ret.is_complete || !is_new(m, name_of(m, w)))
    return;
  if (++m->states > MOST_STATES) {
    m->ret.is_complete = false;
    return;
  }
  bool is_stuck = true;
  for (unsigned t = 0; t < w->nthreads; t++) {
    if (!w->threads[t].is_over)
      note_error(m, &w->threads[t]);
    if (w->threads[t].len) {
      struct world next = *w;
      flush_one(&next, &next.threads[t]);
      visit(m, &next);
      is_stuck = false;
    }
    if (can_step(m, w, t)) {
      step(m, w, t);
      is_stuck = false;
    }
  }
  m->ret.has_deadlock |= is_stuck && is_deadlock(m, w);
}

struct machine_answer machine_run(const struct prog *p,
                                  const struct vm_config *config,
                                  bool has_buffers) {
  static struct machine m;
  memset(&m, 0, sizeof m);
  m.vm = vm_new(p, config);
  m.prog = p;
  m.has_buffers = has_buffers;
  m.ret.is_complete = true;
  struct world w = {.nthreads = 1};
  w.threads[0] = (struct turn){.state = vm_main(m.vm), .exists = true};
  visit(&m, &w);
  hashes_sort(&m.ret.assertions);
  vm_free(m.vm);
  return m.ret;
}
