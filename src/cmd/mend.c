// SPDX-License-Identifier: MIT
// What would mend the error that was found: the cheapest stronger orders with
// which the program is right, as heddle optimize --repair finds them, if that
// takes little. How much is counted in executions, so that the answer does not
// depend on the machine; the time is only a further limit. Nothing is said that
// was not checked, and nothing where no order helps.
#include "cmd/optimize.h"

#include "report/sentence.h"

#include <string.h>

// A wrong execution is judged as a whole, by the text of the model, which takes
// the cube of its events: 1,000 of them about the half second.
enum { MOST_EXECUTIONS = 4000, MOST_EVENTS = 1000, MOST_NAMED = 6 };
static const double most_seconds = 0.5; // of the processor

// Errors that stronger orders may prevent: an execution that is an interleaving
// is there whatever the orders are, but for races and loops that never end.
static bool may_help(const struct finding *f, const struct view *v) {
  switch (f->kind) {
  case FIND_RACE:
  case FIND_FREE_RACE:
  case FIND_ALLOC_RACE:
  case FIND_HANG:
    return true;
  default:
    return v && !v->is_interleaving;
  }
}

// -- the words

static const char *order_word(enum site_kind k, mode m) {
  const char *name = mode_name(k, m);
  const char *prefix = "memory_order_";
  return strncmp(name, prefix, strlen(prefix)) == 0 ? name + strlen(prefix)
                                                    : name;
}

static bool is_changed(const struct search *s, const mode *x, uint32_t i) {
  return x[i] != s->sites.at.at[i].source;
}

// Would both be said in the same words, but for the line?
static bool is_alike(const struct search *s, const mode *x, uint32_t i,
                     uint32_t k) {
  const struct order_site *a = &s->sites.at.at[i], *b = &s->sites.at.at[k];
  return strcmp(order_word(a->kind, x[i]), order_word(b->kind, x[k])) == 0 &&
         site_is_fence(a->kind) == site_is_fence(b->kind) &&
         (a->kind == SITE_CAS_FAIL) == (b->kind == SITE_CAS_FAIL) &&
         strcmp(a->file, b->file) == 0;
}

static bool is_first_of_its_kind(const struct search *s, const mode *x,
                                 uint32_t i) {
  for (uint32_t k = 0; k < i; k++)
    if (is_changed(s, x, k) && is_alike(s, x, k, i))
      return false;
  return is_changed(s, x, i);
}

static const char *joint(uint32_t nth, uint32_t of) {
  return nth == 0 ? "" : nth + 1 == of ? " and " : ", ";
}

// Is there another one in its line?
static bool shares_line(const struct search *s, const mode *x, uint32_t i) {
  for (uint32_t k = 0; k < s->sites.at.len; k++)
    if (k != i && is_changed(s, x, k) && is_alike(s, x, i, k) &&
        s->sites.at.at[k].line == s->sites.at.at[i].line)
      return true;
  return false;
}

// "seq_cst in lines 11 and 12", or, with columns, "in lines 6:3 and 6:40".
static void add_alike(const struct search *s, const mode *x, uint32_t first,
                      const char *main_file, struct str *out) {
  const struct order_site *site = &s->sites.at.at[first];
  uint32_t n = 0, nth = 0;
  for (uint32_t i = first; i < s->sites.at.len; i++)
    n += is_changed(s, x, i) && is_alike(s, x, first, i);
  str_add(out, "%s%s in ", order_word(site->kind, x[first]),
          site_is_fence(site->kind)     ? " (the fence)"
          : site->kind == SITE_CAS_FAIL ? " (if it fails)"
                                        : "");
  if (strcmp(site->file, main_file) != 0)
    str_add(out, "%s ", site->file);
  str_add(out, n == 1 ? "line " : "lines ");
  for (uint32_t i = first; i < s->sites.at.len; i++)
    if (is_changed(s, x, i) && is_alike(s, x, first, i)) {
      str_add(out, "%s%u", joint(nth++, n), s->sites.at.at[i].line);
      if (shares_line(s, x, i))
        str_add(out, ":%u", s->sites.at.at[i].column);
    }
}

static void add_changes(const struct search *s, const mode *x,
                        const char *main_file, struct str *out) {
  uint32_t changes = 0, groups = 0, nth = 0;
  for (uint32_t i = 0; i < s->sites.at.len; i++) {
    changes += is_changed(s, x, i);
    groups += is_first_of_its_kind(s, x, i);
  }
  if (changes > MOST_NAMED) {
    str_add(out, "stronger orders in %u places", changes);
    return;
  }
  for (uint32_t i = 0; i < s->sites.at.len; i++)
    if (is_first_of_its_kind(s, x, i)) {
      str_add(out, "%s", joint(nth++, groups));
      add_alike(s, x, i, main_file, out);
    }
}

// -- the search

static double processor_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// The options of the repair: those of the check, and its limits.
static struct options repair_options(const struct options *o) {
  struct options mine = *o;
  double until = processor_seconds() + most_seconds;
  mine.repair = true;
  mine.jobs = 1;
  mine.all_errors = mine.shortest = false;
  mine.replay = mine.sample = NULL; // all executions are asked
  mine.progress = SHOW_NEVER;
  if (mine.max_time <= 0 || mine.max_time > until)
    mine.max_time = until;
  return mine;
}

void mend_text(const struct run *checked, const struct finding *f,
               const struct view *v, struct str *out) {
  struct model_options mo = model_options_of(checked->options, checked->model);
  if (!may_help(f, v) || !model_is_monotone(checked->model, &mo) ||
      checked->model->filters || mo.c11_release_sequences ||
      run_was_interrupted())
    return;
  struct options o = repair_options(checked->options);
  struct optimizing z = {.options = &o,
                         .showing = PTHREAD_MUTEX_INITIALIZER,
                         .budget = MOST_EXECUTIONS,
                         .most_events = MOST_EVENTS};
  struct prog copy = *checked->prog; // but for the code, where the orders are
  size_t size = copy.code.len * sizeof *copy.code.at;
  copy.code.at = memcpy(xmalloc(size + 1), checked->prog->code.at, size);
  struct diag why;
  if (optimize_program(&z, checked, &copy, &why) && z.search.solutions.len) {
    bool is_one_file = o.files.len == 1;
    str_add(out, "With ");
    add_changes(&z.search, z.search.solutions.at[0], view_main_file(v), out);
    str_add(out, " the error is gone%s",
            is_one_file ? ": heddle optimize --repair shows the patch." : ".");
  }
  optimize_program_done(&z);
  free(copy.code.at);
}
