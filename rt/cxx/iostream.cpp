// SPDX-License-Identifier: MIT
// std::cout, std::cerr and std::clog, for output alone: what is formatted goes
// where printf's output goes, or into the text of a stream of sstream.cpp. The
// streams have the layout of the headers, since manipulators are code of the
// headers that sets fields, and a table of virtual functions that says where
// the base with these fields is. The fields are read as atomics: to print from
// several threads is no race.
//
// The headers promise these functions to be in the library as instances of
// templates, so they are defined by their mangled names.
#include <cstdio>
#include <cstring>

#include "stream.h"

// -- the streams

static const stream_table table = {sizeof(void *), 0,       nullptr,
                                   nullptr,        nullptr, nullptr};

struct fields : std::ios { // to get at them
  using std::ios::_M_fill;
  using std::ios::_M_fill_init;
  using std::ios_base::_M_flags;
  using std::ios_base::_M_precision;
  using std::ios_base::_M_width;
};

struct layout {
  const void *functions;
  stream_base base;
};
static_assert(sizeof(layout) == sizeof(stream));
#define STREAM                                                                 \
  { &table.end, STREAM_BASE }
extern "C" {
layout _ZSt4cout = STREAM;
layout _ZSt4cerr = STREAM;
layout _ZSt4clog = STREAM;
}

std::ios_base::Init::Init() {}
std::ios_base::Init::~Init() {}
bool std::ios_base::sync_with_stdio(bool) {
  return true;
}

// -- formatting

static fields &fields_of(stream *s) {
  return static_cast<fields &>(static_cast<std::ios &>(*s));
}
template <class T> static T look(T &field) {
  return __atomic_load_n(&field, __ATOMIC_RELAXED);
}

static char set_fill(fields &f, char c) {
  char old = look(f._M_fill_init) ? look(f._M_fill) : ' ';
  __atomic_store_n(&f._M_fill, c, __ATOMIC_RELAXED);
  __atomic_store_n(&f._M_fill_init, true, __ATOMIC_RELAXED);
  return old;
}

static void write(stream *s, const char *text, long n) {
  const char *functions = *reinterpret_cast<const char **>(s);
  auto t = reinterpret_cast<const stream_table *>(functions -
                                                  offsetof(stream_table, end));
  if (t->write)
    t->write(s, text, n);
  else
    printf("%.*s", (int)n, text);
}

// The text, filled up to the width, which counts for one output.
static stream *put(stream *s, const char *text, long n) {
  fields &f = fields_of(s);
  long missing = look(f._M_width) - n;
  if (missing <= 0) {
    write(s, text, n);
  } else {
    char fill[64];
    missing = missing < (long)sizeof fill ? missing : (long)sizeof fill;
    memset(fill, look(f._M_fill_init) ? look(f._M_fill) : ' ', missing);
    bool is_left =
        (look(f._M_flags) & std::ios_base::adjustfield) == std::ios_base::left;
    write(s, is_left ? text : fill, is_left ? n : missing);
    write(s, is_left ? fill : text, is_left ? missing : n);
  }
  if (missing + n)
    __atomic_store_n(&f._M_width, 0, __ATOMIC_RELAXED);
  return s;
}

static stream *put_integer(stream *s, unsigned long value, bool is_signed) {
  char text[32], format[8], *at = format;
  unsigned flags = look(fields_of(s)._M_flags);
  unsigned base = flags & std::ios_base::basefield;
  *at++ = '%';
  if (flags & std::ios_base::showpos && is_signed)
    *at++ = '+';
  if (flags & std::ios_base::showbase)
    *at++ = '#';
  *at++ = 'l';
  *at++ = base == std::ios_base::hex
              ? flags & std::ios_base::uppercase ? 'X' : 'x'
          : base == std::ios_base::oct ? 'o'
          : is_signed                  ? 'd'
                                       : 'u';
  *at = 0;
  return put(s, text, snprintf(text, sizeof text, format, value));
}

static stream *put_signed(stream *s, long value, unsigned size) {
  unsigned base = look(fields_of(s)._M_flags) & std::ios_base::basefield;
  bool is_decimal = base != std::ios_base::hex && base != std::ios_base::oct;
  unsigned long bits = (unsigned long)value;
  if (!is_decimal && size < sizeof bits)
    bits &= (1ul << 8 * size) - 1;
  return put_integer(s, bits, is_decimal);
}

static stream *put_double(stream *s, long double value) {
  char text[512];
  fields &f = fields_of(s);
  unsigned flags = look(f._M_flags), field = flags & std::ios_base::floatfield;
  const char *format = field == std::ios_base::fixed        ? "%.*Lf"
                       : field == std::ios_base::scientific ? "%.*Le"
                                                            : "%.*Lg";
  int n = snprintf(text, sizeof text, format, (int)look(f._M_precision), value);
  return put(s, text, n < (int)sizeof text ? n : (int)sizeof text - 1);
}

