// SPDX-License-Identifier: MIT
// Random programs of some families (families.def), each explored with no
// reduction, with all that are on by default, with some alone, in pairs and in
// other sets, by several workers, with limits that are hit, and now and then by
// the text of the model alone: all have the same answer (compare.h). Programs
// that hit a limit of the machine are compared with those that fail at that
// place, too; under sc and tso, assertions and deadlocks are those of a machine
// (machine.h). All in one process, so that there can be many of them:
//
//   HEDDLE_SEEDS=n        how many programs of each family (default 300)
//   HEDDLE_FIRST_SEED=n   the first of them (default 0)
//   HEDDLE_DAY=n          a quarter as many again, those of a day (campaign.h);
//                         with HEDDLE_NIGHTLY two hundred times as many
//   HEDDLE_FAMILY=name    no other family
//   HEDDLE_MODEL=name     no other model (or a file)
//   HEDDLE_TEXT=1         each program is judged by the text, too
//   HEDDLE_WAYS=1         nothing but ways to share a search (ways.c)
//   HEDDLE_MOST=n         programs with more executions are not compared (150)
//   HEDDLE_SHOW=1         prints the programs as C and explores nothing
//
// What differs is told, with a program that was made smaller, and the next
// seeds are tried all the same. The work is done in a child process, so that a
// crash is a difference, too.
#include "compare.h"
#include "machine.h"
#include "sketch.h"

#include "base/hash.h"
#include "cat/catalogue.h"
#include "setting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
  USUAL = REDUCE_DEFAULT & ~REDUCE_KEPT,
  SECONDS_A_PROGRAM = 60, // of CPU; then it is stuck
  MOST_DIFFERENCES = 10,  // of a family
  DAY_SEEDS = 1 << 20,
};

static const char *const family_names[] = {
#define FAMILY(id, name, what) name,
#include "families.def"
#undef FAMILY
};

// Shared with the child.
struct totals {
  uint64_t seed;
  uint64_t programs, too_large, errors, cuts, sets, executions, machines,
      unrolled, whole;
  unsigned differences;
};

// -- one program

static const struct model *model_of(enum sketch_family f, uint64_t dice) {
  static const char *const names[] = {"rc11", "rc11",  "sc",    "tso",
                                      "pso",  "ra",    "imm",   "armv8",
                                      "c11",  "jam21", "armv8", "xmm"};
  static const char *const rare[] = {"power", "riscv", "armv7", "power",
                                     "riscv", "armv7", "power", "lkmm"};
  static const char *const buffering[] = {"xmm", "xmm",   "xmm", "xmm",
                                          "xmm", "armv8", "imm", "lkmm",
                                          "c11", "power"};
  static const char *const circles[] = {"armv8", "imm",   "c11",  "power",
                                        "riscv", "armv7", "lkmm", "xmm",
                                        "jam21", "rc11"};
  static const char *const gathers[] = {"armv8", "imm",   "c11", "power",
                                        "riscv", "armv7", "imm", "armv8",
                                        "xmm",   "lkmm"};
  static const char *const pieces[] = {"armv8", "armv8", "imm",   "imm",
                                       "power", "riscv", "riscv", "armv7",
                                       "c11",   "xmm"};
  static const char *const counts[] = {"rc11", "rc11", "sc",
                                       "tso",  "pso",  "ra"};
  static struct catalogue all;
  const char *only = getenv("HEDDLE_MODEL");
  const char *name = only                  ? only
                     : f == FAMILY_BUFFERS ? buffering[dice % 10]
                     : f == FAMILY_GATHERS ? gathers[dice % 10]
                     : f == FAMILY_PIECES  ? pieces[dice % 10]
                     : f == FAMILY_CIRCLES || f == FAMILY_RESULTS
                         ? circles[dice % 10]
                     : f == FAMILY_COUNTS ? counts[dice % 6]
                     : dice % 16 == 0     ? rare[dice / 16 % 8]
                                          : names[dice / 16 % 12];
  const struct model *ret;
  struct diag why;
  if (!catalogue_find(&all, name, &ret, &why))
    fatal_internal(__FILE__, __LINE__, why.text);
  return ret;
}

