// SPDX-License-Identifier: MIT
// Everything here expands finding.def.
#include "base/finding.h"

#include "base/fatal.h"
#include "base/str.h"

#include <ctype.h>
#include <string.h>

enum { ERROR = 0, WARNING = 1, FINAL = 2, BY_SEARCH = 4 };

static const struct {
  const char *name, *meaning, *advice;
  unsigned traits;
} table[FIND_COUNT] = {
#define FINDING(id, name, meaning, traits, advice)                             \
  {name, meaning, advice, traits},
#include "base/finding.def"
#undef FINDING
};

const char *finding_name(enum finding_kind k) {
  check(k < FIND_COUNT);
  return table[k].name;
}

const char *finding_meaning(enum finding_kind k) {
  check(k < FIND_COUNT);
  return table[k].meaning;
}

const char *finding_advice(enum finding_kind k) {
  check(k < FIND_COUNT);
  return table[k].advice;
}

static bool has_trait(enum finding_kind k, unsigned trait) {
  check(k < FIND_COUNT);
  return table[k].traits & trait;
}

bool finding_is_warning(enum finding_kind k) {
  return has_trait(k, WARNING);
}

bool finding_is_final(enum finding_kind k) {
  return has_trait(k, FINAL);
}

bool finding_is_by_search(enum finding_kind k) {
  return has_trait(k, BY_SEARCH);
}

enum finding_kind finding_of_name(const char *name) {
  unsigned k = 0;
  while (k < FIND_COUNT && strcmp(table[k].name, name) != 0)
    k++;
  return k;
}

void finding_markdown(struct str *out) {
  str_add(out,
          "# Kinds of errors\n\n<!-- Printed by `heddle doc kinds`; change "
          "src/base/finding.def instead. -->\n\nWhat each kind means, and "
          "what to do about it. Reports have the name in brackets; "
          "`--disable`, `--warn` and `--error` take it.\n");
  for (unsigned k = 0; k < FIND_COUNT; k++)
    str_add(out, "\n## %s\n\n%c%s%s. %s\n", table[k].name,
            toupper((unsigned char)*table[k].meaning), table[k].meaning + 1,
            finding_is_warning(k) ? " (a warning)" : "", table[k].advice);
}
