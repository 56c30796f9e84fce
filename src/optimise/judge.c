// SPDX-License-Identifier: MIT
// A stored execution under other orders. What threads did follows from the
// values that they read, so an execution with stronger orders has the same
// events with the same values, if the model still allows it.
#include "optimise/optimise.h"

#include <string.h>

// Why weaker orders allow more, of the models that are texts only or have
// axioms for complete graphs. It can be read off the text: each axiom forbids a
// cycle or an element of a relation that only grows when orders become
// stronger.
//   - c11, jam21: orders are asked for by sets of which a stronger order is in
//     more (acquire, release, SC), outside of every difference. What is to the
//     right of `\` there (breaking, rmw, same, loc) says nothing of orders,
//     since atomic accesses stay atomic.
//   - lkmm: the same of Acquire, Release, mb-before and mb-after. A barrier
//   that
//     becomes smp_mb leaves rmb or wmb; what had them has mb instead:
//     rmb and wmb are parts of mb, where mb is allowed they are (fence, and
//     from-others has the identity; r-before and r-after are between accesses
//     in the end), and `address; [Plain]; wmb` begins with a read that is
//     before the barrier too, so that fence has it. Flags are differences from
//     such relations, so fewer are raised; Between loses nothing while a
//     barrier stays one.
// C++11's release sequences are not a part of what is known of a model that
// does not have them by itself.
bool model_is_monotone(const struct model *m, const struct model_options *o) {
  return (m->declared & MODEL_MONOTONE) &&
         (m->c11_release_sequences || !o->c11_release_sequences);
}

// Some axioms can only be judged when nothing is added any more. The search has
// judged them too, before it told of the error.
static bool is_allowed(const struct model *m, const struct graph *g,
                       const struct model_options *o) {
  struct model_options now = *o;
  now.in_pieces |= graph_has_pieces(g);
  return m->filters || o->c11_release_sequences
             ? model_allows_complete(m, g, &now)
             : model_allows(m, g, &now);
}

static bool is_flagged(const struct model *m, const struct graph *g,
                       const struct model_options *o, const char *name) {
  struct model_flag flag;
  for (uint32_t n = 0; m->raises(m, g, o, n, &flag); n++)
    if (strcmp(flag.name, name) == 0)
      return true;
  return false;
}

// Findings that follow from the values alone stay when the graph stays; a race
// is looked for again, and so is what the text of the model flags. The others
// depend on what happens before what in ways that only the search itself
// decides; and whether another execution justifies one with cycles, on all
// executions.
bool judge_can(const struct model *m, const struct graph *g,
               const struct finding *f, bool races_by_model) {
  if (f->how)
    return false;
  if (f->flag)
    return m->raises;
  return !finding_is_by_search(f->kind) &&
         !(f->kind == FIND_RACE && (races_by_model || graph_has_pieces(g)));
}

// What an event is under assignment x.
struct event_is {
  uint8_t order;
  uint64_t value;
};

static struct event_is event_now(const struct event *e) {
  return (struct event_is){e->order, e->value};
}

static void event_becomes(struct event *e, struct event_is what) {
  e->order = what.order;
  e->value = what.value;
}

static struct event_is event_under(const struct sites *s,
                                   const struct client *c, const struct vm *vm,
                                   const struct event *e, const mode *x) {
  struct event_is ret = event_now(e);
  if (!is_access(e) && e->kind != EV_FENCE)
    return ret;
  site_id pc = e->pre ? vm_access_site(vm, e->pre) : NO_SITE;
  if (pc == NO_SITE || !c->of_pc[pc])
    return ret;
  uint32_t i = c->of_pc[pc] - 1;
  enum site_kind k = s->at.at[i].kind;
  bool has_failed = e->kind == EV_READ && !(e->flags & EVF_EXCLUSIVE);
  check(site_is_fence(k) == (e->kind == EV_FENCE));
  if (k == SITE_CAS && has_failed)
    k = s->at.at[++i].kind;
  if (k == SITE_KERNEL_UPDATE && has_failed && e->flags & EVF_CAS)
    return ret;
  ret.order = (uint8_t)mode_order(k, x[i]);
  if (site_is_fence(k))
    ret.value = (e->value & ~UINT64_C(0xff)) | mode_fence(&s->at.at[i], x[i]);
  return ret;
}

bool judge_is_bad(const struct sites *s, const struct client *c,
                  const struct vm *vm, const struct graph *g,
                  const struct finding *f, const struct model *m,
                  const struct model_options *o, const mode *x) {
  struct event_is *kept = xmalloc(g->nevents * sizeof *kept);
  event_id one, other;
  for (event_id e = 0; e < g->nevents; e++)
    kept[e] = event_now(&g->events[e]);
  for (event_id e = g->last; e != NO_EVENT && e != INIT_EVENT;
       e = g->events[e].prev)
    event_becomes(&g->events[e], event_under(s, c, vm, &g->events[e], x));
  bool is_bad = is_allowed(m, g, o) &&
                (f->flag                ? is_flagged(m, g, o, f->flag)
                 : f->kind == FIND_RACE ? model_race(g, o, &one, &other)
                                        : true);
  for (event_id e = 0; e < g->nevents; e++)
    event_becomes(&g->events[e], kept[e]);
  free(kept);
  return is_bad;
}
