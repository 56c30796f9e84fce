// SPDX-License-Identifier: MIT
// Since estimates jump, the line shows the range of those made since half of
// the time that has passed, not the last one.
#include "report/progress.h"

#include <math.h>

enum { LINE_A_SECOND = 5, JSON_A_SECOND = 1 };

struct progress progress_of_style(enum progress_style style) {
  return (struct progress){.style = style,
                           .next = PROGRESS_FIRST_SECONDS,
                           .low = {INFINITY, INFINITY}};
}

static void note_estimate(struct progress *p, double total, double seconds) {
  if (seconds >= 2 * p->since) {
    p->since = seconds;
    p->low[1] = p->low[0];
    p->high[1] = p->high[0];
    p->low[0] = p->high[0] = total;
  }
  p->low[0] = fmin(p->low[0], total);
  p->high[0] = fmax(p->high[0], total);
}

static double lowest(const struct progress *p) {
  return fmin(p->low[0], p->low[1]);
}

static double highest(const struct progress *p) {
  return fmax(p->high[0], p->high[1]);
}

// 1234567 as "1.23M".
static void add_short(struct str *out, double n) {
  static const char *const unit[] = {"", "k", "M", "G", "T", "P"};
  unsigned u = 0;
  for (; n >= 999.5 && u < 5; u++)
    n /= 1000;
  int decimals = (u && n < 99.95) + (u && n < 9.995);
  str_add(out, "%.*f%s", decimals, n, unit[u]);
}

static void add_line(const struct progress *p, const struct explore_result *x,
                     double seconds, struct str *out) {
  str_add(out, "\r");
  add_short(out, (double)x->executions);
  str_add(out, " executions, ");
  if (x->blocked) {
    add_short(out, (double)x->blocked);
    str_add(out, " blocked, ");
  }
  add_short(out, (double)(x->executions + x->blocked) / seconds);
  double percent = 100 * (1 - x->left);
  str_add(out, "/s, %.0f s; about %.*f %% done (guess: ", seconds,
          percent < 9.5, percent);
  add_short(out, lowest(p));
  if (highest(p) > 1.01 * lowest(p)) {
    str_add(out, " to ");
    add_short(out, highest(p));
  }
  str_add(out, " in all)\033[K");
}

// Numbers only, on one line: simpler than json_writer.h, which breaks lines.
static void add_json(const struct progress *p, const struct explore_result *x,
                     double total, double seconds, struct str *out) {
  str_add(out,
          "{\"executions\": %llu, \"blocked\": %llu, \"seconds\": %.3f, "
          "\"per_second\": %.0f, \"share\": %.9f, \"estimate\": %.0f, "
          "\"estimate_low\": %.0f, \"estimate_high\": %.0f}\n",
          (unsigned long long)x->executions, (unsigned long long)x->blocked,
          seconds, (double)(x->executions + x->blocked) / seconds, 1 - x->left,
          total, lowest(p), highest(p));
}

void progress_show(struct progress *p, const struct explore_result *so_far,
                   double seconds, struct str *out) {
  if (p->style == PROGRESS_NONE || seconds < p->next)
    return;
  double done = fmax(1 - so_far->left, 1e-9);
  double total = (double)so_far->executions / done;
  note_estimate(p, total, seconds);
  p->next = seconds +
            1.0 / (p->style == PROGRESS_LINE ? LINE_A_SECOND : JSON_A_SECOND);
  if (p->style == PROGRESS_LINE)
    add_line(p, so_far, seconds, out);
  else
    add_json(p, so_far, total, seconds, out);
}

void progress_show_tests(struct progress *p, uint64_t done, uint64_t all,
                         double seconds, struct str *out) {
  if (p->style == PROGRESS_NONE || seconds < p->next)
    return;
  unsigned long long n = done, of = all;
  p->since = seconds;
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
  if (p->style == PROGRESS_LINE && p->since > 0)
    str_add(out, "\r\033[K");
}
