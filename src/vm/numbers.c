// SPDX-License-Identifier: MIT
// Numbers as the host has them: formatting, parsing, the functions of <math.h>
// and arithmetic on 80 bits. All are functions of values alone, errno among
// what they yield, so a thread stays a function of its state.
#include "bytecode/extended.h"
#include "bytecode/math.h"
#include "bytecode/operand.h"
#include "vm/arith.h"
#include "vm/cold.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

// snprintf, or -1 for a letter that is no conversion of a double.
static int format_double(char *out, size_t n, unsigned conversion,
                         int precision, double d) {
  switch (conversion) {
#define CONVERSION(letter, rest)                                               \
  case letter:                                                                 \
    return snprintf(out, n, "%" rest, precision, d);                           \
  case FORMAT_ALTERNATE | (letter):                                            \
    return snprintf(out, n, "%#" rest, precision, d);
    CONVERSION('e', ".*e")
    CONVERSION('E', ".*E")
    CONVERSION('f', ".*f")
    CONVERSION('F', ".*F")
    CONVERSION('g', ".*g")
    CONVERSION('G', ".*G")
    CONVERSION('a', ".*a")
    CONVERSION('A', ".*A")
#undef CONVERSION
  default:
    return -1;
  }
}

enum { DOUBLE_TEXT = 512, EXTENDED_TEXT = 5632, MAX_PRECISION = 150 };

// Number (two words if it is extended), conversion letter (and whether it is
// the alternate form), precision or -1, buffer.
bool number_format(struct thread *t, const struct insn *in, bool is_extended) {
  char text[EXTENDED_TEXT];
  const uint64_t *v = thread_slot(t, in->b), *u = thread_undef(t, in->b);
  unsigned first = is_extended ? 2 : 1;
  uint64_t room = is_extended ? EXTENDED_TEXT : DOUBLE_TEXT;
  unsigned letter = (unsigned)v[first];
  uint64_t undef = u[0] | u[first + 1] | (is_extended ? u[1] : 0);
  if (thread_raise_undef(t, undef, "the output"))
    return false;
  struct place p =
      memory_at(t, v[first + 2], u[first + 2], room, /*is_write=*/true);
  if (p.where == AT_STOP)
    return false;
  int precision = (int)signed_of(v[first + 1], 32);
  if (precision > MAX_PRECISION)
    precision = MAX_PRECISION;
  int n = is_extended ? extended_format(text, room, letter, precision, v)
                      : format_double(text, room, letter, precision,
                                      float_of(v[0], 64));
  if (p.where == AT_SHARED || n < 0)
    return !thread_raise(t, FIND_BAD_ARGUMENT, "formatting of a double");
  check((uint64_t)n < room);
  set_id set = t->track.on ? track_args(t, in) : 0;
  for (int i = 0; i <= n; i++) {
    struct value byte = {.v = {(uint8_t)text[i]}, .set = set};
    struct place to = {p.where, p.bytes, p.at + (uint32_t)i};
    memory_put(t, &to, 1, &byte);
  }
  if (t->track.on)
    track_join(t, &t->track.memory, thread_set(t, in->b + first + 2));
  sys_result(t, in, (uint64_t)n, 0);
  return true;
}

// Reads the text at an address; false: the thread stopped. What the text is
// computed from is added to `set`, and `is_known` tells if all of it is.
static bool read_text(struct thread *t, uint64_t address, struct str *text,
                      set_id *set, bool *is_known) {
  *is_known = true;
  for (;; address++) {
    struct place p = memory_at(t, address, 0, 1, /*is_write=*/false);
    if (p.where == AT_STOP)
      return false;
    if (p.where == AT_SHARED)
      return !thread_raise(t, FIND_BAD_ARGUMENT, "conversion to a number");
    struct value byte = memory_get(t, &p, 1);
    if (t->track.on)
      track_join(t, set, byte.set);
    *is_known &= !byte.undef[0];
    if (!byte.v[0] || !*is_known)
      return true;
    str_add(text, "%c", (char)byte.v[0]);
  }
}

enum { PARSE_SINGLE, PARSE_DOUBLE, PARSE_EXTENDED }; // as in rt/builtin.h

// The value of a text; yields its errno.
static int parse(const char *text, unsigned kind, uint64_t value[2]) {
  if (kind == PARSE_EXTENDED)
    return extended_parse(text, value);
  errno = 0;
  double d =
      kind == PARSE_SINGLE ? (double)strtof(text, NULL) : strtod(text, NULL);
  value[0] = float_bits(d, 64);
  return errno;
}

