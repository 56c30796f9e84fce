// SPDX-License-Identifier: MIT
#pragma once

#include "model/model.h"

bool c11_consistent(struct graph *g, event_id e, event_id other,
                    const struct model_options *options);
bool c11_needs_deps(const struct graph *g, event_id e);
