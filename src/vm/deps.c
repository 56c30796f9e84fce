// SPDX-License-Identifier: MIT
// The automaton of dependencies. A deps_id names a tuple: the sets of the
// pending access, and of everything alive in the thread whose set is not empty.
// A step that was not taken before thaws the state, puts the sets of the tuple
// beside its slots and bytes, and runs the interpreter with tracking on; the
// thread stops where the real run did, and its sets are the next tuple.
//
// Steps out of a transient state are forgotten with it, because its number will
// name another state. Tuples and sets know no values but places of events: two
// threads that wait for each other have a place for each way to get there, so
// there are as many tuples as executions. Who drives the automaton begins anew
// when they take too much (vm_deps_are_many).
#include "vm/deps.h"

#include "vm/cold.h"

#include <string.h>

// So many bytes are not too many yet, unless the config says otherwise. Builds
// that check begin anew all the time.
#define FEW_BYTES (HEDDLE_SLOW_CHECKS ? UINT64_C(1) << 15 : UINT64_C(16) << 20)

void deps_init(struct dependencies *deps) {
  const uint32_t nothing = 0;
  *deps = (struct dependencies){0};
  sets_init(&deps->sets);
  pool_intern(&deps->tuples, &nothing, 1); // 0 is none
}

static void steps_done(struct deps_steps *steps) {
  pool_done(&steps->keys);
  array_done(&steps->next);
}

void deps_forget(struct dependencies *deps) {
  steps_done(&deps->lasting);
  steps_done(&deps->transient);
}

void deps_done(struct dependencies *deps) {
  sets_done(&deps->sets);
  pool_done(&deps->tuples);
  deps_forget(deps);
}

// -- tuples: this head, then runs of bytes that have the same set, then slots,
// outermost frame first

struct head {
  set_id addr, data;
  set_id decides;       // ctrl of the access: `ctrl`, and what decides only it
  set_id decides_after; // the same with `after`
  set_id ctrl, after, memory, target, source, touched;
  uint32_t observes; // 1: `observed` is kept (vm_deps_observing), 0: it is not
  set_id observed;
  uint32_t runs;
};

struct byte_run {
  uint32_t first, len;
  set_id set;
};

enum {
  HEAD_WORDS = sizeof(struct head) / sizeof(uint32_t),
  RUN_WORDS = sizeof(struct byte_run) / sizeof(uint32_t),
  SLOT_WORDS = sizeof(struct slot_set) / sizeof(uint32_t),
};

static void put(struct words *out, const void *data, size_t bytes) {
  uint32_t words = (uint32_t)(bytes / sizeof(uint32_t));
  array_reserve(out, words);
  memcpy(out->at + out->len, data, bytes);
  out->len += words;
}

static uint32_t freeze_bytes(const struct thread *t, struct words *out) {
  uint32_t runs = 0;
  for (uint32_t i = 0, next; i < t->used; i = next) {
    struct byte_run run = {.first = i, .set = t->byte_set[i]};
    for (next = i + 1; next < t->used && t->byte_set[next] == run.set;)
      next++;
    run.len = next - i;
    if (run.set) {
      put(out, &run, sizeof run);
      runs++;
    }
  }
  return runs;
}

static void freeze_frame(const struct thread *t, uint32_t i,
                         struct words *out) {
  const struct frame *f = &t->frames.at[i];
  uint32_t live;
  const uint16_t *list = live_across(t->vm->prog, f->pc, &live);
  for (uint32_t k = 0; k < live; k++) {
    struct slot_set s = {.depth = t->depth - (t->frames.len - 1 - i),
                         .slot = list[k],
                         .set = t->slot_set[f->base + list[k]]};
    if (s.set)
      put(out, &s, sizeof s);
  }
}

static deps_id freeze(struct thread *t) {
  struct dependencies *deps = &t->vm->cold->deps;
  struct words *out = &t->vm->cold->scratch[0];
  const struct track *k = &t->track;
  struct head head = {.addr = k->addr,
                      .data = k->data,
                      .ctrl = k->ctrl,
                      .after = k->after,
                      .touched = k->touched,
                      .observes = k->observes,
                      .observed = k->observes ? k->observed : 0};
  head.decides = set_union(&deps->sets, k->ctrl, k->pick);
  head.decides_after = set_union(&deps->sets, k->after, k->pick);
  out->len = 0;
  put(out, &head, sizeof head);
  if (!is_over(&t->access)) {
    head.memory = k->memory;
    bool is_under_way = t->is_bulk || t->is_pieces;
    head.target = is_under_way ? k->target : 0;
    head.source = is_under_way ? k->source : 0;
    head.runs = freeze_bytes(t, out);
    put(out, k->below, k->nbelow * sizeof *k->below);
    for (uint32_t i = 0; i < t->frames.len; i++)
      freeze_frame(t, i, out);
    memcpy(out->at, &head, sizeof head);
  }
  return pool_intern(&deps->tuples, out->at, out->len);
}

