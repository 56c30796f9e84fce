// SPDX-License-Identifier: MIT
// The sites of programs, and how an assignment gets into their bytecode: the
// orders are fields of instructions, so a program is explored under another
// assignment by writing these fields and starting a fresh vm.
#include "optimise/optimise.h"

#include <string.h>

mode mode_full(enum site_kind k) {
  switch (k) {
  case SITE_LOAD:
  case SITE_CAS_FAIL:
    return MODE_ACQUIRE | MODE_SC;
  case SITE_STORE:
    return MODE_RELEASE | MODE_SC;
  default:
    return MODE_ALL;
  }
}

mode mode_of_order(enum site_kind k, enum order o) {
  mode m = (mode)((order_acquires(o) ? MODE_ACQUIRE : 0) |
                  (order_releases(o) ? MODE_RELEASE : 0) |
                  (o == ORD_SC ? MODE_SC : 0));
  return m & mode_full(k);
}

enum order mode_order(enum site_kind k, mode m) {
  if (m & MODE_SC)
    return ORD_SC;
  if (m == (MODE_ACQUIRE | MODE_RELEASE))
    return ORD_ACQREL;
  if (m)
    return m & MODE_ACQUIRE ? ORD_ACQ : ORD_REL;
  // A fence that orders nothing stays an event, so that graphs can be judged
  // again with a stronger one there.
  return k == SITE_FENCE ? ORD_NA : ORD_RLX;
}

const char *mode_name(enum site_kind k, mode m) {
  switch (mode_order(k, m)) {
  case ORD_SC:
    return "seq_cst";
  case ORD_ACQREL:
    return "acq_rel";
  case ORD_ACQ:
    return "acquire";
  case ORD_REL:
    return "release";
  case ORD_RLX:
    return "relaxed";
  case ORD_NA:
    break;
  }
  return "none";
}

const char *site_kind_name(enum site_kind k) {
  static const char *const name[SITE_KINDS] = {
      "load", "store", "update", "compare-exchange", "failed compare-exchange",
      "fence"};
  return name[k];
}

bool modes_below(const mode *x, const mode *y, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (x[i] & ~y[i])
      return false;
  return true;
}

void sites_done(struct sites *s) {
  for (uint32_t i = 0; i < s->clients.len; i++) {
    prog_free(s->clients.at[i].prog);
    free(s->clients.at[i].of_pc);
  }
  for (uint32_t i = 0; i < s->at.len; i++)
    free(s->at.at[i].key);
  array_done(&s->clients);
  array_done(&s->at);
}

void sites_apply(struct client *c, const struct sites *s, const mode *x) {
  for (uint32_t pc = 0; pc < c->prog->code.len; pc++) {
    if (!c->of_pc[pc])
      continue;
    uint32_t i = c->of_pc[pc] - 1;
    struct insn *in = &c->prog->code.at[pc];
    struct imm_access a = imm_access_of(in->imm);
    a.order = (uint8_t)mode_order(s->at.at[i].kind, x[i]);
    if (s->at.at[i].kind == SITE_CAS)
      a.order_fail = (uint8_t)mode_order(SITE_CAS_FAIL, x[i + 1]);
    in->imm = imm_access(a);
  }
}