static struct subject subject_of(const struct sketch *p,
                                 const struct prog *prog,
                                 const struct model *model, uint64_t dice,
                                 struct str *why) {
  struct subject s = {.prog = prog,
                      .model = model,
                      .machine = vm_config_default(),
                      .most = setting("HEDDLE_MOST", 150),
                      .seconds = .08,
                      .why = why};
  sketch_limit(&s.machine);
  s.has_spies = p->has_spies;
  s.disabled[FIND_RACE] = dice & (p->has_spies ? 7 : 1); // see compare.c
  s.disabled[FIND_DEADLOCK] = dice & 2; // what is kept is waited for
  s.disabled[FIND_NULL_ACCESS] = sketch_has(p, STEP_CUT);
  return s;
}

static uint32_t one_of(uint64_t dice) {
  unsigned at = (unsigned)(dice % REDUCTIONS);
  while (!(USUAL >> at & 1))
    at = (at + 1) % REDUCTIONS;
  return 1u << at;
}

// Each alone, each two, all but one, and any others come in turn.
static bool agrees_with_some_sets(struct subject *s, const struct sketch *p,
                                  uint64_t dice) {
  bool ok = subject_agrees(s, USUAL);
  for (unsigned i = 0; i < 2; i++) {
    uint32_t one = one_of(dice >> (6 * i)), two = one_of(dice >> (6 * i + 12));
    ok &= subject_agrees(s, one) && subject_agrees(s, one | two) &&
          subject_agrees(s, USUAL & ~two);
  }
  ok &= subject_agrees(s, USUAL & (uint32_t)(dice >> 30));
  if (dice >> 24 & 1)
    ok &= subject_agrees(s, USUAL | REDUCE_SYMMETRY);
  // (With load-linked rf is refused: answer/explore.c.)
  if ((dice >> 25) % 8 == 0 && s->model->finds_co &&
      !sketch_has(p, STEP_LINKED))
    ok &= subject_agrees(s, USUAL | REDUCE_RF);
  return ok;
}

// What is too much is told if some execution comes there, and nothing else is
// lost by it. (Where values are guessed, there may be too many of them: that is
// a limit, too.)
static bool agrees_with_marked(struct subject *s, const struct sketch *p) {
  struct subject m = *s;
  m.len = 0;
  struct prog *prog = sketch_lower(p, LOWER_MARKED);
  m.prog = prog;
  const struct found *marked = subject_find(&m, 0), *cut = subject_find(s, 0);
  unsigned marks = 0, others = 0;
  for (unsigned i = 0; i < marked->findings.len; i++) {
    bool is_mark = marked->findings.at[i] >> 32 == FIND_ABORT;
    marks += is_mark;
    others += !is_mark;
  }
  bool may_be_cut = marks || marked->is_cut || model_guesses(s->model);
  bool ok = !marked->is_complete || !cut->is_complete ||
            ((cut->is_cut ? may_be_cut : !marks) &&
             (others > 0) == (cut->verdict == VERDICT_ERROR));
  if (!ok)
    str_add(s->why,
            "%s: %s, but %u fail where they come to a limit; %u other "
            "errors\n",
            s->model->name, cut->is_cut ? "cut" : "not cut", marks, others);
  subject_done(&m);
  prog_free(prog);
  return ok;
}

// Are there findings behind which nothing is explored, or that the machine does
// not know?
static bool has_others(const struct found *f) {
  for (unsigned i = 0; i < f->findings.len; i++) {
    enum finding_kind kind = f->findings.at[i] >> 32;
    if (kind != FIND_ASSERTION && kind != FIND_DEADLOCK && kind != FIND_HANG &&
        kind != FIND_RELOCK)
      return true;
  }
  return false;
}

static bool has_place(const struct found *f, enum finding_kind kind,
                      uint64_t line) {
  return hashes_have(&f->findings, (uint64_t)kind << 32 | line);
}

