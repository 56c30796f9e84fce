// SPDX-License-Identifier: MIT
// Where commands write: bad input to standard error, everything else to
// standard output or to the file that was asked for.
//
// A file is whole or not there: what is to be written is gathered in a file
// without a name, written beside the old one at the end, and renamed. A device
// or a pipe is written as it comes.
#include "cmd/cmd.h"

#include <errno.h>
#include <limits.h>
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
  static const char *const endings[] = {".c",   ".h",   ".i",   ".ll", ".bc",
                                        ".cpp", ".cc",  ".cxx", ".C",  ".c++",
                                        ".hpp", ".hxx", ".hh",  ".ii"};
  const char *dot = strrchr(path, '.');
  for (uint32_t i = 0; i < o->files.len; i++)
    if (is_same_file(path, o->files.at[i]))
      return true;
  for (unsigned i = 0; dot && i < LENGTH(endings); i++)
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

static bool cannot_write(const char *path, struct diag *why) {
  return diag_set(why, path, 0, "cannot write: %s", strerror(errno));
}

// Is there nothing of that name, or a file? What has a name only because it is
// open (/dev/stdout) stays what it is.
static bool is_for_file(const char *path) {
  static const char *const open_ones[] = {"/dev/fd/", "/dev/std", "/proc/"};
  struct stat st;
  for (unsigned i = 0; i < LENGTH(open_ones); i++)
    if (strncmp(path, open_ones[i], strlen(open_ones[i])) == 0)
      return false;
  return stat(path, &st) != 0 || S_ISREG(st.st_mode);
}

static bool is_folder(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool can_write(const char *path, struct diag *why) {
  if (!path)
    return true;
  if (is_folder(path))
    return errno = EISDIR, cannot_write(path, why);
  if (access(path, W_OK) == 0)
    return true;
  if (errno != ENOENT)
    return cannot_write(path, why);
  const char *slash = strrchr(path, '/');
  struct str folder = {0};
  str_add(&folder, "%.*s", slash ? (int)(slash - path) + 1 : 1,
          slash ? path : ".");
  bool ok = access(folder.at, W_OK | X_OK) == 0 || cannot_write(path, why);
  str_done(&folder);
  return ok;
}

bool open_output(const char *path, FILE **ret, struct diag *why) {
  if (path && !can_write(path, why))
    return false;
  *ret = !path ? stdout : is_for_file(path) ? tmpfile() : fopen(path, "w");
  return *ret || cannot_write(path, why);
}

// A file without a name.
static bool is_draft(FILE *f) {
  struct stat st;
  return fstat(fileno(f), &st) == 0 && S_ISREG(st.st_mode) && !st.st_nlink;
}

static bool copy(FILE *from, FILE *to) {
  char part[16384];
  size_t n;
  rewind(from);
  while ((n = fread(part, 1, sizeof part, from)) > 0)
    if (fwrite(part, 1, n, to) != n)
      return false;
  return !ferror(from);
}

static bool copy_and_close(FILE *from, FILE *to) {
  bool ok = to && copy(from, to);
  int error = errno;
  if (to && fclose(to) != 0 && ok)
    return false;
  errno = error;
  return ok;
}

// A new file beside `path`, with the permissions of the one that is there.
static FILE *open_beside(const char *path, struct str *ret_name) {
  struct stat st;
  str_add(ret_name, "%s.%d~", path, (int)getpid());
  FILE *f = fopen(ret_name->at, "wx");
  if (f && stat(path, &st) == 0)
    fchmod(fileno(f), st.st_mode & 0777);
  return f;
}

// The folder is another's, or the file is a mount, or its name is long.
static bool folder_refuses(int error) {
  return error == EACCES || error == EPERM || error == EBUSY ||
         error == ENAMETOOLONG;
}

// Where a link leads, also one to a file that is not there yet. (A circle of
// links is another error.)
static void add_target(struct str *ret, const char *path) {
  char next[PATH_MAX];
  char *target = realpath(path, NULL);
  ssize_t n = target || errno != ENOENT ? 0 : readlink(path, next, PATH_MAX);
  if (n <= 0 || n == PATH_MAX) {
    str_add(ret, "%s", target ? target : path);
  } else {
    const char *slash = *next == '/' ? NULL : strrchr(path, '/');
    struct str joined = {0};
    str_add(&joined, "%.*s%.*s", slash ? (int)(slash - path) + 1 : 0, path,
            (int)n, next);
    add_target(ret, joined.at);
    str_done(&joined);
  }
  free(target);
}

// Where nothing can be made or renamed beside it, the file itself is written.
static bool publish(FILE *draft, const char *path) {
  struct str target = {0}, beside = {0};
  add_target(&target, path);
  const char *name = target.at;
  FILE *f = open_beside(name, &beside);
  bool ok = f && copy_and_close(draft, f) && rename(beside.at, name) == 0;
  int error = errno;
  if (f && !ok)
    unlink(beside.at);
  errno = error;
  if (!ok && folder_refuses(error))
    ok = copy_and_close(draft, fopen(name, "w"));
  str_done(&beside);
  str_done(&target);
  return ok;
}

bool finish_output(FILE *out, const char *path, const struct str *text,
                   struct diag *why) {
  size_t n = fwrite(str_text(text), 1, text->len, out);
  bool ok = n == text->len && fflush(out) == 0;
  if (ok && is_draft(out) && path)
    ok = publish(out, path);
  int error = errno;
  if (path)
    ok &= fclose(out) == 0;
  errno = ok ? 0 : error;
  return ok || cannot_write(path ? path : "standard output", why);
}

enum exit_code print(const char *path, struct str *text, enum exit_code code) {
  FILE *out;
  struct diag why;
  bool ok =
      open_output(path, &out, &why) && finish_output(out, path, text, &why);
  str_done(text);
  return ok ? code : bad_input(&why);
}
