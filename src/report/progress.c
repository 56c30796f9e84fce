// SPDX-License-Identifier: MIT
// How far a search is: what it has explored against what there is by the
// estimate, and how long the rest takes if it goes on as it has.
#include "report/progress.h"

#include <math.h>

enum { LINE_A_SECOND = 5, JSON_A_SECOND = 1 };

struct progress progress_of_style(enum progress_style style) {
  return (struct progress){.style = style, .next = PROGRESS_FIRST_SECONDS};
}

void progress_add_number(struct str *out, double n) {
  if (n >= 1e18) {
    str_add(out, "%.1e", fmin(n, EXPLORE_MANY));
    return;
  }
  static const char *const unit[] = {"", "k", "M", "G", "T", "P"};
  unsigned u = 0;
  for (; n >= 999.5 && u < 5; u++)
    n /= 1000;
  int decimals = (u && n < 99.95) + (u && n < 9.995);
  str_add(out, "%.*f%s", decimals, n, unit[u]);
}

void progress_add_time(struct str *out, double seconds) {
  static const struct {
    const char *name;
    double seconds;
  } unit[] = {{"s", 1},
              {"min", 60},
              {"hours", 3600},
              {"days", 86400},
              {"years", 31557600}};
  unsigned u = 0;
  while (u + 1 < LENGTH(unit) && seconds >= (u ? 1 : 2) * unit[u + 1].seconds)
    u++;
  double n = seconds / unit[u].seconds;
  if (n < 1e6)
    str_add(out, "%.*f %s", n < 9.95, n, unit[u].name);
  else
    str_add(out, "%.0e %s", n, unit[u].name);
}

static double met(const struct explore_result *so_far) {
  return (double)(so_far->drawn.is_sample ? so_far->drawn.different
                                          : so_far->executions);
}

bool progress_is_known(const struct explore_result *so_far,
                       const struct explore_estimate *all) {
  return all->sweeps && (all->is_exact ||
                         met(so_far) <= 2 * (all->executions + 2 * all->error));
}

// (A search that has met as many executions as are thought to be there has
// some more before it: it would be over otherwise.)
double progress_total(const struct explore_result *so_far,
                      const struct explore_estimate *all) {
  const double some_more = 1.05;
  if (all->is_exact)
    return all->executions;
  return fmax(all->executions,
              (so_far->drawn.is_sample ? 1 : some_more) * met(so_far));
}

static double total_of_both(const struct explore_result *so_far,
                            const struct explore_estimate *all) {
  const double some_more = 1.05;
  return fmax(all->executions + all->blocked,
              some_more * (double)(so_far->executions + so_far->blocked));
}

static double seconds_left(const struct explore_result *so_far,
                           const struct explore_estimate *all, double seconds) {
  double done = (double)(so_far->executions + so_far->blocked);
  return done > 0 ? seconds * (total_of_both(so_far, all) / done - 1) : 0;
}

static void add_line(const struct explore_result *x,
                     const struct explore_estimate *all, double seconds,
                     struct str *out) {
  str_add(out, "\r");
  progress_add_number(out, (double)x->executions);
  str_add(out, " executions, ");
  if (x->blocked) {
    progress_add_number(out, (double)x->blocked);
    str_add(out, " blocked, ");
  }
  progress_add_number(out, (double)(x->executions + x->blocked) / seconds);
  str_add(out, "/s, %.0f s", seconds);
  if (progress_is_known(x, all)) {
    double percent =
        100 * (double)(x->executions + x->blocked) / total_of_both(x, all);
    str_add(out, "; about %.*f %% of ", percent < 9.5, percent);
    progress_add_number(out, progress_total(x, all));
    str_add(out, ", ");
    progress_add_time(out, seconds_left(x, all, seconds));
    str_add(out, " left");
  }
  str_add(out, "\033[K");
}

// Numbers only, on one line: simpler than json_writer.h, which breaks lines.
static void add_json(const struct explore_result *x,
                     const struct explore_estimate *all, double seconds,
                     struct str *out) {
  double done = (double)(x->executions + x->blocked);
  double total = progress_total(x, all);
  str_add(out,
          "{\"executions\": %llu, \"blocked\": %llu, \"seconds\": %.3f, "
          "\"per_second\": %.0f",
          (unsigned long long)x->executions, (unsigned long long)x->blocked,
          seconds, done / seconds);
  if (progress_is_known(x, all))
    str_add(out,
            ", \"share\": %.9f, \"estimate\": %.0f, \"estimate_low\": %.0f, "
            "\"estimate_high\": %.0f, \"seconds_left\": %.1f",
            done / fmax(1, total_of_both(x, all)), total,
            fmax((double)x->executions, total - 2 * all->error),
            total + 2 * all->error, seconds_left(x, all, seconds));
  str_add(out, "}\n");
}

void progress_show(struct progress *p, const struct explore_result *so_far,
                   const struct explore_estimate *all, double seconds,
                   struct str *out) {
  if (p->style == PROGRESS_NONE || seconds < p->next)
    return;
  p->is_shown = true;
  p->next = seconds +
            1.0 / (p->style == PROGRESS_LINE ? LINE_A_SECOND : JSON_A_SECOND);
  if (p->style == PROGRESS_LINE)
    add_line(so_far, all, seconds, out);
  else
    add_json(so_far, all, seconds, out);
}

void progress_show_tests(struct progress *p, uint64_t done, uint64_t all,
                         double seconds, struct str *out) {
  if (p->style == PROGRESS_NONE || seconds < p->next)
    return;
  unsigned long long n = done, of = all;
  p->is_shown = true;
  p->next = seconds +
            1.0 / (p->style == PROGRESS_LINE ? LINE_A_SECOND : JSON_A_SECOND);
  if (p->style == PROGRESS_LINE)
    str_add(out, "\r%llu of %llu tests, %.0f/s, %.0f s\033[K", n, of,
            (double)done / seconds, seconds);
  else
    str_add(out,
            "{\"tests\": %llu, \"of\": %llu, \"seconds\": %.3f, "
            "\"per_second\": %.0f}\n",
            n, of, seconds, (double)done / seconds);
}

void progress_end(const struct progress *p, struct str *out) {
  if (p->style == PROGRESS_LINE && p->is_shown)
    str_add(out, "\r\033[K");
}
