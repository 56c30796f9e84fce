// SPDX-License-Identifier: MIT
// From the command line to what a search needs: the program and the model.
#include "cmd/cmd.h"

#include "answer/batch.h"
#include "base/suggest.h"
#include "cat/catalogue.h"
#include "cmd/optimize_source.h"
#include "front/front.h"

#include <string.h>

bool are_litmus_tests(const struct options *o) {
  for (uint32_t i = 0; i < o->files.len; i++) {
    const char *dot = strrchr(o->files.at[i], '.');
    if (!dot || strcmp(dot, ".litmus") != 0)
      return false;
  }
  return o->files.len;
}

static bool load_litmus_test(const char *path, struct prog **ret,
                             struct diag *why) {
  struct litmus *t;
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

bool load_program(const struct options *o, struct prog **ret,
                  struct diag *why) {
  if (are_litmus_tests(o) && o->files.len == 1)
    return load_litmus_test(o->files.at[0], ret, why);
  struct front_options f = {
      .files = o->files.at,
      .nfiles = o->files.len,
      .clang_flags = o->clang_flags.at,
      .nflags = o->clang_flags.len,
      .system_headers = o->system_headers,
      .use_cache = !o->no_cache,
      .spurious_wakeups = o->spurious_wakeups,
      .volatile_is_relaxed = o->volatiles == VOLATILE_RELAXED,
      .args = o->args.at,
      .nargs = o->args.len,
      .assume_atomic = o->assume_atomic.at,
      .nassume_atomic = o->assume_atomic.len,
  };
  source_files files = {0};
  f.statement_at = o->insert_fences ? statement_at : NULL;
  f.statement_arg = &files;
  bool ok = front_load(&f, ret, why);
  sources_done(&files);
  return ok;
}

bool find_model(const struct options *o, const char *name,
                const struct model **ret, struct diag *why) {
  // Models from files live until the end, as the others do.
  static struct catalogue catalogue;
  if (!catalogue.is_ready)
    catalogue_init(&catalogue, o);
  return catalogue_find(&catalogue, name, ret, why);
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

// Where --equivalence rf is not known to lose nothing (explore/fewer/coarse.c).
static const char *why_not_rf(const struct options *o, const struct model *m) {
  if (!m->finds_co)
    return "--model sc, tso, pso, ra and rc11";
  if (o->release_sequences == RELEASE_C11)
    return "the release sequences of C++20: those of C++11 follow co";
  if (o->sc_rule && o->sc_rule != SC_RC11)
    return "RC11's order of seq_cst accesses";
  if (o->note_non_sc)
    return "searches without --note-non-sc: another co may be an interleaving";
  if (o->read_bound)
    return "searches without --read-bound: what is old depends on co";
  if (o->net_effect_awaits)
    return "searches without --net-effect-awaits: what cancels out depends on "
           "co";
  return NULL;
}

bool options_fit(const struct options *o, const struct model *m,
                 struct diag *why) {
  if (m->lacks_acquire)
    return refuse_model(m, why);
  const char *only = o->equivalence == EQUIVALENCE_RF ? why_not_rf(o, m) : NULL;
  if (only) {
    diag_set(why, NULL, 0, "--equivalence rf cannot be had here");
    diag_hint(why, "it is for %s", only);
    return false;
  }
  static const struct {
    const char *option, *of[2];
  } own[] = {{"arm-acquire", {"armv8"}},
             {"arm-rmw", {"armv8"}},
             {"final-writes", {"jam21"}},
             {"sc-rule", {"rc11", "c11"}}};
  for (unsigned i = 0; i < sizeof own / sizeof *own; i++) {
    const char *const *of = own[i].of;
    if (!options_has(o, own[i].option) || strcmp(m->name, of[0]) == 0 ||
        (of[1] && strcmp(m->name, of[1]) == 0))
      continue;
    diag_set(why, NULL, 0, "--%s means nothing to the model '%s'",
             own[i].option, m->name);
    diag_hint(why, "it belongs to --model %s%s%s", of[0],
              of[1] ? " and --model " : "", of[1] ? of[1] : "");
    return false;
  }
  // Under C++11's rule only complete executions can be judged.
  if (m->justifier && o->release_sequences == RELEASE_C11) {
    diag_set(why, NULL, 0, "the model '%s' has the release sequences of C++20",
             m->name);
    diag_hint(why, "--release-sequences c11 is for rc11");
    return false;
  }
  return true;
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
