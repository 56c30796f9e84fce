// SPDX-License-Identifier: MIT
// What explore/cycles/justify/guarded.c takes for granted of a model: nothing
// that is only accessed under a lock is read in a section before the one in
// which it is written, nor before the first thread is created, nor written
// behind the last join by what a thread has read before. Random graphs in which
// a single read does so must not be allowed, whatever else there is, beside
// their twins in which it reads something older. This may refute the fact, and
// establishes none.
#include "cat/catalogue.h"
#include "random_deps.h"
#include "setting.h"
#include "tap.h"
#include "unit/text_models.h"

enum {
  LOCK,
  GUARDED,  // and the next one
  FREE = 3, // and the next one: what anybody may access
  LOCS = 5,
  THREADS = 4, // thread 0 creates and joins the others
  GRAPHS = 4000,
  MOST_READS = 32,
};

struct drawn {
  struct built b;
  uint64_t s;
  event_id unlock; // what the next section reads from the lock
  event_id reads[MOST_READS], older[MOST_READS]; // of what is guarded
  unsigned nreads;
  bool is_plain; // what is guarded, always
};

static const struct mix mix = {THREADS, LOCS, 20, 0, 30, true};

static event_id newest(const struct drawn *d, uint32_t loc) {
  const struct event_list *co = &d->b.g.locs.at[loc].co;
  return co->at[co->len - 1];
}

static event_id add_access(struct drawn *d, struct event e) {
  struct built *b = &d->b;
  set_id set = random_set(b, &d->s, &mix, e.thread);
  if (e.kind == EV_WRITE) {
    e.rf = NO_EVENT;
    e.co = b->g.locs.at[e.loc].co.len;
  }
  return add(b, e, 0, set);
}

// An access of what is guarded, which comes behind all that are there.
static void add_guarded(struct drawn *d, unsigned t) {
  struct event e = {.thread = (uint8_t)t, .loc = GUARDED + below(&d->s, 2)};
  bool is_plain = d->is_plain || happens(&d->s, 50);
  e.kind = happens(&d->s, 50) ? EV_READ : EV_WRITE;
  e.order = is_plain ? ORD_NA : ORD_RLX;
  e.rf = newest(d, e.loc);
  event_id id = add_access(d, e);
  if (e.kind == EV_READ && d->nreads < MOST_READS) {
    d->reads[d->nreads] = id;
    d->older[d->nreads++] = e.rf;
  }
}

// Any other one, with any source.
static void add_free(struct drawn *d, unsigned t) {
  struct event e = {.thread = (uint8_t)t, .loc = FREE + below(&d->s, 2)};
  const struct event_list *co = &d->b.g.locs.at[e.loc].co;
  if (happens(&d->s, 10)) {
    add_random_fence(&d->b, &d->s, e);
    return;
  }
  e.kind = happens(&d->s, 50) ? EV_READ : EV_WRITE;
  e.order = random_order(&d->s, &mix, e.kind == EV_READ ? ORD_ACQ : ORD_REL);
  e.rf = co->at[happens(&d->s, 70) ? co->len - 1 : below(&d->s, co->len)];
  add_access(d, e);
}

static void add_some(struct drawn *d, unsigned t, bool is_guarded) {
  for (unsigned n = below(&d->s, is_guarded ? 4 : 3); n > 0; n--)
    if (is_guarded && happens(&d->s, 75))
      add_guarded(d, t);
    else
      add_free(d, t);
}

// A section, or one whose lock is tried for.
static void add_section(struct drawn *d, unsigned t) {
  struct event e = {.kind = EV_READ,
                    .thread = (uint8_t)t,
                    .loc = LOCK,
                    .order = ORD_ACQ,
                    .rf = d->unlock,
                    .flags =
                        EVF_EXCLUSIVE |
                        (happens(&d->s, 60) ? EVF_LOCK : EVF_CAS | EVF_SPIN)};
  add_access(d, e);
  e.kind = EV_WRITE;
  e.order = ORD_RLX;
  e.flags = EVF_EXCLUSIVE | EVF_SPIN;
  add_access(d, e);
  add_some(d, t, /*is_guarded=*/true);
  e.order = ORD_REL;
  e.flags = EVF_UNLOCK;
  d->unlock = add_access(d, e);
}

