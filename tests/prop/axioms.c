// SPDX-License-Identifier: MIT
// See axioms.h. The definitions are the files in models/; here is what they
// start from.
#include "axioms.h"
#include "base/finding.h"
#include "cat.h"
#include "jam21.h"
#include "program.h"

#include <string.h>

static bool is_access(const struct candidate_event *e) {
  return e->kind == CAND_INIT || e->kind == CAND_READ || e->kind == CAND_WRITE;
}

static void collect_instruction(const struct candidate_event *e, event_set bit,
                                union cat_value *base) {
  static const enum cat_base sides[] = {CAT_PR, CAT_PW, CAT_SR, CAT_SW};
  for (unsigned i = 0; i < 4; i++)
    if (e->sides >> i & 1)
      base[sides[i]].set |= bit;
  if (!e->is_isa)
    return;
  base[CAT_ISA].set |= bit;
  if (order_acquires((enum order)e->isa_order))
    base[CAT_AQ].set |= bit;
  if (order_releases((enum order)e->isa_order))
    base[CAT_RL].set |= bit;
  if (e->is_linked)
    base[CAT_X].set |= bit;
}

static bool has_life(const struct candidate_event *e) {
  return e->kind == CAND_ALLOC || e->kind == CAND_FREE;
}

static void collect_sets(const struct candidate *x, union cat_value *base) {
  static const enum cat_base set_of_kind[] = {
      [CAND_INIT] = CAT_W,        [CAND_READ] = CAT_R,
      [CAND_WRITE] = CAT_W,       [CAND_FENCE] = CAT_F,
      [CAND_THREAD] = CAT_THREAD, [CAND_ISB] = CAT_ISB,
      [CAND_STORES] = CAT_STORES, [CAND_ALLOC] = CAT_ALLOC,
      [CAND_FREE] = CAT_FREE,
  };
  static const enum cat_base set_of_fence[] = {
      [KERNEL_RMB] = CAT_Rmb,
      [KERNEL_WMB] = CAT_Wmb,
      [KERNEL_BEFORE_ATOMIC] = CAT_Before_atomic,
      [KERNEL_AFTER_ATOMIC] = CAT_After_atomic,
      [KERNEL_RCU_LOCK] = CAT_Rcu_lock,
      [KERNEL_RCU_UNLOCK] = CAT_Rcu_unlock,
      [KERNEL_SYNC_RCU] = CAT_Sync_rcu,
  };
  static const enum cat_base set_of_order[] = {
      [ORD_NA] = CAT_NA,   [ORD_RLX] = CAT_RLX,        [ORD_ACQ] = CAT_ACQ,
      [ORD_REL] = CAT_REL, [ORD_ACQREL] = CAT_ACQ_REL, [ORD_SC] = CAT_SC,
  };
  for (unsigned i = 0; i < x->n; i++) {
    const struct candidate_event *e = &x->events[i];
    event_set bit = (event_set)1 << i;
    collect_instruction(e, bit, base);
    if (e->sides)
      continue; // no fence of C
    if (e->kind == CAND_KERNEL)
      base[set_of_fence[e->fence]].set |= bit;
    else if (e->kind != CAND_LOCAL)
      base[set_of_kind[e->kind]].set |= bit;
    if (e->kind == CAND_INIT)
      base[CAT_IW].set |= bit;
    if (e->kind == CAND_FENCE || e->kind == CAND_THREAD)
      base[CAT_Mb].set |= bit;
    if (e->is_mutex)
      base[e->kind == CAND_READ     ? CAT_LKR
           : e->rmw == NO_CANDIDATE ? CAT_UL
                                    : CAT_LKW]
          .set |= bit;
    if (is_access(e) || e->kind == CAND_FENCE)
      base[set_of_order[e->order]].set |= bit;
    if (e->is_locked)
      base[CAT_LOCKED].set |= bit;
  }
}

