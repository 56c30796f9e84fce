// SPDX-License-Identifier: MIT
// A check is a function of the bitcode, the model, the options and Heddle
// itself. The bitcode comes from the cache of compiled programs, which asks
// whether anything that the compiler looked at has changed; so a header, a flag
// or another compiler makes a test new, and nothing has to be listed here. What
// came out is a file of the name of the key, in the folder `passed` of that
// cache, which has the key and a hash of itself against damage. It only saves
// time: whatever goes wrong with it means "not known".
#include "cmd/known.h"

#include "base/hash.h"
#include "cat/catalogue.h"
#include "cmd/inputs.h"
#include "cmd/program.h"
#include "front/front.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// -- keys

// Two hashes that have nothing in common: this one is FNV-1a.
static void add_bytes(struct known_key *k, const void *data, size_t n) {
  const unsigned char *p = data;
  k->a = hash_mix(k->a, hash_bytes(data, n));
  for (size_t i = 0; i < n; i++)
    k->b = (k->b ^ p[i]) * 0x100000001b3u;
  k->b = (k->b ^ n) * 0x100000001b3u;
}

// The time of the last change (ctime), since packages give every build the same
// time of modification.
static bool add_heddle(struct known_key *k) {
  struct stat st;
  if (stat("/proc/self/exe", &st) != 0)
    return false;
  add_bytes(k, HEDDLE_VERSION, sizeof HEDDLE_VERSION);
  add_bytes(k, &st.st_ino, sizeof st.st_ino);
  add_bytes(k, &st.st_size, sizeof st.st_size);
  add_bytes(k, &st.st_mtim, sizeof st.st_mtim);
  add_bytes(k, &st.st_ctim, sizeof st.st_ctim);
  return true;
}

static bool add_program(struct known_key *k, const struct options *o) {
  struct inputs in;
  struct diag why;
  struct bitcode code;
  struct front_options f;
  bool ok = inputs_make(&in, o, &why);
  if (ok)
    f = front_options_of(o, &in);
  if (ok && (ok = clang_runtime(&f, &code, &why))) {
    add_bytes(k, code.bytes, code.len);
    bitcode_done(&code);
  }
  for (uint32_t i = 0; ok && i < in.files.len; i++) {
    ok = clang_compile(&f, in.files.at[i], &code, &why);
    if (!ok)
      break;
    add_bytes(k, code.bytes, code.len);
    bitcode_done(&code);
  }
  inputs_done(&in);
  return ok;
}

bool known_key_of(const struct options *o, struct known_key *ret) {
  *ret = (struct known_key){1, 0xcbf29ce484222325u};
  uint64_t options = options_hash(o);
  if (o->dot || o->html || o->sarif || o->no_cache || o->input ||
      are_litmus_tests(o) || catalogue_is_path(o->model))
    return false; // a model that is a text may include others
  add_bytes(ret, o->model, strlen(o->model));
  add_bytes(ret, &options, sizeof options);
  return add_heddle(ret) && add_program(ret, o);
}

// -- the files

struct entry {
  struct known_key key;
  uint64_t hash; // of the outcome
  struct check_outcome outcome;
};

static uint64_t hash_of(const struct check_outcome *o) {
  return hash_bytes(o, sizeof *o);
}

static bool path_of(struct known_key key, struct str *ret, size_t *folder) {
  if (!cache_directory(ret))
    return false;
  str_add(ret, "/passed");
  *folder = ret->len;
  str_add(ret, "/%016llx%016llx", (unsigned long long)key.a,
          (unsigned long long)key.b);
  return true;
}

bool known_find(struct known_key key, struct check_outcome *ret) {
  struct str path = {0};
  size_t folder;
  const int flags = O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC;
  int fd = path_of(key, &path, &folder) ? open(path.at, flags) : -1;
  struct stat st;
  struct entry e;
  bool ok = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
            st.st_uid == geteuid() && st.st_size == sizeof e &&
            read(fd, &e, sizeof e) == (ssize_t)sizeof e && e.key.a == key.a &&
            e.key.b == key.b && e.hash == hash_of(&e.outcome);
  if (fd >= 0)
    close(fd);
  str_done(&path);
  if (ok)
    *ret = e.outcome;
  return ok;
}

// A folder that has grown too large begins anew: that costs each test one
// check.
static void keep_small(const char *folder) {
  enum { MOST = 10000 };
  DIR *dir = opendir(folder);
  unsigned n = 0;
  while (dir && readdir(dir))
    n++;
  if (dir && n > MOST) {
    rewinddir(dir);
    for (struct dirent *d; (d = readdir(dir));)
      unlinkat(dirfd(dir), d->d_name, 0);
  }
  if (dir)
    closedir(dir);
}

// Written beside and renamed, so that no other process sees a part of it.
void known_keep(struct known_key key, const struct check_outcome *outcome) {
  struct str path = {0}, draft = {0};
  size_t folder;
  bool is_final =
      outcome->has_verdict && outcome->verdict != VERDICT_INCOMPLETE;
  if (is_final && path_of(key, &path, &folder)) {
    path.at[folder] = 0;
    mkdir(path.at, 0700);
    if (key.a % 64 == 0) // now and then
      keep_small(path.at);
    path.at[folder] = '/';
    str_add(&draft, "%s.%d~", path.at, (int)getpid());
    FILE *f = fopen(draft.at, "wx");
    struct entry e;
    memset(&e, 0, sizeof e); // what is between members is written too
    e.key = key;
    memcpy(&e.outcome, outcome, sizeof *outcome);
    e.hash = hash_of(&e.outcome);
    bool ok = f && fwrite(&e, 1, sizeof e, f) == sizeof e;
    if (f && fclose(f) != 0)
      ok = false;
    if (f && (!ok || rename(draft.at, path.at) != 0))
      unlink(draft.at);
  }
  str_done(&path);
  str_done(&draft);
}
