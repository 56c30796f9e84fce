// SPDX-License-Identifier: MIT
// std::ostringstream, and std::stringstream as far as it is written to: the
// text is kept where the headers have their buffer. As there, what is written
// replaces what is behind the place where it is written.
#include <new>
#include <sstream>

#include "stream.h"

#pragma clang diagnostic ignored "-Wreturn-type-c-linkage"

struct strings {
  const void *functions;
  std::string text;
  long at;
  char rest[sizeof(std::ostringstream) - sizeof(stream_base) -
            sizeof(std::string) - 16];
  stream_base base;
};
static_assert(sizeof(strings) == sizeof(std::ostringstream));

struct both_ways {
  const void *functions; // of the part that reads
  long count;
  strings out;
};
static_assert(sizeof(both_ways) == sizeof(std::stringstream));

// -- what each of them is, as a stream that is written to

static strings *out_of(strings *s) {
  return s;
}
static strings *out_of(both_ways *s) {
  return &s->out;
}

static void add(stream *to, const char *text, long n) {
  strings *s = reinterpret_cast<strings *>(to);
  long behind = (long)s->text.size() - s->at;
  s->text.replace((size_t)s->at, (size_t)(behind < n ? behind : n), text,
                  (size_t)n);
  s->at += n;
}

// Their ends, also by a pointer to the part that reads or that is written to.
static void end(stream *s) {
  reinterpret_cast<strings *>(s)->text.~basic_string();
}
static void end_both(stream *s) {
  reinterpret_cast<both_ways *>(s)->out.text.~basic_string();
}
static void free_strings(stream *s) {
  end(s);
  ::operator delete(s, sizeof(strings));
}
static void free_both(stream *s) {
  end_both(s);
  ::operator delete(s, sizeof(both_ways));
}
static void free_both_by_out(stream *s) {
  free_both(reinterpret_cast<stream *>(reinterpret_cast<char *>(s) -
                                       offsetof(both_ways, out)));
}

static const stream_table
    table = {offsetof(strings, base), 0, nullptr, end, free_strings, add},
    in_table = {offsetof(both_ways, out.base),
                0,
                nullptr,
                end_both,
                free_both,
                nullptr},
    out_table = {offsetof(strings, base), 0,  nullptr, end,
                 free_both_by_out,        add};

static void set(strings *s, const std::string &text) {
  s->text = text;
  s->at = 0;
}

static void begin_out(strings *s, const stream_table *t,
                      const std::string &text, std::ios_base::openmode mode) {
  bool at_end = mode & (std::ios_base::ate | std::ios_base::app);
  s->functions = &t->end;
  new (&s->text) std::string(text);
  s->at = at_end ? (long)text.size() : 0;
  s->base = STREAM_BASE;
}

static void begin(strings *s, const std::string &text = std::string(),
                  std::ios_base::openmode mode = std::ios_base::out) {
  begin_out(s, &table, text, mode);
}

static void begin(both_ways *s, const std::string &text = std::string(),
                  std::ios_base::openmode mode = std::ios_base::out) {
  s->functions = &in_table.end;
  s->count = 0;
  begin_out(&s->out, &out_table, text, mode);
}

// -- members, by their mangled names

#define NAME(before, name, rest)                                               \
  _ZN##before##St7__cxx11##name##IcSt11char_traitsIcESaIcEE##rest
#define MEMBERS(type, name)                                                    \
  void NAME(, name, C1Ev)(type * s) {                                          \
    begin(s);                                                                  \
  }                                                                            \
  void NAME(, name, C1ESt13_Ios_Openmode)(type * s, std::ios_base::openmode) { \
    begin(s);                                                                  \
  }                                                                            \
  void NAME(, name, C1ERKNS_12basic_stringIcS2_S3_EESt13_Ios_Openmode)(        \
      type * s, const std::string &text, std::ios_base::openmode mode) {       \
    begin(s, text, mode);                                                      \
  }                                                                            \
  void NAME(, name, C1EONS_12basic_stringIcS2_S3_EESt13_Ios_Openmode)(         \
      type * s, std::string & text, std::ios_base::openmode mode) {            \
    begin(s, text, mode);                                                      \
  }                                                                            \
  void NAME(, name, C1EOS4_)(type * s, type * from) {                          \
    begin(s, out_of(from)->text);                                              \
    out_of(s)->at = out_of(from)->at;                                          \
    out_of(s)->base = out_of(from)->base;                                      \
    set(out_of(from), std::string());                                          \
  }                                                                            \
  void NAME(, name, D1Ev)(type * s) {                                          \
    out_of(s)->text.~basic_string();                                           \
  }                                                                            \
  std::string NAME(K, name, 3strEv)(type * s) { /* before C++20 */             \
    return out_of(s)->text;                                                    \
  }                                                                            \
  std::string NAME(KR, name, 3strEv)(type * s) {                               \
    return out_of(s)->text;                                                    \
  }                                                                            \
  std::string NAME(O, name, 3strEv)(type * s) {                                \
    std::string text = out_of(s)->text;                                        \
    set(out_of(s), std::string());                                             \
    return text;                                                               \
  }                                                                            \
  std::string_view NAME(K, name, 4viewEv)(type * s) {                          \
    return out_of(s)->text;                                                    \
  }                                                                            \
  void NAME(, name, 3strERKNS_12basic_stringIcS2_S3_EE)(                       \
      type * s, const std::string &text) {                                     \
    set(out_of(s), text);                                                      \
  }                                                                            \
  void NAME(, name, 3strEONS_12basic_stringIcS2_S3_EE)(type * s,               \
                                                       std::string & text) {   \
    set(out_of(s), text);                                                      \
  }

extern "C" {
MEMBERS(strings, 19basic_ostringstream)
MEMBERS(both_ways, 18basic_stringstream)
}
