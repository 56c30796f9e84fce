// SPDX-License-Identifier: MIT
// What axioms imply, by their form. See prove.c.
#pragma once

#include "cat/analyse.h"

// Is every pair of `part`, whatever the execution, one of `whole`? False may
// mean that no proof was found.
bool cat_proves(struct nodes *n, node_id part, node_id whole);

struct cat_proved cat_prove(const struct cat_analysis *a, const struct cat *c);

// symmetric.c: may threads that are created alike be exchanged? `n`: the
// model's nodes, which may become more.
bool cat_is_symmetric(struct nodes *n, const struct cat *c);

// bounded.c: bits of axioms that only graphs with a cycle of po | rf | co | fr
// break.
uint64_t cat_find_bounded(const struct cat *c);
