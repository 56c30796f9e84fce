// SPDX-License-Identifier: MIT
// Explores a C program with many sets of reductions, and compares: each alone,
// and each two together, with none at all.
//
//   sets MODEL FILE [FLAG...]        FLAG is one for clang, or
//     --definition                   what decides by default: the text, too
//     --opt-in                       those that are off by default, on top
//     --sets N                       no more than N sets, chosen by the name
//     --disable KIND                 a check that is off
//
// Findings must be the same as with no reduction. So must be the number that
// executions stand for, but that rounds of loops that are left out make fewer:
// it is compared with that of the set without all other reductions.
#include "base/hash.h"
#include "bytecode/prog.h"
#include "explore/explore.h"
#include "front/front.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  // What defines which executions there are.
  LOOPS = REDUCE_AWAITS | REDUCE_OWN_ROUNDS | REDUCE_NET_ROUNDS |
          REDUCE_WEAK_CAS | REDUCE_RETRY | REDUCE_ROLLBACK | REDUCE_LOCK_WORDS,
  MOST = 3000,
  MAX_SETS = 1024,
};

struct found {
  uint32_t set;
  bool is_known, is_complete, is_cut;
  uint64_t findings, stands_for;
};

struct all {
  const struct prog *prog;
  const struct model *model;
  struct vm_config vm;
  bool disabled[FIND_COUNT];
  struct found known[MAX_SETS];
  unsigned len;
};

// Which thread hangs, where a circle begins, and which of several accesses is
// told that race with one, is not the same.
static uint64_t name_of(const struct prog *p, const struct finding *f) {
  bool has_place = f->kind != FIND_HANG && f->kind != FIND_DEADLOCK &&
                   f->kind != FIND_RACE && f->kind != FIND_FREE_RACE &&
                   f->kind != FIND_ALLOC_RACE && f->site != NO_SITE;
  unsigned line = has_place ? p->source.at[f->site].line : 0;
  return hash_mix(hash_u64(f->kind), line);
}

static uint64_t findings_of(const struct prog *p,
                            const struct explore_result *r) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < r->findings.len; i++) {
    uint64_t name = name_of(p, &r->findings.at[i]);
    bool is_new = true;
    for (uint32_t k = 0; is_new && k < i; k++)
      is_new = name_of(p, &r->findings.at[k]) != name;
    sum += is_new ? name : 0;
  }
  return sum;
}

static bool is_refused(const struct explore_result *r) {
  for (uint32_t i = 0; i < r->findings.len; i++)
    if (r->findings.at[i].kind == FIND_UNSUPPORTED)
      return true;
  return false;
}

static struct found explore_with(const struct all *a, const struct model *model,
                                 uint32_t set) {
  struct explore_config config = {.model = model,
                                  .model_options = model_own_options(a->model),
                                  .reductions = set | REDUCE_KEPT,
                                  .all_errors = true,
                                  .max_executions = MOST,
                                  .max_events = 400,
                                  .max_seconds = .5};
  memcpy(config.disabled, a->disabled, sizeof config.disabled);
  struct vm *vm = vm_new(a->prog, &a->vm);
  struct explorer *x = explorer_new(a->prog, vm, &config);
  const struct explore_result *r = explore(x);
  struct found f = {.set = set,
                    .is_known = true,
                    .is_complete = !r->limit && !is_refused(r),
                    .is_cut = r->cuts,
                    .findings = findings_of(a->prog, r),
                    .stands_for = r->stands_for};
  if (getenv("HEDDLE_TRACE"))
    for (uint32_t i = 0; i < r->findings.len; i++)
      printf("# %s %u\n", finding_name(r->findings.at[i].kind),
             r->findings.at[i].site == NO_SITE
                 ? 0
                 : a->prog->source.at[r->findings.at[i].site].line);
  explorer_free(x);
  vm_free(vm);
  return f;
}

static const struct found *find(struct all *a, uint32_t set) {
  for (unsigned i = 0; i < a->len; i++)
    if (a->known[i].set == set)
      return &a->known[i];
  if (a->len == MAX_SETS)
    exit(70);
  a->known[a->len] = explore_with(a, a->model, set);
  return &a->known[a->len++];
}

static bool complain(const struct all *a, const struct found *f,
                     const struct found *with, const char *what) {
  struct str names = {0};
  reduce_print(f->set & ~(uint32_t)REDUCE_KEPT, &names);
  printf("%s, %s: %s; stands for %llu, without %llu%s\n", a->model->name,
         f->set == UINT32_MAX ? "by the text" : str_text(&names), what,
         (unsigned long long)f->stands_for,
         (unsigned long long)with->stands_for, f->is_cut ? ", cut" : "");
  str_done(&names);
  return false;
}

