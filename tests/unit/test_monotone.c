// SPDX-License-Identifier: MIT
// What heddle optimize takes for granted: weaker orders allow more, and race
// more. Random graphs, some with cycles of po and rf, are judged by the
// definitions under random orders and under weaker ones.
#include "cat/catalogue.h"
#include "optimise/optimise.h"
#include "random_graph.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_EVENTS = 64, SIZE = 14, GRAPHS = 4000 };

struct drawn {
  struct graph g;
  struct sets sets;
  uint8_t strong[MAX_EVENTS], weak[MAX_EVENTS];
};

static set_id random_set(struct drawn *d, uint64_t *s, const struct event *e) {
  set_id set = 0;
  while (e->index && below(s, 3) == 0)
    set = set_union(&d->sets, set, set_of_one(&d->sets, below(s, e->index)));
  return set;
}

static void draw_deps(struct drawn *d, uint64_t *s) {
  set_id ctrl[8] = {0};
  for (event_id e = 0; e < d->g.nevents; e++) {
    const struct event *event = &d->g.events[e];
    if (event->kind != EV_READ && event->kind != EV_WRITE)
      continue;
    if (below(s, 4) == 0)
      ctrl[event->thread] =
          set_union(&d->sets, ctrl[event->thread], random_set(d, s, event));
    d->g.deps[e] = (struct event_deps){
        .addr = below(s, 3) ? 0 : random_set(d, s, event),
        .data = event->kind == EV_WRITE ? random_set(d, s, event) : 0,
        .ctrl = ctrl[event->thread]};
  }
}

static bool is_plain_access(const struct event *e, unsigned kind) {
  return e->kind == kind && !(e->flags & EVF_EXCLUSIVE);
}

// Some read takes a write that was added after it.
static void draw_late_source(struct drawn *d, uint64_t *s) {
  struct graph *g = &d->g;
  event_id r = below(s, g->nevents), w = below(s, g->nevents);
  if (w > r && is_plain_access(&g->events[r], EV_READ) &&
      is_plain_access(&g->events[w], EV_WRITE) &&
      g->events[r].loc == g->events[w].loc)
    g->events[r].rf = w;
}

static uint8_t weaker_access(uint64_t *s, const struct event *e) {
  bool is_pair = e->flags & EVF_EXCLUSIVE;
  uint8_t half = e->kind == EV_READ ? ORD_ACQ : ORD_REL;
  switch (e->order) {
  case ORD_SC:
    if (is_pair && below(s, 3) == 0)
      return ORD_ACQREL;
    return below(s, 2) ? half : ORD_RLX;
  case ORD_ACQREL:
    return (uint8_t)(below(s, 2) ? ORD_RLX : ORD_ACQ + below(s, 2));
  case ORD_NA:
    return ORD_NA;
  default:
    return ORD_RLX;
  }
}

static uint8_t weaker_fence(uint64_t *s, uint8_t order) {
  if (order < ORD_ACQREL || below(s, 3) == 0)
    return ORD_NA;
  return (uint8_t)(order == ORD_SC ? ORD_ACQ + below(s, 3)
                                   : ORD_ACQ + below(s, 2));
}

static uint8_t any_order(uint64_t *s, const struct event *e) {
  bool is_pair = e->flags & EVF_EXCLUSIVE;
  if (!is_pair && below(s, 8) == 0)
    return ORD_NA;
  if (below(s, 3) == 0)
    return ORD_SC;
  uint8_t half = e->kind == EV_READ ? ORD_ACQ : ORD_REL;
  return below(s, 3) ? (is_pair ? ORD_ACQREL : half) : ORD_RLX;
}

// The graph grew with other orders than these, so that they may forbid it.
// Non-atomic accesses stay what they are; both halves of an update agree.
static void draw_orders(struct drawn *d, uint64_t *s) {
  struct graph *g = &d->g;
  for (event_id e = 0; e < g->nevents; e++) {
    struct event *event = &g->events[e];
    bool is_access = event->kind == EV_READ || event->kind == EV_WRITE;
    bool is_second = event->kind == EV_WRITE && event->flags & EVF_EXCLUSIVE;
    if (is_access)
      event->order = is_second ? d->strong[e - 1] : any_order(s, event);
    d->strong[e] = d->weak[e] = event->order;
    if (is_second)
      d->weak[e] = d->weak[e - 1];
    else if (below(s, 2) && (is_access || event->kind == EV_FENCE))
      d->weak[e] =
          is_access ? weaker_access(s, event) : weaker_fence(s, event->order);
  }
}