// Main makes some accesses, creates the others, which have sections in any
// order, joins them, and makes some more.
static void draw(struct drawn *d, unsigned seed) {
  *d = (struct drawn){.s = (seed + UINT64_C(1)) << 20};
  d->is_plain = seed % 3 == 0;
  start_random(&d->b, &mix);
  d->b.g.coherence = 0;
  d->unlock = newest(d, LOCK);
  unsigned threads = 2 + seed % (THREADS - 2);
  add_some(d, 0, /*is_guarded=*/true);
  for (unsigned t = 1; t <= threads; t++)
    create_or_join(&d->b, t);
  for (unsigned n = 2 + below(&d->s, 4); n > 0; n--) {
    unsigned t = happens(&d->s, 15) ? 0 : 1 + below(&d->s, threads);
    add_some(d, t, /*is_guarded=*/false);
    add_section(d, t);
  }
  for (unsigned t = 1; t <= threads; t++)
    create_or_join(&d->b, t);
  add_some(d, 0, /*is_guarded=*/true);
}

struct tally {
  unsigned older, allowed, seed; // seed of the first one that is allowed
  unsigned asked;
};

// Some write to the location of the read, by another thread, behind it.
static event_id find_later(struct drawn *d, event_id read) {
  const struct graph *g = &d->b.g;
  const struct event *r = &g->events[read];
  const struct event_list *co = &g->locs.at[r->loc].co;
  for (uint32_t i = below(&d->s, co->len); i < co->len; i++)
    if (co->at[i] > read && g->events[co->at[i]].thread != r->thread)
      return co->at[i];
  return NO_EVENT;
}

// Lets the read read that.
static void try_read(struct drawn *d, const struct model *m, unsigned nth,
                     struct tally *t, unsigned seed) {
  struct graph *g = &d->b.g;
  struct model_options options = {0};
  event_id read = d->reads[nth];
  event_id write = find_later(d, read);
  if (write == NO_EVENT)
    return;
  t->asked++;
  g->events[read].rf = write;
  if (model_allows_complete(m, g, &options) && !t->allowed++)
    t->seed = seed;
  g->events[read].rf = d->older[nth];
  t->older += model_allows_complete(m, g, &options);
}

static void check_model(const struct model *m, struct tally *t) {
  unsigned graphs = (unsigned)setting_many("HEDDLE_GRAPHS", GRAPHS);
  unsigned first = (unsigned)setting_first(0);
  for (unsigned seed = first + 1; seed <= first + graphs; seed++) {
    struct drawn d;
    draw(&d, seed);
    for (unsigned i = 0; i < d.nreads; i++)
      try_read(&d, m, i, t, seed);
    stop(&d.b);
  }
  printf("# %s: %u of %u allowed, %u with an older source\n", m->name,
         t->allowed, t->asked, t->older);
  CHECK(t->asked > graphs / 4 && t->older > graphs / 4, "%s: asked %u, %u",
        m->name, t->asked, t->older);
}

TEST(sections_order_what_they_guard) {
  struct text_models all;
  text_models_init(&all);
  for (unsigned i = 0; i < TEXT_MODELS; i++) {
    const struct model *m = all.at[i];
    struct tally t = {0};
    if (!(m->declared & MODEL_SECTIONS_ORDER))
      continue;
    check_model(m, &t);
    CHECK(!t.allowed, "%s: wrong, first at seed %u", m->name, t.seed);
  }
  text_models_done(&all);
}

// The graphs would show it of a model in which a lock orders marked accesses
// alone.
TEST(what_is_wrong_is_refuted) {
  static const char text[] =
      "acyclic (po & loc) | rf | co | fr as coherence\n"
      "let Marked = R \\ NA | W \\ NA\n"
      "let order = [R & ACQ]; po | po; [W & REL] | po; [THREAD]; po\n"
      "acyclic [Marked]; (order | rf & ext); [Marked] as order\n";
  struct diag why;
  struct cat *cat;
  struct cat_model *m;
  struct tally t = {0};
  CHECK(cat_load_text("a.cat", text, strlen(text), NULL, &cat, &why) &&
            cat_model_of(cat, &m, &why),
        "%s", why.text);
  check_model(&m->model, &t);
  CHECK(t.allowed, "not refuted");
  cat_model_free(m);
}
