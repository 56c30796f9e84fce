// SPDX-License-Identifier: MIT
// What a wrong execution teaches. It was found under assignment x; made as
// strong as possible while the execution stays there, x becomes a bad
// assignment that is above as many others as possible.
#include "optimise/learn.h"

#include <string.h>

enum { MOST_BADS_PER_GRAPH = 32 };

struct lesson {
  struct search *s;
  const struct client *c;
  struct vm *vm;
  const struct graph *g;
  const struct finding *f;
  bool *occurs; // per site: has the graph an event of it?
};

mode *modes_copy(const mode *x, uint32_t n) {
  return memcpy(xmalloc(n + 1), x, n);
}

char *text_copy(const char *text) {
  size_t n = strlen(text) + 1;
  return memcpy(xmalloc(n), text, n);
}

static bool stays(struct lesson *l, const mode *x) {
  l->s->judgements++;
  return judge_is_bad(&l->s->sites, l->c, l->vm, l->g, l->f, l->s->model,
                      &l->s->model_options, x);
}

// Tries the whole lattice of one site at once, then its parts.
static void grow_site(struct lesson *l, mode *x, uint32_t i) {
  mode full = mode_full(l->s->sites.at.at[i].kind), before = x[i];
  x[i] = full;
  if (before == full || !l->occurs[i] || stays(l, x))
    return;
  x[i] = before;
  for (mode literal = MODE_ACQUIRE; literal <= MODE_RELEASE; literal <<= 1) {
    before = x[i];
    x[i] |= literal;
    if (!mode_exists(l->s->sites.at.at[i].kind, x[i]) ||
        (x[i] != before && !stays(l, x)))
      x[i] = before;
  }
}

// One pass is enough: what kills the execution kills it under stronger orders
// too.
static mode *grown(struct lesson *l, const mode *from) {
  uint32_t n = l->s->sites.at.len;
  mode *x = modes_copy(from, n);
  for (uint32_t i = 0; i < n; i++)
    grow_site(l, x, i);
  // Else the assignment that failed would be asked again.
  check(modes_below(from, x, n));
  check(!HEDDLE_SLOW_CHECKS || stays(l, x));
  return x;
}

void learn_bad(struct search *s, mode *most, uint32_t client,
               const struct finding *f, char *execution) {
  array_push(&s->bads, (struct bad){.most = most,
                                    .client = client,
                                    .finding = *f,
                                    .execution = execution});
}

// False: that was known.
static bool keep(struct lesson *l, mode *most) {
  uint32_t client = (uint32_t)(l->c - l->s->sites.clients.at);
  bool is_new = !is_known_bad(l->s, most);
  if (!is_new)
    free(most);
  else
    learn_bad(l->s, most, client, l->f,
              l->s->show(l->s->arg, client, l->vm, l->g, l->f));
  return is_new;
}

// Other ways to make x stronger: those with a literal that the first way left
// out.
static void learn_others(struct lesson *l, const mode *x, const mode *first) {
  uint32_t n = l->s->sites.at.len, before = l->s->bads.len;
  mode *from = modes_copy(x, n);
  for (uint32_t i = 0; i < n; i++) {
    enum site_kind kind = l->s->sites.at.at[i].kind;
    mode full = mode_full(kind), left = full & (mode)~first[i];
    if (left & ~MODE_SC)
      left &= (mode)~MODE_SC;
    for (; left && l->s->bads.len - before < MOST_BADS_PER_GRAPH;
         left &= (mode)(left - 1)) {
      mode literal = left & (mode)-left;
      from[i] = literal == MODE_SC ? full : mode_join(kind, x[i], literal);
      if (stays(l, from))
        keep(l, grown(l, from));
      from[i] = x[i];
    }
  }
  free(from);
}

bool learn_from_graph(struct search *s, uint32_t client, const mode *x,
                      struct vm *vm, const struct graph *g,
                      const struct finding *f) {
  struct lesson l = {
      .s = s, .c = &s->sites.clients.at[client], .vm = vm, .g = g, .f = f};
  bool ok = judge_can(s->model, g, f, s->races_by_model) && stays(&l, x);
  if (ok) {
    l.occurs = xcalloc(s->sites.at.len + 1, sizeof *l.occurs);
    sites_mark(l.c, &s->sites, vm, g, l.occurs);
    mode *first = grown(&l, x);
    mode *copy = modes_copy(first, s->sites.at.len);
    if (keep(&l, first))
      learn_others(&l, x, copy);
    free(copy);
    free(l.occurs);
  }
  return ok;
}
