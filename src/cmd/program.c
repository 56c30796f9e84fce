// SPDX-License-Identifier: MIT
// From the command line to what a search needs: the program and the model.
#include "cmd/cmd.h"

#include "answer/batch.h"
#include "base/suggest.h"
#include "cat/catalogue.h"
#include "cmd/program.h"
#include "cmd/run.h"
#include "optimise/source/source.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

bool are_litmus_tests(const struct options *o) {
  for (uint32_t i = 0; i < o->files.len; i++) {
    const char *dot = strrchr(o->files.at[i], '.');
    if (!dot || strcmp(dot, ".litmus") != 0)
      return false;
  }
  return o->files.len;
}

static bool load_litmus_test(const struct options *o, struct prog **ret,
                             struct diag *why) {
  struct litmus *t;
  const char *path = o->files.at[0];
  static const char *const of_programs[] = {
      "weak-cas", "volatile", "spurious-wakeups",
      "args",     "stdin",    "assume-atomic"};
  for (unsigned i = 0; i < LENGTH(of_programs); i++)
    if (options_has(o, of_programs[i]))
      return diag_set(why, path, 0,
                      "--%s is for programs, not for litmus tests",
                      of_programs[i]);
  if (!batch_read(path, NULL, &t, why))
    return false;
  *ret = t->prog;
  t->prog = NULL;
  litmus_free(t);
  return true;
}

static enum line_start statement_at(void *files, const char *path,
                                    unsigned line) {
  return source_statement(&source_of(files, path)->text, line);
}

// Before the report, and once even if the program is loaded again (for another
// model, or with other orders).
static void show_warnings(struct str *text) {
  static bool were_shown;
  if (text->len && !were_shown)
    fputs(str_text(text), stderr);
  were_shown |= text->len > 0;
  str_done(text);
}

static bool read_input(const char *path, struct str *text, struct diag *why) {
  FILE *f = fopen(path, "r");
  char part[4096];
  for (size_t n; f && (n = fread(part, 1, sizeof part, f));)
    str_add_bytes(text, part, n);
  bool ok = f && !ferror(f);
  if (!ok)
    diag_set(why, path, 0, "cannot be read: %s", strerror(errno));
  if (f)
    fclose(f);
  return ok;
}

struct front_options front_options_of(const struct options *o,
                                      const struct inputs *in) {
  return (struct front_options){
      .files = in->files.at,
      .nfiles = in->files.len,
      .clang_flags = in->flags.at,
      .nflags = in->flags.len,
      .system_headers = o->system_headers,
      .use_cache = !o->no_cache && !in->has_stdin,
      .spurious_wakeups = o->spurious_wakeups,
      .still_clocks = o->still_clocks,
      .volatile_is_relaxed = o->volatiles == VOLATILE_RELAXED,
      .weak_cas_is_strong = o->weak_cas == WEAK_CAS_STRONG,
      .args = o->args.at,
      .nargs = o->args.len,
      .assume_atomic = o->assume_atomic.at,
      .nassume_atomic = o->assume_atomic.len,
  };
}

bool load_program(const struct options *o, const struct model *m,
                  struct prog **ret, struct diag *why) {
  if (are_litmus_tests(o) && o->files.len == 1)
    return load_litmus_test(o, ret, why);
  struct inputs in;
  if (!inputs_make(&in, o, why)) {
    inputs_done(&in);
    return false;
  }
  struct str input = {0};
  if (o->input && !read_input(o->input, &input, why)) {
    str_done(&input);
    inputs_done(&in);
    return false;
  }
  struct front_options f = front_options_of(o, &in);
  f.input = o->input ? &input : NULL;
  f.has_guards = m && m->has_guards;
  f.merges_updates = o->command == COMMAND_OPTIMIZE;
  source_files files = {0};
  f.statement_at = o->insert_fences ? statement_at : NULL;
  f.statement_arg = &files;
  struct str warnings = {0};
  f.warnings = &warnings;
  bool ok = front_load(&f, ret, why);
  if (in.has_stdin && !ok) {
    inputs_name_stdin(why->file, sizeof why->file);
    inputs_name_stdin(why->text, sizeof why->text);
  }
  if (in.has_stdin && warnings.len)
    inputs_name_stdin(warnings.at, warnings.len + 1);
  show_warnings(&warnings);
  sources_done(&files);
  inputs_done(&in);
  str_done(&input);
  return ok;
}

