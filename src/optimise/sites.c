// SPDX-License-Identifier: MIT
// The sites of programs, and how an assignment gets into their bytecode: the
// orders are fields of instructions, so a program is explored under another
// assignment by writing these fields and starting a fresh vm.
#include "optimise/optimise.h"

#include <string.h>

// What modes there are: up to which one, and whether acquire and release are
// one together (acq_rel, which the kernel has not).
static const struct lattice {
  const char *name;
  mode full;
  bool has_both;
  enum site_kind c11;
} lattices[SITE_KINDS] = {
    [SITE_LOAD] = {"load", MODE_ACQUIRE | MODE_SC, false, SITE_LOAD},
    [SITE_STORE] = {"store", MODE_RELEASE | MODE_SC, false, SITE_STORE},
    [SITE_UPDATE] = {"update", MODE_ALL, true, SITE_UPDATE},
    [SITE_CAS] = {"compare-exchange", MODE_ALL, true, SITE_CAS},
    [SITE_CAS_FAIL] = {"failed compare-exchange", MODE_ACQUIRE | MODE_SC, false,
                       SITE_CAS_FAIL},
    [SITE_FENCE] = {"fence", MODE_ALL, true, SITE_FENCE},
    [SITE_KERNEL_LOAD] = {"load", MODE_ACQUIRE, false, SITE_LOAD},
    [SITE_KERNEL_STORE] = {"store", MODE_RELEASE, false, SITE_STORE},
    [SITE_KERNEL_UPDATE] = {"update", MODE_ALL, false, SITE_UPDATE},
    [SITE_BARRIER] = {"barrier", MODE_ALL, false, SITE_FENCE},
    [SITE_OWN_BARRIER] = {"barrier", MODE_SC, false, SITE_FENCE},
};

mode mode_full(enum site_kind k) {
  return lattices[k].full;
}

bool mode_exists(enum site_kind k, mode m) {
  const mode both = MODE_ACQUIRE | MODE_RELEASE;
  return m & MODE_SC
             ? m == lattices[k].full
             : !(m & ~lattices[k].full) && (m != both || lattices[k].has_both);
}

mode mode_join(enum site_kind k, mode a, mode b) {
  mode m = a | b;
  return mode_exists(k, m) ? m : lattices[k].full;
}

mode mode_without(enum site_kind k, mode m, mode literal) {
  mode ret = m & (mode)~literal;
  return mode_exists(k, ret) ? ret : ret & MODE_ACQUIRE;
}

enum site_kind site_c11_kind(enum site_kind k) {
  return lattices[k].c11;
}

mode mode_of_order(enum site_kind k, enum order o) {
  mode m = (mode)((order_acquires(o) ? MODE_ACQUIRE : 0) |
                  (order_releases(o) ? MODE_RELEASE : 0) |
                  (o == ORD_SC ? MODE_SC : 0));
  return m & mode_full(k);
}

enum order mode_order(enum site_kind k, mode m) {
  if (k == SITE_OWN_BARRIER || (k == SITE_BARRIER && m != MODE_ALL))
    return ORD_NA; // its kind says it all (base/barrier.def)
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

enum fence_kind mode_fence(const struct order_site *site, mode m) {
  if (site->kind == SITE_FENCE || !m)
    return FENCE_C11; // without an order: nothing
  if (site->kind == SITE_OWN_BARRIER)
    return (enum fence_kind)site->fence;
  return m == MODE_ALL ? FENCE_MB : m == MODE_ACQUIRE ? FENCE_RMB : FENCE_WMB;
}

const char *mode_name(enum site_kind k, mode m) {
  static const char *const barriers[MODE_ALL + 1] = {[0] = "none",
                                                     [MODE_ACQUIRE] = "smp_rmb",
                                                     [MODE_RELEASE] = "smp_wmb",
                                                     [MODE_ALL] = "smp_mb"};
  if (k == SITE_BARRIER && barriers[m])
    return barriers[m];
  if (k == SITE_OWN_BARRIER)
    return m ? "there" : "none";
  if (k == SITE_KERNEL_UPDATE && m == MODE_ALL)
    return "full";
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
  return lattices[k].name;
}

bool modes_below(const mode *x, const mode *y, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (x[i] & ~y[i])
      return false;
  return true;
}

static bool is_before(const struct order_site *a, const struct order_site *b) {
  int order = strcmp(a->file, b->file);
  if (order || a->line != b->line)
    return order ? order < 0 : a->line < b->line;
  return a->column < b->column;
}

// What is at one place stays as it is: failure comes right after success.
void sites_sort(struct sites *s) {
  uint32_t n = s->at.len, *from = xcalloc(n + 1, sizeof *from);
  uint32_t *to = xcalloc(n + 1, sizeof *to);
  struct order_site *sorted = xcalloc(n + 1, sizeof *sorted);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t k = i;
    for (; k && is_before(&s->at.at[i], &s->at.at[from[k - 1]]); k--)
      from[k] = from[k - 1];
    from[k] = i;
  }
  for (uint32_t k = 0; k < n; k++) {
    sorted[k] = s->at.at[from[k]];
    to[from[k]] = k;
  }
  for (uint32_t k = 0; k < n; k++)
    s->at.at[k] = sorted[k];
  for (uint32_t c = 0; c < s->clients.len; c++)
    for (uint32_t pc = 0; pc < s->clients.at[c].prog->code.len; pc++)
      if (s->clients.at[c].of_pc[pc])
        s->clients.at[c].of_pc[pc] = to[s->clients.at[c].of_pc[pc] - 1] + 1;
  free(from);
  free(to);
  free(sorted);
}

bool sites_at_one_place(const struct order_site *a,
                        const struct order_site *b) {
  return a->line == b->line && a->column == b->column &&
         strcmp(a->file, b->file) == 0;
}

bool sites_is_other_choice(const struct sites *s, const bool *is_run,
                           uint32_t i) {
  const struct order_site *site = &s->at.at[i];
  for (uint32_t k = 0; is_run && !is_run[i] && k < s->at.len; k++)
    if (is_run[k] && s->at.at[k].kind == site->kind &&
        sites_at_one_place(&s->at.at[k], site))
      return true;
  return false;
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
    if (site_is_fence(s->at.at[i].kind))
      a.fence = (uint8_t)mode_fence(&s->at.at[i], x[i]);
    if (s->at.at[i].kind == SITE_CAS)
      a.order_fail = (uint8_t)mode_order(SITE_CAS_FAIL, x[i + 1]);
    in->imm = imm_access(a);
  }
}

void sites_mark(const struct client *c, const struct sites *s,
                const struct vm *vm, const struct graph *g, bool *marks) {
  for (event_id e = g->last; e != NO_EVENT && e != INIT_EVENT;
       e = g->events[e].prev) {
    uint32_t pre = g->events[e].pre;
    site_id pc = pre ? vm_access_site(vm, pre) : NO_SITE;
    if (pc == NO_SITE || !c->of_pc[pc])
      continue;
    uint32_t i = c->of_pc[pc] - 1;
    marks[i] = true;
    if (s->at.at[i].kind == SITE_CAS)
      marks[i + 1] = true;
  }
}
