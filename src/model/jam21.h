// SPDX-License-Identifier: MIT
#pragma once

#include "model/model.h"

bool jam21_consistent(struct graph *g, event_id e, event_id other,
                      const struct model_options *options);
// Is a graph, each step to which was consistent and to which nothing will be
// added, one that the model allows?
bool jam21_allows_complete(struct graph *g,
                           const struct model_options *options);
