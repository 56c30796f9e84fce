// SPDX-License-Identifier: MIT
// Programs that the front end has made before, in the cache.
#pragma once

#include "front/clang/cache.h"
#include "front/front.h"

// Stands for all that the program follows from. False: it must not be kept.
bool loaded_key(const struct front_options *o, const struct bitcode *files,
                struct digest *ret);
bool loaded_find(struct digest key, struct prog **ret);
void loaded_store(struct digest key, const struct prog *p);
