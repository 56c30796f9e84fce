// SPDX-License-Identifier: MIT
// Types in first contents, parameters and bodies of C. They say how large an
// element is, and how a number is cut and printed.
#include "litmus/internal.h"

#include <ctype.h>

// The size of an element of that type in bytes; 0: it is no type we know.
static uint32_t type_size(const struct token *t) {
  static const struct {
    const char *name;
    uint32_t size;
  } types[] = {
      {"char", 1},
      {"int8_t", 1},
      {"uint8_t", 1},
      {"bool", 1},
      {"_Bool", 1},
      {"short", 2},
      {"int16_t", 2},
      {"uint16_t", 2},
      {"int", 4},
      {"unsigned", 4},
      {"signed", 4},
      {"int32_t", 4},
      {"uint32_t", 4},
      {"long", 8},
      {"int64_t", 8},
      {"uint64_t", 8},
      {"intptr_t", 8},
      {"uintptr_t", 8},
      {"size_t", 8},
      {"int128_t", 16},
      {"uint128_t", 16},
      {"__int128", 16},
      {"__int128_t", 16},
      {"__uint128", 16},
      {"__uint128_t", 16},
      {"atomic_int", 4},
      {"atomic_uint", 4},
      {"atomic_long", 8},
      {"atomic_ulong", 8},
      {"atomic_t", 4},
      {"atomic_bool", 1},
      {"atomic_char", 1},
      {"atomic_short", 2},
      {"atomic_long_t", 8},
      {"atomic64_t", 8},
      {"spinlock_t", 4},
      {"u8", 1},
      {"u16", 2},
      {"u32", 4},
      {"u64", 8},
      {"atomic_int32_t", 4},
      {"mutex", 4},
      {"atomic_uintptr_t", 8},
      {"atomic_intptr_t", 8},
      {"atomic_size_t", 8},
      {"srcu_struct", 4},
      {"intptr", 8},
      {"ptr", 8},
  };
  for (unsigned i = 0; i < LENGTH(types); i++)
    if (scan_is(t, types[i].name))
      return types[i].size;
  return 0;
}

static bool is_qualifier(const struct token *t) {
  static const char *const words[] = {"_Atomic", "volatile", "const",
                                      "struct",  "static",   "extern"};
  for (unsigned i = 0; i < LENGTH(words); i++)
    if (scan_is(t, words[i]))
      return true;
  return false;
}

bool litmus_is_type(const struct token *t) {
  return type_size(t) || is_qualifier(t);
}

static bool is_sign(const struct token *t) {
  return scan_is(t, "unsigned") || scan_is(t, "signed");
}

static bool is_unsigned(const struct token *t) {
  static const char *const words[] = {
      "unsigned",  "uint8_t", "uint16_t", "uint32_t", "uint64_t",
      "uintptr_t", "size_t",  "u8",       "u16",      "u32",
      "u64",       "bool",    "_Bool"};
  for (unsigned i = 0; i < LENGTH(words); i++)
    if (scan_is(t, words[i]))
      return true;
  return false;
}

// A word of the declaration of a number. Addresses have no type here, and
// locations of C are cells. (herd takes atomic_t for an unsigned word.)
static void add_to_number(const struct litmus *t, const struct token *w,
                          struct litmus_type *number) {
  uint32_t size = type_size(w);
  if (t->arch == ARCH_C && scan_is(w, "atomic_t"))
    *number = (struct litmus_type){.size = 4, .is_unsigned = true};
  if (arch_is_language(t->arch) || !size || size > 8)
    return;
  if (!is_sign(w) || !number->size)
    number->size = (uint8_t)size;
  number->is_unsigned |= is_unsigned(w);
}

uint32_t parse_type(struct litmus *t, struct scan *s, uint32_t *name,
                    struct litmus_type *number) {
  uint32_t size = 0;
  *number = (struct litmus_type){0};
  for (;;) {
    struct token w = s->next;
    const char *rest = w.at + w.len;
    while (rest < s->end && isspace((unsigned char)*rest))
      rest++;
    bool is_type =
        type_size(&w) || is_qualifier(&w) ||
        (w.kind == TOK_NAME && rest < s->end &&
         (isalpha((unsigned char)*rest) || *rest == '_' || *rest == '*'));
    if (scan_is(&w, "*")) {
      size = 8;
      *number = (struct litmus_type){0};
    } else if (!is_type) {
      return size;
    } else if (!is_qualifier(&w)) {
      *name = litmus_string(t, &w);
      add_to_number(t, &w, number);
      if (type_size(&w) > size || !size)
        size = type_size(&w) ? type_size(&w) : 4;
    }
    scan_take(s);
    if (scan_is(&s->next, "(")) { // _Atomic(int)
      scan_take(s);
      size = parse_type(t, s, name, number);
      scan_accept(s, ")");
    }
  }
}
