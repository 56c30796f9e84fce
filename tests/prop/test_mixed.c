// SPDX-License-Identifier: MIT
// Accesses of different size to the same bytes, on random programs. What they
// can compute is found by machines that know nothing of graphs: threads take
// turns on one memory of bytes (sc), or have a store buffer each, out of which
// a load takes each byte that it finds (tso). Heddle must find the same
// outcomes, no execution twice; and what a machine with store buffers does, the
// weaker models allow. Without seq_cst c11 has the executions of rc11, but for
// load buffering, and with C++11's release sequences some of them. The fast
// code of a model (model/whole.c) has the executions of its text.
//
// Environment: HEDDLE_SEEDS=n (default 400), HEDDLE_FIRST_SEED=n,
// HEDDLE_SHOW=1 prints the programs.
#include "mixed.h"

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

static void check_machines(const struct program *p) {
  compare(p, false, "sc");
  unsigned n = expected.len;
  compare(p, true, "tso");
  weak += expected.len > n;
  static const char *const weaker[] = {"pso", "rc11", "imm", "c11"};
  for (unsigned i = 0; i < 4; i++) {
    explore_under(p, weaker[i], &found);
    CHECK(is_subset(&expected, &found.outcomes), "%s forbids what tso does",
          weaker[i]);
  }
}

TEST(outcomes_are_those_of_machines_with_bytes) {
  uint64_t n =
      check_seeds((struct limits){BYTES, WHATS, false}, check_machines);
  CHECK(n < 400 || weak > n / 40, "only %u programs are weak", weak);
}

// The same program, with orders that are less than seq_cst.
static struct program without_sc(const struct program *p) {
  static const enum order orders[WHATS] = {
      [LOAD] = ORD_ACQ,        [STORE] = ORD_REL,    [ADD] = ORD_ACQREL,
      [EXCHANGE] = ORD_ACQREL, [FENCE] = ORD_ACQREL, [CAS] = ORD_ACQREL};
  struct program weaker = *p;
  for (unsigned t = 0; t < p->threads; t++)
    for (unsigned i = 0; i < p->len[t]; i++)
      if (p->ops[t][i].order == ORD_SC)
        weaker.ops[t][i].order = orders[p->ops[t][i].what];
  return weaker;
}

static struct found found_c11;

static void check_c11(const struct program *p) {
  struct program weaker = without_sc(p);
  explore_under(&weaker, "rc11", &found);
  explore_with(&weaker, "c11", /*c11_release_sequences=*/false, &found_c11);
  CHECK(is_subset(&found.executions, &found_c11.executions) &&
            is_subset(&found_c11.executions, &found.executions),
        "c11 has %u executions, rc11 has %u", found_c11.executions.len,
        found.executions.len);
  explore_under(&weaker, "c11", &found_c11);
  CHECK(is_subset(&found_c11.executions, &found.executions),
        "longer release sequences allow more");
}

TEST(c11_is_rc11_without_seq_cst) {
  check_seeds((struct limits){BYTES, WHATS, false}, check_c11);
}

// (The text of c11 does not take updates in pieces.)
static void check_texts(const struct program *p) {
  static const char *const names[] = {"sc",   "tso", "pso",   "ra",
                                      "rc11", "imm", "armv8", "xmm"};
  static struct found by_text;
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
    const struct model *m = model_find(names[i]);
    struct model_options own = model_own_options(m);
    explore_under(p, names[i], &found);
    explore_by(p, model_by_text(m, &own), false, &by_text);
    CHECK(is_subset(&found.executions, &by_text.executions) &&
              is_subset(&by_text.executions, &found.executions),
          "%s has %u executions, its text has %u", names[i],
          found.executions.len, by_text.executions.len);
  }
}

TEST(fast_code_has_the_executions_of_the_texts) {
  check_seeds((struct limits){BYTES, WHATS, false}, check_texts);
}
