// SPDX-License-Identifier: MIT
// All guesses that executions could give, as far as what threads could do alone
// says (over.h): each edge from a write that may come back to its thread, to
// any read of its value by another thread.
#include "explore/cycles/justify/guesses.h"
#include "explore/cycles/justify/over_graph.h"

// So many guesses are few; and so many are enough to be found, where they are
// all that there is.
enum { FEW_GUESSES = 16, MOST_GUESSES = 512 };

static uint32_t most_guesses(const struct over *a) {
  return a->x->config.model->guesses_cores ? MOST_GUESSES : FEW_GUESSES;
}

// Adds that the read may get its value from label l; true: that is new.
static bool foresee_edge(const struct over *a, const struct move *m, uint32_t l,
                         struct guesses *ret) {
  const struct cell *c = &a->cells.at[m->what];
  const struct label *w = &a->labels.at[l];
  struct guess like = {.reader = a->nodes.at[m->from].thread,
                       .order = m->order,
                       .loc = c->loc,
                       .value = c->value};
  struct guess *k = guesses_find(ret, &like);
  bool is_new = !(k->writers[w->order] >> w->thread & 1);
  k->writers[w->order] |= 1ull << w->thread;
  return is_new;
}

// The same for all reads of the label.
static bool foresee_edges(const struct over *a, uint64_t threads, uint32_t l,
                          struct guesses *ret) {
  const struct label *w = &a->labels.at[l];
  bool is_new = false;
  for (uint32_t i = 0; i < a->moves.len && ret->len <= most_guesses(a); i++) {
    const struct move *m = &a->moves.at[i];
    thread_id t = a->nodes.at[m->from].thread;
    if (m->kind == MOVE_READ && m->what == w->cell && t != w->thread &&
        (threads >> t & 1))
      is_new |= foresee_edge(a, m, l, ret);
  }
  return is_new;
}

struct foresight over_foresee(struct over *a, uint64_t threads,
                              struct guesses *ret) {
  struct foresight now = {0};
  for (uint32_t l = 0; l < a->labels.len && ret->len <= most_guesses(a); l++)
    if ((threads >> a->labels.at[l].thread & 1) && over_comes_back(a, l))
      now.is_new |= foresee_edges(a, threads, l, ret);
  now.is_too_much = ret->len > most_guesses(a);
  for (uint32_t i = 0; i < ret->len && !now.is_too_much; i++) {
    struct guess *k = &ret->at[i];
    if (!k->most)
      k->most = over_most_reads(a, k->reader, k->loc);
    if (k->most == NONE && a->x->config.model->guesses_cores)
      k->most = MOST_WRITES; // rounds that lead nowhere are left out (guess.c)
    now.is_too_much = k->most == NONE;
  }
  return now;
}
