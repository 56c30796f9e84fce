// SPDX-License-Identifier: MIT
// Everything here expands finding.def.
#include "base/finding.h"

#include "base/fatal.h"
#include "base/str.h"

#include <ctype.h>
#include <string.h>

static const struct {
  const char *name, *meaning, *advice;
} table[FIND_COUNT] = {
#define FINDING(id, name, meaning, advice) {name, meaning, advice},
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

bool finding_is_warning(enum finding_kind k) {
  return k == FIND_OVERFLOW || k == FIND_LEAK || k == FIND_MIXED_SIZE ||
         k == FIND_MIXED_ACCESSES || k == FIND_START_TYPE ||
         k == FIND_SYSTEM_CALL;
}

bool finding_is_final(enum finding_kind k) {
  switch (k) {
  case FIND_UNREACHABLE:
  case FIND_NULL_ACCESS:
  case FIND_WILD_ACCESS:
  case FIND_OUT_OF_BOUNDS:
  case FIND_READ_ONLY:
  case FIND_USE_AFTER_FREE:
  case FIND_DOUBLE_FREE:
  case FIND_INVALID_FREE:
  case FIND_DESTROY_HELD:
  case FIND_SYNC_MISUSE:
  case FIND_ENDLESS_LOOP:
  case FIND_BAD_CALL:
  case FIND_THREAD_MISUSE:
  case FIND_BAD_ARGUMENT:
    return true;
  default:
    return false;
  }
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