// Thaws the state with its sets.
static void thaw(struct vm *vm, deps_id d, state_id s) {
  struct thread *t = &vm->cold->thread;
  uint32_t len;
  const uint32_t *w = pool_get(&vm->cold->deps.tuples, d, &len);
  const struct head *head = (const struct head *)w;
  const struct byte_run *run = (const struct byte_run *)(w + HEAD_WORDS);
  const struct slot_set *slots = (const struct slot_set *)(run + head->runs);
  t->track = (struct track){
      .on = true,
      .addr = head->addr,
      .data = head->data,
      .ctrl = head->ctrl,
      .after = head->after,
      .memory = head->memory,
      .target = head->target,
      .source = head->source,
      .observes = head->observes,
      .below = slots,
      .nbelow = (len - HEAD_WORDS - head->runs * RUN_WORDS) / SLOT_WORDS,
  };
  t->track.touched = 0; // nothing is written here
  thaw_thread(vm, s);
  track_put_bytes(t, 0, (uint64_t)t->chunks.len * CHUNK, 0);
  for (uint32_t i = 0; i < head->runs; i++, run++)
    track_put_bytes(t, run->first, run->len, run->set);
  t->track.touched = head->touched;
}

// -- steps

// Does the access yield something to depend on? A store-conditional does, to
// who asks (BI_stored).
static bool is_source(const struct access *a) {
  switch ((enum access_kind)a->kind) {
  case ACC_WRITE:
    return a->flags & ACCF_LINKED;
  case ACC_READ:
  case ACC_RMW_READ:
  case ACC_CAS_READ:
  case ACC_LOCK_READ:
  case ACC_TAKE:
  case ACC_ALLOC:
  case ACC_SPAWN:
  case ACC_JOIN:
  case ACC_CHOOSE:
    return true;
  default:
    return false;
  }
}

// The real run has been there: nothing must be new. (Where it was cut by
// --max-steps it may have been a few instructions further: they are counted at
// jumps, see quick.c.)
static void check_same_run(struct vm *vm, state_id s, uint64_t value,
                           undef_id undef) {
  state_id next = state_known_step(vm, s, value, undef);
  if (!next)
    return; // a transient step, which is not remembered
  const struct access *a = &vm->cold->thread.access, *b = vm_access(vm, next);
  if (a->kind == ACC_CUT && b->kind == ACC_CUT)
    return;
  check(memcmp(a, b, sizeof *a) == 0);
  if (HEDDLE_SLOW_CHECKS)
    check(state_of_thread(vm, /*keep=*/true) == next);
}

static deps_id miss(struct vm *vm, deps_id d, state_id s, uint64_t value,
                    undef_id undef, set_id event) {
  struct thread *t = &vm->cold->thread;
  uint32_t times = tries_in_step(vm, s, value, undef);
  thaw(vm, d, s);
  t->track.event = event;
  thread_resume(t, value, undef);
  while (--times) {
    t->access.flags = ACCF_FAILS;
    thread_resume(t, value, undef);
  }
  deps_id next = freeze(t);
  t->track = (struct track){.on = false};
  check_same_run(vm, s, value, undef);
  return next;
}

static void add_step(struct deps_steps *steps, const uint32_t *key,
                     uint32_t len, deps_id next) {
  pool_intern(&steps->keys, key, len);
  array_push(&steps->next, next);
  check(steps->keys.entries.len == steps->next.len);
}

deps_id vm_deps_first(struct vm *vm) {
  const struct head nothing = {0};
  return pool_intern(&vm->cold->deps.tuples, &nothing.addr, HEAD_WORDS);
}

deps_id vm_deps_observing(struct vm *vm) {
  const struct head nothing = {.observes = 1};
  return pool_intern(&vm->cold->deps.tuples, &nothing.addr, HEAD_WORDS);
}

deps_id vm_deps_step(struct vm *vm, deps_id d, state_id s, uint64_t value,
                     undef_id undef, uint32_t place) {
  struct dependencies *deps = &vm->cold->deps;
  struct deps_steps *steps =
      state_is_transient(vm, s) ? &deps->transient : &deps->lasting;
  const struct access *a = vm_access(vm, s);
  set_id event = is_source(a) ? set_of_one(&deps->sets, place) : 0;
  const uint32_t key[] = {d,     s,    (uint32_t)value, (uint32_t)(value >> 32),
                          undef, event};
  enum { LEN = LENGTH(key) };
  check(d);
  if (a->kind == ACC_TAKE && !undef && !take_accepts(a, value))
    return d; // as the state
  uint32_t known = pool_find(&steps->keys, key, LEN);
  if (known != POOL_NONE)
    return steps->next.at[known];
  deps_id next = miss(vm, d, s, value, undef, event);
  add_step(steps, key, LEN, next);
  return next;
}

