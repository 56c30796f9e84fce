// SPDX-License-Identifier: MIT
// Accesses of different size to the same bytes, on random programs. What they
// can compute is found by machines that know nothing of graphs: threads take
// turns on one memory of bytes (sc), or have a store buffer each, out of which
// a load takes each byte that it finds (tso). Heddle must find the same
// outcomes, no execution twice; and what a machine with store buffers does, the
// weaker models allow.
//
// Environment: HEDDLE_SEEDS=n (default 400), HEDDLE_FIRST_SEED=n,
// HEDDLE_SHOW=1 prints the programs.
#include "explore/explore.h"
#include "tap.h"
#include "unit/program.h"

#include <stdlib.h>

enum { THREADS = 3, OPS = 3, BYTES = 4, MAX_SEEN = 20000 };

enum what { LOAD, STORE, ADD, EXCHANGE, CAS, FENCE, WHATS };

struct action {
  enum what what;
  unsigned at, size;
  uint32_t value, expected;
  enum order order, order_fail;
};

struct program {
  unsigned threads, len[THREADS];
  struct action ops[THREADS][OPS];
};

// ---- sets of numbers

struct seen {
  uint64_t at[MAX_SEEN];
  unsigned len;
};

static bool has(const struct seen *s, uint64_t x) {
  for (unsigned i = 0; i < s->len; i++)
    if (s->at[i] == x)
      return true;
  return false;
}

static bool add_new(struct seen *s, uint64_t x) {
  if (has(s, x))
    return false;
  check(s->len < MAX_SEEN);
  s->at[s->len++] = x;
  return true;
}

// ---- random programs

static uint64_t random_state;

static unsigned below(unsigned n) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(random_state >> 33) % n;
}

static enum order random_order(enum what what) {
  static const enum order loads[] = {ORD_RLX, ORD_ACQ, ORD_SC},
                          stores[] = {ORD_RLX, ORD_REL, ORD_SC},
                          updates[] = {ORD_RLX, ORD_ACQ, ORD_REL, ORD_ACQREL,
                                       ORD_SC};
  if (what != FENCE && below(2))
    return ORD_RLX;
  return what == LOAD    ? loads[below(3)]
         : what == STORE ? stores[below(3)]
         : what == FENCE ? ORD_SC
                         : updates[below(5)];
}

static struct program random_program(uint64_t seed) {
  struct program p = {.threads = 2 + (seed % 4 == 0)};
  random_state = seed * 977 + 13;
  for (unsigned t = 0; t < p.threads; t++) {
    p.len[t] = 1 + below(p.threads == 3 ? 2 : OPS);
    for (unsigned i = 0; i < p.len[t]; i++) {
      struct action *o = &p.ops[t][i];
      o->what = below(2) ? below(2) : below(WHATS);
      o->size = 1u << below(3);
      o->at = below(BYTES / o->size) * o->size;
      o->value = (t + 1) * 0x01010101u * (i + 1) &
                 (uint32_t)((1ull << 8 * o->size) - 1);
      o->expected =
          below(2) ? 0
                   : p.ops[0][0].value & (uint32_t)((1ull << 8 * o->size) - 1);
      o->order = random_order(o->what);
      o->order_fail = below(2) ? ORD_RLX : ORD_ACQ;
    }
  }
  return p;
}

static void show(const struct program *p) {
  static const char *const names[] = {"load",     "store", "add",
                                      "exchange", "cas",   "fence"};
  for (unsigned t = 0; t < p->threads; t++)
    for (unsigned i = 0; i < p->len[t]; i++) {
      const struct action *o = &p->ops[t][i];
      printf("#   T%u: %s %u+%u value %x expected %x order %d/%d\n", t + 1,
             names[o->what], o->at, o->size, o->value, o->expected, o->order,
             o->order_fail);
    }
}

// ---- machines

// What a thread computes from what it has read.
static uint64_t mix(uint64_t result, uint64_t value) {
  return (result * 1000003) ^ (value + 1);
}

