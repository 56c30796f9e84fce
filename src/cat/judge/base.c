// SPDX-License-Identifier: MIT
// Base relations, one event at a time: see base.def for what they are. The
// newest slot may be anywhere in its thread, and an older read may have it as
// its source.
#include "cat/judge/judge.h"
#include "graph/rcu.h"
#include "model/deps.h"

static uint32_t slot_of(const struct judge *j, event_id id, uint32_t loc) {
  if (id == INIT_EVENT)
    return j->initial.at[loc];
  if (id >= j->slot_of.len)
    return NO_NUMBER;
  uint32_t s = j->slot_of.at[id];
  return s < j->n && j->slots[s].id == id ? s : NO_NUMBER;
}

static void add(uint64_t *bits, uint32_t slot) {
  if (slot != NO_NUMBER)
    bit_add(bits, slot);
}

// -- program order

// The slot and all before it.
static void add_before(const struct judge *j, uint32_t po, uint32_t slot,
                       uint64_t *col) {
  if (slot == NO_NUMBER)
    return;
  bit_add(col, slot);
  for (uint32_t w = 0; w < j->words; w++)
    col[w] |= judge_col(j, po, slot)[w];
}

static void po_of(const struct judge *j, const struct graph *g, uint32_t po,
                  uint64_t *col, uint64_t *row) {
  uint32_t e = j->n - 1;
  const struct slot *s = &j->slots[e];
  if (slot_is_initial(s)) {
    // Initial writes are before all else.
    for (uint32_t i = 0; i < e; i++)
      if (!slot_is_initial(&j->slots[i]))
        bit_add(row, i);
    return;
  }
  const struct event *x = &g->events[s->id];
  for (uint32_t w = 0; w < j->words; w++)
    col[w] |= j->initials[w];
  // Events come at the end of their threads.
  check(s->last == NO_NUMBER || j->slots[s->last].index < x->index);
  add_before(j, po, s->last, col);
  if ((x->kind == EV_START || x->kind == EV_JOIN) && x->rf != NO_EVENT)
    add_before(j, po, slot_of(j, x->rf, 0), col);
}

// -- accesses

static uint32_t place_of(const struct graph *g, const struct slot *s) {
  return slot_is_initial(s) ? 0 : graph_co_place(g, s->id);
}

static bool is_write(const struct slot *s) {
  return s->sets >> CAT_W & 1;
}

static bool is_access_slot(const struct slot *s) {
  return s->sets & (UINT64_C(1) << CAT_R | UINT64_C(1) << CAT_W);
}

// Where a read comes in co is known when its source is there.
static bool is_placed(const struct judge *j, const struct slot *s) {
  return is_write(s) || slot_of(j, s->rf, s->loc) != NO_NUMBER;
}

static void co_of(const struct judge *j, const struct graph *g, bool is_fr,
                  uint64_t *col, uint64_t *row) {
  uint32_t e = j->n - 1;
  const struct slot *s = &j->slots[e];
  if (!is_access_slot(s) || (!is_fr && !is_write(s)) || !is_placed(j, s))
    return;
  uint32_t place = place_of(g, s);
  EACH_BIT(i, j->of_loc.at + (size_t)s->loc * j->words, j->words) {
    const struct slot *x = &j->slots[i];
    if (i == e || !is_access_slot(x) || !is_placed(j, x))
      continue;
    bool x_writes = is_write(x);
    uint32_t other = place_of(g, x);
    // Into e, a write: from a write (co) or a read (fr) of something older.
    if (is_write(s) && x_writes != is_fr && other < place)
      bit_add(col, i);
    // Out of e: to newer writes.
    if (x_writes && is_write(s) != is_fr && other > place)
      bit_add(row, i);
  }
}

// The newest is a write that an older read reads: now it is known what comes
// after the read.
static void fr_of_readers(struct judge *j, const struct graph *g,
                          uint32_t step) {
  const struct slot *s = &j->slots[j->n - 1];
  if (s->loc == NO_NUMBER || !is_write(s))
    return;
  const uint64_t *same = j->of_loc.at + (size_t)s->loc * j->words;
  EACH_BIT(r, same, j->words) {
    if (is_write(&j->slots[r]) || !is_access_slot(&j->slots[r]) ||
        j->slots[r].rf != s->id)
      continue;
    EACH_BIT(w, same, j->words) {
      const struct slot *x = &j->slots[w];
      if (is_write(x) && place_of(g, x) > place_of(g, s))
        judge_insert(j, step, r, w);
    }
  }
}

static void rf_of(const struct judge *j, uint64_t *col, uint64_t *row) {
  uint32_t e = j->n - 1;
  const struct slot *s = &j->slots[e];
  if (!is_access_slot(s))
    return;
  if (!is_write(s)) {
    add(col, slot_of(j, s->rf, s->loc));
    return;
  }
  EACH_BIT(i, j->of_loc.at + (size_t)s->loc * j->words, j->words) {
    if (!is_write(&j->slots[i]) && is_access_slot(&j->slots[i]) &&
        j->slots[i].rf == s->id)
      bit_add(row, i);
  }
}

// -- sections of RCU

static void sections_of(const struct judge *j, const struct graph *g,
                        uint64_t *col) {
  const struct slot *s = &j->slots[j->n - 1];
  if (slot_is_initial(s))
    return;
  event_id begin = rcu_begin(g, s->id);
  if (begin != NO_EVENT)
    add(col, slot_of(j, begin, 0));
}

