// SPDX-License-Identifier: MIT
#pragma once

#include "model/model.h"

bool sc_consistent(struct graph *g, event_id e, event_id other,
                   const struct model_options *options);
bool sc_whole(struct graph *g, event_id e, event_id other,
              const struct model_options *options);