struct buffered {
  uint8_t at, byte;
};

struct machine {
  const struct program *p;
  uint8_t memory[BYTES];
  unsigned pc[THREADS];
  bool waits[THREADS]; // an sc store is not done before it is in memory
  uint64_t result[THREADS];
  // A store is as many bytes, and leaves the buffer with all of them.
  struct buffered buffer[THREADS][OPS * BYTES];
  unsigned sizes[THREADS][OPS], stores[THREADS], bytes[THREADS];
};

static uint32_t read_bytes(const struct machine *m, unsigned t,
                           const struct action *o) {
  uint32_t value = 0;
  for (unsigned i = 0; i < o->size; i++) {
    uint8_t byte = m->memory[o->at + i];
    for (unsigned k = 0; k < m->bytes[t]; k++)
      if (m->buffer[t][k].at == o->at + i)
        byte = m->buffer[t][k].byte;
    value |= (uint32_t)byte << 8 * i;
  }
  return value;
}

static void write_bytes(struct machine *m, const struct action *o,
                        uint32_t value) {
  for (unsigned i = 0; i < o->size; i++)
    m->memory[o->at + i] = (uint8_t)(value >> 8 * i);
}

static void put_into_buffer(struct machine *m, unsigned t,
                            const struct action *o) {
  for (unsigned i = 0; i < o->size; i++)
    m->buffer[t][m->bytes[t]++] =
        (struct buffered){(uint8_t)(o->at + i), (uint8_t)(o->value >> 8 * i)};
  m->sizes[t][m->stores[t]++] = o->size;
}

static void drain(struct machine *m, unsigned t) {
  unsigned n = m->sizes[t][0];
  for (unsigned i = 0; i < n; i++)
    m->memory[m->buffer[t][i].at] = m->buffer[t][i].byte;
  m->bytes[t] -= n;
  m->stores[t]--;
  memmove(m->buffer[t], m->buffer[t] + n, m->bytes[t] * sizeof **m->buffer);
  memmove(m->sizes[t], m->sizes[t] + 1, m->stores[t] * sizeof **m->sizes);
}

static void update(struct machine *m, unsigned t, const struct action *o) {
  uint32_t read = read_bytes(m, t, o);
  m->result[t] = mix(m->result[t], read);
  if (o->what == ADD)
    write_bytes(m, o, read + o->value);
  else if (o->what == EXCHANGE || read == o->expected)
    write_bytes(m, o, o->value);
}

// One turn of thread t; false: it has to wait for its buffer.
static bool turn(struct machine *m, unsigned t, bool has_buffers) {
  const struct action *o = &m->p->ops[t][m->pc[t]];
  bool is_empty = m->stores[t] == 0;
  if (m->waits[t] && !is_empty)
    return false;
  m->waits[t] = false;
  switch (o->what) {
  case LOAD:
    m->result[t] = mix(m->result[t], read_bytes(m, t, o));
    break;
  case STORE:
    if (has_buffers)
      put_into_buffer(m, t, o);
    else
      write_bytes(m, o, o->value);
    m->waits[t] = has_buffers && o->order == ORD_SC;
    break;
  default:
    if (!is_empty)
      return false;
    if (o->what != FENCE)
      update(m, t, o);
  }
  m->pc[t]++;
  return true;
}

static uint64_t outcome(const struct machine *m) {
  uint32_t memory;
  memcpy(&memory, m->memory, sizeof memory);
  uint64_t all = memory;
  for (unsigned t = 0; t < m->p->threads; t++)
    all = mix(all, m->result[t]);
  return all;
}

static void run(const struct machine *m, bool has_buffers, struct seen *out) {
  bool is_over = true;
  for (unsigned t = 0; t < m->p->threads; t++) {
    struct machine next = *m;
    if (m->pc[t] < m->p->len[t] && turn(&next, t, has_buffers)) {
      is_over = false;
      run(&next, has_buffers, out);
    }
    if (m->stores[t]) {
      is_over = false;
      next = *m;
      drain(&next, t);
      run(&next, has_buffers, out);
    }
  }
  if (is_over)
    add_new(out, outcome(m));
}

