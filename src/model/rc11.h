// SPDX-License-Identifier: MIT
#pragma once

#include "model/model.h"

bool rc11_consistent(struct graph *g, event_id e, event_id other,
                     const struct model_options *options);
bool rc11_whole(struct graph *g, event_id e, event_id other,
                const struct model_options *options);
bool rc11_allows_complete(struct graph *g, const struct model_options *options);
bool rc11_takes_all(const struct graph *g, enum order order);
