// SPDX-License-Identifier: MIT
// What struct model has for relations by name (model/model.h).
#pragma once

#include "model/model.h"

bool cat_names_relation(const struct model *text, const struct model *m,
                        const char *name, struct diag *why);
void cat_relation(const struct model *text, const struct graph *g,
                  const struct model_options *options, const char *name,
                  struct model_pairs *ret);