// Under sc and tso the search finds the assertions that a machine breaks, and a
// deadlock if that has one.
static bool agrees_with_machine(struct subject *s, struct totals *t) {
  bool is_tso = strcmp(s->model->name, "tso") == 0;
  const struct found *f = subject_find(s, USUAL);
  if ((!is_tso && strcmp(s->model->name, "sc") != 0) || !f->is_complete ||
      has_others(f))
    return true;
  struct vm_config config = s->machine;
  memcpy(config.disabled, s->disabled, sizeof config.disabled);
  struct machine_answer m = machine_run(s->prog, &config, is_tso);
  unsigned missing = 0, more = 0;
  for (unsigned i = 0; i < m.assertions.len; i++)
    missing += !has_place(f, FIND_ASSERTION, m.assertions.at[i]);
  for (unsigned i = 0; i < f->findings.len; i++)
    more += f->findings.at[i] >> 32 == FIND_ASSERTION &&
            !hashes_have(&m.assertions, (uint32_t)f->findings.at[i]);
  bool is_dead = has_place(f, FIND_DEADLOCK, 0);
  bool ok = !m.is_complete ||
            (!missing && !more &&
             (s->disabled[FIND_DEADLOCK] || is_dead == m.has_deadlock));
  if (!ok)
    str_add(s->why,
            "%s: %u assertions of the machine are missing, %u are none; "
            "deadlock %d, of the machine %d\n",
            s->model->name, missing, more, is_dead, m.has_deadlock);
  t->machines += m.is_complete;
  array_done(&m.assertions);
  return ok;
}

static bool has_narrow(const struct thread_sketch *t) {
  bool found = false;
  for (unsigned k = 0; !found && k < t->len; k++)
    found = (t->at[k].kind == STEP_LOAD || t->at[k].kind == STEP_STORE) &&
            (t->at[k].how & ACCESS_IS_NARROW);
  return found;
}

static bool suits_machine(const struct sketch *p) {
  for (unsigned i = 0; i < p->nkinds; i++)
    if (has_narrow(&p->kinds[i]))
      return false;
  return !has_narrow(&p->main) && !sketch_has(p, STEP_LINKED) &&
         !sketch_has(p, STEP_PUBLISH) && !sketch_has(p, STEP_LOOK_AT) &&
         !sketch_has(p, STEP_RETIRE);
}

// -- without loops

// The outcomes are at the end of main, and so of the code; other assertions are
// elsewhere in the program without loops.
static bool can_be_unrolled(const struct sketch *p) {
  return p->has_outcome && !sketch_has(p, STEP_EXPECT) &&
         !sketch_has(p, STEP_CHECK) && !sketch_has(p, STEP_FAIL) &&
         (sketch_has(p, STEP_WAIT) || sketch_has(p, STEP_RETRY) ||
          sketch_has(p, STEP_GATHER));
}

static bool has_outcome(const struct found *f, const struct prog *p,
                        const struct prog *other, uint64_t finding) {
  uint32_t from_end = other->code.len - (uint32_t)finding;
  return from_end > p->code.len ||
         hashes_have(&f->findings,
                     (uint64_t)FIND_ASSERTION << 32 | (p->code.len - from_end));
}

// With loops there are the outcomes of a few rounds without a loop, none of
// which are left out. And no others, as more rounds change nothing (under xmm
// they may justify more), but for loops that gather what their rounds see;
// these have them with --unroll, too, if it is not known whether they do
// without.
static bool agrees_with_unrolled(struct subject *s, const struct sketch *p,
                                 struct totals *t) {
  const struct found *f = subject_find(s, USUAL);
  struct found in_rounds = {0};
  if (f->leaves_rounds) {
    in_rounds = subject_unroll(s, USUAL, ROUNDS);
    f = &in_rounds;
  }
  if (!f->is_complete || (f->is_cut && f != &in_rounds) || f->leaves_rounds ||
      has_others(f)) {
    array_done(&in_rounds.findings);
    return true;
  }
  struct subject u = *s;
  u.len = 0;
  u.prog = sketch_lower(p, LOWER_UNROLLED);
  u.seconds = 4 * s->seconds;
  const struct found *few = subject_find(&u, 0);
  unsigned missing = 0, more = 0;
  bool is_known = few->is_complete && !few->is_cut && !has_others(few);
  for (unsigned i = 0; i < few->findings.len; i++)
    missing += few->findings.at[i] >> 32 == FIND_ASSERTION &&
               !has_outcome(f, s->prog, u.prog, few->findings.at[i]);
  for (unsigned i = 0; i < f->findings.len; i++)
    more += f->findings.at[i] >> 32 == FIND_ASSERTION &&
            !has_outcome(few, u.prog, s->prog, f->findings.at[i]);
  bool may_be_more = s->model->justifier || sketch_has(p, STEP_GATHER);
  bool ok = !is_known || (!missing && (!more || may_be_more));
  if (!ok)
    str_add(s->why, "%s: without loops %u outcomes more, %u fewer\n",
            s->model->name, missing, more);
  t->unrolled += is_known;
  prog_free((struct prog *)u.prog);
  subject_done(&u);
  array_done(&in_rounds.findings);
  return ok;
}