static void draw(struct drawn *d, unsigned seed) {
  uint64_t s = seed_of(seed);
  *d = (struct drawn){0};
  struct shape h = *start_random(&d->g, seed);
  h.locs = 2;
  h.fence_share = 15;
  sets_init(&d->sets);
  for (unsigned i = 0; i < SIZE; i++)
    grow(&d->g, &s, &h);
  check(d->g.nevents <= MAX_EVENTS);
  d->g.deps = xcalloc(256, sizeof *d->g.deps);
  d->g.sets = &d->sets;
  draw_deps(d, &s);
  if (seed % 3 == 0)
    draw_late_source(d, &s);
  draw_orders(d, &s);
}

static void undraw(struct drawn *d) {
  graph_done(&d->g);
  sets_done(&d->sets);
}

static void set_orders(struct drawn *d, const uint8_t *orders) {
  for (event_id e = 0; e < d->g.nevents; e++)
    d->g.events[e].order = orders[e];
}

// The orders and barriers that the kernel has, and weaker ones (the mode of a
// fence is in the low byte of its value).
static void draw_kernel(struct drawn *d, uint64_t *s, uint64_t *strong,
                        uint64_t *weak) {
  static const uint8_t updates[] = {ORD_RLX, ORD_ACQ, ORD_REL, ORD_SC};
  static const uint8_t own[] = {FENCE_BEFORE_ATOMIC, FENCE_AFTER_ATOMIC,
                                FENCE_AFTER_SPINLOCK, FENCE_AFTER_UNLOCK_LOCK};
  struct graph *g = &d->g;
  for (event_id e = 0; e < g->nevents; e++) {
    struct event *event = &g->events[e];
    strong[e] = weak[e] = event->value;
    if (event->kind == EV_FENCE) {
      unsigned which = below(s, 5);
      strong[e] = which < 3    ? FENCE_MB
                  : which == 3 ? FENCE_RMB + below(s, 2)
                               : own[below(s, 4)];
      weak[e] = below(s, 2)                    ? strong[e]
                : which < 3 && below(s, 3) > 0 ? FENCE_RMB + below(s, 2)
                                               : FENCE_C11;
      d->strong[e] = strong[e] == FENCE_MB ? ORD_SC : ORD_NA;
      d->weak[e] = weak[e] == FENCE_MB ? ORD_SC : ORD_NA;
      continue;
    }
    if (event->kind != EV_READ && event->kind != EV_WRITE)
      continue;
    bool is_pair = event->flags & EVF_EXCLUSIVE;
    if (is_pair && event->kind == EV_WRITE) {
      d->strong[e] = d->strong[e - 1];
      d->weak[e] = d->weak[e - 1];
      continue;
    }
    uint8_t half = event->kind == EV_READ ? ORD_ACQ : ORD_REL;
    d->strong[e] = is_pair           ? updates[below(s, 4)]
                   : below(s, 4) < 2 ? ORD_NA
                   : below(s, 2)     ? half
                                     : ORD_RLX;
    d->weak[e] = d->strong[e] == ORD_NA || below(s, 2) ? d->strong[e]
                 : d->strong[e] == ORD_SC              ? updates[below(s, 4)]
                                                       : ORD_RLX;
  }
}

static void set_values(struct drawn *d, const uint64_t *values) {
  for (event_id e = 0; e < d->g.nevents; e++)
    d->g.events[e].value = values[e];
}

// The flags that are raised, as a sum of what their names begin with.
static unsigned flags_of(const struct model *m, const struct drawn *d) {
  static const char *const names[] = {"data-race", "free-race", "alloc-race",
                                      "mixed-accesses"};
  struct model_options none = {0};
  struct model_flag flag;
  unsigned found = 0;
  for (uint32_t n = 0; m->raises(m, &d->g, &none, n, &flag); n++)
    for (unsigned k = 0; k < sizeof names / sizeof *names; k++)
      found |= strcmp(flag.name, names[k]) == 0 ? 1u << k : 0;
  return found;
}

struct tally {
  unsigned allowed, gained, lost; // by weaker orders
};

static void count(struct drawn *d, const struct model *m,
                  const struct model_options *o, struct tally *t) {
  d->g.plain_syncs = m->plain_syncs;
  d->g.skips_noret = m->skips_noret;
  set_orders(d, d->strong);
  bool before = model_allows(m, &d->g, o);
  bool completes = model_allows_complete(m, &d->g, o);
  set_orders(d, d->weak);
  bool after = model_allows(m, &d->g, o);
  t->lost += completes && !model_allows_complete(m, &d->g, o);
  t->allowed += before;
  t->gained += after && !before;
  t->lost += before && !after;
}

static struct tally tally_of(const struct model *m,
                             const struct model_options *o) {
  struct tally t = {0};
  for (unsigned seed = 1; seed <= GRAPHS; seed++) {
    struct drawn d;
    draw(&d, seed);
    count(&d, m, o, &t);
    undraw(&d);
  }
  return t;
}

