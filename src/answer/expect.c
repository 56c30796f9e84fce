// SPDX-License-Identifier: MIT
// A table is read line by line: a name and a verdict in any of the words that
// tools use. Look-up is by binary search over sorted names.
#include "answer/expect.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct {
  const char *word, *meaning;
} words[] = {
    {"ok", "Ok"},
    {"no", "No"},
    {"undef", "Undef"},
    {"never", "Never"},
    {"always", "Always"},
    {"sometimes", "Sometimes"},
    {"allow", "Allowed"},
    {"allowed", "Allowed"},
    {"forbid", "Forbidden"},
    {"forbidden", "Forbidden"},
    {"1", "Ok"},
    {"0", "No"},
    {"pass", "Ok"},
    {"fail", "No"},
    {"true", "Ok"},
    {"false", "No"},
};

#define RACE "a data race"
#define DEADLOCK "no execution"

static const char *meaning_of(const char *word) {
  for (unsigned i = 0; i < LENGTH(words); i++)
    if (strcasecmp(word, words[i].word) == 0)
      return words[i].meaning;
  return NULL;
}

// The name without folders and without .litmus.
static void set_name(struct expectation *e, const char *name) {
  const char *slash = strrchr(name, '/');
  e->name = strdup(slash && strstr(name, ".litmus") ? slash + 1 : name);
  check(e->name);
  char *end = strstr(e->name, ".litmus");
  if (end)
    *end = 0;
}

static void add(struct expectations *e, const char *name, const char *verdict) {
  struct expectation x = {0};
  set_name(&x, name);
  snprintf(x.verdict, sizeof x.verdict, "%s", verdict);
  array_push(&e->list, x);
}

// One line; false: it says nothing.
static bool read_line(struct expectations *e, char *line) {
  char *rest, *name = strtok_r(line, " \t\r\n,;\"", &rest);
  char *word = name ? strtok_r(NULL, " \t\r\n,;\"", &rest) : NULL;
  if (name && word && strcmp(name, "Observation") == 0) {
    name = word;
    word = strtok_r(NULL, " \t\r\n,;\"", &rest);
  }
  const char *meaning = word ? meaning_of(word) : NULL;
  if (meaning)
    add(e, name, meaning);
  return meaning;
}

static int by_name(const void *a, const void *b) {
  const struct expectation *x = a, *y = b;
  return strcmp(x->name, y->name);
}

bool expectations_read(const char *path, struct expectations *ret,
                       struct diag *why) {
  FILE *f = fopen(path, "r");
  *ret = (struct expectations){0};
  if (!f)
    return diag_set(why, path, 0, "cannot read: %s", strerror(errno));
  char *line = NULL;
  size_t size = 0;
  bool is_log = false;
  while (getline(&line, &size, f) >= 0) {
    is_log |= strncmp(line, "Test ", 5) == 0;
    if (!is_log || strncmp(line, "Observation ", 12) == 0)
      read_line(ret, line);
  }
  free(line);
  fclose(f);
  if (!ret->list.len) {
    diag_set(why, path, 0, "no expectation in this file");
    diag_hint(why, "expected lines such as 'MP+dmbs,No', 'MP+dmbs Never', or a "
                   "log of herd");
    return false;
  }
  qsort(ret->list.at, ret->list.len, sizeof *ret->list.at, by_name);
  return true;
}

void expectations_done(struct expectations *e) {
  for (uint32_t i = 0; i < e->list.len; i++)
    free(e->list.at[i].name);
  array_done(&e->list);
}

static const char *find(const struct expectations *e, char *name) {
  struct expectation key = {.name = name};
  const struct expectation *x =
      e->list.len
          ? bsearch(&key, e->list.at, e->list.len, sizeof *e->list.at, by_name)
          : NULL;
  return x ? x->verdict : NULL;
}

const char *expectations_find(const struct expectations *e,
                              const struct litmus *t) {
  struct expectation key;
  char name[sizeof t->name];
  snprintf(name, sizeof name, "%s", t->name);
  const char *found = find(e, name);
  if (found)
    return found;
  set_name(&key, t->file);
  found = find(e, key.name);
  free(key.name);
  return found;
}

// A table may have a name twice: the first of them says whether it was met.
static void meet(struct expectations *e, const char *name) {
  uint32_t low = 0, high = e->list.len;
  while (low < high) {
    uint32_t mid = low + (high - low) / 2;
    if (strcmp(e->list.at[mid].name, name) < 0)
      low = mid + 1;
    else
      high = mid;
  }
  if (low < e->list.len && strcmp(e->list.at[low].name, name) == 0)
    e->list.at[low].is_met = true;
}

void expectations_meet(struct expectations *e, const char *name,
                       const char *file) {
  struct expectation key;
  set_name(&key, file);
  meet(e, name);
  meet(e, key.name);
  free(key.name);
}

enum { MOST_MISSING = 20 }; // names

uint32_t expectations_missing(const struct expectations *e, struct str *out) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < e->list.len; i++) {
    const struct expectation *x = &e->list.at[i];
    bool is_again = i && strcmp(x->name, x[-1].name) == 0;
    if (x->is_met || is_again || ++n > MOST_MISSING)
      continue;
    str_add(out, "%s: expected %s, but there is no such test\n", x->name,
            x->verdict);
  }
  if (n > MOST_MISSING)
    str_add(out, "... and %u more\n", n - MOST_MISSING);
  return n;
}

// As the kernel's scripts judge it: who predicts a race says nothing about the
// outcome, since anything may happen then; Maybe says nothing at all.
const char *expectation_of_text(const struct litmus *t) {
  const char *at = strstr(t->text, "Result: ");
  char word[16], more[16] = "";
  if (!at || sscanf(at + 8, "%15[A-Za-z]%*1[ ]%15[A-Z]", word, more) < 1)
    return NULL;
  if (strcmp(more, "DATARACE") == 0)
    return RACE;
  return strcmp(word, "DEADLOCK") == 0 ? DEADLOCK : meaning_of(word);
}

static bool has_flag(const struct answer *o, const char *name) {
  for (uint32_t i = 0; i < o->flags.len; i++)
    if (strcmp(o->flags.at[i], name) == 0)
      return true;
  return false;
}

bool expectation_is_met(const char *expected, const struct answer *o) {
  if (strcmp(expected, RACE) == 0)
    return has_flag(o, "data-race");
  if (strcmp(expected, DEADLOCK) == 0)
    return o->positive + o->negative == 0;
  if (strcmp(expected, "Allowed") == 0)
    return o->positive != 0;
  if (strcmp(expected, "Forbidden") == 0)
    return o->positive == 0;
  return strcmp(expected, litmus_verdict_name(answer_verdict(o))) == 0 ||
         strcmp(expected, observation_name(answer_observation(o))) == 0;
}
