// SPDX-License-Identifier: MIT
// Facts of models that are declared, and argued, but not proved by the tool
// (enum model_declared), and that executions are left out by (loops/retry.c).
// Random graphs that a model allows are changed as the fact says, and have to
// stay allowed. This may refute a fact, and establishes none.
//
// The graphs grow by one event at a time, and reads change their sources, as
// long as the model allows the result. So they come near to what it forbids.
#include "cat/catalogue.h"
#include "random_deps.h"
#include "setting.h"
#include "tap.h"
#include "unit/text_models.h"

enum { STEPS = 30, GRAPHS = 600, MAX_PAIRS = 8 };

// A load, and an update of its location behind it.
struct pair {
  event_id load, update;
};

struct drawn {
  struct built b;
  const struct model *m;
  struct model_options options;
  const struct mix *mix;
  uint64_t s;
  struct pair pairs[MAX_PAIRS];
  unsigned npairs;
};

static bool is_allowed(struct drawn *d) {
  return model_allows_complete(d->m, &d->b.g, &d->options);
}

// ---- graphs

static event_id add_plain(struct drawn *d, struct event e, set_id data) {
  set_id addr = random_set(&d->b, &d->s, d->mix, e.thread);
  return add(&d->b, e, addr, data);
}

// A branch on what the event read or expected.
static void branch(struct built *b, event_id id) {
  const struct event *e = &b->g.events[id];
  set_id *ctrl = &b->next.ctrl[e->thread];
  *ctrl = set_union(&b->sets, *ctrl, b->g.deps[id].data);
  *ctrl = set_union(&b->sets, *ctrl, set_of_one(&b->sets, e->index));
}

// Between the two of a pair, writes that are not atomic, elsewhere.
static void add_writes_between(struct drawn *d, unsigned t, uint32_t loc) {
  for (unsigned n = below(&d->s, 3); n > 0; n--) {
    struct event e = {.kind = EV_WRITE,
                      .thread = (uint8_t)t,
                      .loc = below(&d->s, d->mix->locs)};
    e.rf = NO_EVENT;
    e.order = ORD_NA;
    e.co = d->b.g.locs.at[e.loc].co.len;
    if (e.loc != loc)
      add_plain(d, e, random_set(&d->b, &d->s, d->mix, t));
  }
}

static uint8_t order_of_update(uint64_t *s) {
  static const uint8_t orders[] = {ORD_RLX,    ORD_ACQ, ORD_ACQ,
                                   ORD_ACQREL, ORD_REL, ORD_SC};
  return orders[below(s, sizeof orders)];
}

static event_id add_update(struct drawn *d, struct event e, uint32_t place) {
  struct built *b = &d->b;
  e.order = order_of_update(&d->s);
  e.flags = EVF_EXCLUSIVE | (happens(&d->s, 60) ? EVF_CAS : 0);
  e.rf = b->g.locs.at[e.loc].co.at[place];
  set_id expected =
      e.flags & EVF_CAS ? random_set(b, &d->s, d->mix, e.thread) : 0;
  event_id read = add_plain(d, e, expected);
  if (e.flags & EVF_CAS)
    branch(b, read);
  e.kind = EV_WRITE;
  e.flags = EVF_EXCLUSIVE;
  e.rf = NO_EVENT;
  e.co = place + 1;
  set_id data = random_set(b, &d->s, d->mix, e.thread);
  add(b, e, b->g.deps[read].addr, data);
  return read;
}

// An access by way of what the load has read.
static void add_follower(struct drawn *d, event_id load) {
  const struct event *l = &d->b.g.events[load];
  struct event e = {.kind = EV_READ,
                    .thread = l->thread,
                    .loc = below(&d->s, d->mix->locs),
                    .order = ORD_RLX};
  const struct event_list *co = &d->b.g.locs.at[e.loc].co;
  e.rf = co->at[floor_of(&d->b.g, e.thread, e.loc)];
  add(&d->b, e, set_of_one(&d->b.sets, l->index), 0);
}

static bool has_ended(const struct graph *g, unsigned t) {
  return !graph_thread_length(g, t) ||
         g->events[graph_tail(g, t)].kind == EV_END;
}