// A load-linked and its store-conditional need not be neighbours in po; they
// are no amo.
static void rmw_of(const struct judge *j, const struct graph *g, bool is_amo,
                   uint64_t *col, uint64_t *row) {
  const struct slot *s = &j->slots[j->n - 1];
  if (slot_is_initial(s))
    return;
  const struct event *x = &g->events[s->id];
  bool is_linked = x->flags & EVF_LINKED;
  if (is_linked ? is_amo : !(s->sets >> CAT_EXCLUSIVE & 1))
    return;
  if (x->kind == EV_WRITE) {
    event_id read = deps_update_read(g, s->id);
    if (is_amo && !deps_is_single(x))
      return;
    if (read != NO_EVENT)
      add(col, slot_of(j, read, 0));
    return;
  }
  uint32_t end = graph_thread_length(g, x->thread);
  if (!is_linked && end > x->index + 2)
    end = x->index + 2;
  for (uint32_t i = x->index + 1; i < end; i++) {
    event_id next = graph_at(g, x->thread, i);
    if (deps_update_read(g, next) == s->id &&
        !(is_amo && !deps_is_single(&g->events[next])))
      add(row, slot_of(j, next, 0));
  }
}

// -- dependencies

// The set of a slot for this relation; 0: none.
static set_id set_of(const struct graph *g, const struct slot *s,
                     enum cat_base b) {
  if (slot_is_initial(s))
    return 0;
  const struct event *e = &g->events[s->id];
  switch (b) {
  case CAT_addr:
  case CAT_basic_addr:
    return is_access(e) ? s->deps[0] : 0;
  case CAT_data:
  case CAT_basic_data:
    return e->kind == EV_WRITE ? s->deps[1] : 0;
  case CAT_casdep:
    return e->kind == EV_READ && (e->flags & EVF_CAS) ? s->deps[1] : 0;
  case CAT_ctrl_after:
    return s->deps[3];
  default:
    return s->deps[2];
  }
}

static void deps_of(const struct judge *j, const struct graph *g,
                    enum cat_base b, uint64_t *col) {
  const struct slot *s = &j->slots[j->n - 1];
  if (slot_is_initial(s))
    return;
  const struct event *x = &g->events[s->id];
  set_id set = set_of(g, s, b);
  bool is_basic = b == CAT_basic_addr || b == CAT_basic_data;
  for (uint32_t k = 0; k < set_len(g->sets, set); k++) {
    if (is_basic && set_is_pick(g->sets, set, k))
      continue;
    event_id source = deps_source(g, x->thread, set_at(g->sets, set, k));
    if (source != NO_EVENT)
      add(col, slot_of(j, source, 0));
  }
}

// -- all of them

bool judge_base_may_have(const struct judge *j, uint32_t step) {
  const struct slot *s = &j->slots[j->n - 1];
  switch ((enum cat_base)j->plan->steps.at[step].a) {
  case CAT_rf:
  case CAT_fr:
    return is_access_slot(s);
  case CAT_co:
    return is_write(s);
  case CAT_amo:
  case CAT_rmw:
    return s->is_update;
  case CAT_addr:
  case CAT_basic_addr:
    return s->deps[0];
  case CAT_data:
  case CAT_basic_data:
  case CAT_casdep:
    return s->deps[1];
  case CAT_ctrl:
    return s->deps[2];
  case CAT_ctrl_after:
    return s->deps[3];
  default:
    return true;
  }
}

void judge_find_near(struct judge *j) {
  uint32_t e = j->n - 1;
  const struct slot *s = &j->slots[e];
  uint64_t *loc = j->near[0], *in = j->near[1], *out = j->near[2];
  const uint64_t *same =
      s->loc == NO_NUMBER ? NULL : j->of_loc.at + (size_t)s->loc * j->words;
  const uint64_t *own = slot_is_initial(s)
                            ? NULL
                            : j->of_thread.at + (size_t)s->thread * j->words;
  for (uint32_t w = 0; w < j->words; w++) {
    uint64_t there = w * 64 >= j->n       ? 0
                     : j->n - w * 64 < 64 ? (UINT64_C(1) << (j->n - w * 64)) - 1
                                          : ~UINT64_C(0);
    loc[w] = same ? same[w] : 0;
    in[w] = own ? own[w] : w == e / 64 ? UINT64_C(1) << e % 64 : 0;
    out[w] = ~in[w] & there;
  }
}

void judge_base(struct judge *j, const struct graph *g,
                const struct model_options *options, uint32_t step,
                uint64_t *col, uint64_t *row) {
  enum cat_base b = (enum cat_base)j->plan->steps.at[step].a;
  uint32_t e = j->n - 1;
  switch (b) {
  case CAT_po:
    po_of(j, g, step, col, row);
    return;
  case CAT_rf:
    rf_of(j, col, row);
    return;
  case CAT_fr:
    co_of(j, g, true, col, row);
    fr_of_readers(j, g, step);
    return;
  case CAT_co:
    co_of(j, g, false, col, row);
    return;
  case CAT_amo:
    if (options->arm_llsc)
      return;
    rmw_of(j, g, /*is_amo=*/true, col, row);
    return;
  case CAT_rmw:
    rmw_of(j, g, /*is_amo=*/false, col, row);
    return;
  case CAT_addr:
  case CAT_data:
  case CAT_basic_addr:
  case CAT_basic_data:
  case CAT_ctrl:
  case CAT_casdep:
  case CAT_ctrl_after:
    deps_of(j, g, b, col);
    return;
  case CAT_born:
  case CAT_freed:
    return; // flags are not judged here
  case CAT_rcu_rscs:
    sections_of(j, g, col);
    return;
  case CAT_loc:
  case CAT_int:
  case CAT_ext: {
    const uint64_t *near = judge_near(j, b);
    for (uint32_t w = 0; w < j->words; w++)
      col[w] = row[w] = near[w];
    return;
  }
  case CAT_id:
    bit_add(col, e);
    bit_add(row, e);
    return;
  default:
    fatal_internal(__FILE__, __LINE__, "not a relation");
  }
}