bool find_model(const struct options *o, const char *name,
                const struct model **ret, struct diag *why) {
  // Models from files live until the end, as the others do.
  static struct catalogue catalogue;
  if (!catalogue.is_ready)
    catalogue_init(&catalogue, o);
  if (!catalogue_find(&catalogue, name, ret, why))
    return false;
  if (o->definition) {
    struct model_options own = model_options_of(o, *ret);
    *ret = model_by_text(*ret, &own);
  }
  return true;
}

static bool sees_executions(const struct options *o) {
  return o->command != COMMAND_CHECK && o->command != COMMAND_SPLIT &&
         o->command != COMMAND_ESTIMATE && o->command != COMMAND_TEST;
}

// Those that an option of its own switches, too.
static uint32_t common_reductions(const struct options *o) {
  uint32_t set = o->definition ? REDUCE_KEPT : REDUCE_DEFAULT;
  // A question about executions is about those with all rounds.
  if (sees_executions(o))
    set &= ~(uint32_t)REDUCE_ROLLBACK;
  if (o->explore_retries)
    set &= ~(uint32_t)REDUCE_ROUNDS;
  return set | (o->symmetry == SYMMETRY_ON ? REDUCE_SYMMETRY : 0u) |
         (o->equivalence == EQUIVALENCE_RF ? REDUCE_RF : 0u) |
         (o->net_effect_awaits ? REDUCE_NET_ROUNDS : 0u);
}

// Those that the words of an option name.
static bool named_reductions(const char *option, const word_list *words,
                             uint32_t *ret, struct diag *why) {
  for (uint32_t i = 0; i < words->len; i++)
    if (!reduce_read(option, words->at[i], ret, why))
      return false;
  return true;
}

bool reductions_of(const struct options *o, uint32_t *ret, struct diag *why) {
  uint32_t without = 0, with = 0, set = common_reductions(o);
  if (!named_reductions("without", &o->without, &without, why) ||
      !named_reductions("reduce", &o->reduce, &with, why))
    return false;
  *ret = (set & ~without) | with;
  if (sees_executions(o) && (*ret & (REDUCE_SYMMETRY | REDUCE_RF)))
    return diag_set(why, NULL, 0,
                    "--reduce symmetry and rf are for heddle check and heddle "
                    "test: 'heddle %s' needs every execution",
                    command_table[o->command].name);
  if (!o->definition || !(*ret & ~(uint32_t)REDUCE_KEPT))
    return true;
  struct str names = {0};
  reduce_print(*ret & ~(uint32_t)REDUCE_KEPT, &names);
  diag_set(why, NULL, 0, "--definition leaves nothing out, not by %s either",
           str_text(&names));
  diag_hint(why, "--without all --reduce NAME,... has single reductions");
  str_done(&names);
  return false;
}

static bool refuse_model(const struct model *m, struct diag *why) {
  diag_set(
      why, m->name, 0,
      "Heddle cannot explore under this model: it lets a write overtake a "
      "read before it although the read is an acquire, or an acquire fence "
      "is between");
  diag_hint(why, "`heddle models %s` shows what was understood", m->name);
  return false;
}

// It would be refused for its acquires, but no C program is meant for it.
static bool refuse_for_programs(const struct model *m, struct diag *why) {
  diag_set(why, NULL, 0,
           "the model '%s' is for litmus tests: it does not say what C "
           "becomes on that machine",
           m->name);
  diag_hint(why, "`heddle litmus` answers such tests; `heddle models` lists "
                 "the models for programs");
  return false;
}

// Where --equivalence rf is not known to lose nothing
// (explore/reduce/rf_equivalence.c).
static const char *why_not_rf(const struct options *o, const struct model *m,
                              uint32_t reductions) {
  if (!m->finds_co)
    return "--model sc, tso, pso, ra, rc11 and xmm";
  if (m->justifier && (o->jobs != 1 || o->mpi))
    return "--jobs 1 and no --mpi, since executions have to be justified";
  if (o->release_sequences == RELEASE_C11)
    return "the release sequences of C++20: those of C++11 follow co";
  if (o->sc_rule && o->sc_rule != SC_RC11)
    return "RC11's order of seq_cst accesses";
  if (o->races == RACES_MODEL)
    return "races by the rule of C11: what the model orders depends on co";
  if (o->note_non_sc)
    return "searches without --note-non-sc: another co may be an interleaving";
  if (o->read_bound)
    return "searches without --read-bound: what is old depends on co";
  if (o->bound.len)
    return "searches without --bound: what is out of order depends on co";
  if (reductions & REDUCE_NET_ROUNDS)
    return "searches without --net-effect-awaits: what cancels out depends on "
           "co";
  return NULL;
}

