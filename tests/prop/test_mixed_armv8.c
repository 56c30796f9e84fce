// SPDX-License-Identifier: MIT
// Accesses of different size to the same bytes under ARMv8, on random programs.
// The oracle is the definition [Alglave et al.: Armed Cats, TOPLAS'21, §4] on
// whole accesses: it tries every source of every byte that is read and every
// order of the writes of every byte. Each byte is coherent by itself, and what
// is observed of one byte of an access is observed of all of it. The outcomes
// must be the same, no execution twice; but if Heddle says that it left out
// load buffering, those without cycles of po ∪ rf. If every candidate is made
// (explore/memory/candidates.c), they are the same in any case.
//
// Environment: HEDDLE_SEEDS=n (default 400), HEDDLE_FIRST_SEED=n,
// HEDDLE_SHOW=1 prints the programs.
#include "mixed.h"

enum { MAX_EVENTS = 2 * THREADS * OPS, WIDTH = 2 };

typedef uint32_t set; // of events

enum kind { READ, WRITE, BARRIER };

struct one {
  enum kind kind;
  const struct action *op;
  unsigned thread;
  int partner; // of an update: its other half, else -1
};

struct oracle {
  const struct program *p;
  struct one e[MAX_EVENTS];
  unsigned n;
  set po[MAX_EVENTS];            // what comes later in the thread
  int source[MAX_EVENTS][WIDTH]; // of each byte that is read; -1: initial
  int co[WIDTH][MAX_EVENTS];     // the writes of a byte, oldest first
  unsigned writes[WIDTH];
};

static struct seen all, acyclic; // outcomes: all, and those without cycles

// ---- what an access is

static bool touches(const struct one *e, unsigned byte) {
  return e->kind != BARRIER && byte >= e->op->at &&
         byte < e->op->at + e->op->size;
}

static bool overlaps(const struct one *a, const struct one *b) {
  for (unsigned i = 0; i < WIDTH; i++)
    if (touches(a, i) && touches(b, i))
      return true;
  return false;
}

static bool acquires(const struct one *e) {
  return e->kind == READ && order_acquires(e->op->order);
}

// LDAR, not LDAPR: a load that is sc, or an update.
static bool is_ldar(const struct one *e) {
  return acquires(e) && (e->op->order == ORD_SC || e->partner >= 0);
}

static bool releases(const struct one *e) {
  return e->kind == WRITE && order_releases(e->op->order);
}

static void add_event(struct oracle *o, unsigned t, const struct action *op,
                      enum kind kind, int partner) {
  o->e[o->n] = (struct one){kind, op, t, partner};
  for (unsigned i = 0; i < o->n; i++)
    if (o->e[i].thread == t)
      o->po[i] |= 1u << o->n;
  for (unsigned b = 0; kind == WRITE && b < WIDTH; b++)
    if (touches(&o->e[o->n], b))
      o->co[b][o->writes[b]++] = (int)o->n;
  o->n++;
}

static void add_events(struct oracle *o) {
  for (unsigned t = 0; t < o->p->threads; t++)
    for (unsigned i = 0; i < o->p->len[t]; i++) {
      const struct action *op = &o->p->ops[t][i];
      bool is_update = op->what == ADD || op->what == EXCHANGE;
      if (op->what == FENCE)
        add_event(o, t, op, BARRIER, -1);
      if (op->what == LOAD || is_update)
        add_event(o, t, op, READ, is_update ? (int)o->n + 1 : -1);
      if (op->what == STORE || is_update)
        add_event(o, t, op, WRITE, is_update ? (int)o->n - 1 : -1);
    }
}

// ---- relations

static bool is_acyclic(const set *next, unsigned n) {
  set left = (1u << n) - 1;
  for (bool goes_on = true; goes_on && left;) {
    goes_on = false;
    for (unsigned i = 0; i < n; i++)
      if (left >> i & 1 && !(next[i] & left)) {
        left &= ~(1u << i);
        goes_on = true;
      }
  }
  return !left;
}

