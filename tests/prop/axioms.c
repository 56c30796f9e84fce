// SPDX-License-Identifier: MIT
// See axioms.h. Each function is one definition of models.md, with its names.
#include "axioms.h"

// The sets and relations that the definitions start from.
struct base {
  event_set all, reads, writes, fences, threads;
  event_set atomic, acquires, releases, sc, locked;
  struct relation po, rf, co, fr, rmw, same_loc, same_thread;
};

static bool is_access(const struct candidate_event *e) {
  return e->kind == CAND_INIT || e->kind == CAND_READ || e->kind == CAND_WRITE;
}

static void collect_sets(const struct candidate *x, struct base *b) {
  for (unsigned i = 0; i < x->n; i++) {
    const struct candidate_event *e = &x->events[i];
    event_set bit = (event_set)1 << i;
    bool is_write = e->kind == CAND_WRITE || e->kind == CAND_INIT;
    bool is_read = e->kind == CAND_READ, is_fence = e->kind == CAND_FENCE;
    b->all |= bit;
    b->writes |= is_write ? bit : 0;
    b->reads |= is_read ? bit : 0;
    b->fences |= is_fence ? bit : 0;
    b->threads |= e->kind == CAND_THREAD ? bit : 0;
    if (!is_write && !is_read && !is_fence)
      continue;
    enum order o = (enum order)e->order;
    b->atomic |= o != ORD_NA ? bit : 0;
    b->acquires |= !is_write && order_acquires(o) ? bit : 0;
    b->releases |= !is_read && order_releases(o) ? bit : 0;
    b->sc |= o == ORD_SC ? bit : 0;
    b->locked |= e->is_locked ? bit : 0;
  }
}

static void collect_relations(const struct candidate *x, struct base *b) {
  b->po = x->po;
  b->rf = b->co = b->rmw = b->same_loc = b->same_thread = rel_empty(x->n);
  for (unsigned i = 0; i < x->n; i++)
    for (unsigned j = 0; j < x->n; j++) {
      const struct candidate_event *e = &x->events[i], *f = &x->events[j];
      if (e->thread == f->thread)
        rel_add(&b->same_thread, i, j);
      if (!is_access(e) || !is_access(f) || e->loc != f->loc)
        continue;
      rel_add(&b->same_loc, i, j);
      if (f->kind == CAND_READ && f->rf == i)
        rel_add(&b->rf, i, j);
      if (f->kind == CAND_WRITE && f->rmw == i)
        rel_add(&b->rmw, i, j);
      if (e->kind != CAND_READ && f->kind != CAND_READ && e->co < f->co)
        rel_add(&b->co, i, j);
    }
  b->fr = rel_seq(rel_inverse(b->rf), b->co);
}

static struct relation external(const struct base *b, struct relation r) {
  return rel_minus(r, b->same_thread);
}

static bool is_atomic(const struct base *b) {
  struct relation between = rel_seq(external(b, b->fr), external(b, b->co));
  return rel_is_empty(rel_and(b->rmw, between));
}

static struct relation communication(const struct base *b) {
  return rel_or(b->rf, rel_or(b->co, b->fr));
}

static bool sc_allows(const struct base *b) {
  return rel_is_acyclic(rel_or(b->po, communication(b)));
}

static bool is_coherent(const struct base *b) {
  return rel_is_acyclic(rel_or(rel_and(b->po, b->same_loc), communication(b)));
}

// TSO's preserved program order. Creating and joining threads orders like a
// full fence; fences other than sc are nothing.
static struct relation tso_ppo(const struct base *b) {
  event_set seen = b->reads | b->writes | b->threads | (b->fences & b->sc);
  struct relation ppo = rel_between(seen, b->po, seen);
  event_set buffered = b->writes & ~b->locked & ~b->sc;
  return rel_minus(ppo, rel_between(buffered, b->po, b->reads & ~b->locked));
}

// PSO also loses W→W of different locations, unless a store-store barrier is
// between: a release fence, or the one that a release store has in front of it.
static struct relation pso_ppo(const struct base *b) {
  struct relation unordered =
      rel_minus(rel_between(b->writes & ~b->locked & ~b->sc, b->po,
                            b->writes & ~b->locked & ~b->releases),
                b->same_loc);
  event_set barriers = (b->fences | b->writes) & b->releases;
  struct relation fenced = rel_seq(rel_between(b->writes, b->po, barriers),
                                   rel_between(barriers, b->po, b->writes));
  return rel_or(rel_minus(tso_ppo(b), unordered), fenced);
}

static bool buffers_allow(const struct base *b, struct relation ppo) {
  struct relation global =
      rel_or(rel_or(ppo, external(b, b->rf)), rel_or(b->co, b->fr));
  return is_coherent(b) && rel_is_acyclic(global);
}