// Adds a load and an update; they read places of co that coherence leaves.
static bool add_pair(struct drawn *d) {
  struct built *b = &d->b;
  struct event e = {.kind = EV_READ,
                    .thread = (uint8_t)below(&d->s, d->mix->threads),
                    .loc = below(&d->s, d->mix->locs)};
  if (d->npairs == MAX_PAIRS || has_ended(&b->g, e.thread))
    return false;
  const struct event_list *co = &b->g.locs.at[e.loc].co;
  uint32_t from = floor_of(&b->g, e.thread, e.loc);
  from += below(&d->s, co->len - from);
  e.order = happens(&d->s, 70) ? ORD_RLX : order_of_update(&d->s);
  e.flags = happens(&d->s, 20) ? EVF_CAS : 0;
  e.rf = co->at[from];
  event_id load = add_plain(d, e, 0);
  if (e.flags & EVF_CAS || happens(&d->s, 30))
    branch(b, load);
  if (happens(&d->s, 30))
    add_writes_between(d, e.thread, e.loc);
  uint32_t place = from + below(&d->s, co->len - from);
  if (is_exclusive_source(&b->g, e.loc, co->at[place]))
    return false;
  d->pairs[d->npairs++] = (struct pair){load, add_update(d, e, place)};
  if (happens(&d->s, 50))
    add_follower(d, load);
  return true;
}

// The other half of an update, if the newest event of the thread is the first.
static void complete_update(struct drawn *d, unsigned t) {
  const struct event *tail = &d->b.g.events[graph_tail(&d->b.g, t)];
  if (tail->kind == EV_READ && (tail->flags & EVF_EXCLUSIVE))
    add_random_access(&d->b, &d->s, d->mix,
                      (struct event){.thread = (uint8_t)t, .rf = NO_EVENT}, 0);
}

static bool add_any(struct drawn *d) {
  event_id id = grow(&d->b, &d->s, d->mix);
  if (id == NO_EVENT)
    return false;
  complete_update(d, d->b.g.events[id].thread);
  return true;
}

// A store-conditional, where the thread has reserved something.
static bool add_conditional(struct drawn *d) {
  struct graph *g = &d->b.g;
  unsigned t = below(&d->s, d->mix->threads);
  if ((d->m->declared & MODEL_NO_EXCLUSIVES) || has_ended(g, t))
    return false;
  for (uint32_t i = graph_thread_length(g, t); i-- > 0;) {
    const struct event *r = &g->events[graph_at(g, t, i)];
    if (r->flags & EVF_LINKED && r->kind == EV_WRITE)
      return false;
    if (!(r->flags & EVF_LINKED))
      continue;
    struct event e = {.kind = EV_WRITE,
                      .thread = (uint8_t)t,
                      .loc = r->loc,
                      .flags = EVF_LINKED,
                      .order = happens(&d->s, 70) ? ORD_RLX : ORD_REL};
    e.rf = NO_EVENT;
    e.co = floor_of(g, t, e.loc) + 1;
    add_plain(d, e, random_set(&d->b, &d->s, d->mix, t));
    return true;
  }
  return false;
}

// A write that comes right before an update, which reads it. Yields the read.
static event_id add_source(struct drawn *d, event_id *before) {
  struct graph *g = &d->b.g;
  unsigned t = below(&d->s, d->mix->threads);
  if (!d->npairs || has_ended(g, t))
    return NO_EVENT;
  event_id read = d->pairs[below(&d->s, d->npairs)].update;
  const struct event *w = &g->events[graph_at(g, g->events[read].thread,
                                              g->events[read].index + 1)];
  struct event e = {.kind = EV_WRITE,
                    .thread = (uint8_t)t,
                    .loc = w->loc,
                    .order = random_order(&d->s, d->mix, ORD_REL),
                    .co = w->co};
  e.rf = NO_EVENT;
  if (t == w->thread)
    return NO_EVENT;
  event_id id = add_plain(d, e, random_set(&d->b, &d->s, d->mix, t));
  *before = g->events[read].rf;
  g->events[read].rf = id;
  return read;
}

// Some read takes another write, maybe one that was added after it.
static event_id change_source(struct drawn *d, event_id *before) {
  struct graph *g = &d->b.g;
  event_id id = below(&d->s, g->nevents);
  struct event *r = &g->events[id];
  if (r->kind != EV_READ || (r->flags & EVF_EXCLUSIVE))
    return NO_EVENT;
  const struct event_list *co = &g->locs.at[r->loc].co;
  *before = r->rf;
  r->rf = co->at[below(&d->s, co->len)];
  return id;
}

// Takes a step, or none if the model would not allow the graph then.
static bool take_step(struct drawn *d) {
  struct graph *g = &d->b.g;
  struct graph_mark mark = graph_mark(g);
  struct next next = d->b.next;
  unsigned npairs = d->npairs, what = below(&d->s, 100);
  event_id read = NO_EVENT, before = NO_EVENT;
  bool done = what < 12   ? add_pair(d)
              : what < 18 ? add_conditional(d)
              : what < 30 ? (read = add_source(d, &before)) != NO_EVENT
              : what < 40 ? (read = change_source(d, &before)) != NO_EVENT
                          : add_any(d);
  if (done && is_allowed(d))
    return true;
  if (read != NO_EVENT)
    g->events[read].rf = before;
  graph_undo_to(g, mark);
  d->b.next = next;
  d->npairs = npairs;
  return false;
}

