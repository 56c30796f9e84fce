// SPDX-License-Identifier: MIT
// The models that come with Heddle as texts.
#pragma once

#include "cat/catalogue.h"
#include "tap.h"

static const char *const text_model_names[] = {
#define TEXT_MODEL(name, ...) name,
#include "cat/builtin.def"
#undef TEXT_MODEL
};
enum { TEXT_MODELS = sizeof text_model_names / sizeof *text_model_names };

struct text_models {
  struct options options;
  struct catalogue catalogue;
  const struct model *at[TEXT_MODELS];
};

static inline void text_models_init(struct text_models *t) {
  struct diag why;
  *t = (struct text_models){0};
  catalogue_init(&t->catalogue, &t->options);
  for (unsigned i = 0; i < TEXT_MODELS; i++)
    CHECK(catalogue_find(&t->catalogue, text_model_names[i], &t->at[i], &why),
          "%s: %s", text_model_names[i], why.text);
}

static inline void text_models_done(struct text_models *t) {
  catalogue_done(&t->catalogue);
}
