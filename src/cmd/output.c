// SPDX-License-Identifier: MIT
// Where commands write: bad input to standard error, everything else to
// standard output or to the file that was asked for.
#include "cmd/cmd.h"

#include <errno.h>
#include <string.h>

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

bool open_output(const char *path, FILE **ret, struct diag *why) {
  *ret = path ? fopen(path, "w") : stdout;
  if (*ret)
    return true;
  return diag_set(why, path, 0, "cannot write: %s", strerror(errno));
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
