// SPDX-License-Identifier: MIT
// Rust is compiled by a rustc whose LLVM we can read: the whole program with
// its library, as it is written, where a panic ends the program. It is not
// watched what rustc reads, so it runs each time; the program that was made of
// the same bitcode before is kept (loaded.c).
#include "front/clang/rustc.h"
#include "front/clang/child.h"
#include "front/clang/command.h"

#include <llvm/Config/llvm-config.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The major version of rustc's LLVM; 0: it does not say.
static long llvm_of(char *rustc) {
  static const char label[] = "LLVM version: ";
  char flag[] = "-vV";
  char *argv[] = {rustc, flag, NULL};
  struct outcome r = {0};
  const char *at = child_run(argv, -1, &r) ? strstr(r.out.bytes, label) : NULL;
  long major = at ? strtol(at + strlen(label), NULL, 10) : 0;
  outcome_done(&r);
  return major;
}

static bool can_be_read(char *rustc, struct diag *why) {
  long major = llvm_of(rustc);
  if (major > 0 && major <= LLVM_VERSION_MAJOR)
    return true;
  if (major <= 0)
    return diag_set(why, NULL, 0, "%s does not say what LLVM it has", rustc);
  diag_set(why, NULL, 0, "%s has LLVM %ld, and Heddle is built with LLVM %d",
           rustc, major, LLVM_VERSION_MAJOR);
  diag_hint(why,
            "set HEDDLE_RUSTC to an older rustc, or build Heddle with LLVM %ld",
            major);
  return false;
}

// The given one, or the first on the path that can be read: a newer one (that
// of rustup) often stands before that of the system. If none can, what is wrong
// with the first is said.
static bool find_rustc(struct str *ret, struct diag *why) {
  const char *given = getenv("HEDDLE_RUSTC"), *path = child_path();
  if (given && *given && child_find(given, ret))
    return can_be_read(ret->at, why);
  struct diag later;
  bool is_given = given && *given, is_there = false;
  while (!is_given && child_next("rustc", &path, ret)) {
    if (can_be_read(ret->at, is_there ? &later : why))
      return true;
    is_there = true;
  }
  if (is_there)
    return false;
  diag_set(why, NULL, 0, "rustc is needed to compile Rust and was not found");
  diag_hint(why,
            "install one whose LLVM is not newer than %d (rustc -vV says "
            "which it has), set HEDDLE_RUSTC to its path, or give bitcode",
            LLVM_VERSION_MAJOR);
  return false;
}

static void arguments(words *a, const char *rustc,
                      const struct front_options *o, const char *file,
                      const char *to) {
  static const char *const ours[] = {"--edition", "2021",         "-g",
                                     "-C",        "panic=abort",  "-C",
                                     "lto=fat",   "--crate-type", "bin"};
  words_add(a, rustc);
  for (size_t i = 0; i < LENGTH(ours); i++)
    words_add(a, ours[i]);
  for (unsigned i = 0; i < o->nflags; i++)
    words_add(a, o->clang_flags[i]);
  words_add(a, "--emit=llvm-bc");
  words_add(a, "-o");
  words_add(a, to);
  words_add(a, file);
  array_push(a, NULL);
}

// "error[E0425]: what\n --> file.rs:3:5": the first one.
static bool complain(struct diag *why, const char *file, const char *said) {
  const char *error = strstr(said, "error");
  const char *text = error ? strstr(error, ": ") : NULL;
  const char *place = text ? strstr(text, "--> ") : NULL;
  const char *line = place ? strstr(place, ".rs:") : NULL;
  if (!text)
    return diag_set(why, file, 0, "rustc refuses it: %.200s", said);
  return diag_set(why, file, line ? (unsigned)strtoul(line + 4, NULL, 10) : 0,
                  "%.*s", (int)strcspn(text + 2, "\n"), text + 2);
}

static bool read_bitcode(const char *path, struct bitcode *ret) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  bool ok = fd >= 0 && child_read(fd, ret);
  if (fd >= 0)
    close(fd);
  return ok;
}

static bool compile(const struct front_options *o, char *const *argv,
                    const char *file, struct diag *why) {
  struct outcome r = {0};
  bool ok = child_run(argv, -1, &r);
  if (!ok)
    diag_set(why, file, 0, "cannot run %s: %s", argv[0], strerror(errno));
  else if (r.status != 0)
    ok = complain(why, file, r.err.bytes);
  else if (o->warnings && r.err.len)
    str_add(o->warnings, "%s", r.err.bytes);
  outcome_done(&r);
  return ok;
}

// rustc keeps files of its own beside what it writes, so that has a folder of
// its own, which is gone afterwards.
static bool compile_in(const struct front_options *o, const char *rustc,
                       char *folder, const char *file, struct bitcode *ret,
                       struct diag *why) {
  if (!mkdtemp(folder))
    return diag_set(why, file, 0, "no folder for rustc: %s", strerror(errno));
  struct str to = {0};
  words a = {0};
  str_add(&to, "%s/program.bc", folder);
  arguments(&a, rustc, o, file, to.at);
  bool ok = compile(o, a.at, file, why);
  if (ok && !read_bitcode(to.at, ret))
    ok = diag_set(why, file, 0, "rustc wrote no bitcode");
  unlink(to.at);
  rmdir(folder);
  words_done(&a);
  str_done(&to);
  return ok;
}

bool rustc_compile(const struct front_options *o, const char *file,
                   struct bitcode *ret, struct diag *why) {
  const char *temporary = getenv("TMPDIR");
  struct str rustc = {0}, folder = {0};
  str_add(&folder, "%s/heddle-rustc.XXXXXX",
          temporary && *temporary ? temporary : "/tmp");
  bool ok = find_rustc(&rustc, why) &&
            compile_in(o, rustc.at, folder.at, file, ret, why);
  str_done(&rustc);
  str_done(&folder);
  return ok;
}