uint64_t vm_deps_bytes(const struct vm *vm) {
  const struct dependencies *deps = &vm->cold->deps;
  return pool_bytes(&deps->tuples) + pool_bytes(&deps->lasting.keys) +
         sets_bytes(&deps->sets);
}

bool vm_deps_are_many(const struct vm *vm) {
  uint64_t few = vm->cold->config.few_deps, needed = vm->cold->deps.needed;
  return vm_deps_bytes(vm) > (few ? few : FEW_BYTES) + 2 * needed;
}

void vm_deps_settle(struct vm *vm) {
  vm->cold->deps.needed = vm_deps_bytes(vm);
}

// The marks of transient states count steps, of which none are left.
void vm_deps_forget(struct vm *vm) {
  struct vm_cold *cold = vm->cold;
  deps_done(&cold->deps);
  deps_init(&cold->deps);
  for (uint32_t i = 0; i < cold->transient.len; i++)
    cold->transient.at[i].deps = 0;
}

void deps_release(struct dependencies *deps, uint32_t count) {
  pool_truncate(&deps->transient.keys, count);
  deps->transient.next.len = count;
}

struct deps vm_deps(const struct vm *vm, deps_id d) {
  uint32_t len;
  const uint32_t *w = pool_get(&vm->cold->deps.tuples, d, &len);
  const struct head *head = (const struct head *)w;
  check(d);
  return (struct deps){head->addr, head->data, head->decides,
                       head->decides_after, head->observed};
}

// -- what is written on the way

enum { TOUCHED = INT32_MAX }; // no thread has so many events

deps_id vm_deps_touching(struct vm *vm, deps_id d) {
  struct dependencies *deps = &vm->cold->deps;
  struct words *out = &vm->cold->scratch[0];
  uint32_t len;
  const uint32_t *w = pool_get(&deps->tuples, d, &len);
  struct head head;
  memcpy(&head, w, sizeof head);
  head.touched = set_of_one(&deps->sets, TOUCHED);
  out->len = 0;
  put(out, w, len * sizeof *w);
  memcpy(out->at, &head, sizeof head);
  return pool_intern(&deps->tuples, out->at, out->len);
}

// A tuple, taken apart.
struct tuple {
  const struct head *head;
  const struct byte_run *runs;
  const struct slot_set *slots, *end;
};

static struct tuple tuple_of(const struct vm *vm, deps_id d) {
  uint32_t len;
  const uint32_t *w = pool_get(&vm->cold->deps.tuples, d, &len);
  struct tuple t = {.head = (const struct head *)w};
  t.runs = (const struct byte_run *)(w + HEAD_WORDS);
  t.slots = (const struct slot_set *)(t.runs + t.head->runs);
  t.end = (const struct slot_set *)(w + len);
  return t;
}

struct question {
  const struct sets *sets;
  vm_asks_place *asks;
  void *arg;
};

static bool has_place(const struct question *q, set_id set) {
  for (uint32_t i = 0; i < set_len(q->sets, set); i++)
    if (set_at(q->sets, set, i) != TOUCHED &&
        q->asks(q->arg, set_at(q->sets, set, i)))
      return true;
  return false;
}

static bool had_place_in_slot(const struct question *q, const struct tuple *t,
                              const struct slot_set *slot) {
  for (const struct slot_set *s = t->slots; s < t->end; s++)
    if (s->depth == slot->depth && s->slot == slot->slot)
      return has_place(q, s->set);
  return false;
}

static bool had_place_in_bytes(const struct question *q, const struct tuple *t,
                               const struct byte_run *run) {
  for (const struct byte_run *r = t->runs; r < t->runs + t->head->runs; r++)
    if (r->first < run->first + run->len && run->first < r->first + r->len &&
        has_place(q, r->set))
      return true;
  return false;
}

bool vm_deps_has_touched(const struct vm *vm, deps_id d) {
  const struct tuple t = tuple_of(vm, d);
  const struct sets *sets = &vm->cold->deps.sets;
  bool found = t.head->memory != 0;
  for (uint32_t i = 0; !found && i < t.head->runs; i++)
    found = set_contains(sets, t.runs[i].set, TOUCHED);
  for (const struct slot_set *s = t.slots; !found && s < t.end; s++)
    found = set_contains(sets, s->set, TOUCHED);
  return found;
}