static unsigned place(const struct oracle *o, unsigned byte, int write) {
  unsigned i = 0;
  while (write >= 0 && o->co[byte][i] != write)
    i++;
  return write < 0 ? 0 : i + 1;
}

// Adds rf, co and fr of a byte.
static void add_observed(const struct oracle *o, unsigned byte, set *next) {
  for (unsigned i = 0; i < o->n; i++) {
    if (!touches(&o->e[i], byte))
      continue;
    bool reads = o->e[i].kind == READ;
    int source = o->source[i][byte];
    if (reads && source >= 0)
      next[source] |= 1u << i;
    unsigned from = place(o, byte, reads ? source : (int)i);
    for (unsigned k = from; k < o->writes[byte]; k++)
      next[i] |= 1u << o->co[byte][k];
  }
}

static bool is_coherent(const struct oracle *o, unsigned byte) {
  set next[MAX_EVENTS] = {0};
  add_observed(o, byte, next);
  for (unsigned i = 0; i < o->n; i++)
    for (unsigned j = 0; j < o->n; j++)
      if (touches(&o->e[i], byte) && touches(&o->e[j], byte) &&
          o->po[i] >> j & 1)
        next[i] |= 1u << j;
  return is_acyclic(next, o->n);
}

// Nothing of another thread comes between the halves of an update.
static bool is_atomic(const struct oracle *o, unsigned byte) {
  for (unsigned i = 0; i < o->n; i++) {
    const struct one *e = &o->e[i];
    if (e->kind != READ || e->partner < 0 || !touches(e, byte))
      continue;
    for (unsigned k = place(o, byte, o->source[i][byte]);
         o->co[byte][k] != e->partner; k++)
      if (o->e[o->co[byte][k]].thread != e->thread)
        return false;
  }
  return true;
}

static bool reads_from(const struct oracle *o, unsigned read, int write) {
  for (unsigned b = 0; b < WIDTH; b++)
    if (o->e[read].kind == READ && touches(&o->e[read], b) &&
        o->source[read][b] == write)
      return true;
  return false;
}

// Is i kept before j, which comes later in the thread?
static bool is_ordered(const struct oracle *o, unsigned i, unsigned j) {
  const struct one *a = &o->e[i], *b = &o->e[j];
  if (acquires(a) || releases(b) || (releases(a) && is_ldar(b)) ||
      (b->kind == WRITE && overlaps(a, b)) || a->partner == (int)j)
    return true;
  for (unsigned k = 0; k < o->n; k++)
    if (o->e[k].kind == BARRIER && o->po[i] >> k & 1 && o->po[k] >> j & 1)
      return true;
  if (a->partner < 0)
    return false;
  // Behind an update that acquires and releases everything waits.
  if (a->kind == WRITE && releases(a) && is_ldar(&o->e[a->partner]))
    return true;
  // What an update wrote is forwarded to a read that acquires, or if the value
  // depends on what it read.
  return a->kind == READ && reads_from(o, j, a->partner) &&
         (acquires(b) || a->op->what == ADD);
}

static bool is_allowed(const struct oracle *o) {
  set seen[MAX_EVENTS] = {0}, next[MAX_EVENTS] = {0};
  for (unsigned b = 0; b < WIDTH; b++) {
    if (!is_coherent(o, b) || !is_atomic(o, b))
      return false;
    add_observed(o, b, seen);
  }
  for (unsigned i = 0; i < o->n; i++)
    for (unsigned j = 0; j < o->n; j++)
      if ((o->e[i].thread != o->e[j].thread && seen[i] >> j & 1) ||
          (o->po[i] >> j & 1 && o->e[i].kind != BARRIER &&
           o->e[j].kind != BARRIER && is_ordered(o, i, j)))
        next[i] |= 1u << j;
  return is_acyclic(next, o->n);
}

// ---- outcomes

