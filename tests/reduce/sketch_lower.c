// SPDX-License-Identifier: MIT
// See sketch.h: from steps to bytecode.
#include "sketch_lower.h"

struct prog *P;

static void emit_steps(struct lowering *w, const struct step *s, unsigned n);

// -- a node

static void publish(const struct lowering *w, const struct step *s) {
  sys(BI_malloc, PLACE, 1, k(NODE_SIZE), 1);
  if (!(s->how & NODE_IS_UNINITIALISED))
    put(PLACE, R, ORD_NA);
  emit(OP_store, k(w->node), PLACE, 0, access_imm(8, s->order));
}

static uint32_t get_node(const struct lowering *w, const struct step *s) {
  if (s->kind == STEP_RETIRE) {
    emit(OP_rmw_load, PLACE, k(w->node), 0, access_imm(8, s->order));
    emit(OP_rmw_store, k(w->node), k(0), 0, access_imm(8, s->order));
  } else {
    emit(OP_load, PLACE, k(w->node), 0, access_imm(8, s->order));
  }
  emit(OP_ne, TEST_SLOT, PLACE, k(0), 64);
  return if_set();
}

static void use_node(const struct lowering *w, const struct step *s) {
  uint32_t br = get_node(w, s);
  if (s->kind == STEP_LOOK_AT)
    get(PLACE, s->value & 1 ? ORD_NA : ORD_RLX);
  else if (!(s->how & NODE_IS_KEPT))
    sys(BI_free, 0, 0, PLACE, 1);
  end_if(br);
}

// -- what C has no loop for

static void bits(const struct lowering *w, const struct step *s) {
  static const enum op ops[] = {
      [BITS_AND] = OP_and, [BITS_OR] = OP_or, [BITS_XOR] = OP_xor};
  unsigned at = address(w, s->word), value = value_of(s->value, R);
  emit(OP_mov, COUNT, value, 0, 0);
  emit(OP_rmw_load, R, at, 0, access(s->order));
  emit(ops[s->how], TEMP, R, COUNT, 32);
  emit(OP_rmw_store, at, TEMP, 0, access(s->order));
}

static uint64_t linked(enum order order) {
  return imm_access((struct imm_access){.size = 4,
                                        .order = (uint8_t)order,
                                        .order_fail = (uint8_t)order,
                                        .how = HOW_LINKED | HOW_ISA});
}

// The store may fail for no reason: r is 3 then.
static void load_and_store(const struct lowering *w, const struct step *s) {
  unsigned at = s->word == WORD_BY_R ? k(w->elements) : address(w, s->word);
  unsigned beside = k(w->words[s->word == WORD_Z ? WORD_X : WORD_Z]);
  emit(OP_load, R, at, 0, linked(s->order));
  if (s->how == LINKED_LOAD)
    emit(OP_load, COUNT, beside, 0, access(ORD_RLX));
  else if (s->how == LINKED_STORE)
    put(beside, k(1), ORD_RLX);
  else if (s->how == LINKED_FENCE)
    emit(OP_fence, 0, 0, 0, access(ORD_SC));
  unsigned value = value_of(s->value, R);
  emit(OP_mov, COUNT, value, 0, 0);
  call(BI_choose, TEST_SLOT, 1, (uint64_t[]){0, 1}, 2);
  uint32_t br = if_set();
  emit(OP_store, at, COUNT, 0, linked(s->order_fail));
  uint32_t jump = emit(OP_jmp, 0, 0, 0, 0);
  end_if(br);
  emit(OP_mov, R, k(3), 0, 0);
  P->code.at[jump].imm = here();
}

// -- steps

static void cut(struct lowering *w, const struct step *s) {
  if (w->is_marked) {
    sys(BI_abort, 0, 0, 0, 0);
    return;
  }
  uint32_t head;
  switch (s->how) {
  case CUT_CALLS:
    emit(OP_mov, ARGS, k(MOST_CALLS + 9), 0, 0);
    emit(OP_call, TEMP, ARGS, call_slots(1, 1), w->deep);
    break;
  case CUT_STEPS:
    emit(OP_mov, COUNT, k(MOST_STEPS), 0, 0);
    head = here();
    emit(OP_sub, COUNT, COUNT, k(1), 32);
    emit(OP_ne, TEST_SLOT, COUNT, k(0), 32);
    go_back_if_set(head);
    break;
  case CUT_STACK:
    emit(OP_local, TEMP, k(MOST_BYTES), 0, 8);
    emit(OP_store, TEMP, k(1), 0, access(ORD_NA));
    break;
  default:
    put(k(0), k(1), ORD_NA);
  }
}

