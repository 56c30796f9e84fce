// SPDX-License-Identifier: MIT
#pragma once

#include "model/model.h"

bool ra_consistent(struct graph *g, event_id e, event_id other,
                   const struct model_options *options);
bool ra_whole(struct graph *g, event_id e, event_id other,
              const struct model_options *options);
bool ra_takes_all(const struct graph *g, enum order order);
