// SPDX-License-Identifier: MIT
// Names of C++ as people write them: demangled, and of functions without
// parameters, template arguments and the type of the result, so
// `std::atomic<int>::load(std::memory_order) const` is `std::atomic::load`.
#include "front/stage.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// Of the C++ library that LLVM's libraries need anyway. It may be older than
// the compiler, whose own reader of names then helps: that is
// llvm::itaniumDemangle(std::string_view, bool), which LLVM-C has no door to.
char *__cxa_demangle(const char *name, char *buffer, size_t *n, int *status);
struct view {
  size_t len;
  const char *at;
};
char *llvm_demangle(struct view name, bool has_parameters) __asm__(
    "_ZN4llvm15itaniumDemangleESt17basic_string_viewIcSt11char_traitsIcEEb");

static char *demangled(const char *name) {
  int status;
  if (strncmp(name, "_Z", 2) != 0)
    return NULL;
  char *text = __cxa_demangle(name, NULL, NULL, &status);
  return text ? text : llvm_demangle((struct view){strlen(name), name}, true);
}

static bool demangled_rust(struct front *f, const char *name, uint32_t *ret) {
  struct str out = {0};
  bool is_rust = f->has_rust && rust_name(name, &out);
  if (is_rust)
    *ret = prog_string(f->prog, out.at);
  str_done(&out);
  return is_rust;
}

uint32_t demangle(struct front *f, const char *name) {
  uint32_t of_rust;
  if (demangled_rust(f, name, &of_rust))
    return of_rust;
  char *text = demangled(name);
  uint32_t id = prog_string(f->prog, text ? text : name);
  free(text);
  return id;
}

// -- functions

static bool starts(const char *at, const char *word) {
  return strncmp(at, word, strlen(word)) == 0;
}

// Behind the bracket that closes the one at `at`.
static const char *behind_bracket(const char *at) {
  static const char open[] = "<([{", shut[] = ">)]}";
  unsigned depth = 0;
  for (; *at; at++) {
    if (starts(at, "->") || starts(at, "operator<") || starts(at, "operator>"))
      at += *at == '-' ? 1 : 8;
    else if (strchr(open, *at))
      depth++;
    else if (strchr(shut, *at) && --depth == 0)
      return at + 1;
  }
  return at;
}

// Behind what may follow the parameters of a member function.
static const char *behind_qualifiers(const char *at) {
  static const char *const words[] = {" const", " volatile", " &&", " &"};
  for (size_t i = 0; i < LENGTH(words); i++)
    if (starts(at, words[i])) {
      at += strlen(words[i]);
      i = 0;
    }
  return at;
}

static bool is_word(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$';
}

// `operator` and what is overloaded; yields where that ends.
static const char *add_operator(const char *at, struct str *out) {
  const char *end = at + strlen("operator");
  if (starts(end, "()") && out->len > 3 &&
      strcmp(out->at + out->len - 3, "}::") == 0) { // a lambda is called
    out->len -= 2;
    out->at[out->len] = 0;
    return end + 2;
  }
  if (starts(end, "()") || starts(end, "[]"))
    end += 2;
  else if (*end == ' ') // a conversion, new or delete
    end += strcspn(end, "(<");
  else
    end += strspn(end, "<>=!+-*/%&|^~,");
  str_add_bytes(out, at, (size_t)(end - at));
  return end;
}

// clang's name for the closure of a lambda: $_0 is the first.
static const char *add_closure(const char *at, struct str *out) {
  char *end;
  unsigned long n = strtoul(at + 2, &end, 10);
  str_add(out, "{lambda#%lu}", n + 1);
  return end;
}

static void add_short(const char *at, struct str *out) {
  static const char anonymous[] = "(anonymous namespace)::";
  static const char libcxx[] = "__1::"; // where libc++ has its names in std
  while (*at) {
    bool begins = !out->len || !is_word(out->at[out->len - 1]);
    if (starts(at, libcxx) && out->len >= 5 &&
        strcmp(out->at + out->len - 5, "std::") == 0) {
      at += sizeof libcxx - 1;
    } else if (starts(at, anonymous)) {
      at += sizeof anonymous - 1;
    } else if (begins && starts(at, "operator") && !is_word(at[8])) {
      at = add_operator(at, out);
    } else if (begins && starts(at, "$_") && isdigit((unsigned char)at[2])) {
      at = add_closure(at, out);
    } else if (starts(at, "{lambda(")) {
      const char *number = behind_bracket(at + 7);
      str_add(out, "{lambda");
      at = number;
    } else if (*at == '<') {
      at = behind_bracket(at);
    } else if (*at == '(') {
      at = behind_qualifiers(behind_bracket(at));
      if (*at != ':')
        return;
    } else if (*at == '[') { // an ABI tag
      at = behind_bracket(at);
    } else if (*at == ' ') { // what was there is the type of the result
      out->len = 0;
      at++;
    } else {
      str_add_bytes(out, at++, 1);
    }
  }
}

uint32_t demangle_function(struct front *f, const char *name) {
  uint32_t of_rust;
  if (demangled_rust(f, name, &of_rust))
    return of_rust;
  char *text = demangled(name);
  if (!text)
    return prog_string(f->prog, name);
  struct str out = {0};
  add_short(text, &out);
  uint32_t id = prog_string(f->prog, out.len ? str_text(&out) : text);
  str_done(&out);
  free(text);
  return id;
}
