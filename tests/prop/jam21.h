// SPDX-License-Identifier: MIT
// JAM21 as its authors define it, with the total order of what pushes: all of
// them are tried. A reference for models/jam21.cat, which has none.
#pragma once

#include "axioms.h"

bool jam21_allows(const struct candidate *x);