static bool agree(const struct all *a, const struct found *f,
                  const struct found *none, const struct found *rounds) {
  if (!f->is_complete)
    return true; // rounds that another one leaves out
  if (none->is_complete &&
      (f->findings != none->findings || f->is_cut != none->is_cut))
    return complain(a, f, none, "other findings than with no reduction");
  if (rounds->is_complete && f->findings != rounds->findings)
    return complain(a, f, rounds, "other findings");
  if (rounds->is_complete && !f->findings &&
      f->stands_for != rounds->stands_for)
    return complain(a, f, rounds, "another number");
  return true;
}

static bool check_set(struct all *a, uint32_t set) {
  const struct found *none = find(a, 0), *rounds = find(a, set & LOOPS);
  return agree(a, find(a, set), none, rounds);
}

// With nothing but the text, and by default.
static bool check_definition(struct all *a) {
  struct model_options options = model_own_options(a->model);
  struct found text = explore_with(a, model_by_text(a->model, &options), 0);
  const struct found *none = find(a, 0);
  text.set = UINT32_MAX;
  uint32_t usual = REDUCE_DEFAULT & ~(uint32_t)REDUCE_KEPT;
  return agree(a, &text, none, none) && check_set(a, usual);
}

// Executions are one although they differ in co: with all that are on by
// default, and with nothing but rounds left out.
static bool check_opt_in(struct all *a) {
  uint32_t usual = REDUCE_DEFAULT & ~(uint32_t)REDUCE_KEPT;
  const struct found *none = find(a, 0);
  if (!a->model->finds_co || !find(a, usual)->is_complete)
    return true;
  const struct found *few = find(a, (usual & LOOPS) | REDUCE_RF);
  return agree(a, few, none, few) &&
         agree(a, find(a, usual | REDUCE_RF), none, few);
}

static bool check_pairs(struct all *a, unsigned most, uint64_t dice) {
  uint32_t usual = REDUCE_DEFAULT & ~(uint32_t)REDUCE_KEPT;
  unsigned n = 0;
  bool ok = check_set(a, usual);
  if (!find(a, 0)->is_complete)
    return ok; // there are too many executions
  for (unsigned i = 0; i < REDUCTIONS; i++)
    for (unsigned k = 0; k <= i; k++)
      n += (usual >> i & 1) && (usual >> k & 1);
  for (unsigned i = 0; i < REDUCTIONS; i++)
    for (unsigned k = 0; k <= i; k++) {
      if (!(usual >> i & 1) || !(usual >> k & 1))
        continue;
      dice = hash_u64(dice + 1);
      if (dice % n < most)
        ok &= check_set(a, 1u << i | 1u << k);
    }
  return ok;
}

int main(int argc, char **argv) {
  const char *flags[16];
  struct front_options o = {.files = (const char *const *)&argv[2],
                            .nfiles = 1,
                            .clang_flags = flags,
                            .use_cache = true};
  struct all a = {.vm = vm_config_default()};
  unsigned sets = 0;
  bool by_text = false, opt_in = false;
  for (int i = 3; i < argc; i++) {
    if (strcmp(argv[i], "--definition") == 0)
      by_text = true;
    else if (strcmp(argv[i], "--opt-in") == 0)
      opt_in = true;
    else if (strcmp(argv[i], "--sets") == 0 && i + 1 < argc)
      sets = (unsigned)atoi(argv[++i]);
    else if (strcmp(argv[i], "--disable") == 0 && i + 1 < argc)
      a.disabled[finding_of_name(argv[++i])] = true;
    else if (o.nflags < 16)
      flags[o.nflags++] = argv[i];
  }
  struct prog *p;
  struct diag why;
  if (argc < 3 || !(a.model = model_find(argv[1])) ||
      !front_load(&o, &p, &why)) {
    printf("%s\n", argc < 3 ? "MODEL FILE" : a.model ? why.text : "no model");
    return 2;
  }
  a.prog = p;
  a.vm.max_frames = 24; // some calls are deeper: a limit that is hit
  a.disabled[FIND_LIVELOCK] = true; // told by rounds that may be left out
  memcpy(a.vm.disabled, a.disabled, sizeof a.vm.disabled);
  uint64_t dice = hash_u64(strlen(argv[2]));
  for (const char *c = argv[2]; *c; c++)
    dice = hash_mix(dice, (uint64_t)*c);
  bool ok = (!by_text || check_definition(&a)) &&
            (!opt_in || check_opt_in(&a)) &&
            (!sets || check_pairs(&a, sets, dice));
  const struct found *none = find(&a, 0);
  if (ok)
    printf("%u sets, %llu executions%s%s%s\n", a.len,
           (unsigned long long)none->stands_for,
           none->is_complete ? "" : " or more",
           none->findings ? ", errors" : "", none->is_cut ? ", cut" : "");
  prog_free(p);
  return ok ? 0 : 1;
}