// ---- the same program as bytecode

enum { RESULT = 1, VALUE, SUM, ALL };

static uint64_t imm_of(const struct action *o) {
  return imm_access((struct imm_access){.size = (uint8_t)o->size,
                                        .order = (uint8_t)o->order,
                                        .order_fail = (uint8_t)o->order_fail});
}

// result := mix(result, value)
static void emit_mix(unsigned result, unsigned value) {
  emit(OP_add, SUM, value, k(1), 64);
  emit(OP_mul, result, result, k(1000003), 64);
  emit(OP_xor, result, result, SUM, 0);
}

static void emit_op(uint64_t word, const struct action *o) {
  unsigned where = k(word + o->at), value = k(o->value);
  switch (o->what) {
  case LOAD:
    emit(OP_load, VALUE, where, 0, imm_of(o));
    break;
  case STORE:
    emit(OP_store, where, value, 0, imm_of(o));
    return;
  case FENCE:
    emit(OP_fence, 0, 0, 0, imm_of(o));
    return;
  case CAS:
    emit(OP_cas_load, VALUE, where, k(o->expected), imm_of(o));
    emit(OP_cas_store, where, value, k(o->expected), imm_of(o));
    break;
  default:
    emit(OP_rmw_load, VALUE, where, 0, imm_of(o));
    if (o->what == ADD) {
      emit(OP_add, SUM, VALUE, value, 8 * o->size);
      value = SUM;
    }
    emit(OP_rmw_store, where, value, 0, imm_of(o));
  }
  emit_mix(RESULT, VALUE);
}

static void lower(const struct program *p) {
  uint32_t funcs[THREADS];
  begin();
  uint64_t word = global("word", BYTES);
  for (unsigned t = 0; t < p->threads; t++) {
    funcs[t] = func("thread", 1, 1);
    emit(OP_mov, RESULT, k(0), 0, 0);
    for (unsigned i = 0; i < p->len[t]; i++)
      emit_op(word, &p->ops[t][i]);
    ret(RESULT);
  }
  func("main", 0, 1);
  for (unsigned t = 0; t < p->threads; t++) {
    uint64_t args[] = {prog_func_address(P, funcs[t]), 0};
    sys(BI_spawn, VALUE, 1, prog_const_run(P, args, 2), 2);
  }
  emit(OP_mov, ALL, k(0), 0, 0);
  for (unsigned t = 0; t < p->threads; t++) {
    uint64_t args[] = {t + 1};
    sys(BI_join, RESULT + 4 + t, 1, prog_const_run(P, args, 1), 1);
  }
  load(ALL, word, BYTES);
  for (unsigned t = 0; t < p->threads; t++)
    emit_mix(ALL, RESULT + 4 + t);
  ret(ALL);
  struct diag why;
  CHECK(prog_finish(P, &why), "%s", why.text);
}

// ---- what Heddle finds

struct found {
  struct seen outcomes, executions;
  bool is_twice;
};

static uint64_t name_of(const struct graph *g, event_id id) {
  const struct event *e = &g->events[id];
  return id == INIT_EVENT ? 0 : e->thread * 1000u + e->index;
}

static void on_execution(void *arg, struct vm *vm, const struct graph *g,
                         bool is_blocked) {
  struct found *f = arg;
  uint64_t all = 0;
  (void)vm;
  if (is_blocked)
    return;
  for (unsigned t = 0; t < g->nthreads; t++)
    for (uint32_t i = 0; i < graph_thread_length(g, t); i++) {
      const struct event *e = graph_event(g, graph_at(g, t, i));
      all = mix(all, e->kind == EV_READ    ? name_of(g, e->rf)
                     : e->kind == EV_WRITE ? e->co
                                           : e->kind);
    }
  f->is_twice |= !add_new(&f->executions, all);
  add_new(&f->outcomes, graph_event(g, graph_tail(g, 0))->value);
}

