// SPDX-License-Identifier: MIT
// One number, or a range of them; at most one bound has a range, so that it is
// clear what grows.
#include "cmd/bounds.h"

#include <string.h>

static const char *const names[BOUNDS] = {
    [BOUND_PREEMPTIONS] = "preemptions", [BOUND_REORDERINGS] = "reorderings"};

enum { LARGEST = 1000000 };

// Reads a number and moves on. False: there is none, or it is too large.
static bool read_number(const char **at, uint32_t *ret) {
  uint64_t n = 0;
  const char *first = *at;
  for (; **at >= '0' && **at <= '9' && n <= LARGEST; ++*at)
    n = 10 * n + (uint64_t)(**at - '0');
  *ret = (uint32_t)n;
  return *at > first && n <= LARGEST;
}

static bool read_range(const char *at, uint32_t *first, uint32_t *last) {
  if (!read_number(&at, first))
    return false;
  *last = *first;
  if (strncmp(at, "..", 2) == 0) {
    at += 2;
    *last = LARGEST;
    if (*at && !read_number(&at, last))
      return false;
  }
  ++*first;
  ++*last;
  return !*at && *first <= *last;
}

static bool read_bound(const char *text, struct bounds *ret, struct diag *why) {
  for (unsigned k = 0; k < BOUNDS; k++) {
    size_t n = strlen(names[k]);
    if (strncmp(text, names[k], n) != 0 || text[n] != ':')
      continue;
    if (ret->first[k])
      return diag_set(why, NULL, 0, "--bound %s is given twice", names[k]);
    if (read_range(text + n + 1, &ret->first[k], &ret->last[k]))
      return true;
  }
  diag_set(why, NULL, 0, "--bound does not know '%s'", text);
  diag_hint(why, "it takes preemptions:K or reorderings:K, and a range such as "
                 "preemptions:0.. or preemptions:0..3");
  return false;
}

bool bounds_are_iterated(const struct bounds *b) {
  for (unsigned k = 0; k < BOUNDS; k++)
    if (b->last[k] > b->first[k])
      return true;
  return false;
}

// What a search that is made several times cannot serve.
static bool range_fits(const struct options *o, struct diag *why) {
  if (!o->checkpoint && !o->resume && !o->sample && !o->replay &&
      !o->print_executions && !o->note_non_sc && !o->shortest &&
      o->command != COMMAND_SPLIT && o->command != COMMAND_ESTIMATE)
    return true;
  return diag_set(why, NULL, 0,
                  "--bound with a range is for several searches: it excludes "
                  "--checkpoint, --resume, --sample, --replay, "
                  "--print-executions, --note-non-sc, --shortest, `heddle "
                  "split` and `heddle estimate`");
}

bool bounds_read(const struct options *o, struct bounds *ret,
                 struct diag *why) {
  for (uint32_t i = 0; i < o->bound.len; i++)
    if (!read_bound(o->bound.at[i], ret, why))
      return false;
  unsigned ranges = 0;
  for (unsigned k = 0; k < BOUNDS; k++)
    ranges += ret->last[k] > ret->first[k];
  if (ranges > 1)
    return diag_set(why, NULL, 0, "only one --bound can have a range");
  return !ranges || range_fits(o, why);
}

void bounds_name(const uint32_t *now, struct str *out) {
  for (unsigned k = 0; k < BOUNDS; k++)
    if (now[k])
      str_add(out, "%s--bound %s:%u", out->len ? ", " : "", names[k],
              now[k] - 1);
}