static void check_model(const struct model *m, const struct model_options *o) {
  struct tally t = tally_of(m, o);
  printf("# %s: allows %u, by weaker orders %u more and %u less\n", m->name,
         t.allowed, t.gained, t.lost);
  if (!model_is_monotone(m, o))
    return;
  CHECK_EQ(t.lost, 0, "%s is taken for monotone", m->name);
  CHECK(t.allowed > GRAPHS / 50, "%s: too few graphs are allowed", m->name);
  // To sc all orders are the same.
  if (strcmp(m->name, "sc") != 0)
    CHECK(t.gained >= GRAPHS / 200, "%s: too few graphs matter", m->name);
}

TEST(weaker_orders_allow_more) {
  for (const struct model *const *m = models; *m; m++)
    for (unsigned k = 0; k < (strcmp((*m)->name, "armv8") ? 1 : 4); k++) {
      struct model_options o = model_own_options(*m);
      o.arm_ldar = k & 1;
      o.arm_llsc = k & 2;
      check_model(*m, &o);
    }
}

TEST(weaker_orders_allow_more_in_models_that_are_texts) {
  static const char *const names[] = {"jam21", "armv7", "power", "riscv",
                                      "lkmm"};
  struct options options = {0};
  struct model_options none = {0};
  struct catalogue c;
  catalogue_init(&c, &options);
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
    struct diag why;
    const struct model *m;
    CHECK(catalogue_find(&c, names[i], &m, &why), "%s", names[i]);
    check_model(m, &none);
  }
  catalogue_done(&c);
}

TEST(weaker_barriers_of_the_kernel_allow_more_and_are_flagged_more) {
  struct options options = {0};
  struct model_options none = {0};
  struct catalogue c;
  struct diag why;
  const struct model *m;
  unsigned allowed = 0, gained = 0, races = 0, more = 0;
  catalogue_init(&c, &options);
  CHECK(catalogue_find(&c, "lkmm", &m, &why), "%s", why.text);
  for (unsigned seed = 1; seed <= GRAPHS; seed++) {
    struct drawn d;
    uint64_t s = seed_of(seed + GRAPHS), strong[MAX_EVENTS], weak[MAX_EVENTS];
    draw(&d, seed);
    draw_kernel(&d, &s, strong, weak);
    d.g.plain_syncs = m->plain_syncs;
    d.g.skips_noret = m->skips_noret;
    set_orders(&d, d.strong);
    set_values(&d, strong);
    bool before = model_allows_complete(m, &d.g, &none);
    unsigned flags = flags_of(m, &d);
    set_orders(&d, d.weak);
    set_values(&d, weak);
    bool after = model_allows_complete(m, &d.g, &none);
    unsigned now = flags_of(m, &d);
    CHECK(after || !before, "seed %u", seed);
    CHECK(!(flags & ~now), "seed %u: flags %x, then %x", seed, flags, now);
    allowed += before;
    gained += after && !before;
    races += flags != 0;
    more += now != flags;
    undraw(&d);
  }
  printf("# lkmm: allows %u, %u more; flags %u, %u more\n", allowed, gained,
         races, more);
  CHECK(allowed > GRAPHS / 50 && gained >= GRAPHS / 200, "%u, %u", allowed,
        gained);
  CHECK(races > GRAPHS / 20 && more >= GRAPHS / 200, "%u, %u", races, more);
  catalogue_done(&c);
}

TEST(weaker_orders_race_more) {
  struct model_options none = {0};
  unsigned races = 0, gained = 0;
  for (unsigned seed = 1; seed <= GRAPHS; seed++) {
    struct drawn d;
    event_id one, other;
    draw(&d, seed);
    set_orders(&d, d.strong);
    bool before = model_race(&d.g, &none, &one, &other);
    set_orders(&d, d.weak);
    bool after = model_race(&d.g, &none, &one, &other);
    CHECK(after || !before, "seed %u", seed);
    races += before;
    gained += after && !before;
    undraw(&d);
  }
  CHECK(races > GRAPHS / 10 && gained > GRAPHS / 200, "%u races, %u more",
        races, gained);
}

TEST(models_that_are_not_known_are_refused) {
  struct model_options c11 = {.c11_release_sequences = true}, none = {0};
  struct model unknown = *model_find("rc11");
  unknown.declared = 0;
  CHECK(model_is_monotone(model_find("rc11"), &none), "rc11");
  CHECK(!model_is_monotone(model_find("rc11"), &c11), "release sequences");
  CHECK(model_is_monotone(model_find("c11"), &c11), "its own sequences");
  CHECK(!model_is_monotone(model_find("xmm"), &none), "other executions");
  CHECK(!model_is_monotone(&unknown, &none), "a model that nobody knows");
  CHECK(!model_is_monotone(&model_coherent, &none), "coherent");
}