// -- without pieces

// Of narrow accesses of a word whose other bytes nobody writes, and of accesses
// beside the others, nothing comes: there are the outcomes that there are
// without them, or the search says that load buffering may be missing.
static bool agrees_with_whole(struct subject *s, const struct sketch *p,
                              struct totals *t) {
  struct sketch whole;
  sketch_make_whole(p, &whole);
  const struct found *f = subject_find(s, USUAL);
  struct subject u = *s;
  u.len = 0;
  u.prog = sketch_lower(&whole, 0);
  const struct found *all = subject_find(&u, USUAL);
  unsigned missing = 0, more = 0;
  bool is_known = f->is_complete && all->is_complete && !f->is_cut &&
                  !all->is_cut && !all->leaves_buffering;
  for (unsigned i = 0; i < all->findings.len; i++)
    missing += all->findings.at[i] >> 32 == FIND_ASSERTION &&
               !has_outcome(f, s->prog, u.prog, all->findings.at[i]);
  for (unsigned i = 0; i < f->findings.len; i++)
    more += f->findings.at[i] >> 32 == FIND_ASSERTION &&
            !has_outcome(all, u.prog, s->prog, f->findings.at[i]);
  bool ok = !is_known || ((!missing || f->leaves_buffering) && !more);
  if (!ok)
    str_add(s->why, "%s: without pieces %u outcomes more, %u fewer\n",
            s->model->name, missing, more);
  t->whole +=
      is_known && !f->leaves_buffering && memcmp(&whole, p, sizeof whole) != 0;
  prog_free((struct prog *)u.prog);
  subject_done(&u);
  return ok;
}

static bool has_race(const struct found *f) {
  bool found = false;
  for (unsigned i = 0; !found && i < f->findings.len; i++)
    found = f->findings.at[i] >> 32 == FIND_RACE;
  return found;
}

// With loops, whatever is left out, there is a race if there is one in a few
// rounds without a loop; and else none.
static bool races_with_unrolled(struct subject *s, const struct sketch *p,
                                struct totals *t) {
  struct subject u = *s;
  u.len = 0;
  u.prog = sketch_lower(p, LOWER_UNROLLED);
  u.seconds = 4 * s->seconds;
  const struct found *few = subject_find(&u, 0);
  bool ok = true, is_known = few->is_complete && !few->is_cut;
  for (unsigned i = 0; i < 2; i++) {
    const struct found *f = subject_find(s, i ? USUAL : 0);
    if (!is_known || !f->is_complete || f->is_cut ||
        has_race(f) == has_race(few))
      continue;
    ok = false;
    str_add(s->why, "%s: with loops%s %s, without there is %s\n",
            s->model->name, i ? ", reduced," : "",
            has_race(f) ? "there is a race" : "there is no race",
            has_race(few) ? "one" : "none");
  }
  t->unrolled += is_known;
  prog_free((struct prog *)u.prog);
  subject_done(&u);
  return ok;
}

// -- shared and interrupted

static bool agrees_in_all_ways(struct subject *s, const struct sketch *p,
                               uint64_t dice) {
  uint32_t set = dice & 1 ? USUAL : USUAL & (uint32_t)(dice >> 8);
  // (Several workers that justify executions have neither.)
  if (dice >> 1 & 1 && !s->model->justifier)
    set |= REDUCE_SYMMETRY;
  if ((dice >> 2) % 4 == 0 && s->model->finds_co && !s->model->justifier &&
      !sketch_has(p, STEP_LINKED))
    set |= REDUCE_RF;
  return !subject_find(s, set)->is_complete ||
         subject_agrees_in_all_ways(s, set, hash_u64(dice));
}

