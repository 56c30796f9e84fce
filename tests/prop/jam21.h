// SPDX-License-Identifier: MIT
// JAM21 as its authors define it, with the total order of what pushes: all of
// them are tried. A reference for models/jam21.cat, which has none.
#pragma once

#include "axioms.h"

// With `final_writes` that order has every write of a location before the last.
bool jam21_allows(const struct candidate *x, bool final_writes);