static void beside(const struct lowering *w, const struct step *s) {
  bool is_narrow = s->how & ACCESS_IS_NARROW;
  unsigned at = k(w->plain + (is_narrow ? s->value % 4u : 0));
  uint64_t how = access_imm(is_narrow ? 1 : 4, ORD_RLX);
  if (s->how & BESIDE_STORES) {
    emit(OP_store, at, k(1), 0, how);
  } else if (s->how & BESIDE_ADDS) {
    emit(OP_rmw_load, COUNT, at, 0, how);
    emit(OP_add, COUNT, COUNT, k(1), is_narrow ? 8 : 32);
    emit(OP_rmw_store, at, COUNT, 0, how);
  } else {
    emit(OP_load, COUNT, at, 0, how);
  }
}

static void emit_access(const struct lowering *w, const struct step *s) {
  unsigned at = address(w, s->word);
  switch (s->kind) {
  case STEP_LOAD:
    emit(OP_load, R, at, 0,
         access_imm(s->how & ACCESS_IS_NARROW ? 1 : 4, s->order));
    break;
  case STEP_STORE:
    emit(OP_store, at, value_of(s->value, R), 0,
         access_imm(s->how & ACCESS_IS_NARROW ? 1 : 4, s->order));
    break;
  case STEP_ADD:
    add(R, at, s->value - 1, s->order);
    break;
  case STEP_SWAP: {
    unsigned value = value_of(s->value, R);
    if (value == R) {
      emit(OP_mov, TEMP, R, 0, 0);
      value = TEMP;
    }
    swap(R, at, value, s->order);
    break;
  }
  case STEP_CAS: {
    unsigned value = value_of(s->value, R);
    if (value == R) {
      emit(OP_mov, TEMP, R, 0, 0);
      value = TEMP;
    }
    compare_exchange(R, at, k(s->other), value, s, /*is_weak=*/false);
    break;
  }
  case STEP_WAIT:
    lower_wait(w, s, at);
    break;
  case STEP_ASSUME:
    get(at, s->order);
    emit(OP_ne, TEST_SLOT, R, k(s->other), 32);
    sys(BI_assume, 0, 0, TEST_SLOT, 1);
    break;
  default: // STEP_EXPECT
    get(at, s->order);
    fail_if(R, s->other);
  }
}

static void emit_around(struct lowering *w, const struct step *s) {
  uint32_t br = 0, head = 0;
  if (s->kind == STEP_SECTION) {
    br = lower_enter(w, s);
  } else if (s->kind == STEP_IF) {
    emit(OP_eq, TEST_SLOT, R, k(s->other), 32);
    br = if_set();
  } else {
    emit(OP_mov, LEFT, k(s->other), 0, 0);
    head = here();
  }
  emit_steps(w, s + 1, s->inside);
  if (s->kind == STEP_SECTION)
    lower_leave(w, s);
  if (s->kind == STEP_REPEAT) {
    emit(OP_sub, LEFT, LEFT, k(1), 32);
    emit(OP_ne, TEST_SLOT, LEFT, k(0), 32);
    go_back_if_set(head);
  }
  if (br)
    end_if(br);
}

static void create(struct lowering *w, unsigned t) {
  uint64_t element = w->sketch->element_of[t];
  emit(OP_mov, ARGS, k(prog_func_address(P, w->funcs[w->sketch->kind_of[t]])),
       0, 0);
  emit(OP_mov, ARGS + 1,
       k(w->sketch->has_numbers ? element : w->elements + STRIDE * element), 0,
       0);
  sys(BI_spawn, IDS + t, 1, ARGS, 2);
  w->was_created[t] = true;
}