static uint32_t value_of_read(const struct oracle *o, unsigned read,
                              const uint32_t *values) {
  const struct action *op = o->e[read].op;
  uint32_t value = 0;
  for (unsigned b = op->at; b < op->at + op->size; b++) {
    int w = o->source[read][b];
    if (w >= 0)
      value |= (values[w] >> 8 * (b - o->e[w].op->at) & 0xff)
               << 8 * (b - op->at);
  }
  return value;
}

// As often as there are events, so that values come through chains of updates.
static void find_values(const struct oracle *o, uint32_t *values) {
  for (unsigned round = 0; round <= o->n; round++)
    for (unsigned i = 0; i < o->n; i++) {
      const struct one *e = &o->e[i];
      if (e->kind == READ)
        values[i] = value_of_read(o, i, values);
      else if (e->kind == WRITE)
        values[i] = e->op->what == ADD ? values[e->partner] + e->op->value
                                       : e->op->value;
    }
}

// Has po ∪ rf no cycle?
static bool has_no_cycle(const struct oracle *o) {
  set next[MAX_EVENTS];
  for (unsigned i = 0; i < o->n; i++) {
    next[i] = o->po[i];
    for (unsigned j = 0; j < o->n; j++)
      if (reads_from(o, j, (int)i))
        next[i] |= 1u << j;
  }
  return is_acyclic(next, o->n);
}

static void note_outcome(const struct oracle *o) {
  uint32_t values[MAX_EVENTS] = {0};
  uint64_t memory = 0, results[THREADS] = {0};
  find_values(o, values);
  for (unsigned b = 0; b < WIDTH; b++)
    if (o->writes[b]) {
      int w = o->co[b][o->writes[b] - 1];
      memory |= (uint64_t)(values[w] >> 8 * (b - o->e[w].op->at) & 0xff)
                << 8 * b;
    }
  for (unsigned i = 0; i < o->n; i++)
    if (o->e[i].kind == READ)
      results[o->e[i].thread] = mix(results[o->e[i].thread], values[i]);
  for (unsigned t = 0; t < o->p->threads; t++)
    memory = mix(memory, results[t]);
  add_new(&all, memory);
  if (has_no_cycle(o))
    add_new(&acyclic, memory);
}

// ---- all graphs

// Tries all orders of the writes of this byte and the ones above.
static void try_orders(struct oracle *o, unsigned byte, unsigned from) {
  if (byte == WIDTH) {
    if (is_allowed(o))
      note_outcome(o);
    return;
  }
  if (from == o->writes[byte]) {
    if (is_coherent(o, byte) && is_atomic(o, byte))
      try_orders(o, byte + 1, 0);
    return;
  }
  for (unsigned i = from; i < o->writes[byte]; i++) {
    int *co = o->co[byte], first = co[from];
    co[from] = co[i];
    co[i] = first;
    try_orders(o, byte, from + 1);
    co[i] = co[from];
    co[from] = first;
  }
}

// Tries all sources of this byte of this event and what follows.
static void try_sources(struct oracle *o, unsigned i, unsigned byte) {
  if (i == o->n) {
    try_orders(o, 0, 0);
    return;
  }
  if (byte == WIDTH || o->e[i].kind != READ) {
    try_sources(o, i + 1, 0);
    return;
  }
  if (!touches(&o->e[i], byte)) {
    try_sources(o, i, byte + 1);
    return;
  }
  o->source[i][byte] = -1;
  try_sources(o, i, byte + 1);
  for (unsigned k = 0; k < o->writes[byte]; k++) {
    o->source[i][byte] = o->co[byte][k];
    try_sources(o, i, byte + 1);
  }
}

// ---- the test

static struct found found;
static unsigned buffering, left_out; // programs with such outcomes

static bool is_too_large(const struct oracle *o) {
  unsigned bytes = 0;
  for (unsigned i = 0; i < o->n; i++)
    if (o->e[i].kind == READ)
      bytes += o->e[i].op->size;
  return bytes > 6 || o->writes[0] > 4 || o->writes[1] > 4;
}