bool vm_deps_touched_place(const struct vm *vm, deps_id other, deps_id d,
                           vm_asks_place *asks, void *arg) {
  const struct tuple was = tuple_of(vm, other), is = tuple_of(vm, d);
  const struct sets *sets = &vm->cold->deps.sets;
  const struct question q = {sets, asks, arg};
  bool found = has_place(&q, is.head->memory);
  for (uint32_t i = 0; !found && i < is.head->runs; i++)
    found = set_contains(sets, is.runs[i].set, TOUCHED) &&
            (has_place(&q, is.runs[i].set) ||
             had_place_in_bytes(&q, &was, &is.runs[i]));
  for (const struct slot_set *s = is.slots; !found && s < is.end; s++)
    found = set_contains(sets, s->set, TOUCHED) &&
            (has_place(&q, s->set) || had_place_in_slot(&q, &was, s));
  return found;
}

struct within {
  const struct sets *sets;
  vm_stands_for *stands; // NULL: none stands for another
  void *arg;
};

static bool has_stand_in(const struct within *w, set_id b, uint32_t place) {
  if (w->stands && w->stands(w->arg, place, place))
    return true;
  for (uint32_t k = 0; w->stands && k < set_len(w->sets, b); k++) {
    uint32_t other = set_at(w->sets, b, k);
    if (other != TOUCHED && !set_is_pick(w->sets, b, k) &&
        w->stands(w->arg, other, place))
      return true;
  }
  return false;
}

// (What depends on a number by pick depends on it no more than what has it
// plainly.)
static bool is_subset(const struct within *w, set_id a, set_id b) {
  const struct sets *sets = w->sets;
  if (a == b)
    return true;
  for (uint32_t i = 0, k = 0; i < set_len(sets, a); i++) {
    uint32_t n = set_at(sets, a, i);
    while (k < set_len(sets, b) && set_at(sets, b, k) < n)
      k++;
    bool has = k < set_len(sets, b) && set_at(sets, b, k) == n &&
               (set_is_pick(sets, a, i) || !set_is_pick(sets, b, k));
    if (n != TOUCHED && !has && !has_stand_in(w, b, n))
      return false;
  }
  return true;
}

static bool is_slot_within(const struct within *w, const struct slot_set *slot,
                           const struct tuple *more) {
  for (const struct slot_set *s = more->slots; s < more->end; s++)
    if (s->depth == slot->depth && s->slot == slot->slot)
      return is_subset(w, slot->set, s->set);
  return is_subset(w, slot->set, 0);
}

static bool is_run_within(const struct within *w, const struct byte_run *run,
                          const struct tuple *more) {
  uint32_t covered = 0;
  const struct byte_run *r = more->runs;
  for (; r < more->runs + more->head->runs; r++) {
    uint32_t first = r->first > run->first ? r->first : run->first,
             end = r->first + r->len < run->first + run->len
                       ? r->first + r->len
                       : run->first + run->len;
    if (first < end && !is_subset(w, run->set, r->set))
      return false;
    covered += first < end ? end - first : 0;
  }
  return covered == run->len || is_subset(w, run->set, 0);
}

static bool is_within(const struct vm *vm, const struct within *w, deps_id less,
                      deps_id more, bool writes) {
  const struct tuple a = tuple_of(vm, less), b = tuple_of(vm, more);
  const set_id in_a[] = {a.head->addr,          a.head->data,   a.head->decides,
                         a.head->decides_after, a.head->ctrl,   a.head->after,
                         a.head->memory,        a.head->target, a.head->source};
  const set_id in_b[] = {b.head->addr,          b.head->data,   b.head->decides,
                         b.head->decides_after, b.head->ctrl,   b.head->after,
                         b.head->memory,        b.head->target, b.head->source};
  bool ok = true;
  for (unsigned i = 0; ok && i < LENGTH(in_a); i++)
    ok = is_subset(w, in_a[i], in_b[i]);
  for (uint32_t i = 0; ok && !writes && i < a.head->runs; i++)
    ok = is_run_within(w, &a.runs[i], &b);
  for (const struct slot_set *s = a.slots; ok && !writes && s < a.end; s++)
    ok = is_slot_within(w, s, &b);
  return ok;
}

bool vm_deps_within(const struct vm *vm, deps_id less, deps_id more,
                    bool writes) {
  const struct within w = {.sets = &vm->cold->deps.sets};
  return is_within(vm, &w, less, more, writes);
}

bool vm_deps_within_but(const struct vm *vm, deps_id less, deps_id more,
                        vm_stands_for *stands, void *arg) {
  const struct within w = {&vm->cold->deps.sets, stands, arg};
  return is_within(vm, &w, less, more, /*writes=*/false);
}

struct sets *vm_sets(struct vm *vm) {
  return &vm->cold->deps.sets;
}