static void emit_step(struct lowering *w, const struct step *s) {
  switch ((enum step_kind)s->kind) {
  case STEP_FENCE:
    emit(OP_fence, 0, 0, 0, access(s->order));
    break;
  case STEP_GET:
    get(k(w->plain), ORD_NA);
    break;
  case STEP_PUT:
    put(k(w->plain), R, ORD_NA);
    break;
  case STEP_PEEK:
    get(k(w->elements + STRIDE * s->other + PLAIN), ORD_NA);
    break;
  case STEP_OWN:
    emit(OP_add, OLD, OWN, k(PLAIN), 64);
    put(OLD, R, ORD_NA);
    break;
  case STEP_RETRY:
    lower_retry(w, s);
    break;
  case STEP_POLL:
    lower_poll(w, s);
    break;
  case STEP_SECTION:
  case STEP_IF:
  case STEP_REPEAT:
    emit_around(w, s);
    break;
  case STEP_POST:
    call(BI_give, 0, 0, (uint64_t[]){w->locks[s->lock], 1}, 2);
    break;
  case STEP_FAIL:
    fail();
    break;
  case STEP_CUT:
    cut(w, s);
    break;
  case STEP_MEET:
    lower_meet(w);
    break;
  case STEP_SLEEP:
    lower_sleep(w, s);
    break;
  case STEP_WAKE:
    lower_wake(w, s);
    break;
  case STEP_CHOOSE:
    call(BI_choose, R, 1, (uint64_t[]){0, 1}, 2);
    break;
  case STEP_PUBLISH:
    publish(w, s);
    break;
  case STEP_LOOK_AT:
  case STEP_RETIRE:
    use_node(w, s);
    break;
  case STEP_EXIT:
    sys(BI_exit, 0, 0, k(0), 1);
    break;
  case STEP_CREATE:
    create(w, s->other);
    break;
  case STEP_JOIN:
    if (w->was_created[s->other])
      sys(BI_join, w->sketch->has_results ? R : TEMP, 1, IDS + s->other, 1);
    break;
  case STEP_DETACH:
    if (w->was_created[s->other])
      sys(BI_detach, 0, 0, IDS + s->other, 1);
    break;
  case STEP_LEAVE:
    emit(OP_mov, ARGS, R, 0, 0);
    emit(OP_mov, ARGS + 1, k(0), 0, 0);
    sys(BI_thread_exit, 0, 0, ARGS, 2);
    break;
  case STEP_CHECK:
    fail_if(R, s->other);
    break;
  case STEP_GATHER:
    lower_gather(w, s);
    break;
  case STEP_COUNT:
    lower_count(w, s);
    break;
  case STEP_BESIDE:
    beside(w, s);
    break;
  case STEP_BITS:
    bits(w, s);
    break;
  case STEP_LINKED:
    load_and_store(w, s);
    break;
  case STEP_SELECT:
    emit(OP_eq, TEST_SLOT, s->how & SELECT_ASKS_KEPT ? KEPT : R, k(s->other),
         32);
    emit(OP_and, OLD, R, k(1), 32);
    emit(s->how & SELECT_PICKS ? OP_pick : OP_select, R, TEST_SLOT,
         s->how & SELECT_OF_BOTH ? (unsigned)R : k(s->value),
         s->how & SELECT_OF_BOTH ? KEPT : OLD);
    break;
  case STEP_KEEP:
    emit(OP_mov, KEPT, R, 0, 0);
    break;
  default:
    emit_access(w, s);
  }
}

static void emit_steps(struct lowering *w, const struct step *s, unsigned n) {
  for (unsigned i = 0; i < n; i += 1u + s[i].inside)
    emit_step(w, &s[i]);
}

// -- functions

static void begin_thread(struct lowering *w, uint32_t f) {
  memset(w->was_created, 0, sizeof w->was_created);
  prog_begin_func(P, f);
  emit(OP_mov, R, k(0), 0, 0);
  emit(OP_mov, KEPT, k(0), 0, 0);
}

static void emit_thread(struct lowering *w, unsigned kind) {
  const struct thread_sketch *t = &w->sketch->kinds[kind];
  begin_thread(w, w->funcs[kind]);
  if (w->sketch->has_numbers) {
    emit(OP_mul, OLD, ARGUMENT, k(STRIDE), 64);
    emit(OP_add, OWN, k(w->elements), OLD, 64);
  } else {
    emit(OP_mov, OWN, ARGUMENT, 0, 0);
  }
  emit_steps(w, t->at, t->len);
  if (t->tells) {
    emit(OP_add, OLD, OWN, k(TOLD), 64);
    put(OLD, R, ORD_RLX);
  }
  ret(w->sketch->has_results ? R : k(0));
}

