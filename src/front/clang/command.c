// SPDX-License-Identifier: MIT
// The command line of clang: what every file is compiled with, what the user
// gave after `--`, and what differs between C and C++. A flag for one of the
// two languages is not given to files of the other, so that one command line
// does for both.
#include "front/clang/command.h"
#include "front/versions.h"

#include <string.h>

void words_add(words *a, const char *text) {
  size_t n = strlen(text) + 1;
  array_push(a, memcpy(xmalloc(n), text, n));
}

void words_done(words *a) {
  for (uint32_t i = 0; i < a->len; i++)
    free(a->at[i]);
  array_done(a);
}

// Several arguments, with blanks between them.
static void words_split(words *a, const char *text) {
  for (;;) {
    text += strspn(text, " ");
    size_t n = strcspn(text, " ");
    if (!n)
      return;
    char *word = xcalloc(n + 1, 1);
    array_push(a, memcpy(word, text, n));
    text += n;
  }
}

// -- languages

static bool starts(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

static bool is_one_of(const char *text, const char *const *list) {
  while (*list && strcmp(text, *list) != 0)
    list++;
  return *list;
}

// What -x says, or NULL.
static const char *given_language(const struct front_options *o) {
  const char *found = NULL;
  for (unsigned i = 0; i < o->nflags; i++)
    if (strcmp(o->clang_flags[i], "-x") == 0 && i + 1 < o->nflags)
      found = o->clang_flags[i + 1];
    else if (starts(o->clang_flags[i], "-x"))
      found = o->clang_flags[i] + 2;
  return found && strcmp(found, "none") != 0 ? found : NULL;
}

enum language command_language(const struct front_options *o,
                               const char *file) {
  static const char *const c[] = {".c", ".i", NULL};
  static const char *const cxx[] = {".cpp", ".cc", ".cxx", ".C",
                                    ".c++", ".ii", NULL};
  const char *dot = strrchr(file, '.'), *given = given_language(o);
  bool is_c = dot && is_one_of(dot, c), is_cxx = dot && is_one_of(dot, cxx);
  if ((is_c || is_cxx) && given)
    return starts(given, "c++") ? LANGUAGE_CXX : LANGUAGE_C;
  return is_c ? LANGUAGE_C : is_cxx ? LANGUAGE_CXX : LANGUAGE_NONE;
}

// Is the flag for the other language alone?
static bool is_foreign(const char *flag, enum language language) {
  static const char *const cxx[] = {"-fno-exceptions", "-fno-rtti",
                                    "-fexceptions", "-frtti", NULL};
  static const char standard[] = "-std=";
  if (starts(flag, standard))
    return (strstr(flag, "++") != NULL) != (language == LANGUAGE_CXX);
  return language == LANGUAGE_C &&
         (starts(flag, "-stdlib=") || is_one_of(flag, cxx));
}

// -- flags

// What gcc warned of for decades is no error, unless the user says so.
#define LIKE_GCC                                                               \
  "-Wno-error=incompatible-function-pointer-types "                            \
  "-Wno-error=incompatible-pointer-types -Wno-error=implicit-int "             \
  "-Wno-error=return-mismatch "
#define LIKE_GXX                                                               \
  "-Wno-error=c++11-narrowing -Wno-error=register "                            \
  "-Wno-error=reserved-user-defined-literal "                                  \
  "-Wno-error=missing-template-arg-list-after-template-kw " ENUM_LIKE_GXX

// Does the user compile for another machine?
static bool has_target(const struct front_options *o) {
  for (unsigned i = 0; i < o->nflags; i++)
    if (starts(o->clang_flags[i], "--target=") ||
        strcmp(o->clang_flags[i], "-target") == 0)
      return true;
  return false;
}

// Nothing may be optimised away: every access and every dependency of the
// source has to be in the bitcode. So -O0 comes after the user's flags.
void command_make(const struct command *c, words *ret) {
  const struct front_options *o = c->options;
  words_add(ret, c->clang);
  words_split(ret,
              c->language == LANGUAGE_CXX
                  ? "--driver-mode=g++ -std=gnu++20 -D_GLIBCXX_TSAN=1 " LIKE_GXX
                  : "-std=gnu17 " LIKE_GCC);
  words_split(ret, "-g -ffp-contract=off -fno-stack-protector -ferror-limit=5 "
                   "-D__HEDDLE__ " LLVM_OWN_FLAGS);
  if (!has_target(o))
    words_add(ret, "-mcx16");
  words_split(ret, c->headers);
  words_add(ret, c->include);
  // For another machine clang leaves out what the host keeps apart by machine.
  if (has_target(o) && !strstr(c->headers, "-nostdinc"))
    words_split(ret, "-idirafter /usr/include/x86_64-linux-gnu");
  for (unsigned i = 0; i < o->nflags; i++)
    if (!is_foreign(o->clang_flags[i], c->language))
      words_add(ret, o->clang_flags[i]);
  words_split(ret, c->more);
  words_split(ret, "-O0 -Xclang -disable-O0-optnone -fno-discard-value-names "
                   "-Xclang -fsanitize-address-use-after-scope "
                   "-U_FORTIFY_SOURCE -emit-llvm -c -o - --");
  words_add(ret, c->file);
  array_push(ret, NULL);
}
