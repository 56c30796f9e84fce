// SPDX-License-Identifier: MIT
// Which models are compared.
#pragma once

#include "axioms.h"
#include "model/model.h"

// A model of the explorer, and the one of the oracle that it is compared with.
struct pairing {
  const char *name; // of the model
  const char *variant;
  enum oracle_model oracle;
  struct model_options options;
  bool is_text; // a model without fast code: compared on fewer programs
};

// The ith of them; NULL: there are not as many.
const struct pairing *pairing_at(unsigned i);
const struct model *pairing_model(const struct pairing *m);