// Each final state breaks an assertion at a place of its own, so errors are
// outcomes.
static void emit_outcome(const struct lowering *w) {
  uint64_t at[3 + 2 * SKETCH_ELEMENTS];
  unsigned n = 0;
  for (unsigned i = 0; i < 3; i++)
    at[n++] = w->words[i];
  for (unsigned i = 0; i < SKETCH_ELEMENTS; i++) {
    at[n++] = w->elements + STRIDE * i;
    at[n++] = w->elements + STRIDE * i + TOLD;
  }
  emit(OP_mov, COUNT, k(0), 0, 0);
  for (unsigned i = 0; i < n; i++) {
    get(k(at[i]), ORD_RLX);
    emit(OP_mul, COUNT, COUNT, k(5), 32);
    emit(OP_add, COUNT, COUNT, R, 32);
  }
  emit(OP_urem, COUNT, COUNT, k(SKETCH_OUTCOMES - 3), 32);
  for (unsigned i = 0; i < SKETCH_OUTCOMES - 3; i++)
    fail_if(COUNT, i);
}

static void emit_main(struct lowering *w, uint32_t f) {
  const struct thread_sketch *t = &w->sketch->main;
  begin_thread(w, f);
  emit(OP_mov, OWN, k(w->elements), 0, 0);
  for (unsigned i = 0; i < SKETCH_LOCKS; i++)
    if (w->sketch->locks[i] == LOCK_SEMAPHORE)
      store(w->locks[i], k(w->sketch->permits), 4);
  emit_steps(w, t->at, t->len);
  if (w->sketch->has_outcome)
    emit_outcome(w);
  ret(k(0));
}

// deep(n) = n ? deep(n - 1) : 0
static void emit_deep(uint32_t f) {
  enum { N, TO };
  prog_begin_func(P, f);
  uint32_t br = emit(OP_br, N, 0, 0, 0);
  emit(OP_sub, TO, N, k(1), 32);
  emit(OP_call, TO, TO, call_slots(1, 1), f);
  end_if(br);
  ret(k(0));
}

static void add_globals(struct lowering *w) {
  static const char *const names[] = {"x", "y", "z"};
  for (unsigned i = 0; i < 3; i++)
    w->words[i] = global(names[i], 4);
  w->elements = global("el", STRIDE * SKETCH_ELEMENTS);
  w->plain = global("plain", 4);
  for (unsigned i = 0; i < SKETCH_LOCKS; i++) {
    w->locks[i] = global("lock", 4);
    w->owners[i] = global("owner", 4);
  }
  w->arrived = global("arrived", 4);
  w->opened = global("opened", 4);
  w->mutex = global("mutex", 4);
  w->waiting = global("waiting", 8);
  w->woken = global("woken", 4 * (1 + SKETCH_THREADS));
  w->node = global("node", 8);
}

void sketch_limit(struct vm_config *machine) {
  machine->max_calls = MOST_CALLS;
  machine->max_steps = MOST_STEPS;
  machine->max_private = MOST_BYTES;
}

struct prog *sketch_lower(const struct sketch *p, unsigned how) {
  bool is_marked = how & LOWER_MARKED;
  struct lowering w = {
      .sketch = p, .is_marked = is_marked, .is_unrolled = how & LOWER_UNROLLED};
  struct diag why;
  begin();
  add_globals(&w);
  uint32_t main_func = func("main", 0, 1);
  bool has_deep = sketch_has(p, STEP_CUT) && !is_marked;
  if (has_deep)
    w.deep = func("deep", 1, 1);
  for (unsigned i = 0; i < p->nkinds; i++)
    w.funcs[i] = func("thread", 1, 1);
  if (has_deep)
    emit_deep(w.deep);
  for (unsigned i = 0; i < p->nkinds; i++)
    emit_thread(&w, i);
  emit_main(&w, main_func);
  if (!prog_finish(P, &why))
    fatal_internal(__FILE__, __LINE__, why.text);
  return P;
}
