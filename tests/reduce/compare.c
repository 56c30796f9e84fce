// SPDX-License-Identifier: MIT
// See compare.h.
#include "compare.h"

#include "base/hash.h"
#include "bytecode/prog.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  // What defines which executions there are.
  LOOPS = REDUCE_AWAITS | REDUCE_OWN_ROUNDS | REDUCE_NET_ROUNDS |
          REDUCE_WEAK_CAS | REDUCE_COUNTED_TRIES | REDUCE_RETRY |
          REDUCE_ROLLBACK | REDUCE_LOCK_WORDS,
  DEFINING = LOOPS | REDUCE_RF,
  USUAL = REDUCE_DEFAULT & ~REDUCE_KEPT,
  BY_TEXT = -1, // instead of a set
};

// -- one search

// Which thread hangs, where a circle begins, and which of several accesses is
// told that race with one, is not the same.
uint64_t subject_finding(const struct subject *s, const struct finding *f) {
  bool has_place = f->kind != FIND_HANG && f->kind != FIND_DEADLOCK &&
                   f->kind != FIND_RACE && f->kind != FIND_FREE_RACE &&
                   f->kind != FIND_MIXED_SIZE && f->kind != FIND_ALLOC_RACE &&
                   f->site != NO_SITE;
  return (uint64_t)f->kind << 32 |
         (has_place ? s->prog->source.at[f->site].line : 0);
}

static bool is_refused(const struct explore_result *r) {
  for (uint32_t i = 0; i < r->findings.len; i++)
    if (r->findings.at[i].kind == FIND_UNSUPPORTED)
      return true;
  return false;
}

struct explore_config subject_config(const struct subject *s,
                                     const struct model *model, uint32_t set) {
  struct explore_config c = {.options.model = model,
                             .options.model_options =
                                 model_own_options(s->model),
                             .options.reductions = set | REDUCE_KEPT,
                             .options.all_errors = true,
                             .options.refuses_pieces = set & REDUCE_RF,
                             .limits.max_events = 400,
                             .limits.max_time = s->seconds};
  memcpy(c.options.disabled, s->disabled, sizeof c.options.disabled);
  c.options.disabled[FIND_LIVELOCK] =
      true; // told by rounds that may be left out
  return c;
}

static struct found found_of(const struct subject *s,
                             const struct explore_config *config,
                             const struct explore_result *r) {
  struct found f = {.set = config->options.reductions & ~(uint32_t)REDUCE_KEPT,
                    .is_complete = !r->limit && !is_refused(r),
                    .is_cut = explore_is_cut(r),
                    .leaves_buffering = r->leaves_buffering,
                    .leaves_rounds = r->leaves_rounds,
                    .verdict = r->verdict,
                    .stands_for = r->stands_for};
  for (uint32_t i = 0; i < r->findings.len; i++)
    array_push(&f.findings, subject_finding(s, &r->findings.at[i]));
  hashes_sort(&f.findings);
  return f;
}

struct vm_config subject_machine(const struct subject *s) {
  struct vm_config machine = s->machine;
  memcpy(machine.disabled, s->disabled, sizeof machine.disabled);
  return machine;
}

static struct found search(const struct subject *s,
                           const struct explore_config *config) {
  struct vm_config machine = subject_machine(s);
  struct vm *vm = vm_new(s->prog, &machine);
  struct explorer *x = explorer_new(s->prog, vm, config);
  struct found f = found_of(s, config, explore(x));
  explorer_free(x);
  vm_free(vm);
  return f;
}

const struct found *subject_find(struct subject *s, uint32_t set) {
  for (unsigned i = 0; i < s->len; i++)
    if (s->known[i].set == set)
      return &s->known[i];
  check(s->len < COMPARE_SETS);
  struct explore_config c = subject_config(s, s->model, set);
  // Some reductions are not used where executions are counted on the way.
  c.limits.max_executions = set ? 0 : s->most;
  s->known[s->len] = search(s, &c);
  return &s->known[s->len++];
}

