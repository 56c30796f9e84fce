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

static mode mode_of_order(enum site_kind k, enum order o) {
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

// SITE_KINDS: the instruction is none that has an order of C11.
static enum site_kind kind_of(const struct insn *in) {
  struct imm_access a = imm_access_of(in->imm);
  if (in->op == OP_fence)
    return a.fence == FENCE_C11 ? SITE_FENCE : SITE_KINDS;
  if (op_info(in->op)->imm != IMM_ACCESS || a.order == ORD_NA || a.how)
    return SITE_KINDS;
  switch ((int)in->op) {
  case OP_load:
    return SITE_LOAD;
  case OP_store:
    return SITE_STORE;
  case OP_rmw_load:
  case OP_rmw_store:
    return SITE_UPDATE;
  case OP_cas_load:
  case OP_cas_store:
    return SITE_CAS;
  default:
    return SITE_KINDS;
  }
}

static bool is_same(const struct order_site *a, const struct order_site *b) {
  return a->kind == b->kind && a->line == b->line && a->column == b->column &&
         a->source == b->source && strcmp(a->file, b->file) == 0 &&
         strcmp(a->func, b->func) == 0 && strcmp(a->text, b->text) == 0;
}

static uint32_t site_of(struct sites *s, const struct order_site *wanted) {
  for (uint32_t i = 0; i < s->at.len; i++)
    if (is_same(&s->at.at[i], wanted))
      return i;
  array_push(&s->at, *wanted);
  return s->at.len - 1;
}

// The site of an instruction. Both halves of an update are at the same place.
// Two compare-exchanges at one place (of a macro) that differ in what they do
// when they fail are tied too, to the stronger of both.
static uint32_t find_site(struct sites *s, const struct prog *p, uint32_t pc) {
  const struct source *from = &p->source.at[pc];
  struct imm_access a = imm_access_of(p->code.at[pc].imm);
  enum site_kind k = kind_of(&p->code.at[pc]);
  struct order_site site = {.kind = k,
                            .file = prog_text(p, from->file),
                            .func = prog_text(p, from->func),
                            .text = prog_text(p, from->text),
                            .line = from->line,
                            .column = from->column,
                            .source = mode_of_order(k, a.order)};
  uint32_t before = s->at.len;
  uint32_t i = site_of(s, &site);
  mode fail = mode_of_order(SITE_CAS_FAIL, a.order_fail);
  if (k == SITE_CAS && i == before) {
    site.kind = SITE_CAS_FAIL;
    site.source = fail;
    array_push(&s->at, site);
  } else if (k == SITE_CAS) {
    s->at.at[i + 1].source |= fail;
  }
  return i;
}

void sites_add_client(struct sites *s, const char *name, struct prog *p) {
  struct client c = {.name = name, .prog = p};
  c.of_pc = xcalloc(p->code.len + 1, sizeof *c.of_pc);
  for (uint32_t f = 0; f < p->funcs.len; f++) {
    const struct func *func = &p->funcs.at[f];
    for (uint32_t pc = func->first; !func->is_library && pc < func->end; pc++)
      if (kind_of(&p->code.at[pc]) != SITE_KINDS)
        c.of_pc[pc] = find_site(s, p, pc) + 1;
  }
  array_push(&s->clients, c);
}

void sites_done(struct sites *s) {
  for (uint32_t i = 0; i < s->clients.len; i++) {
    prog_free(s->clients.at[i].prog);
    free(s->clients.at[i].of_pc);
  }
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
