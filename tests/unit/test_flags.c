// SPDX-License-Identifier: MIT
// MODEL_FLAGS_STAY: random graphs that the model allows lose some of their
// reads and fences, as an execution does whose failed rounds are left out. What
// was flagged of the other events is flagged then, too. This may refute the
// fact, and establishes nothing.
#include "cat/catalogue.h"
#include "random_deps.h"
#include "setting.h"
#include "tap.h"
#include "unit/text_models.h"

#include <string.h>

enum { STEPS = 24, GRAPHS = 2000, MOST_FLAGS = 64 };

struct drawn {
  struct built all, rest;
  const struct model *m;
  struct model_options options;
  event_id to[MAX_EVENTS]; // in the rest; NO_EVENT: left out
};

struct tally {
  unsigned asked, lost, seed; // the first one that is lost
};

static void draw(struct drawn *d, unsigned seed, uint64_t *s) {
  const struct mix *mix = mix_of(seed);
  start_random(&d->all, mix);
  d->all.g.plain_syncs = d->m->plain_syncs;
  d->all.g.coherence = d->m->coherence;
  for (unsigned i = 0; i < STEPS; i++) {
    struct graph_mark mark = graph_mark(&d->all.g);
    struct next next = d->all.next;
    event_id id = grow(&d->all, s, mix);
    const struct event *e = &d->all.g.events[id];
    if (id == NO_EVENT)
      continue;
    if (e->kind == EV_READ && (e->flags & EVF_EXCLUSIVE))
      add_random_access(&d->all, s, mix,
                        (struct event){.thread = e->thread, .rf = NO_EVENT}, 0);
    if (model_allows_complete(d->m, &d->all.g, &d->options))
      continue;
    graph_undo_to(&d->all.g, mark);
    d->all.next = next;
  }
}

static bool may_go(const struct event *e) {
  return e->kind == EV_FENCE ||
         (e->kind == EV_READ && !(e->flags & (EVF_EXCLUSIVE | EVF_LINKED)));
}

// The same dependencies, but on what is left out.
static set_id copied(struct drawn *d, unsigned t, set_id set) {
  set_id ret = 0;
  for (uint32_t i = 0; i < set_len(&d->all.sets, set); i++) {
    uint32_t index = set_at(&d->all.sets, set, i);
    event_id id = d->to[graph_at(&d->all.g, t, index)];
    if (id != NO_EVENT)
      ret = set_union(&d->rest.sets, ret,
                      set_of_one(&d->rest.sets, d->rest.g.events[id].index));
  }
  return ret;
}

static uint32_t place_of(const struct drawn *d, const struct event *w) {
  const struct event_list *co = &d->all.g.locs.at[w->loc].co;
  uint32_t place = 1;
  for (uint32_t i = 1; i < w->co; i++)
    place += d->to[co->at[i]] != NO_EVENT;
  return place;
}

static void copy(struct drawn *d, event_id id) {
  struct event old = d->all.g.events[id];
  struct event e = {.kind = old.kind,
                    .thread = old.thread,
                    .loc = old.loc,
                    .order = old.order,
                    .flags = old.flags,
                    .value = old.value,
                    .rf = old.rf};
  const struct event_deps deps = d->all.g.deps[id];
  if (old.kind == EV_WRITE)
    e.co = place_of(d, &old);
  if (e.rf != NO_EVENT && e.rf != INIT_EVENT)
    e.rf = d->to[e.rf];
  d->rest.next.ctrl[e.thread] = copied(d, e.thread, deps.ctrl);
  set_id addr = copied(d, e.thread, deps.addr);
  d->to[id] = add(&d->rest, e, addr, copied(d, e.thread, deps.data));
}