// What is open in a thread when its events come in order: sections of RCU.
static struct relation sections(const struct candidate *x) {
  struct relation r = rel_empty(x->n);
  for (unsigned end = 0; end < x->n; end++) {
    if (x->events[end].kind != CAND_KERNEL ||
        x->events[end].fence != KERNEL_RCU_UNLOCK)
      continue;
    // The last beginning before it with as many ends as beginnings in between.
    for (unsigned begin = 0; begin < x->n; begin++) {
      const struct candidate_event *b = &x->events[begin];
      int open = 0;
      if (b->kind != CAND_KERNEL || b->fence != KERNEL_RCU_LOCK ||
          b->thread != x->events[end].thread || !rel_has(&x->po, begin, end))
        continue;
      bool is_inside = true; // everything in between is balanced
      for (unsigned i = 0; i < x->n; i++)
        if (rel_has(&x->po, begin, i) && rel_has(&x->po, i, end) &&
            x->events[i].thread == b->thread &&
            x->events[i].kind == CAND_KERNEL) {
          open += (x->events[i].fence == KERNEL_RCU_LOCK) -
                  (x->events[i].fence == KERNEL_RCU_UNLOCK);
          is_inside &= open >= 0;
        }
      if (is_inside && open == 0)
        rel_add(&r, begin, end);
    }
  }
  return r;
}

static void collect_dependencies(const struct candidate *x,
                                 union cat_value *base) {
  struct relation none = rel_empty(x->n);
  struct relation addr = none, data = none, ctrl = none, casdep = none;
  struct relation basic_addr = none, basic_data = none;
  for (unsigned i = 0; i < x->n; i++) {
    const struct candidate_event *e = &x->events[i];
    addr.row[i] = e->addr;
    data.row[i] = e->data;
    basic_addr.row[i] = e->basic_addr;
    basic_data.row[i] = e->basic_data;
    ctrl.row[i] = e->ctrl;
    casdep.row[i] = e->casdep;
  }
  base[CAT_addr].relation = rel_inverse(addr);
  base[CAT_data].relation = rel_inverse(data);
  base[CAT_basic_addr].relation = rel_inverse(basic_addr);
  base[CAT_basic_data].relation = rel_inverse(basic_data);
  base[CAT_casdep].relation = rel_inverse(casdep);
  base[CAT_ctrl_after].relation = rel_inverse(ctrl);
  base[CAT_rcu_rscs].relation = sections(x);
  base[CAT_born].relation = base[CAT_freed].relation = none;
}

// What ctrl is, by model.
static void collect_branches(const struct candidate *x, enum oracle_model m,
                             union cat_value *base) {
  struct relation guards = rel_empty(x->n);
  for (unsigned i = 0; i < x->n; i++)
    guards.row[i] = x->events[i].guards;
  base[CAT_ctrl].relation = ORACLE_KERNEL >> m & 1
                                ? rel_inverse(guards)
                                : base[CAT_ctrl_after].relation;
}

// What the options of ARM decide.
static void collect_arm(const struct candidate *x, enum oracle_model m,
                        union cat_value *base) {
  bool is_ldar = m == ORACLE_ARM_LDAR || m == ORACLE_ARM_LDAR_LLSC;
  bool is_llsc = m == ORACLE_ARM_LLSC || m == ORACLE_ARM_LDAR_LLSC;
  event_set acquire_loads =
      base[CAT_R].set & base[CAT_ACQ].set & ~base[CAT_LOCKED].set;
  base[CAT_LDAPR].set = is_ldar ? 0 : acquire_loads;
  base[CAT_amo].relation = is_llsc ? rel_empty(x->n) : base[CAT_rmw].relation;
  for (unsigned i = 0; i < x->n; i++) // a store-conditional is none
    if (x->events[i].is_isa && !x->events[i].is_amo)
      base[CAT_amo].relation.row[i] = 0;
}

