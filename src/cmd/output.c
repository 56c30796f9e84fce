// SPDX-License-Identifier: MIT
// Where commands write: bad input to standard error, everything else to
// standard output or to the file that was asked for.
#include "cmd/cmd.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum exit_code bad_input(const struct diag *d) {
  fflush(stdout);
  fprintf(stderr, "heddle: ");
  if (*d->file)
    fprintf(stderr, "%s:", d->file);
  if (d->line)
    fprintf(stderr, "%u:", d->line);
  if (d->line && d->column)
    fprintf(stderr, "%u:", d->column);
  fprintf(stderr, "%serror: %s\n", *d->file ? " " : "", d->text);
  if (*d->hint)
    fprintf(stderr, "heddle: hint: %s\n", d->hint);
  return EXIT_BAD_INPUT;
}

static bool is_same_file(const char *x, const char *y) {
  struct stat a, b;
  return stat(x, &a) == 0 && stat(y, &b) == 0 && a.st_dev == b.st_dev &&
         a.st_ino == b.st_ino;
}

// A file that is read, or any other source file, as in `-o *.c`.
static bool is_source(const struct options *o, const char *path) {
  static const char *const endings[] = {".c", ".h", ".i", ".ll", ".bc"};
  const char *dot = strrchr(path, '.');
  for (uint32_t i = 0; i < o->files.len; i++)
    if (is_same_file(path, o->files.at[i]))
      return true;
  for (unsigned i = 0; dot && i < sizeof endings / sizeof *endings; i++)
    if (strcmp(dot, endings[i]) == 0)
      return access(path, F_OK) == 0;
  return false;
}

bool outputs_spare_sources(const struct options *o, struct diag *why) {
  for (unsigned k = 0; k < option_count; k++) {
    const struct option_info *i = &option_table[k];
    if (i->kind != OPT_TEXT || strcmp(i->argument, "FILE") != 0)
      continue;
    const char *path = *(const char *const *)((const char *)o + i->field);
    if (!path || !is_source(o, path))
      continue;
    diag_set(why, path, 0, "--%s would overwrite this source file", i->name);
    diag_hint(why, "--%s FILE names a file to be written", i->name);
    return false;
  }
  return true;
}

bool open_output(const char *path, FILE **ret, struct diag *why) {
  *ret = path ? fopen(path, "w") : stdout;
  if (*ret)
    return true;
  return diag_set(why, path, 0, "cannot write: %s", strerror(errno));
}

bool can_write(const char *path, struct diag *why) {
  FILE *f = path ? fopen(path, "a") : NULL;
  if (path && !f)
    return diag_set(why, path, 0, "cannot write: %s", strerror(errno));
  return !f || fclose(f) == 0;
}

bool finish_output(FILE *out, const char *path, const struct str *text,
                   struct diag *why) {
  size_t n = fwrite(str_text(text), 1, text->len, out);
  bool ok = n == text->len && fflush(out) == 0;
  if (path)
    ok &= fclose(out) == 0;
  return ok || diag_set(why, path ? path : "standard output", 0,
                        "cannot write: %s", strerror(errno));
}

enum exit_code print(const char *path, struct str *text, enum exit_code code) {
  FILE *out;
  struct diag why;
  bool ok =
      open_output(path, &out, &why) && finish_output(out, path, text, &why);
  str_done(text);
  return ok ? code : bad_input(&why);
}