static void leave_out(struct drawn *d, unsigned seed, uint64_t *s) {
  const struct mix *mix = mix_of(seed);
  const struct graph *g = &d->all.g;
  start(&d->rest, mix->threads, mix->locs);
  d->rest.g.plain_syncs = d->m->plain_syncs;
  d->rest.g.coherence = d->m->coherence;
  for (unsigned i = 0; i < MAX_EVENTS; i++)
    d->to[i] = NO_EVENT;
  for (event_id e = g->events[INIT_EVENT].next; e != NO_EVENT;
       e = g->events[e].next)
    if (!may_go(&g->events[e]) || happens(s, 70))
      copy(d, e);
}

static unsigned find_flags(const struct drawn *d, const struct graph *g,
                           struct model_flag flags[MOST_FLAGS]) {
  unsigned n = 0;
  while (n < MOST_FLAGS && d->m->raises(d->m, g, &d->options, n, &flags[n]))
    n++;
  return n;
}

static event_id moved(const struct drawn *d, event_id id) {
  return id == NO_EVENT || id == INIT_EVENT ? id : d->to[id];
}

static void compare(const struct drawn *d, struct tally *t, unsigned seed) {
  struct model_flag all[MOST_FLAGS], rest[MOST_FLAGS];
  unsigned n = find_flags(d, &d->all.g, all);
  unsigned m = find_flags(d, &d->rest.g, rest);
  for (unsigned i = 0; i < n; i++) {
    event_id one = moved(d, all[i].one), other = moved(d, all[i].other);
    bool found = false;
    if (one == NO_EVENT || other == NO_EVENT)
      continue;
    for (unsigned k = 0; k < m; k++)
      found |= !strcmp(all[i].name, rest[k].name);
    t->asked++;
    if (!found && !t->lost++)
      t->seed = seed;
  }
}

static void check_model(const struct model *m, struct tally *t) {
  unsigned graphs = (unsigned)setting_many("HEDDLE_GRAPHS", GRAPHS);
  unsigned first = (unsigned)setting_first(0);
  for (unsigned seed = first + 1; seed <= first + graphs; seed++) {
    struct drawn d = {.m = m};
    uint64_t s = (seed + UINT64_C(1)) << 20;
    draw(&d, seed, &s);
    leave_out(&d, seed, &s);
    compare(&d, t, seed);
    stop(&d.all);
    stop(&d.rest);
  }
  printf("# %s: %u of %u flags lost\n", m->name, t->lost, t->asked);
  CHECK(t->asked > graphs / 4, "%s: asked %u times", m->name, t->asked);
}

TEST(flags_stay_without_reads_and_fences) {
  struct text_models all;
  bool any = false;
  text_models_init(&all);
  for (unsigned i = 0; i < TEXT_MODELS; i++) {
    const struct model *m = all.at[i];
    struct tally t = {0};
    CHECK(!m->raises || (m->declared & MODEL_FLAGS_STAY), "%s", m->name);
    if (!(m->declared & MODEL_FLAGS_STAY))
      continue;
    any = true;
    check_model(m, &t);
    CHECK(!t.lost, "%s: wrong, first at seed %u", m->name, t.seed);
  }
  CHECK(any, "no model is declared so");
  text_models_done(&all);
}

static void check_text(const char *text, bool stays) {
  struct diag why;
  struct cat *cat;
  struct cat_model *m;
  struct tally t = {0};
  CHECK(cat_load_text("a.cat", text, strlen(text), NULL, &cat, &why) &&
            cat_model_of(cat, &m, &why),
        "%s", why.text);
  check_model(&m->model, &t);
  CHECK(!t.lost == stays, "%s: %u of %u lost", text, t.lost, t.asked);
  cat_model_free(m);
}

// What would be wrong of a flag that is about what is between two events.
TEST(what_is_wrong_is_refuted) {
  check_text("acyclic (po & loc) | rf | co | fr as coherence\n"
             "flag ~empty (po; [F]; po) & ([W]; _; [W]) as fenced\n",
             /*stays=*/false);
  check_text("acyclic (po & loc) | rf | co | fr as coherence\n"
             "let race = ([W]; ext; [_]) & loc\n"
             "flag ~empty race \\ (po | rf)+ as data-race\n",
             /*stays=*/true);
}
