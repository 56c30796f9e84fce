// SPDX-License-Identifier: MIT
// Instructions that are read word by word: those of LISA and BPF.
#pragma once

#include "litmus/asm.h"

struct words {
  struct build *l;
  const struct token *at, *end;
};

bool words_more(const struct words *w);
// If `text` is next, takes it.
bool words_accept(struct words *w, const char *text);
bool words_expect(struct words *w, const char *text);
// ['-'] number
bool words_number(struct words *w, uint64_t *ret);
// The canonical name of the register that is next.
bool words_register(struct words *w, uint32_t *name);
bool words_expect_register(struct words *w, uint32_t *name);
// The label that is next.
bool words_label(struct words *w, uint32_t *label);
// Nothing is left.
bool words_end(const struct words *w);