static void forget(void *arg) {
  struct found *f = arg;
  f->outcomes.len = f->executions.len = 0;
  f->is_twice = false;
}

static void explore_under(const struct program *p, const char *model,
                          struct found *f) {
  forget(f);
  lower(p);
  struct vm_config vc = vm_config_default();
  struct vm *vm = vm_new(P, &vc);
  struct explore_config config = {.model = model_find(model),
                                  .on_execution = on_execution,
                                  .on_begin_again = forget,
                                  .disabled = {[FIND_MIXED_SIZE] = true},
                                  .arg = f};
  struct explorer *x = explorer_new(P, vm, &config);
  const struct explore_result *r = explore(x);
  bool ok = r->verdict == VERDICT_OK;
  if (!ok)
    printf("# %s: %s\n", model,
           r->findings.len ? r->findings.at[0].message : "incomplete");
  explorer_free(x);
  vm_free(vm);
  prog_free(P);
  CHECK(ok, "no verdict");
  CHECK(!f->is_twice, "an execution twice under %s", model);
}

static bool is_subset(const struct seen *a, const struct seen *b) {
  for (unsigned i = 0; i < a->len; i++)
    if (!has(b, a->at[i]))
      return false;
  return true;
}

static unsigned from_environment(const char *name, unsigned otherwise) {
  const char *text = getenv(name);
  return text ? (unsigned)strtoul(text, NULL, 10) : otherwise;
}

static struct seen expected;
static struct found found;
static unsigned weak;

static void compare(const struct program *p, bool has_buffers,
                    const char *model) {
  struct machine m = {.p = p};
  expected.len = 0;
  run(&m, has_buffers, &expected);
  explore_under(p, model, &found);
  CHECK(is_subset(&expected, &found.outcomes), "%s misses some of %u outcomes",
        model, expected.len);
  CHECK(is_subset(&found.outcomes, &expected), "%s has %u outcomes, not %u",
        model, found.outcomes.len, expected.len);
}

static void check_program(const struct program *p) {
  compare(p, false, "sc");
  unsigned n = expected.len;
  compare(p, true, "tso");
  weak += expected.len > n;
  static const char *const weaker[] = {"pso", "rc11"};
  for (unsigned i = 0; i < 2; i++) {
    explore_under(p, weaker[i], &found);
    CHECK(is_subset(&expected, &found.outcomes), "%s forbids what tso does",
          weaker[i]);
  }
}

// Does the program show a mistake? (What is wrong was printed then.)
static bool is_wrong(const struct program *p) {
  jmp_buf leave;
  volatile bool wrong = true;
  memcpy(leave, tap_leave, sizeof leave);
  if (!setjmp(tap_leave)) {
    check_program(p);
    wrong = false;
  }
  memcpy(tap_leave, leave, sizeof leave);
  return wrong;
}

// Takes operations out as long as the mistake stays.
static void shrink(struct program *p) {
  for (unsigned t = 0; t < p->threads; t++)
    for (unsigned i = 0; i < p->len[t];) {
      struct program less = *p;
      less.len[t]--;
      memmove(&less.ops[t][i], &less.ops[t][i + 1],
              (less.len[t] - i) * sizeof **less.ops);
      if (is_wrong(&less))
        *p = less;
      else
        i++;
    }
}

TEST(outcomes_are_those_of_machines_with_bytes) {
  unsigned seed = from_environment("HEDDLE_FIRST_SEED", 0);
  unsigned n = from_environment("HEDDLE_SEEDS", 400), end = seed + n;
  for (; seed < end; seed++) {
    struct program p = random_program(seed);
    if (getenv("HEDDLE_SHOW"))
      show(&p);
    if (!is_wrong(&p))
      continue;
    shrink(&p);
    printf("# made smaller:\n");
    show(&p);
    is_wrong(&p);
    CHECK(false, "seed %u", seed);
  }
  CHECK(n < 400 || weak > n / 40, "only %u programs are weak", weak);
}
