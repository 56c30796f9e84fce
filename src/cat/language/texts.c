// SPDX-License-Identifier: MIT
// The texts of models/ as the build embeds them, by name.
#include "cat/cat.h"
#include <cat_texts.h>

const struct cat_text cat_texts[] = {
#define TEXT(id, file) {file, text_##id, sizeof text_##id - 1},
#include "cat/language/texts.def"
#undef TEXT
    {0}};