static bool has_assertions(const struct sketch *p) {
  return sketch_has(p, STEP_EXPECT) || sketch_has(p, STEP_CHECK) ||
         sketch_has(p, STEP_FAIL);
}

// False: something differs, and *why says what.
static bool compare(const struct sketch *p, const struct model *model,
                    uint64_t dice, struct totals *t, struct str *why) {
  struct prog *prog = sketch_lower(p, 0);
  struct subject s = subject_of(p, prog, model, dice, why);
  const struct found *none = subject_find(&s, 0);
  bool ok = true;
  if (none->is_complete && getenv("HEDDLE_WAYS")) {
    ok = agrees_in_all_ways(&s, p, dice >> 20);
  } else if (none->is_complete) {
    ok = agrees_with_some_sets(&s, p, dice >> 2) &&
         subject_agrees_with_limits(&s, USUAL, dice >> 4) &&
         subject_agrees_with_limits(&s, USUAL & (uint32_t)(dice >> 9),
                                    dice >> 5);
    if (ok && dice >> 3 & 1 && sketch_has(p, STEP_CUT))
      ok = agrees_with_marked(&s, p);
    if (ok && (dice >> 45) % 8 == 0)
      ok = agrees_in_all_ways(&s, p, dice >> 20);
    unsigned texts = getenv("HEDDLE_TEXT") ? 1 : p->has_circle ? 4 : 32;
    if (ok && (dice >> 40) % texts == 0)
      ok = subject_agrees_with_text(&s);
    if (ok && can_be_unrolled(p))
      ok = agrees_with_unrolled(&s, p, t);
    if (ok && p->has_pieces && p->has_outcome && !has_assertions(p) &&
        !sketch_has(p, STEP_GET)) // which sees what is beside the others
      ok = agrees_with_whole(&s, p, t);
    if (ok && p->has_races && !s.disabled[FIND_RACE])
      ok = races_with_unrolled(&s, p, t);
    if (ok && suits_machine(p))
      ok = agrees_with_machine(&s, t);
    t->errors += none->verdict == VERDICT_ERROR;
    t->cuts += none->is_cut;
    t->executions += none->stands_for;
  } else if (!getenv("HEDDLE_WAYS") && can_be_unrolled(p)) {
    // Some loops have no end without reductions.
    ok = agrees_with_unrolled(&s, p, t);
  }
  t->programs += none->is_complete;
  t->too_large += !none->is_complete;
  t->sets += s.len;
  subject_done(&s);
  prog_free(prog);
  return ok;
}

static bool differs(const struct sketch *p, const struct model *model,
                    uint64_t dice) {
  struct totals unused = {0};
  struct str why = {0};
  bool ok = compare(p, model, dice, &unused, &why);
  str_done(&why);
  return !ok;
}

static void tell(struct sketch *p, const struct model *model, uint64_t dice) {
  struct sketch smaller;
  for (unsigned i = 0; sketch_shrink(p, i, &smaller);) {
    bool is_same = memcmp(&smaller, p, sizeof *p) == 0;
    if (is_same || !differs(&smaller, model, dice)) {
      i++;
      continue;
    }
    *p = smaller;
    i = 0;
  }
  struct totals unused = {0};
  struct str text = {0};
  compare(p, model, dice, &unused, &text);
  sketch_show(p, &text);
  printf("%s", str_text(&text));
  str_done(&text);
}

// -- many

static uint64_t dice_of(enum sketch_family f, uint64_t seed) {
  return hash_u64(hash_mix(seed, f + 1));
}

static void say_seed(enum sketch_family f, uint64_t seed) {
  printf("# HEDDLE_FAMILY=%s HEDDLE_FIRST_SEED=%llu HEDDLE_SEEDS=1, %s\n",
         family_names[f], (unsigned long long)seed,
         model_of(f, dice_of(f, seed) >> 20)->name);
}

