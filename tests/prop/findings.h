// SPDX-License-Identifier: MIT
// What is wrong in an execution, by definition: the oracle's side of what the
// explorer reports.
#pragma once

#include "base/finding.h"
#include "world.h"

// The kinds that the oracle knows, as bits 1 << enum finding_kind.
extern const uint64_t findings_known;

// Those of an execution in which no thread goes on. `spins`: the assumptions
// that a loop can wait for are such loops (lower_program). `own`: see
// axioms_findings.
uint64_t findings_of(const struct world *w, bool spins, enum oracle_model own);
