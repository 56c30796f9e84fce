// SPDX-License-Identifier: MIT
// Programs that were loaded before. Which program the front end makes follows
// from the bitcode of its files, from its options, from the library in rt/ and
// from Heddle itself; the same of all of these is the same program, which is
// then read from the cache instead of being lowered again. Headers of C++ and
// the library of Rust make that a hundred times cheaper.
#include "front/clang/loaded.h"
#include "bytecode/prog.h"
#include "front/clang/cache.h"
#include "front/clang/watched.h"

#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

static void add_texts(struct digest *d, const char *const *texts, unsigned n) {
  digest_add(d, &n, sizeof n);
  for (unsigned i = 0; i < n; i++)
    digest_add_text(d, texts[i]);
}

static bool add_file(struct digest *d, const char *path) {
  struct stat st;
  if (stat(path, &st) != 0)
    return false;
  struct identity id = identity_of(&st);
  digest_add(d, &id, sizeof id);
  return true;
}

bool loaded_key(const struct front_options *o, const struct bitcode *files,
                struct digest *ret) {
  struct str library = {0};
  char cwd[PATH_MAX];
  struct digest d = DIGEST_INIT;
  digest_add_text(&d, "program " HEDDLE_VERSION);
  bool ok = o->use_cache && !o->statement_at && clang_library(o, &library) &&
            add_file(&d, library.at) && add_file(&d, "/proc/self/exe") &&
            getcwd(cwd, sizeof cwd);
  str_done(&library);
  if (!ok)
    return false;
  const bool flags[] = {o->spurious_wakeups,
                        o->still_clocks,
                        o->volatile_is_relaxed,
                        o->weak_cas_is_strong,
                        o->has_guards,
                        o->merges_updates,
                        o->input};
  digest_add(&d, flags, sizeof flags);
  if (o->input)
    digest_add(&d, str_text(o->input), o->input->len);
  digest_add_text(&d, cwd);
  add_texts(&d, o->args, o->nargs);
  add_texts(&d, o->assume_atomic, o->nassume_atomic);
  add_texts(&d, o->clang_flags, o->nflags); // they say what language a file is
  add_texts(&d, o->files, o->nfiles);
  for (unsigned i = 0; i < o->nfiles; i++)
    digest_add(&d, files[i].bytes, files[i].len);
  *ret = d;
  return true;
}

bool loaded_find(struct digest key, struct prog **ret) {
  struct bitcode image;
  if (!cache_find(KEPT_PROGRAM, key, &image))
    return false;
  *ret = prog_unpack(image.bytes, image.len);
  bitcode_done(&image);
  return *ret != NULL;
}

void loaded_store(struct digest key, const struct prog *p) {
  struct str image = {0};
  prog_pack(p, &image);
  cache_store(KEPT_PROGRAM, key,
              &(struct bitcode){.bytes = image.at, .len = image.len}, NULL);
  str_done(&image);
}