static void draw(struct drawn *d, const struct model *m, unsigned seed) {
  *d = (struct drawn){
      .m = m, .mix = mix_of(seed), .s = (seed + UINT64_C(1)) << 20};
  // Of machines, and of languages.
  d->options.arm_ldar = d->options.c11_release_sequences = seed & 16;
  d->options.arm_llsc = seed & 32;
  d->options.sc_rule = seed & 32 ? SC_RC11 : SC_OWN;
  start_random(&d->b, d->mix);
  d->b.g.plain_syncs = m->plain_syncs;
  d->b.g.skips_noret = m->skips_noret;
  d->b.g.coherence = m->coherence;
  d->b.has_picks = seed % 3 == 0;
}

// ---- facts

// Is it no stronger, as a read? (As retry.c asks.)
static bool is_at_most(const struct event *a, const struct event *b) {
  enum order weak = (enum order)a->order, strong = (enum order)b->order;
  if ((weak == ORD_NA) != (strong == ORD_NA) ||
      ((a->flags & EVF_CAS) && !(b->flags & EVF_CAS)))
    return false;
  return weak == ORD_SC ? strong == ORD_SC
                        : !order_acquires(weak) || order_acquires(strong);
}

// What is asked of models, and of which pairs. With fewer dependencies means:
// of any event, some of what its address, its value, what it expects or a
// branch before it depends on are left out, each for itself; the halves of
// updates stay halves of updates.
struct fact {
  const char *name;
  // Does retry.c take it for granted?
  bool (*is_used)(const struct model *m);
  // NULL: it is about dependencies.
  bool (*concerns)(struct drawn *d, const struct event *load,
                   const struct event *update);
};

struct tally {
  unsigned asked, lost, seed; // the first one that is lost
};

// The load reads what the update reads. (Where retry.c leaves out a round, the
// load that it leaves has read something else, and as strongly.)
static void try_pair(struct drawn *d, const struct fact *f, struct pair p,
                     struct tally *t, unsigned seed) {
  struct event *load = &d->b.g.events[p.load];
  const struct event *update = &d->b.g.events[p.update];
  event_id before = load->rf;
  if (before == update->rf || !is_at_most(load, update) ||
      !f->concerns(d, load, update))
    return;
  t->asked++;
  load->rf = update->rf;
  bool ok = is_allowed(d);
  load->rf = before;
  if (!ok && !t->lost++)
    t->seed = seed;
}

static set_id some_of(struct drawn *d, set_id set) {
  struct sets *sets = &d->b.sets;
  set_id ret = 0;
  for (uint32_t i = 0; i < set_len(sets, set); i++) {
    set_id one = set_of_one(sets, set_at(sets, set, i));
    if (happens(&d->s, 60))
      ret = set_union(sets, ret,
                      set_is_pick(sets, set, i) ? set_picked(sets, one) : one);
  }
  return ret;
}

static void try_fewer(struct drawn *d, struct tally *t, unsigned seed) {
  static struct event_deps before[MAX_EVENTS];
  struct event_deps *deps = d->b.g.deps;
  memcpy(before, deps, sizeof before);
  for (event_id e = 0; e < d->b.g.nevents; e++) {
    deps[e].addr = some_of(d, deps[e].addr);
    deps[e].data = some_of(d, deps[e].data);
    deps[e].ctrl = some_of(d, deps[e].ctrl);
  }
  t->asked++;
  if (!is_allowed(d) && !t->lost++)
    t->seed = seed;
  memcpy(deps, before, sizeof before);
}

static void try_fact(struct drawn *d, const struct fact *f, struct tally *t,
                     unsigned seed) {
  if (!f->concerns) {
    try_fewer(d, t, seed);
    return;
  }
  if (d->npairs)
    try_pair(d, f, d->pairs[below(&d->s, d->npairs)], t, seed);
}

static bool has_no_race(struct drawn *d) {
  event_id one, other;
  return !model_race(&d->b.g, &d->options, &one, &other);
}

static bool are_next(const struct event *load, const struct event *update) {
  return load->index + 1 == update->index;
}

static bool uses_fewer(const struct model *m) {
  return m->tracks_dependencies &&
         (!m->text || (m->declared & MODEL_FEWER_DEPENDENCIES));
}

static bool uses_acquires(const struct model *m) {
  return m->tracks_dependencies && (m->load_orders & ORDER_ACQUIRE) &&
         (!m->text || (m->declared & MODEL_ACQUIRES_ALL));
}

