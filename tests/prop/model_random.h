// SPDX-License-Identifier: MIT
// Random model files: restrictions of po, rf, co, fr and po & loc by what
// events are, by dependencies and by what is between, under the three kinds of
// axioms. Most of them are no model that anybody would write; what counts is
// that the search believes of each of them what is true.
#pragma once

#include "base/str.h"

#include <stdint.h>

// Appends the text of a seed. The oracle's language has no products, so they
// are written twice: `for_oracle` says the same without them.
void model_random(uint64_t seed, struct str *text, struct str *for_oracle);
