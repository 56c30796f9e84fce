// SPDX-License-Identifier: MIT
// What else there is to know about a search, below its verdict.
#include "report/progress.h"
#include "report/report.h"

#include <string.h>

// The n-th place where threads were left waiting, if it is another line than
// those before it.
static struct place left_place(const struct prog *p,
                               const struct explore_result *x, uint32_t n) {
  struct place here = place_of_site(p, x->left_at[n]);
  for (uint32_t i = 0; i < n; i++) {
    struct place other = place_of_site(p, x->left_at[i]);
    if (other.line == here.line && strcmp(other.file, here.file) == 0)
      return (struct place){0};
  }
  return here;
}

void left_waiting_text(const struct prog *p, const struct explore_result *x,
                       struct str *out) {
  uint32_t places = 0, told = 0;
  if (!x->left_waiting)
    return;
  for (uint32_t i = 0; i < x->nleft_at; i++)
    places += left_place(p, x, i).line != 0;
  str_add(out, "%u thread%s waiting when main returned", x->left_waiting,
          x->left_waiting == 1 ? " was" : "s were");
  for (uint32_t i = 0; i < x->nleft_at; i++) {
    struct place here = left_place(p, x, i);
    if (!here.line)
      continue;
    told++;
    str_add(out, "%s%s:%u",
            told == 1        ? ", at "
            : told == places ? " and "
                             : ", ",
            here.file, here.line);
  }
  if (x->nleft_at == MAX_LEFT_AT)
    str_add(out, ", and maybe elsewhere");
}

enum { MANY_ORDERS = 24 }; // of unread writes: worth a note

void notes_text(const struct report *r, struct str *out) {
  const struct explore_result *x = r->result;
  if (x->detail[0])
    str_add(out, "%s.\n", x->detail);
  if (x->sampled[0])
    str_add(out, "Note: <heddle.h> says which values are tried; "
                 "heddle_choose(lo, hi) explores all of a range.\n");
  if (x->failures)
    str_add(out,
            "Note: %llu of the executions end%s with another exit status than "
            "0 (the first with exit status %d).\n",
            (unsigned long long)x->failures, x->failures == 1 ? "s" : "",
            x->exit_status);
  if (x->free_orders >= MANY_ORDERS)
    str_add(out, "Note: some writes are never read, and all their orders were "
                 "explored. --equivalence rf explores one order.\n");
  if (!x->executions && x->blocked && x->verdict != VERDICT_ERROR)
    str_add(out, "Every execution is blocked: nothing ran to its end.\n");
  limits_text(r, out);
}

static void drawn_text(const struct report *r, struct str *out) {
  const struct explore_result *x = r->result;
  double different = (double)x->drawn.different;
  double all = progress_total(x, &x->estimate);
  double percent = all > 0 ? 100 * different / all : 100;
  bool has_others = r->is_guessed; // these are never drawn
  str_add(out, "%s%llu of them are different",
          x->drawn.are_more ? "At least " : "",
          (unsigned long long)x->drawn.different);
  if (!progress_is_known(x, &x->estimate)) {
    str_add(out, ".\n");
    return;
  }
  if (x->estimate.is_exact)
    str_add(out, ": all that there are");
  else
    str_add(out, ": about %.*g %% of ", percent < 10 ? 1 : 2, percent);
  if (!x->estimate.is_exact)
    progress_add_number(out, all);
  str_add(out,
          x->estimate.is_exact ? "%s; without --sample there is a verdict."
                               : "%s in all (an estimate).",
          has_others ? " without load buffering" : "");
  str_add(out, "\n");
}

// How much of all that there is a search has seen that did not come to its end.
static void share_text(const struct report *r, struct str *out) {
  const struct explore_result *x = r->result;
  if (!x->estimate.sweeps || x->verdict != VERDICT_INCOMPLETE || !x->limit)
    return;
  if (x->drawn.is_sample) {
    drawn_text(r, out);
    return;
  }
  double all = progress_total(x, &x->estimate);
  if (!progress_is_known(x, &x->estimate) ||
      !(all > 0)) // the first execution was too long
    return;
  double percent = 100 * (double)x->executions / all;
  str_add(out, "That is about %.*g %% of ", percent < 10 ? 1 : 2, percent);
  progress_add_number(out, all);
  str_add(out, " executions in all (an estimate).\n");
}

static const char *const sentences[] = {
#define SUPPOSITION(id, name, sentence) sentence,
#include "bytecode/supposition.def"
};

static void add_sentences(unsigned supposed, const char *between,
                          const char *after, struct str *out) {
  const char *before = "";
  for (unsigned s = 0; s < SUPPOSITIONS; s++)
    if (supposed & 1u << s) {
      str_add(out, "%s%s%s", before, sentences[s], after);
      before = between;
    }
}

void supposed_sentences(unsigned supposed, struct str *out) {
  add_sentences(supposed, " ", "", out);
}

void supposed_text(unsigned supposed, struct str *out) {
  add_sentences(supposed, "", "\n", out);
}

// Why is said once: the verdict has it, or with an error the last line.
static void add_cut(const struct explore_result *x, struct str *out) {
  const char *limit = explore_limit(x);
  bool is_told = limit && strcmp(limit, x->cut) == 0;
  if (is_told && x->verdict == VERDICT_ERROR)
    return;
  if (x->cuts > 1)
    str_add(out, "Threads were stopped %llu times",
            (unsigned long long)x->cuts);
  else
    str_add(out, "A thread was stopped");
  if (is_told)
    str_add(out, " there");
  else
    str_add(out, " (%s)", x->cut);
  str_add(out, ": what comes after is not explored.\n");
}

void limits_text(const struct report *r, struct str *out) {
  const struct explore_result *x = r->result;
  supposed_text(r->prog->supposed, out);
  share_text(r, out);
  if (x->left_waiting) {
    str_add(out, "Note: ");
    left_waiting_text(r->prog, x, out);
    str_add(out, "; --join-all makes it an error.\n");
  }
  if (x->cuts || explore_is_cut(x))
    add_cut(x, out);
  if (x->net_waits)
    str_add(out,
            "Loops with zero net effect count as awaits in %llu of the blocked "
            "executions (--net-effect-awaits).\n",
            (unsigned long long)x->net_waits);
  if (x->stale_cuts)
    str_add(out,
            "--read-bound left out %llu read%s of an old write: what comes "
            "after is not explored.\n",
            (unsigned long long)x->stale_cuts, x->stale_cuts == 1 ? "" : "s");
  if (x->bound_cuts)
    str_add(out,
            "Left out, since more is needed than %s allows: %llu graph%s, with "
            "all that comes of them.\n",
            x->bound, (unsigned long long)x->bound_cuts,
            x->bound_cuts == 1 ? "" : "s");
  if (x->verdict == VERDICT_ERROR && explore_limit(x))
    str_add(out, "Incomplete (%s): there may be more errors.\n",
            explore_limit(x));
}