static void collect_relations(const struct candidate *x,
                              union cat_value *base) {
  struct relation none = rel_empty(x->n);
  struct relation rf = none, co = none, rmw = none, loc = none;
  struct relation internal = none, external = none, life = none;
  for (unsigned i = 0; i < x->n; i++)
    for (unsigned j = 0; j < x->n; j++) {
      const struct candidate_event *e = &x->events[i], *f = &x->events[j];
      rel_add(e->thread == f->thread ? &internal : &external, i, j);
      if (has_life(e) && (has_life(f) || is_access(f)) && e->loc == f->loc)
        rel_add(&life, i, j);
      if (!is_access(e) || !is_access(f) || e->loc != f->loc)
        continue;
      rel_add(&loc, i, j);
      if (f->kind == CAND_READ && f->rf == i)
        rel_add(&rf, i, j);
      if (f->kind == CAND_WRITE && f->rmw == i)
        rel_add(&rmw, i, j);
      if (e->kind != CAND_READ && f->kind != CAND_READ && e->co < f->co)
        rel_add(&co, i, j);
    }
  base[CAT_po].relation = x->po;
  base[CAT_rf].relation = rf;
  base[CAT_co].relation = co;
  base[CAT_fr].relation = rel_seq(rel_inverse(rf), co);
  base[CAT_rmw].relation = rmw;
  for (unsigned i = 0; i < x->n; i++)
    if (x->events[i].kind == CAND_WRITE && x->events[i].rmw != NO_CANDIDATE)
      base[CAT_X].set |= (event_set)1 << i | (event_set)1 << x->events[i].rmw;
  base[CAT_life].relation = life;
  base[CAT_loc].relation = loc;
  base[CAT_int].relation = internal;
  base[CAT_ext].relation = external;
  base[CAT_id].relation = rel_opt(none);
}

static struct cat_model own_text;

bool axioms_use(const char *text, struct diag *why) {
  definition_done(&own_text);
  own_text = (struct cat_model){0};
  return definition_parse("text", text, &own_text, why);
}

// The definition of a model, read when it is first asked for.
static const struct cat_model *definition(enum oracle_model m) {
  static const char *const files[ORACLE_MODELS] = {
      [ORACLE_SC] = MODELS_DIR "/sc.cat",
      [ORACLE_TSO] = MODELS_DIR "/tso.cat",
      [ORACLE_PSO] = MODELS_DIR "/pso.cat",
      [ORACLE_RA] = MODELS_DIR "/ra.cat",
      [ORACLE_RC11] = MODELS_DIR "/rc11.cat",
      [ORACLE_RC11_C11] = MODELS_DIR "/rc11-c11rs.cat",
      [ORACLE_RC11_SC11] = PROP_DIR "/rc11-sc11.cat",
      [ORACLE_C11_PSC] = PROP_DIR "/c11-psc.cat",
      [ORACLE_PER_THREAD] = PROP_DIR "/per-thread.cat",
      [ORACLE_LOOSE] = PROP_DIR "/loose.cat",
      [ORACLE_HAZARDS] = PROP_DIR "/hazards.cat",
      [ORACLE_BRANCHLESS] = PROP_DIR "/branchless.cat",
      [ORACLE_JAM21] = MODELS_DIR "/jam21.cat",
      [ORACLE_IMM] = MODELS_DIR "/imm.cat",
      [ORACLE_ARM] = MODELS_DIR "/armv8.cat",
      [ORACLE_ARM_LDAR] = MODELS_DIR "/armv8.cat",
      [ORACLE_ARM_LLSC] = MODELS_DIR "/armv8.cat",
      [ORACLE_ARM_LDAR_LLSC] = MODELS_DIR "/armv8.cat",
      [ORACLE_ARMV7] = MODELS_DIR "/armv7.cat",
      [ORACLE_POWER] = MODELS_DIR "/power.cat",
      [ORACLE_RISCV] = MODELS_DIR "/riscv.cat",
      [ORACLE_C11] = MODELS_DIR "/c11.cat",
      [ORACLE_LKMM] = MODELS_DIR "/lkmm.cat",
      [ORACLE_XMM] = XMM_BASE_CAT,
  };
  static struct cat_model models[ORACLE_MODELS];
  static bool is_read[ORACLE_MODELS];
  struct diag why;
  if (m == ORACLE_TEXT)
    return &own_text;
  if (!is_read[m] && !definition_load(files[m], &models[m], &why))
    fatal_internal(why.file, (int)why.line, why.text);
  is_read[m] = true;
  return &models[m];
}

