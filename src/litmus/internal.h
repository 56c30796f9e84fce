// SPDX-License-Identifier: MIT
// What the parts of litmus/ share.
#pragma once

#include "litmus/litmus.h"

// -- parse.c
uint32_t litmus_string(struct litmus *t, const struct token *name);
// The location of that name, which is made if it is new. Yields its index.
uint32_t litmus_location(struct litmus *t, uint32_t name);
uint32_t litmus_find_location(const struct litmus *t, uint32_t name);
// [-] number | name | &name | name[n]
bool parse_value(struct litmus *t, struct scan *s, struct litmus_value *ret,
                 struct diag *why);
// thread:register, with the thread as n or Pn. False without `why`: none is
// next, nothing was read.
bool parse_thread(struct scan *s, unsigned *ret);
// A register by its canonical name, or a variable of C.
bool parse_register(struct litmus *t, struct scan *s, uint32_t *ret,
                    struct diag *why);
// `code` of the threads from where the scanner is.
bool parse_assembly(struct litmus *t, struct scan *s, struct diag *why);
bool parse_c(struct litmus *t, struct scan *s, struct diag *why);

// -- types.c
// Is it a word of a type?
bool litmus_is_type(const struct token *t);
// { type-word | '*' }: yields the size of what is declared, 0 if there is no
// type. A name that is followed by another name, or by '*', is a type too.
uint32_t parse_type(struct litmus *t, struct scan *s, uint32_t *name,
                    struct litmus_type *number);

// -- prop.c
// locations, filter and the final condition: what comes after the program.
// `asks`: a proposition instead of that condition, or NULL.
bool parse_tail(struct litmus *t, struct scan *s, const char *asks,
                struct diag *why);
bool begins_tail(const struct scan *s);

// -- c_call.c
// Does a body of C call primitives of the Linux kernel?
bool c_is_kernel(const struct litmus *t);
bool c_is_plain(const struct litmus *t);

// -- c_macro.c
// __xchg{acquire} of herd becomes xchg_acquire.
void c_replace_macros(struct litmus_thread *t);

// -- registers.c
// Is it the name of a register that the test leaves open, such as %x1?
bool register_is_symbolic(enum arch a, const struct token *name);
// The canonical name of a register ("X1" of W1); false: it is none.
// `width` is how much of it this name means, in bits.
bool register_name(enum arch a, const char *text, char out[32],
                   unsigned *width);
