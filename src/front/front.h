// SPDX-License-Identifier: MIT
// From C files to a finished program. clang.c runs clang (cache.c remembers
// its answers) and yields bitcode; the rest of this folder reads it with the
// LLVM-C API and lowers it to Heddle's bytecode. LLVM is used here and nowhere
// else.
#pragma once

#include "base/diag.h"
#include "base/source.h"
#include "base/str.h"

#include <stddef.h>

struct prog;

struct front_options {
  const char *const *files; // .c, .bc or .ll
  unsigned nfiles;
  const char *const *clang_flags; // what the user gave after `--`
  unsigned nflags;
  bool system_headers; // the host's headers instead of include/heddle
  bool use_cache;
  bool spurious_wakeups; // condition variables may wake for no reason
  bool still_clocks;     // no time passes but where a thread sleeps or gives up
  bool volatile_is_relaxed;
  bool weak_cas_is_strong; // it does not fail for no reason
  bool merges_updates;     // of the library, into the user's code (inline.c)
  bool has_guards;         // the model asks what a branch guards (guards.c)
  const char *const *args; // what main gets after the program's name
  unsigned nargs;
  const struct str *input; // what standard input has; NULL: it cannot be read
  const char *const *assume_atomic; // patterns of names and files
  unsigned nassume_atomic;
  // Where fences could be added: what begins in that line? NULL: none are
  // wanted.
  enum line_start (*statement_at)(void *arg, const char *file, unsigned line);
  void *statement_arg;
  struct str *warnings; // what clang said about files that it accepted; may be
                        // NULL. Nothing about those that the cache has.
  const char *data_dir; // include/heddle and rt.a; NULL: found by clang.c
};

// Compiles, links by name and lowers everything that main can reach.
MUST_USE bool front_load(const struct front_options *o, struct prog **ret,
                         struct diag *why);

// What Heddle works with (LLVM, clang, its own files, the cache), a line each.
void front_about(struct str *out);
// A file that comes with Heddle, beside watch.so. False: it was not built.
MUST_USE bool front_own_file(const char *name, struct str *ret);

// Where bitcode is kept (cache.c): $HEDDLE_CACHE, $XDG_CACHE_HOME/heddle or
// ~/.cache/heddle. False: nowhere.
bool cache_directory(struct str *ret);

// -- the seam to clang.c

// A module as bytes: binary bitcode or, when `is_text`, LLVM assembly. The
// bytes are followed by a NUL that is not counted in `len`. `bytes` is heap
// memory of the receiver, freed with free(), unless `map_len` is not 0: then
// it is a mapping of that length.
struct bitcode {
  char *bytes;
  size_t len;
  size_t map_len;
  bool is_text;
};

// One source file; the file's name is put into `why` by the callee.
MUST_USE bool clang_compile(const struct front_options *o, const char *file,
                            struct bitcode *ret, struct diag *why);
// The C library of the checked program (rt/): an archive of bitcode modules.
MUST_USE bool clang_runtime(const struct front_options *o, struct bitcode *ret,
                            struct diag *why);
// Where that archive is.
bool clang_library(const struct front_options *o, struct str *ret);
void bitcode_done(struct bitcode *b); // in clang.c