static void check_armv8(const struct program *p) {
  struct oracle o = {.p = p};
  all.len = acyclic.len = 0;
  add_events(&o);
  if (is_too_large(&o))
    return;
  try_sources(&o, 0, 0);
  explore_under(p, "armv8", &found);
  buffering += all.len > acyclic.len;
  left_out += all.len > acyclic.len && found.is_cut;
  const struct seen *expected = found.is_cut ? &acyclic : &all;
  CHECK(is_subset(expected, &found.outcomes), "%u of %u outcomes at most",
        found.outcomes.len, expected->len);
  CHECK(is_subset(&found.outcomes, expected), "%u outcomes, not %u",
        found.outcomes.len, expected->len);
}

TEST(outcomes_are_those_of_the_definition_on_bytes) {
  uint64_t n = check_seeds((struct limits){WIDTH, CAS, true}, check_armv8);
  printf("# %u of %llu programs have load buffering, left out of %u\n",
         buffering, (unsigned long long)n, left_out);
  CHECK(n < 400 || left_out, "load buffering was never left out");
}

// ---- the same by making every candidate

static unsigned tried;
static uint64_t word; // the address of the memory

static uint64_t last_value(struct vm *vm, const struct graph *g) {
  uint8_t bytes[8] = {0};
  uint64_t value;
  for (loc_id l = 0; l < g->locs.len; l++) {
    const struct event_list *co = &g->locs.at[l].co;
    const struct location *at = vm_location(vm, l);
    if (co->len > 1)
      memcpy(bytes + (at->address - word),
             &g->events[co->at[co->len - 1]].value, at->size);
  }
  memcpy(&value, bytes, sizeof value);
  return value;
}

static void on_candidate(void *arg, struct vm *vm, const struct graph *g,
                         bool is_blocked) {
  struct found *f = arg;
  uint64_t outcome = last_value(vm, g);
  on_execution(f, vm, g, is_blocked);
  for (unsigned t = 1; t < g->nthreads; t++)
    outcome = mix(outcome, graph_event(g, graph_tail(g, t))->value);
  f->outcomes.len = f->executions.len - 1; // instead of what main says
  f->outcomes.at[f->outcomes.len++] = outcome;
}

// False: there are too many. (Each addition has a value for each value of the
// others, possible or not.)
static bool find_candidates(const struct program *p, struct found *f) {
  forget(f);
  word = lower_threads(p);
  ret(k(0));
  struct diag why;
  CHECK(prog_finish(P, &why), "%s", why.text);
  struct vm_config vc = vm_config_default();
  struct vm *vm = vm_new(P, &vc);
  struct explore_config config = {
      .options.model = model_find("armv8"),
      .options.reductions = REDUCE_DEFAULT,
      .observer.on_execution = on_candidate,
      .observer.on_begin_again = forget,
      .options.disabled = {[FIND_MIXED_SIZE] = true},
      .observer.arg = f};
  struct explorer *x = explorer_new(P, vm, &config);
  explore(x); // finds out where accesses have bytes in common
  forget(f);
  bool ok = explore_candidates(x);
  explorer_free(x);
  vm_free(vm);
  prog_free(P);
  CHECK(!f->is_twice, "an execution twice");
  return ok;
}

static void check_candidates(const struct program *p) {
  struct oracle o = {.p = p};
  all.len = acyclic.len = 0;
  add_events(&o);
  if (is_too_large(&o))
    return;
  try_sources(&o, 0, 0);
  if (!find_candidates(p, &found))
    return;
  tried++;
  buffering += all.len > acyclic.len;
  CHECK(is_subset(&all, &found.outcomes), "outcomes are missing, of %u",
        all.len);
  CHECK(is_subset(&found.outcomes, &all), "more outcomes than %u", all.len);
}

TEST(candidates_have_load_buffering) {
  buffering = 0;
  uint64_t n = check_seeds((struct limits){WIDTH, CAS, true}, check_candidates);
  printf("# %u of %u programs have load buffering\n", buffering, tried);
  CHECK(n < 400 || (buffering && tried > n / 3), "too little was tried");
}
