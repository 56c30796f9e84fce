// SPDX-License-Identifier: MIT
#pragma once

#include "model/model.h"

bool imm_consistent(struct graph *g, event_id e, event_id other,
                    const struct model_options *options);
bool imm_whole(struct graph *g, event_id e, event_id other,
               const struct model_options *options);
bool imm_needs_deps(struct graph *g, event_id e);
