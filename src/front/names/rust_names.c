// SPDX-License-Identifier: MIT
// Names of Rust as people write them: `main::{closure#0}`, `<Queue as
// Drop>::drop`. Legacy names are those of C++ with a hash at the end and other
// characters as `$u7b$` or `..`; LLVM reads the new ones (v0). Arguments of
// generic types are left out.
#include "front/stage.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

char *__cxa_demangle(const char *name, char *buffer, size_t *n, int *status);

// llvm::rustDemangle(std::string_view), which LLVM-C has no door to.
struct view {
  size_t len;
  const char *at;
};
char *llvm_rust_demangle(struct view name) __asm__(
    "_ZN4llvm12rustDemangleESt17basic_string_viewIcSt11char_traitsIcEE");

// -- legacy names

enum { HASH = 20 }; // "17h", 16 digits, "E"

static bool is_legacy(const char *name) {
  size_t n = strlen(name);
  return strncmp(name, "_ZN", 3) == 0 && n > 3 + HASH &&
         strncmp(name + n - HASH, "17h", 3) == 0 && name[n - 1] == 'E' &&
         strspn(name + n - HASH + 3, "0123456789abcdef") == HASH - 4;
}

// What stands for another character; yields where it ends, or NULL.
static const char *add_escaped(const char *at, struct str *out) {
  static const struct {
    const char *name, *means;
  } words[] = {{"$LT$", "<"}, {"$GT$", ">"}, {"$RF$", "&"},
               {"$BP$", "*"}, {"$LP$", "("}, {"$RP$", ")"},
               {"$C$", ","},  {"$SP$", "@"}, {"..", "::"}};
  for (size_t i = 0; i < LENGTH(words); i++)
    if (strncmp(at, words[i].name, strlen(words[i].name)) == 0) {
      str_add(out, "%s", words[i].means);
      return at + strlen(words[i].name);
    }
  char *end;
  unsigned long code =
      strncmp(at, "$u", 2) == 0 ? strtoul(at + 2, &end, 16) : 0;
  if (code < 32 || code > 126 || *end != '$')
    return NULL;
  str_add(out, "%c", (int)code);
  return end + 1;
}

static void add_legacy(const char *name, struct str *out) {
  int status;
  char *plain = __cxa_demangle(name, NULL, NULL, &status);
  char *end = plain ? strrchr(plain, ':') : NULL;
  if (end && end > plain)
    end[-1] = 0; // the hash
  for (const char *at = plain ? plain : name, *next; *at;) {
    bool begins = at == plain || at[-1] == ':';
    if (begins && at[0] == '_' && at[1] == '$')
      at++; // no name begins with $
    next = add_escaped(at, out);
    if (!next)
      str_add_bytes(out, next = at, 1), next++;
    at = next;
  }
  free(plain);
}

// -- without arguments

// Behind `<...>`; an arrow closes nothing.
static const char *behind_arguments(const char *at) {
  unsigned depth = 0;
  for (; *at; at++)
    if (*at == '<')
      depth++;
    else if (*at == '>' && at[-1] != '-' && --depth == 0)
      return at + 1;
  return at;
}

// `<A as B>::f` begins with a bracket that is none of arguments.
static void add_without_arguments(const char *at, struct str *out) {
  for (const char *from = at; *at;) {
    bool is_path = at == from || strchr(" <&(,", at[-1]);
    if (*at == '<' && !is_path) {
      if (out->len > 2 && strcmp(out->at + out->len - 2, "::") == 0)
        out->at[out->len -= 2] = 0;
      at = behind_arguments(at);
    } else {
      str_add_bytes(out, at++, 1);
    }
  }
}

bool rust_name(const char *name, struct str *out) {
  struct str whole = {0};
  if (strncmp(name, "_R", 2) == 0) {
    char *text = llvm_rust_demangle((struct view){strlen(name), name});
    if (text)
      str_add(&whole, "%s", text);
    free(text);
  } else if (is_legacy(name)) {
    add_legacy(name, &whole);
  }
  if (whole.len)
    add_without_arguments(whole.at, out);
  str_done(&whole);
  return out->len > 0;
}