struct found subject_unroll(const struct subject *s, uint32_t set,
                            uint32_t rounds) {
  struct explore_config c = subject_config(s, s->model, set);
  struct loop_bound bound = {.rounds = rounds};
  c.options.unroll = &bound;
  c.options.unrolls = 1;
  return search(s, &c);
}

void subject_done(struct subject *s) {
  for (unsigned i = 0; i < s->len; i++)
    array_done(&s->known[i].findings);
  s->len = 0;
}

// -- comparison

static void tell_findings(const struct subject *s, const struct found *f,
                          const struct found *without) {
  for (unsigned i = 0; i < f->findings.len; i++)
    if (!hashes_have(&without->findings, f->findings.at[i]))
      str_add(s->why, " %s:%u",
              finding_name((enum finding_kind)(f->findings.at[i] >> 32)),
              (unsigned)f->findings.at[i]);
}

static bool differ(const struct subject *s, const struct found *f,
                   const struct found *with, const char *what) {
  static const char *const verdicts[] = {"ok", "error", "incomplete"};
  str_add(s->why, "%s, ", s->model->name);
  if (f->set == (uint32_t)BY_TEXT)
    str_add(s->why, "by the text");
  else
    reduce_print(f->set, s->why);
  str_add(s->why, ": %s; stands for %llu, without %llu; %s%s, without %s%s;",
          what, (unsigned long long)f->stands_for,
          (unsigned long long)with->stands_for, verdicts[f->verdict],
          f->is_cut ? ", cut" : "", verdicts[with->verdict],
          with->is_cut ? ", cut" : "");
  str_add(s->why, " missing:");
  tell_findings(s, with, f);
  str_add(s->why, "; more:");
  tell_findings(s, f, with);
  str_add(s->why, "\n");
  return false;
}

static bool has_all(const struct found *f, const struct found *of) {
  for (unsigned i = 0; i < of->findings.len; i++)
    if (!hashes_have(&f->findings, of->findings.at[i]))
      return false;
  return true;
}

// Where executions justify others, it may not be known what rounds that are
// left out justify (cycles/justify/detours.c): of others it may be known. Where
// loads are promised, the same of what such rounds store (loops/fixed.c). That
// is told, and nothing is found that is not there.
static bool is_wary(const struct subject *s, const struct found *f,
                    const struct found *none) {
  bool tells = f->leaves_buffering && !none->leaves_buffering;
  return (s->model->justifier || tells) && f->is_cut != none->is_cut &&
         has_all(f->is_cut ? none : f, f->is_cut ? f : none);
}

static bool has_race(const struct found *f) {
  for (unsigned i = 0; i < f->findings.len; i++)
    if (f->findings.at[i] >> 32 == FIND_RACE)
      return true;
  return false;
}

static bool agree(const struct subject *s, const struct found *f,
                  const struct found *none, const struct found *rounds) {
  if (!f->is_complete || (none->is_complete && is_wary(s, f, none)))
    return true; // rounds that another one leaves out
  // Who looks at the plain store of a failed round races, and all that it does
  // then may be left out with the round (loops/retry.c).
  if (s->has_spies && none->is_complete && has_race(none))
    return has_race(f) || differ(s, f, none, "no race");
  if (none->is_complete &&
      (!hashes_same(&f->findings, &none->findings) ||
       f->is_cut != none->is_cut || f->verdict != none->verdict))
    return differ(s, f, none, "not what there is with no reduction");
  if (rounds->is_complete && !hashes_same(&f->findings, &rounds->findings))
    return differ(s, f, rounds, "other findings");
  if (rounds->is_complete && !f->findings.len &&
      f->stands_for != rounds->stands_for)
    return differ(s, f, rounds, "another number");
  return true;
}

bool subject_agrees(struct subject *s, uint32_t set) {
  const struct found *none = subject_find(s, 0);
  const struct found *rounds = subject_find(s, set & DEFINING);
  return agree(s, subject_find(s, set), none, rounds);
}