static void run_seed(enum sketch_family f, struct totals *t) {
  uint64_t dice = dice_of(f, t->seed);
  struct itimerval limit = {.it_value.tv_sec = SECONDS_A_PROGRAM};
  check(setitimer(ITIMER_PROF, &limit, NULL) == 0);
  struct sketch p;
  struct str why = {0};
  sketch_draw(f, t->seed, &p);
  if (getenv("HEDDLE_SHOW")) {
    sketch_show(&p, &why);
    printf("%s", str_text(&why));
  } else if (!compare(&p, model_of(f, dice >> 20), dice, t, &why)) {
    t->differences++;
    say_seed(f, t->seed);
    printf("%s", str_text(&why));
    tell(&p, model_of(f, dice >> 20), dice);
    fflush(stdout);
  }
  str_done(&why);
}

static void run_seeds(enum sketch_family f, uint64_t first, uint64_t n,
                      struct totals *t) {
  for (t->seed = first; t->seed < first + n; t->seed++) {
    fflush(stdout);
    pid_t child = fork();
    check(child >= 0);
    if (child == 0) {
      for (; t->seed < first + n && t->differences < MOST_DIFFERENCES;
           t->seed++)
        run_seed(f, t);
      fflush(stdout);
      _exit(0);
    }
    int status = 0;
    check(waitpid(child, &status, 0) == child);
    if (status == 0)
      return;
    t->differences++;
    printf("# %s %d\n", WIFSIGNALED(status) ? "signal" : "exit status",
           WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    say_seed(f, t->seed);
  }
}

// Programs that once had another answer when the search was shared.
static const struct {
  enum sketch_family family;
  uint64_t seed;
} once[] = {
    {FAMILY_PIECES, 21785214982}, {FAMILY_PIECES, 16},
    {FAMILY_PIECES, 26},          {FAMILY_ROUNDS, 24},
    {FAMILY_ROUNDS, 48},          {FAMILY_CIRCLES, 40},
    {FAMILY_CIRCLES, 68},         {FAMILY_ROUNDS, 30003395},
};

static bool run_family(enum sketch_family f, struct totals *t) {
  uint64_t n = setting_many("HEDDLE_SEEDS", 300);
  uint64_t day = setting_day();
  memset(t, 0, sizeof *t);
  for (size_t i = 0; i < LENGTH(once) && getenv("HEDDLE_WAYS"); i++)
    if (once[i].family == f && !getenv("HEDDLE_FIRST_SEED"))
      run_seeds(f, once[i].seed, 1, t);
  run_seeds(f, setting_first(300), n, t);
  if (day && !getenv("HEDDLE_FIRST_SEED"))
    run_seeds(f, day * DAY_SEEDS, getenv("HEDDLE_NIGHTLY") ? 200 * n : n / 4,
              t);
  printf("# %s: %llu programs, %llu too large, %llu wrong, %llu cut; %llu "
         "executions, %llu searches, %llu machines, %llu without loops, %llu "
         "without pieces; %u differences\n",
         family_names[f], (unsigned long long)t->programs,
         (unsigned long long)t->too_large, (unsigned long long)t->errors,
         (unsigned long long)t->cuts, (unsigned long long)t->executions,
         (unsigned long long)t->sets, (unsigned long long)t->machines,
         (unsigned long long)t->unrolled, (unsigned long long)t->whole,
         t->differences);
  // Otherwise it would prove little.
  bool is_enough = n < 200 || t->programs * 2 > n;
  return !t->differences && is_enough;
}

int main(void) {
  struct totals *t = mmap(NULL, sizeof *t, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  check(t != MAP_FAILED);
  const char *only = getenv("HEDDLE_FAMILY");
  unsigned n = 0, failed = 0;
  for (unsigned f = 0; f < FAMILIES; f++) {
    if (only && strcmp(only, family_names[f]) != 0)
      continue;
    bool ok = run_family(f, t);
    printf("%sok %u - %s\n", ok ? "" : "not ", ++n, family_names[f]);
    failed += !ok;
  }
  printf("1..%u\n", n);
  return failed || !n;
}
