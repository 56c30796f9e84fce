// SPDX-License-Identifier: MIT
// Standard input is read once, into a file that is there until Heddle ends:
// clang reads it, and reports show its lines. It is called STDIN_NAME wherever
// it is told about, and quoted includes start from where Heddle was started.
#include "cmd/inputs.h"

#include "base/source.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[PATH_MAX], path[PATH_MAX + 16];
static pid_t owner; // tests are children, which leave the file alone

static void remove_stdin(void) {
  if (getpid() != owner)
    return;
  unlink(path);
  rmdir(folder);
}

static bool cannot_keep(struct diag *why) {
  return diag_set(why, STDIN_NAME, 0, "cannot be kept in %s: %s", folder,
                  strerror(errno));
}

static bool copy_stdin(FILE *out) {
  char part[16384];
  size_t n;
  while ((n = fread(part, 1, sizeof part, stdin)) > 0)
    if (fwrite(part, 1, n, out) != n)
      return false;
  return !ferror(stdin);
}

static bool keep_stdin(struct diag *why) {
  if (*path)
    return true;
  const char *parent = getenv("TMPDIR");
  snprintf(folder, sizeof folder, "%s/heddle-XXXXXX",
           parent && *parent ? parent : "/tmp");
  if (!mkdtemp(folder))
    return cannot_keep(why);
  snprintf(path, sizeof path, "%s/stdin.c", folder);
  owner = getpid();
  atexit(remove_stdin);
  FILE *out = fopen(path, "w");
  bool ok = out && copy_stdin(out);
  if (out && fclose(out) != 0)
    ok = false;
  source_keep_stdin(path);
  return ok || cannot_keep(why);
}

void inputs_name_stdin(char *text, size_t size) {
  size_t n = strlen(path), m = strlen(STDIN_NAME);
  struct str out = {0};
  for (const char *p = text; *path && *p;) {
    bool is_here = strncmp(p, path, n) == 0;
    str_add_bytes(&out, is_here ? STDIN_NAME : p, is_here ? m : 1);
    p += is_here ? n : 1;
  }
  if (out.len)
    snprintf(text, size, "%s", out.at);
  str_done(&out);
}

static void add_own(struct inputs *in, const char *flag, const char *value) {
  struct str text = {0};
  str_add(&text, "%s%s", flag, value);
  array_push(&in->own, text.at);
  array_push(&in->flags, text.at);
}

static bool add_stdin(struct inputs *in, struct diag *why) {
  char here[PATH_MAX];
  if (in->has_stdin)
    return diag_set(why, NULL, 0, "standard input can be read only once");
  in->has_stdin = true;
  if (!keep_stdin(why))
    return false;
  array_push(&in->files, path);
  if (getcwd(here, sizeof here)) {
    add_own(in, "-iquote", "");
    add_own(in, here, "");
  }
  struct str map = {0};
  str_add(&map, "-ffile-prefix-map=%s=%s", path, STDIN_NAME);
  add_own(in, map.at, "");
  str_done(&map);
  return true;
}

bool inputs_make(struct inputs *in, const struct options *o, struct diag *why) {
  *in = (struct inputs){0};
  bool ok = !o->compile_commands || database_add(in, o, why);
  if (o->stdlib)
    add_own(in, "-stdlib=libc++", "");
  for (uint32_t i = 0; ok && i < o->clang_flags.len; i++)
    array_push(&in->flags, o->clang_flags.at[i]);
  for (uint32_t i = 0; ok && i < o->files.len; i++) {
    if (strcmp(o->files.at[i], "-") == 0)
      ok = add_stdin(in, why);
    else
      array_push(&in->files, o->files.at[i]);
  }
  return ok;
}

void inputs_done(struct inputs *in) {
  texts_done(&in->own);
  array_done(&in->files);
  array_done(&in->flags);
}