bool subject_agrees_with_text(struct subject *s) {
  struct model_options options = model_own_options(s->model);
  struct explore_config c =
      subject_config(s, model_by_text(s->model, &options), /*set=*/0);
  c.limits.max_executions = s->most;
  struct found text = search(s, &c);
  const struct found *none = subject_find(s, 0);
  text.set = (uint32_t)BY_TEXT;
  // A promise that the model would refuse may come to a limit before that is
  // asked (promise/replay.c); more of them are tried where the text decides.
  // And a text alone does not say which loads may not be buffered
  // (promise/pieces.c).
  bool may_differ = ((text.is_cut && !none->is_cut) ||
                     (text.leaves_buffering && !none->leaves_buffering &&
                      text.stands_for == none->stands_for)) &&
                    hashes_same(&text.findings, &none->findings);
  bool ok = may_differ || agree(s, &text, none, none);
  array_done(&text.findings);
  return ok && subject_agrees(s, USUAL);
}

bool subject_agrees_opt_in(struct subject *s) {
  if (!s->model->finds_co || !subject_find(s, USUAL)->is_complete)
    return true;
  const struct found *none = subject_find(s, 0);
  const struct found *few =
      subject_find(s, (USUAL & (uint32_t)LOOPS) | REDUCE_RF);
  return agree(s, few, none, few) &&
         agree(s, subject_find(s, USUAL | REDUCE_RF), none, few);
}

// One reduction alone, or two that are used together (pairs.def)?
static bool is_drawn(unsigned i, unsigned k) {
  return (USUAL >> i & 1) && (USUAL >> k & 1) &&
         (i == k || reduce_pair(i, k).kind != PAIR_EXCLUDES);
}

bool subject_agrees_in_pairs(struct subject *s, unsigned most, uint64_t dice) {
  unsigned n = 0;
  bool ok = subject_agrees(s, USUAL);
  if (!subject_find(s, 0)->is_complete)
    return ok; // there are too many executions
  for (unsigned i = 0; i < REDUCTIONS; i++)
    for (unsigned k = 0; k <= i; k++)
      n += is_drawn(i, k);
  for (unsigned i = 0; i < REDUCTIONS; i++)
    for (unsigned k = 0; k <= i; k++) {
      if (!is_drawn(i, k))
        continue;
      dice = hash_u64(dice + 1);
      if (dice % n < most)
        ok &= subject_agrees(s, 1u << i | 1u << k);
    }
  return ok;
}

// -- limits

static bool is_sound(const struct subject *s, const struct found *f,
                     const struct found *none) {
  // (Where a text forbids what every execution comes to, an error that is met
  // before may be told if a limit keeps the execution from coming there.)
  if (hashes_missing(&f->findings, &none->findings) && model_builtin(s->model))
    return differ(s, f, none, "an error that is none");
  if (f->verdict == VERDICT_OK && none->verdict != VERDICT_OK)
    return differ(s, f, none, "\"No errors\" with a limit");
  return true;
}

bool subject_agrees_with_limits(struct subject *s, uint32_t set,
                                uint64_t dice) {
  const struct found *none = subject_find(s, 0);
  // (With --unroll it may be known what rounds do.)
  if (!none->is_complete || (none->leaves_rounds && dice % 6 == 2))
    return true;
  struct explore_config c = subject_config(s, s->model, set);
  struct loop_bound bound = {.rounds = 1 + (uint32_t)(dice >> 8) % 3};
  switch (dice % 6) {
  case 0:
    c.limits.max_events = 3 + (dice >> 8) % 24;
    break;
  case 1:
    c.limits.max_executions = 1 + (dice >> 8) % 8;
    break;
  case 2:
    c.options.unroll = &bound;
    c.options.unrolls = 1;
    break;
  case 3:
    c.options.read_bound = 1 + (dice >> 8) % 3;
    break;
  case 4:
    c.options.yield_bound = 1 + (dice >> 8) % 2;
    break;
  default:
    c.options.all_errors = false;
  }
  struct found f = search(s, &c);
  bool ok = is_sound(s, &f, none);
  if (ok && dice % 6 == 5 && f.is_complete && f.verdict != none->verdict &&
      !is_wary(s, &f, none))
    ok = differ(s, &f, none, "another verdict at the first error");
  array_done(&f.findings);
  return ok;
}
