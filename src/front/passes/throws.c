// SPDX-License-Identifier: MIT
// Which calls an exception can come out of. At others there is nothing to land
// for: with the landing goes the code behind it, and what is left may become
// part of its callers.
#include "front/passes/code.h"

struct throws {
  struct code **codes;
  uint32_t count;
  bool any;    // some function does: then a call through a pointer may
  uint8_t *at; // by function: does an exception come out of it?
};

static bool may_throw(const struct throws *t, const struct vinsn *call) {
  return call->op == OP_callr ? t->any
                              : call->op == OP_call && t->at[call->imm];
}

static bool is_unwind(const struct vinsn *v) {
  return v->op == OP_sys && v->imm == BI_unwind;
}

static bool lands(const struct code *c, uint32_t i) {
  return i + 1 < c->insns.len && c->insns.at[i + 1].op == OP_landing;
}

// Exceptions begin in rt/. Elsewhere they go on from where they have landed.
static bool throws(const struct throws *t, const struct code *c) {
  bool goes_on = c->is_library, landed = false;
  for (uint32_t i = 0; i < c->insns.len; i++) {
    const struct vinsn *v = &c->insns.at[i];
    if (!may_throw(t, v))
      landed |= is_unwind(v);
    else if (lands(c, i))
      goes_on = true;
    else
      return true;
  }
  return goes_on && landed;
}

static bool has_landings(struct code **codes, uint32_t n) {
  for (uint32_t f = 0; f < n; f++)
    for (uint32_t i = 0; i < codes[f]->insns.len; i++)
      if (codes[f]->insns.at[i].op == OP_landing)
        return true;
  return false;
}

static void remove_landings(const struct throws *t, struct code *c) {
  for (uint32_t i = 1; i < c->insns.len; i++) {
    struct vinsn *v = &c->insns.at[i];
    if (v->op != OP_landing || may_throw(t, v - 1))
      continue;
    v->op = OP_mov;
    v->b = code_const(c, 0);
    v->imm = 0;
  }
}

void code_throws(struct code **codes, uint32_t n) {
  if (!has_landings(codes, n))
    return;
  struct throws t = {codes, n, false, xcalloc(n + 1u, 1)};
  for (bool news = true; news;) {
    news = false;
    for (uint32_t f = 0; f < n; f++)
      if (!t.at[f] && throws(&t, codes[f]))
        t.at[f] = t.any = news = true;
  }
  for (uint32_t f = 0; f < n; f++)
    remove_landings(&t, codes[f]);
  free(t.at);
}
