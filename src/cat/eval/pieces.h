// SPDX-License-Identifier: MIT
// Accesses that are made in pieces, in texts. See pieces.c.
#pragma once

#include "cat/cat.h"

// From now on the axioms are about whole accesses. (No `let rec`.)
void cat_put_together(struct cat *c);
