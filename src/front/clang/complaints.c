// SPDX-License-Identifier: MIT
// What clang says about a program that it does not accept: where, and what
// could be done about it.
#include "front/clang/complaints.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

// The place of the first error in clang's messages, "file:line:column: error".
static void locate_error(const char *messages, struct diag *why) {
  for (const char *line = messages; line; line = strchr(line, '\n')) {
    line += *line == '\n';
    const char *end = line + strcspn(line, "\n");
    const char *error = strstr(line, "error: ");
    if (!error || error > end)
      continue;
    char file[sizeof why->file];
    unsigned at_line, at_column;
    if (sscanf(line, "%511[^:\n]:%u:%u:", file, &at_line, &at_column) == 3) {
      memcpy(why->file, file, sizeof file);
      why->line = at_line;
      why->column = at_column;
    }
    return;
  }
}

bool complaint_set(struct diag *why, const char *clang, const char *file,
                   char *text, int status) {
  for (char *p = text; *p; p++)
    if (iscntrl((unsigned char)*p) && *p != '\n' && *p != '\t')
      *p = '?';
  for (size_t n = strlen(text); n > 0 && text[n - 1] == '\n'; n--)
    text[n - 1] = 0;
  if (WIFSIGNALED(status))
    return diag_set(why, file, 0, "clang was ended by signal %d:\n%s",
                    WTERMSIG(status), text);
  // The dynamic linker and shells say so; clang has no such exit code.
  if (WEXITSTATUS(status) == 126 || WEXITSTATUS(status) == 127)
    return diag_set(why, file, 0, "%s cannot start:\n%s", clang, text);
  diag_set(why, file, 0, "clang does not accept the program:\n%s", text);
  locate_error(text, why);
  return false;
}

// What clang names when a function has no declaration; of C89 it speaks in
// other words.
static const char implicit[] = "-Wimplicit-function-declaration";

// May the host's headers have what clang misses in Heddle's own?
bool complaint_asks_for_more(const struct diag *why) {
  static const char *const complaints[] = {
      "file not found",    "undeclared", implicit,
      "unknown type name", "incomplete", "no member named"};
  for (size_t i = 0; i < LENGTH(complaints); i++)
    if (strstr(why->text, complaints[i]))
      return true;
  return false;
}

// -- functions without a declaration

bool complaint_is_undeclared(const struct diag *why) {
  return strstr(why->text, implicit) != NULL;
}

// The next one after `at`, a place in clang's messages; false: no more.
static bool next_undeclared(const char **at, char name[64]) {
  static const char quoted[] = " function '";
  const char *end = strstr(*at, implicit), *found = strstr(*at, quoted), *next;
  while (end && found && (next = strstr(found + 1, quoted)) && next < end)
    found = next;
  if (!end || !found || found > end)
    return false;
  found += sizeof quoted - 1;
  snprintf(name, 64, "%.*s", (int)strcspn(found, "'"), found);
  *at = end + 1;
  return true;
}

static bool begins_with(const char *name, const char *prefix) {
  return strncmp(name, prefix, strlen(prefix)) == 0;
}

bool complaint_needs_names(const struct diag *why, struct str *flags) {
  static const struct {
    const char *prefix, *flag;
  } families[] = {
      {"__VERIFIER_assume", " -D__HEDDLE_NEEDS_ASSUME"},
      {"__VERIFIER_assert", " -D__HEDDLE_NEEDS_VERIFIER_ASSERT"},
      {"__VERIFIER_", " -D__HEDDLE_NEEDS_VERIFIER_NAMES"},
      {"reach_error", " -D__HEDDLE_NEEDS_REACH_ERROR"},
      {"nondet_", " -D__HEDDLE_NEEDS_NONDET"},
      {"__ESBMC_", " -D__HEDDLE_NEEDS_ESBMC"},
      {"__CPROVER_", " -D__HEDDLE_NEEDS_CPROVER"},
      {"assert", " -D__HEDDLE_NEEDS_ASSERT_H"},
  };
  enum { FAMILIES = LENGTH(families) };
  char name[64];
  bool is_new = false;
  for (const char *at = why->text; next_undeclared(&at, name);) {
    size_t i = 0;
    while (i < FAMILIES && !begins_with(name, families[i].prefix))
      i++;
    if (i == FAMILIES || strstr(str_text(flags), families[i].flag))
      continue;
    str_add(flags, "%s%s", flags->len ? "" : " -include heddle/undeclared.h",
            families[i].flag);
    is_new = true;
  }
  return is_new;
}

// Where functions that clang does not know are declared.
static const char *header_of(const char *name) {
  static const struct {
    const char *prefix, *header;
  } headers[] = {
      {"pthread_", "pthread.h"},  {"sem_", "semaphore.h"},
      {"atomic_", "stdatomic.h"}, {"thrd_", "threads.h"},
      {"mtx_", "threads.h"},      {"cnd_", "threads.h"},
      {"tss_", "threads.h"},      {"sched_", "sched.h"},
      {"usleep", "unistd.h"},     {"sleep", "unistd.h"},
      {"nanosleep", "time.h"},    {"heddle_", "heddle.h"},
      {"__VERIFIER_", "genmc.h"}, {"smp_", "lkmm.h"},
      {"rcu_", "lkmm.h"},         {"spin_", "lkmm.h"},
      {"READ_ONCE", "lkmm.h"},    {"WRITE_ONCE", "lkmm.h"},
      {"synchronize_", "lkmm.h"}, {"xchg", "lkmm.h"},
      {"cmpxchg", "lkmm.h"},
  };
  for (size_t i = 0; i < LENGTH(headers); i++)
    if (begins_with(name, headers[i].prefix))
      return headers[i].header;
  return NULL;
}

// A header that is not found. Those of C++'s library have no dot in their
// names.
static bool find_missing_header(const char *text, char name[64]) {
  const char *end = strstr(text, "' file not found"), *from = end;
  while (from && from > text && from[-1] != '\'' && from[-1] != '\n')
    from--;
  if (!end || from == text || from[-1] != '\'' || end - from > 63)
    return false;
  snprintf(name, 64, "%.*s", (int)(end - from), from);
  return true;
}

void complaint_advise(struct diag *why) {
  const char *at = why->text;
  char name[64];
  if (why->hint[0])
    return;
  if (find_missing_header(at, name)) {
    if (strpbrk(name, "./"))
      diag_hint(why, "-I DIR after -- says where <%s> is", name);
    else
      diag_hint(why,
                "the library of C++ that clang has found is without <%s>: a "
                "newer one may have it (Debian: libstdc++-14-dev; with "
                "--stdlib libc++: libc++-19-dev)",
                name);
    return;
  }
  if (!next_undeclared(&at, name))
    return;
  const char *header = header_of(name);
  if (header)
    diag_hint(why,
              "`%s` looks like a name of <%s>: include that, or give the flag "
              "-include %s after --",
              name, header, header);
  else
    diag_hint(why,
              "declare `%s`, or include the header that does (-I DIR after "
              "-- says where); -std=gnu89 after -- takes functions without "
              "a declaration as int",
              name);
}
