// SPDX-License-Identifier: MIT
// Everything here expands finding.def.
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