// -- members and functions

extern "C" {

#define SIGNED(type, code)                                                     \
  stream *_ZNSols##code(stream *s, type value) {                               \
    return put_signed(s, value, sizeof value);                                 \
  }
#define UNSIGNED(type, code)                                                   \
  stream *_ZNSols##code(stream *s, type value) {                               \
    return put_integer(s, value, false);                                       \
  }
#define FLOATING(type, code)                                                   \
  stream *_ZNSols##code(stream *s, type value) {                               \
    return put_double(s, value);                                               \
  }
SIGNED(short, Es)
SIGNED(int, Ei)
SIGNED(long, El)
SIGNED(long long, Ex)
UNSIGNED(unsigned short, Et)
UNSIGNED(unsigned, Ej)
UNSIGNED(unsigned long, Em)
UNSIGNED(unsigned long long, Ey)
FLOATING(float, Ef)
FLOATING(double, Ed)
FLOATING(long double, Ee)

stream *_ZNSolsEb(stream *s, bool value) {
  if (look(fields_of(s)._M_flags) & std::ios_base::boolalpha)
    return put(s, value ? "true" : "false", value ? 4 : 5);
  return put_integer(s, value, false);
}
stream *_ZNSolsEPKv(stream *s, const void *value) {
  char text[32];
  return put(s, text, snprintf(text, sizeof text, "%p", value));
}
stream *_ZNSolsEDn(stream *s, void *) {
  return put(s, "nullptr", 7);
}

// Manipulators.
stream *_ZNSolsEPFRSoS_E(stream *s, stream *(*f)(stream *)) {
  return f(s);
}
stream *
_ZNSolsEPFRSt9basic_iosIcSt11char_traitsIcEES3_E(stream *s,
                                                 std::ios *(*f)(std::ios *)) {
  f(s);
  return s;
}
stream *_ZNSolsEPFRSt8ios_baseS0_E(stream *s,
                                   std::ios_base *(*f)(std::ios_base *)) {
  f(s);
  return s;
}
stream *_ZSt4endlIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_(stream *s) {
  write(s, "\n", 1);
  return s;
}
stream *_ZSt5flushIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_(stream *s) {
  return s;
}

#define MANIPULATOR(name)                                                      \
  _ZStlsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_St##name
stream *MANIPULATOR(5_Setw)(stream *s, int n) {
  __atomic_store_n(&fields_of(s)._M_width, n, __ATOMIC_RELAXED);
  return s;
}
stream *MANIPULATOR(13_Setprecision)(stream *s, int n) {
  __atomic_store_n(&fields_of(s)._M_precision, n, __ATOMIC_RELAXED);
  return s;
}
stream *MANIPULATOR(8_SetfillIS3_E)(stream *s, char c) {
  set_fill(fields_of(s), c);
  return s;
}

// Texts.
stream *_ZNSo3putEc(stream *s, char c) {
  write(s, &c, 1);
  return s;
}
stream *_ZNSo5writeEPKcl(stream *s, const char *text, long n) {
  write(s, text, n);
  return s;
}
stream *_ZNSo5flushEv(stream *s) {
  return s;
}
stream *
_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc(stream *s,
                                                        const char *text) {
  return put(s, text, (long)strlen(text));
}
stream *_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_c(stream *s,
                                                              char c) {
  return put(s, &c, 1);
}
stream *_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_a(stream *s,
                                                              char c) {
  return put(s, &c, 1);
}
stream *_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_h(stream *s,
                                                              char c) {
  return put(s, &c, 1);
}
stream *
_ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l(
    stream *s, const char *text, long n) {
  return put(s, text, n);
}

stream *
_ZStlsIcSt11char_traitsIcESaIcEERSt13basic_ostreamIT_T0_ES7_RKNSt7__cxx1112basic_stringIS4_S5_T1_EE(
    stream *s, const std::string *text) {
  return put(s, text->data(), (long)text->size());
}

char _ZNSt9basic_iosIcSt11char_traitsIcEE4fillEc(std::ios *s, char c) {
  return set_fill(static_cast<fields &>(*s), c);
}
bool _ZNKSt9basic_iosIcSt11char_traitsIcEEcvbEv(const std::ios *) {
  return true;
}
bool _ZNKSt9basic_iosIcSt11char_traitsIcEE4goodEv(const std::ios *) {
  return true;
}
bool _ZNKSt9basic_iosIcSt11char_traitsIcEEntEv(const std::ios *) {
  return false;
}
bool _ZNKSt9basic_iosIcSt11char_traitsIcEE4failEv(const std::ios *) {
  return false;
}
bool _ZNKSt9basic_iosIcSt11char_traitsIcEE3badEv(const std::ios *) {
  return false;
}
void _ZNSt9basic_iosIcSt11char_traitsIcEE5clearESt12_Ios_Iostate(
    std::ios *, std::ios_base::iostate) {}
}
