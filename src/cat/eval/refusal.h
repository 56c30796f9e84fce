// SPDX-License-Identifier: MIT
// Which axiom of a text refuses a complete graph, and the cycle that shows it,
// in the words of the text.
#pragma once

#include "model/model.h"

bool cat_refuses(const struct model *m, const struct graph *g,
                 const struct model_options *options, struct refusal *ret);