bool number_parse(struct thread *t, const struct insn *in) {
  const uint64_t *v = thread_slot(t, in->b), *u = thread_undef(t, in->b);
  bool is_double = in->imm == BI_parse_double, is_known;
  unsigned kind = in->imm == BI_parse_error ? (unsigned)v[1]
                  : is_double               ? !v[1]
                                            : PARSE_EXTENDED;
  uint64_t value[2] = {0, 0};
  struct str text = {0};
  set_id set = 0;
  if (thread_raise_undef(t, u[0], "a conversion"))
    return false;
  if (!read_text(t, v[0], &text, &set, &is_known)) {
    str_done(&text);
    return false;
  }
  int error = is_known ? parse(str_text(&text), kind, value) : 0;
  str_done(&text);
  if (in->imm == BI_parse_error)
    value[0] = (uint64_t)error;
  for (unsigned i = 0; i < call_results(in); i++) {
    *thread_slot(t, in->a + i) = is_known ? value[i] : 0;
    *thread_undef(t, in->a + i) = is_known ? 0 : ALL_UNDEF;
  }
  t->track.text = set;
  return true;
}

// A conversion to an integer: does it have a result? False: the thread stopped.
static bool extended_converts(struct thread *t, const uint64_t *v,
                              bool *is_poison) {
  bool is_signed = v[0] == EXTENDED_TO_SIGNED;
  uint64_t how = v[3];
  if ((!is_signed && v[0] != EXTENDED_TO_UNSIGNED) || !(how & 0xff) ||
      extended_fits(v + 1, how & 0xff, is_signed))
    return true;
  *is_poison = how & IMM_POISON && thread_is_error(t, FIND_CONVERSION);
  return !(how & IMM_CHECKED) ||
         !thread_raise(t, FIND_CONVERSION,
                       "a long double does not fit into %s integer of %u bits",
                       is_signed ? "a signed" : "an unsigned",
                       (unsigned)(how & 0xff));
}

bool number_extended(struct thread *t, const struct insn *in) {
  const uint64_t *v = thread_slot(t, in->b);
  uint64_t result[2], undef = 0;
  for (unsigned i = 0; i < 5; i++)
    undef |= thread_undef(t, in->b)[i];
  unsigned most =
      v[0] >= EXTENDED_MATH_ERROR ? EXTENDED_MATH_ERROR : EXTENDED_MATH;
  if (v[0] >= most + MATH_COUNT)
    return !thread_raise(t, FIND_BAD_ARGUMENT, "no operation on 80 bits");
  if (!extended_compute((unsigned)v[0], v + 1, v + 3, result)) {
    thread_cut(t, "long double, which this machine has in another form");
    return false;
  }
  bool is_poison = false;
  if (!undef && !extended_converts(t, v, &is_poison))
    return false;
  undef |= is_poison;
  for (unsigned i = 0; i < 2; i++) {
    *thread_slot(t, in->a + i) = undef ? 0 : result[i];
    *thread_undef(t, in->a + i) = undef ? ALL_UNDEF : 0;
  }
  return true;
}

bool number_fma(struct thread *t, const struct insn *in) {
  const uint64_t *v = thread_slot(t, in->b);
  uint64_t result[2], undef = 0;
  for (unsigned i = 0; i < 7; i++)
    undef |= thread_undef(t, in->b)[i];
  if (!extended_fma((unsigned)v[0], v + 1, result)) {
    thread_cut(t, "fma, for which this machine lacks long double of x86");
    return false;
  }
  for (unsigned i = 0; i < 2; i++) {
    *thread_slot(t, in->a + i) = undef ? 0 : result[i];
    *thread_undef(t, in->a + i) = undef ? ALL_UNDEF : 0;
  }
  return true;
}

bool number_math(struct thread *t, const struct insn *in) {
  const uint64_t *v = thread_slot(t, in->b), *u = thread_undef(t, in->b);
  bool is_undef = u[0] | u[1] | u[2], is_error = in->imm == BI_math_error;
  if (v[0] % MATH_SINGLE >= MATH_COUNT || v[0] >= 2 * MATH_SINGLE)
    return !thread_raise(t, FIND_BAD_ARGUMENT, "no function of <math.h>");
  uint64_t value = is_undef   ? 0
                   : is_error ? (uint64_t)math_error((unsigned)v[0], v[1], v[2])
                              : math_compute((unsigned)v[0], v[1], v[2]);
  sys_result(t, in, value, is_undef ? ALL_UNDEF : 0);
  return true;
}
