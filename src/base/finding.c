// SPDX-License-Identifier: MIT
#include "base/finding.h"

#include "base/fatal.h"

#include <string.h>

static const struct {
  const char *name, *meaning;
} table[FIND_COUNT] = {
#define FINDING(id, name, meaning) {name, meaning},
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

bool finding_is_warning(enum finding_kind k) {
  return k == FIND_OVERFLOW || k == FIND_LEAK;
}

enum finding_kind finding_of_name(const char *name) {
  unsigned k = 0;
  while (k < FIND_COUNT && strcmp(table[k].name, name) != 0)
    k++;
  return k;
}
