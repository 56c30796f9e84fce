// SPDX-License-Identifier: MIT
#pragma once

#include "model/model.h"

bool c11_consistent(struct graph *g, event_id e, event_id other,
                    const struct model_options *options);
bool c11_whole(struct graph *g, event_id e, event_id other,
               const struct model_options *options);
bool c11_allows_complete(struct graph *g, const struct model_options *options);
// Does a graph, each step to which was consistent and to which nothing will be
// added, stay so under C++11's release sequences, if these are asked for?
bool c11_sequences_allow(struct graph *g, const struct model_options *options,
                         enum sc_rule rule);
bool c11_needs_deps(struct graph *g, event_id e);
