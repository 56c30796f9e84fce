// SPDX-License-Identifier: MIT
// All models by name: those that are built in, and files.
#pragma once

#include "base/options.h"
#include "cat/model.h"

struct catalogue {
  const char *variants; // of texts, as the option gives them; or NULL
  bool is_ready;
  bool is_literal; // files are what is proved of them, even if they are ours
  ARRAY(struct cat_model *) loaded;
  ARRAY(const char *) dirs; // where model files look for what they include
};

// The folders come from the command line.
void catalogue_init(struct catalogue *c, const struct options *o);
void catalogue_done(struct catalogue *c);

// Is it a file that this names, not a model that is built in?
bool catalogue_is_path(const char *name);
// The model that a name or a path stands for; it lives as long as `c`.
MUST_USE bool catalogue_find(struct catalogue *c, const char *name,
                             const struct model **ret, struct diag *why);
// The name of the model that answers litmus tests of a language.
const char *catalogue_of_language(const char *language);
// What `heddle models` prints.
MUST_USE bool catalogue_print(struct catalogue *c, const struct options *o,
                              struct str *out, struct diag *why);
