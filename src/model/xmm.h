// SPDX-License-Identifier: MIT
#pragma once

#include "model/justify.h"
#include "model/model.h"

bool xmm_consistent(struct graph *g, event_id e, event_id other,
                    const struct model_options *options);
bool xmm_whole(struct graph *g, event_id e, event_id other,
               const struct model_options *options);
extern const struct justifier xmm_justifier;