static bool acquires(struct drawn *d, const struct event *load,
                     const struct event *update) {
  (void)d;
  return order_acquires(update->order) && are_next(load, update);
}

static bool uses_acquires_alone(const struct model *m) {
  return m->tracks_dependencies && (m->load_orders & ORDER_ACQUIRE) &&
         (!m->text ||
          (m->declared & (MODEL_ACQUIRES_ALL | MODEL_ACQUIRES_ALONE)));
}

static bool acquires_alone(struct drawn *d, const struct event *load,
                           const struct event *update) {
  return acquires(d, load, update) && !order_releases(update->order);
}

static bool uses_writes(const struct model *m) {
  return m->declared & MODEL_ORDERS_WRITES;
}

static bool is_compare_exchange(struct drawn *d, const struct event *load,
                                const struct event *update) {
  return (update->flags & EVF_CAS) &&
         (are_next(load, update) || has_no_race(d));
}

enum { FEWER, ACQUIRES, ACQUIRES_ALONE, WRITES, FACTS };

static const struct fact facts[FACTS] = {
    {"fewer dependencies", uses_fewer, NULL},
    {"updates that acquire", uses_acquires, acquires},
    {"updates that acquire and do not release", uses_acquires_alone,
     acquires_alone},
    {"compare-exchanges", uses_writes, is_compare_exchange},
};

// Asks all facts (or one) of the graphs of a seed.
static void try_seed(const struct model *m, const struct fact *only,
                     unsigned seed, struct tally *ret) {
  struct drawn d;
  draw(&d, m, seed);
  for (unsigned i = 0; i < STEPS; i++)
    if (take_step(&d))
      for (unsigned k = 0; k < FACTS; k++)
        if (!only || only == &facts[k])
          try_fact(&d, &facts[k], &ret[k], seed);
  stop(&d.b);
}

static void check_model(const struct model *m) {
  struct tally t[FACTS] = {0};
  unsigned graphs = (unsigned)setting_many("HEDDLE_GRAPHS", GRAPHS);
  unsigned first = (unsigned)setting_first(0);
  for (unsigned seed = first + 1; seed <= first + graphs; seed++)
    try_seed(m, NULL, seed, t);
  for (unsigned k = 0; k < FACTS; k++) {
    bool is_used = facts[k].is_used(m);
    printf("# %s, %s: %u of %u lost%s\n", m->name, facts[k].name, t[k].lost,
           t[k].asked, is_used ? "" : " (not declared)");
    CHECK(!is_used || !t[k].lost, "%s, %s: wrong, first at seed %u", m->name,
          facts[k].name, t[k].seed);
    CHECK(!is_used || t[k].asked >= graphs, "%s, %s: asked %u times", m->name,
          facts[k].name, t[k].asked);
  }
}

TEST(declared_facts_are_not_refuted) {
  struct text_models all;
  text_models_init(&all);
  for (const struct model *const *m = models; *m; m++)
    if ((*m)->tracks_dependencies)
      check_model(*m);
  for (unsigned i = 0; i < TEXT_MODELS; i++)
    check_model(all.at[i]);
  text_models_done(&all);
}

// The graphs would show it if a fact were declared of one model too many.
static void check_refuted(const struct model *m, unsigned fact) {
  struct tally t[FACTS] = {0};
  unsigned seed = 1;
  while (!t[fact].lost && seed <= 20000)
    try_seed(m, &facts[fact], seed++, t);
  printf("# %s, %s: refuted by seed %u\n", m->name, facts[fact].name, seed - 1);
  CHECK(t[fact].lost, "%s, %s: not refuted", m->name, facts[fact].name);
}

TEST(what_is_wrong_is_refuted) {
  static const char text[] = "acyclic po | rf as no-thin-air\n"
                             "acyclic (po & loc) | rf | co | fr as coherence\n"
                             "let independent = po \\ (addr | data | ctrl)\n"
                             "acyclic independent | rf | co | fr as a";
  struct options options = {0};
  struct catalogue c;
  struct diag why;
  const struct model *power;
  struct cat *cat;
  struct cat_model *depends;
  catalogue_init(&c, &options);
  CHECK(catalogue_find(&c, "power", &power, &why), "power");
  CHECK(cat_load_text("a.cat", text, strlen(text), NULL, &cat, &why) &&
            cat_model_of(cat, &depends, &why),
        "%s", why.text);
  check_refuted(&depends->model, FEWER);
  check_refuted(power, ACQUIRES);
  check_refuted(model_find("armv8"), WRITES);
  cat_model_free(depends);
  catalogue_done(&c);
}
