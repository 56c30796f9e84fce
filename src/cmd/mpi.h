// SPDX-License-Identifier: MIT
// heddle check --mpi: one search by all processes that mpirun has started
// (parallel/ranks.h). Rank 0 reports; the others only explore.
#pragma once

#include "cmd/run.h"

// Does --mpi fit the other options?
MUST_USE bool mpi_fits(const struct options *o, struct diag *why);
// With --mpi, meets the other ranks: the run has a carrier then.
MUST_USE bool mpi_begin(struct run *r, const struct options *o,
                        struct diag *why);
static inline bool mpi_is_helper(const struct run *r) {
  return r->carrier && r->carrier->rank;
}
// To be called by all ranks once the run has begun, or failed to (`ok`): can
// all of them, and is it the same search? Where another process tells what is
// wrong, the text of `why` is empty.
MUST_USE bool mpi_agree(struct run *r, bool ok, struct diag *why);
// The part of a rank that does not report.
void mpi_help(struct run *r);
// The code is that of this rank, for all of them if one does not come.
void mpi_end(struct run *r, enum exit_code code);
// A line for heddle --version.
void mpi_about(struct str *out);
