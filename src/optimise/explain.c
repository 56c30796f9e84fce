// SPDX-License-Identifier: MIT
// Why an order stays: an execution that goes wrong without it.
#include "optimise/learn.h"

mode mode_leaders(mode m) {
  return m & MODE_SC ? MODE_SC : m;
}

// What this explores is no part of the search.
static bool explore_without(struct search *s, uint32_t client, const mode *y,
                            struct bad *ret) {
  struct looking l = {.s = s, .client = client, .x = y};
  uint64_t executions = s->executions;
  bool found = look(&l) == VERDICT_ERROR;
  s->executions = executions;
  if (found)
    *ret = (struct bad){.most = modes_copy(y, s->sites.at.len),
                        .client = client,
                        .finding = l.first,
                        .execution = l.execution};
  else
    free(l.execution);
  return found;
}

// What was learnt about y, and about the smallest client.
static const struct bad *recall(const struct search *s, const mode *y) {
  const struct bad *ret = NULL;
  for (uint32_t k = 0; k < s->bads.len; k++) {
    const struct bad *b = &s->bads.at[k];
    if (modes_below(y, b->most, s->sites.at.len) &&
        (!ret || b->client < ret->client))
      ret = b;
  }
  return ret;
}

bool search_explain(struct search *s, const mode *x, uint32_t i, mode literal,
                    struct bad *ret) {
  mode *y = modes_copy(x, s->sites.at.len);
  y[i] = mode_without(s->sites.at.at[i].kind, y[i], literal);
  const struct bad *known = recall(s, y);
  bool found = false;
  if (known && !s->is_incomplete)
    found = explore_without(s, known->client, y, ret);
  for (uint32_t k = 0;
       !known && !found && !s->is_incomplete && k < s->sites.clients.len; k++)
    found = explore_without(s, k, y, ret);
  if (!found && known) {
    *ret = *known;
    ret->most = modes_copy(known->most, s->sites.at.len);
    ret->execution = text_copy(known->execution);
    found = true;
  }
  free(y);
  return found;
}