// C++20: the write and the RMWs that follow it.
static struct relation release_sequence(const struct base *b) {
  return rel_between(b->writes & b->atomic, rel_star(rel_seq(b->rf, b->rmw)),
                     b->all);
}

// C++11: a stretch of co in which every later write is by the thread of the
// first one or an RMW.
static struct relation release_sequence_c11(const struct base *b) {
  struct relation rs = rel_empty(b->po.n);
  event_set updates = 0;
  for (unsigned i = 0; i < b->po.n; i++)
    updates |= b->rmw.row[i];
  for (unsigned i = 0; i < b->po.n; i++) {
    if (!set_has(b->writes & b->atomic, i))
      continue;
    event_set breaking = b->co.row[i] & ~updates & ~b->same_thread.row[i];
    event_set broken = breaking;
    for (event_set s = breaking; s; s &= s - 1)
      broken |= b->co.row[__builtin_ctzll(s)];
    rs.row[i] = b->co.row[i] & ~broken;
    rel_add(&rs, i, i);
  }
  return rs;
}

// sw = [⊒rel];([F];po)?;rs;rf;[R⊒rlx];(po;[F])?;[⊒acq]
static struct relation synchronizes(const struct base *b, struct relation rs) {
  struct relation before = rel_opt(rel_between(b->fences, b->po, b->all));
  struct relation after = rel_opt(rel_between(b->all, b->po, b->fences));
  struct relation read = rel_between(b->all, b->rf, b->reads & b->atomic);
  struct relation path = rel_seq(rel_seq(before, rs), rel_seq(read, after));
  return rel_between(b->releases, path, b->acquires);
}

static bool hb_allows(const struct base *b, struct relation hb,
                      struct relation eco) {
  return rel_is_irreflexive(rel_seq(hb, rel_opt(eco))) &&
         rel_is_acyclic(rel_or(b->po, b->rf));
}

// acyclic(psc); see models.md for the two halves.
static bool psc_allows(const struct base *b, struct relation hb,
                       struct relation eco) {
  event_set sc_fences = b->sc & b->fences;
  struct relation same = rel_opt(rel_empty(b->po.n));
  struct relation po_other = rel_minus(b->po, b->same_loc);
  struct relation scb =
      rel_or(rel_or(b->po, rel_seq(po_other, rel_seq(hb, po_other))),
             rel_or(rel_and(hb, b->same_loc), rel_or(b->co, b->fr)));
  struct relation from = rel_or(rel_between(b->sc, same, b->sc),
                                rel_between(sc_fences, rel_opt(hb), b->all));
  struct relation to = rel_or(rel_between(b->sc, same, b->sc),
                              rel_between(b->all, rel_opt(hb), sc_fences));
  struct relation base = rel_seq(from, rel_seq(scb, to));
  struct relation through = rel_or(hb, rel_seq(hb, rel_seq(eco, hb)));
  return rel_is_acyclic(
      rel_or(base, rel_between(sc_fences, through, sc_fences)));
}

static unsigned bit(enum oracle_model m) {
  return 1u << m;
}

unsigned axioms_allow(const struct candidate *x, unsigned wanted) {
  struct base b = {0};
  collect_sets(x, &b);
  collect_relations(x, &b);
  if (!is_atomic(&b))
    return 0;
  unsigned allowed = 0;
  if ((wanted & bit(ORACLE_SC)) && sc_allows(&b))
    allowed |= bit(ORACLE_SC);
  if ((wanted & bit(ORACLE_TSO)) && buffers_allow(&b, tso_ppo(&b)))
    allowed |= bit(ORACLE_TSO);
  if ((wanted & bit(ORACLE_PSO)) && buffers_allow(&b, pso_ppo(&b)))
    allowed |= bit(ORACLE_PSO);
  struct relation eco = rel_plus(communication(&b));
  if (wanted & (bit(ORACLE_RA) | bit(ORACLE_RC11))) {
    struct relation sw = synchronizes(&b, release_sequence(&b));
    struct relation hb = rel_plus(rel_or(b.po, sw));
    if (hb_allows(&b, hb, eco)) {
      allowed |= wanted & bit(ORACLE_RA);
      if ((wanted & bit(ORACLE_RC11)) && psc_allows(&b, hb, eco))
        allowed |= bit(ORACLE_RC11);
    }
  }
  if (wanted & bit(ORACLE_RC11_C11)) {
    struct relation sw = synchronizes(&b, release_sequence_c11(&b));
    struct relation hb = rel_plus(rel_or(b.po, sw));
    if (hb_allows(&b, hb, eco) && psc_allows(&b, hb, eco))
      allowed |= bit(ORACLE_RC11_C11);
  }
  return allowed;
}