// Under C++11's rule only complete executions can be judged, which a model with
// justifications cannot wait for. Others have no release sequences at all, in
// what they allow or even in what they call a race.
static bool sequences_fit(const struct options *o, const struct model *m,
                          struct diag *why) {
  bool has_none = m->declared & MODEL_NO_SEQUENCES;
  if (o->release_sequences != RELEASE_C11 || !(m->justifier || has_none))
    return true;
  diag_set(why, NULL, 0, "the model '%s' has %s", m->name,
           has_none ? "no release sequences"
                    : "the release sequences of C++20");
  diag_hint(why, "--release-sequences c11 is for rc11");
  return false;
}

// Models of languages have C11's rule, and texts may flag races themselves. Of
// others the text has to say what it orders.
static bool races_fit(const struct options *o, const struct model *m,
                      struct diag *why) {
  struct model_options options = model_own_options(m);
  if (o->races != RACES_MODEL)
    return true;
  if (o->release_sequences == RELEASE_C11) {
    diag_set(why, NULL, 0,
             "--races model cannot be combined with C++11's release sequences");
    diag_hint(why, "leave one of the two options out");
    return false;
  }
  if (model_builtin(m) || m->has_races || model_with_order(m, &options))
    return true;
  diag_set(why, NULL, 0, "the model '%s' does not say what it orders", m->name);
  diag_hint(why, "--races model needs a relation `race-order` in its text");
  return false;
}

// Options that mean something to a few models alone.
static bool own_options_fit(const struct options *o, const struct model *m,
                            struct diag *why) {
  static const struct {
    const char *name;
    enum model_own_option bit;
  } own[] = {{"arm-acquire", OWN_ARM},
             {"arm-rmw", OWN_ARM},
             {"final-writes", OWN_FINAL_WRITES},
             {"sc-rule", OWN_SC_RULE}};
  struct str of = {0};
  for (unsigned i = 0; i < LENGTH(own); i++) {
    if (!options_has(o, own[i].name) || (m->own_options & own[i].bit))
      continue;
    for (const struct model *const *k = models; *k; k++)
      if ((*k)->own_options & own[i].bit)
        str_add(&of, "%s--model %s", of.len ? " and " : "", (*k)->name);
    diag_set(why, NULL, 0, "--%s means nothing to the model '%s'", own[i].name,
             m->name);
    diag_hint(why, "it belongs to %s", str_text(&of));
    str_done(&of);
    return false;
  }
  return true;
}

bool options_fit(const struct options *o, const struct model *m,
                 uint32_t reductions, struct diag *why) {
  if (m->declared & MODEL_NO_PROGRAMS)
    return refuse_for_programs(m, why);
  if (m->lacks_acquire)
    return refuse_model(m, why);
  const char *only =
      reductions & REDUCE_RF ? why_not_rf(o, m, reductions) : NULL;
  if (only) {
    diag_set(why, NULL, 0, "--equivalence rf is not available here");
    diag_hint(why, "it is for %s", only);
    return false;
  }
  return own_options_fit(o, m, why) && sequences_fit(o, m, why) &&
         races_fit(o, m, why);
}

bool unroll_fits(const struct options *o, const struct prog *p,
                 struct diag *why) {
  for (uint32_t i = 0; i < o->unroll.len; i++) {
    struct suggestion s = {.wanted = o->unroll.at[i].func};
    bool found = !s.wanted;
    for (uint32_t k = 0; k < p->funcs.len && !found; k++) {
      const char *name = prog_text(p, p->funcs.at[k].name);
      found = strcmp(name, s.wanted) == 0;
      if (!p->funcs.at[k].is_library)
        suggest_consider(&s, name);
    }
    if (found)
      continue;
    diag_set(why, NULL, 0, "--unroll: the program never calls a function '%s'",
             s.wanted);
    if (s.best)
      diag_hint(why, "did you mean '%s'?", s.best);
    return false;
  }
  return true;
}
