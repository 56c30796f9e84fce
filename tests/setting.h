// SPDX-License-Identifier: MIT
// What the environment says, as a number.
//
// HEDDLE_SHARE=n asks for one of n of whatever a test has many of: of random
// programs and graphs here, of programs in run.py. It is another share each
// day, so that n days have all of them.
#pragma once

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static inline uint64_t setting(const char *name, uint64_t otherwise) {
  const char *text = getenv(name);
  return text ? strtoull(text, NULL, 0) : otherwise;
}

static inline uint64_t setting_day(void) {
  return setting("HEDDLE_DAY", (uint64_t)time(NULL) / (24 * 60 * 60));
}

// HEDDLE_SEEDS or HEDDLE_GRAPHS: how many there are, in this share.
static inline uint64_t setting_many(const char *name, uint64_t otherwise) {
  uint64_t n = setting(name, otherwise) / setting("HEDDLE_SHARE", 1);
  return n ? n : 1;
}

// The first of them, if there are `otherwise` in all.
static inline uint64_t setting_first(uint64_t otherwise) {
  uint64_t n = setting_many("HEDDLE_SEEDS", otherwise);
  uint64_t share = setting_day() % setting("HEDDLE_SHARE", 1);
  return setting("HEDDLE_FIRST_SEED", share * n);
}
