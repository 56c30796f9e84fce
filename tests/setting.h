// SPDX-License-Identifier: MIT
// What the environment says, as a number.
#pragma once

#include <stdint.h>
#include <stdlib.h>

static inline uint64_t setting(const char *name, uint64_t otherwise) {
  const char *text = getenv(name);
  return text ? strtoull(text, NULL, 0) : otherwise;
}
