// SPDX-License-Identifier: MIT
// What the options say to the front end.
#pragma once

#include "cmd/inputs.h"
#include "front/front.h"

struct front_options front_options_of(const struct options *o,
                                      const struct inputs *in);