// What the model orders, in an execution that it allows. Whatever that is, the
// accesses of a location must not communicate against it. (Allocation and free
// are plain writes there.)
static struct relation order_of(const struct candidate *x,
                                enum oracle_model m) {
  union cat_value base[CAT_BASE] = {0};
  collect_sets(x, base);
  collect_relations(x, base);
  collect_dependencies(x, base);
  collect_arm(x, m, base);
  collect_branches(x, m, base);
  event_set lives = base[CAT_ALLOC].set | base[CAT_FREE].set;
  base[CAT_W].set |= lives;
  base[CAT_NA].set |= lives;
  struct relation order = cat_race_order(definition(m), x->n, base);
  struct relation communicate =
      rel_and(rel_or(base[CAT_rf].relation,
                     rel_or(base[CAT_co].relation, base[CAT_fr].relation)),
              base[CAT_ext].relation);
  check(rel_is_irreflexive(rel_seq(order, communicate)));
  return order;
}

bool axioms_have_order(enum oracle_model m) {
  return m != ORACLE_TEXT && m != ORACLE_JAM21_ORDERS &&
         m != ORACLE_JAM21_FINAL && definition(m)->race_order;
}

uint64_t axioms_findings(const struct candidate *x, enum oracle_model own) {
  static struct cat_model findings;
  struct diag why;
  if (!findings.operations.len &&
      !definition_load(FINDINGS_CAT, &findings, &why))
    fatal_internal(why.file, (int)why.line, why.text);
  union cat_value base[CAT_BASE] = {0};
  collect_sets(x, base);
  collect_relations(x, base);
  base[CAT_order].relation =
      own == ORACLE_MODELS ? rel_empty(x->n) : order_of(x, own);
  const char *names[FIND_COUNT];
  uint64_t found = 0;
  for (unsigned n = cat_broken_axioms(&findings, x->n, base, names, FIND_COUNT);
       n-- > 0;)
    found |= (uint64_t)1 << finding_of_name(names[n]);
  return found;
}

bool axioms_race_in_kernel(const struct candidate *x) {
  enum { MOST = 8 };
  union cat_value base[CAT_BASE] = {0};
  collect_sets(x, base);
  collect_relations(x, base);
  collect_dependencies(x, base);
  collect_branches(x, ORACLE_LKMM, base);
  const char *names[MOST];
  unsigned n =
      cat_raised_flags(definition(ORACLE_LKMM), x->n, base, names, MOST);
  while (n-- > 0)
    if (strcmp(names[n], "data-race") == 0)
      return true;
  return false;
}

unsigned axioms_allow(const struct candidate *x, unsigned wanted) {
  union cat_value base[CAT_BASE] = {0};
  collect_sets(x, base);
  collect_relations(x, base);
  collect_dependencies(x, base);
  unsigned allowed = 0;
  for (unsigned m = 0; m < ORACLE_MODELS; m++) {
    if (!(wanted >> m & 1))
      continue;
    collect_arm(x, (enum oracle_model)m, base);
    collect_branches(x, (enum oracle_model)m, base);
    bool is_final = m == ORACLE_JAM21_FINAL;
    if (m == ORACLE_JAM21_ORDERS || is_final
            ? jam21_allows(x, is_final)
            : !cat_broken_axiom(definition((enum oracle_model)m), x->n, base))
      allowed |= 1u << m;
  }
  return allowed;
}
