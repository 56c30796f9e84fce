// SPDX-License-Identifier: MIT
// Texts that say what a built-in model is.
#pragma once

#include "cat/model.h"

// The built-in model that the text defines, up to names and the order of
// axioms; NULL: none, or it is not seen by its form.
const struct model *cat_same_model(const struct cat *c);

// What is known of `m`, of which the text is the definition, is known of the
// text from now on. It is judged as a text all the same.
void cat_model_is(struct cat_model *text, const struct model *m);
