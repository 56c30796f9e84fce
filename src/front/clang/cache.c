// SPDX-License-Identifier: MIT
// The cache: one file an entry, named by its key.
//
// An entry holds what the compiler looked at (inputs.c) and the bitcode, or a
// program (loaded.c), which depends on its key alone. It is a hit when none of
// that has changed. Entries are written to a temporary file
// and renamed, so that concurrent runs see a whole entry or none, and carry a
// digest of themselves against damage.
#include "front/clang/cache.h"

#include "base/str.h"
#include "front/clang/inputs.h"
#include "front/front.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  ENTRY_MAGIC = 0x34484348, // "HCH4": changes with the format
  TRIM_EVERY = 16,          // one in so many stores looks at the total size
  HOUR = 3600,
};
static const uint64_t CACHE_MAX = 64u << 20, CACHE_TRIMMED = 48u << 20,
                      ENTRY_MAX = 32u << 20;

struct entry {
  uint64_t magic;
  struct digest key;
  uint64_t code_at, code_len; // followed by a NUL
  struct digest self;         // of all that follows the header
};

// -- digests

static uint64_t fold_product(uint64_t x, uint64_t y) {
  unsigned __int128 p = (unsigned __int128)x * y;
  return (uint64_t)p ^ (uint64_t)(p >> 64);
}

// The two halves take in each word by different multiplications and feed each
// other, so that they do not collide together.
static void digest_word(struct digest *d, uint64_t x) {
  uint64_t a = fold_product(d->a ^ x, 0x9e3779b97f4a7c15u);
  uint64_t b = fold_product(d->b + x, 0xd1b54a32d192ed03u);
  d->a = a + (d->b << 23 | d->b >> 41);
  d->b = b ^ (d->a << 11 | d->a >> 53);
}

void digest_add(struct digest *d, const void *data, size_t n) {
  const unsigned char *p = data;
  digest_word(d, n);
  for (; n >= 8; p += 8, n -= 8) {
    uint64_t x;
    memcpy(&x, p, 8);
    digest_word(d, x);
  }
  uint64_t tail = 0;
  memcpy(&tail, p, n);
  digest_word(d, tail);
}

void digest_add_text(struct digest *d, const char *text) {
  digest_add(d, text, strlen(text));
}

static bool digest_equal(struct digest x, struct digest y) {
  return x.a == y.a && x.b == y.b;
}

// -- where entries are

static bool make_directories(char *path) {
  for (char *p = path + 1; *p; p++) {
    if (*p != '/')
      continue;
    *p = 0;
    int failed = mkdir(path, 0700) != 0 && errno != EEXIST;
    *p = '/';
    if (failed)
      return false;
  }
  return mkdir(path, 0700) == 0 || errno == EEXIST;
}

bool cache_directory(struct str *ret) {
  const char *own = getenv("HEDDLE_CACHE");
  const char *xdg = getenv("XDG_CACHE_HOME");
  const char *home = getenv("HOME");
  if (own && *own)
    str_add(ret, "%s", own);
  else if (xdg && *xdg)
    str_add(ret, "%s/heddle", xdg);
  else if (home && *home)
    str_add(ret, "%s/.cache/heddle", home);
  return ret->len > 0;
}

static const char *const suffixes[] = {
    [KEPT_BITCODE] = ".bc", [KEPT_PROGRAM] = ".prog"};
enum { KINDS = LENGTH(suffixes), KEY_DIGITS = 32 };

static bool entry_path(enum kept kind, struct digest key, struct str *ret) {
  if (!cache_directory(ret))
    return false;
  str_add(ret, "/%016llx%016llx%s", (unsigned long long)key.a,
          (unsigned long long)key.b, suffixes[kind]);
  return true;
}

// Of an entry that is being written, more follows behind its name. (The folder
// may hold other files of the same ending.)
static bool is_entry(const char *name, bool *is_temporary) {
  const char *rest = name + strspn(name, "0123456789abcdef");
  for (int i = 0; rest == name + KEY_DIGITS && i < KINDS; i++) {
    size_t n = strlen(suffixes[i]);
    *is_temporary = strncmp(rest, suffixes[i], n) == 0 && rest[n] == '.';
    if (*is_temporary || strcmp(rest, suffixes[i]) == 0)
      return true;
  }
  return false;
}

// -- finding

// The folder may belong to others as well.
static bool is_ours(const struct stat *st) {
  return S_ISREG(st->st_mode) && st->st_uid == geteuid() &&
         !(st->st_mode & (S_IWGRP | S_IWOTH));
}

static bool can_be_entry(const struct stat *st) {
  return is_ours(st) && (uint64_t)st->st_size > sizeof(struct entry) &&
         (uint64_t)st->st_size <= ENTRY_MAX;
}

// Are the `len` bytes at `map` the entry of that key, undamaged and still
// valid?
static bool entry_valid(const char *map, size_t len, struct digest key) {
  struct entry e;
  memcpy(&e, map, sizeof e);
  if (e.magic != ENTRY_MAGIC || !digest_equal(e.key, key) ||
      e.code_at < sizeof e || e.code_at >= len ||
      e.code_len != len - e.code_at - 1 || map[len - 1] != 0)
    return false;
  struct digest self = DIGEST_INIT;
  digest_add(&self, map + sizeof e, len - sizeof e);
  return digest_equal(self, e.self) &&
         inputs_unchanged(map + sizeof e, map + e.code_at);
}

// An entry that is used stays young, but is not touched at every use.
static void entry_touch(int fd, const struct stat *st) {
  if (time(NULL) - st->st_mtim.tv_sec > HOUR)
    futimens(fd, NULL);
}

bool cache_find(enum kept kind, struct digest key, struct bitcode *ret) {
  struct str path = {0};
  const int flags = O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC;
  int fd = entry_path(kind, key, &path) ? open(path.at, flags) : -1;
  str_done(&path);
  if (fd < 0)
    return false;
  struct stat st;
  bool found = false;
  if (fstat(fd, &st) == 0 && can_be_entry(&st)) {
    size_t len = (size_t)st.st_size;
    char *bytes = xmalloc(len);
    found =
        read(fd, bytes, len) == (ssize_t)len && entry_valid(bytes, len, key);
    if (found) {
      struct entry e;
      memcpy(&e, bytes, sizeof e);
      memmove(bytes, bytes + e.code_at, e.code_len + 1);
      *ret = (struct bitcode){.bytes = bytes, .len = e.code_len};
      entry_touch(fd, &st);
    } else {
      free(bytes);
    }
  }
  close(fd);
  return found;
}

// -- storing

static bool write_all(int fd, const char *bytes, size_t n) {
  while (n > 0) {
    ssize_t k = write(fd, bytes, n);
    if (k <= 0)
      return false;
    bytes += k;
    n -= (size_t)k;
  }
  return true;
}

// Writes an entry under a temporary name, then gives it its own.
static void entry_write(const char *path, const struct str *entry) {
  struct str temporary = {0};
  str_add(&temporary, "%s.XXXXXX", path);
  int fd = mkostemp(temporary.at, O_CLOEXEC);
  if (fd >= 0) {
    bool ok = write_all(fd, entry->at, entry->len);
    ok = close(fd) == 0 && ok;
    if (!ok || rename(temporary.at, path) != 0)
      unlink(temporary.at);
  }
  str_done(&temporary);
}

// -- keeping it small

struct old_entry {
  time_t used;
  uint64_t size;
  char name[256];
};

static int by_age(const void *x, const void *y) {
  const struct old_entry *a = x, *b = y;
  return (a->used > b->used) - (a->used < b->used);
}

// Deletes the entries that were not used for the longest time, and what
// interrupted runs left behind. Another run may do the same at the same time.
static void cache_trim(const char *directory) {
  DIR *dir = opendir(directory);
  if (!dir)
    return;
  ARRAY(struct old_entry) all = {0};
  uint64_t total = 0;
  time_t now = time(NULL);
  for (struct dirent *d; (d = readdir(dir));) {
    struct stat st;
    bool is_temporary;
    if (fstatat(dirfd(dir), d->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
        !is_ours(&st) || !is_entry(d->d_name, &is_temporary))
      continue;
    if (is_temporary && now - st.st_mtim.tv_sec > HOUR)
      unlinkat(dirfd(dir), d->d_name, 0);
    if (is_temporary)
      continue;
    struct old_entry e = {.used = st.st_mtim.tv_sec,
                          .size = (uint64_t)st.st_size};
    memcpy(e.name, d->d_name, strlen(d->d_name) + 1);
    array_push(&all, e);
    total += e.size;
  }
  if (total > CACHE_MAX) {
    qsort(all.at, all.len, sizeof *all.at, by_age);
    for (uint32_t i = 0; i < all.len && total > CACHE_TRIMMED; i++) {
      unlinkat(dirfd(dir), all.at[i].name, 0);
      total -= all.at[i].size;
    }
  }
  array_done(&all);
  closedir(dir);
}

void cache_store(enum kept kind, struct digest key, const struct bitcode *code,
                 const struct compiler_run *run) {
  struct str directory = {0}, path = {0}, entry = {0};
  struct entry e = {.magic = ENTRY_MAGIC, .key = key, .code_len = code->len};
  str_add_bytes(&entry, (const char *)&e, sizeof e);
  if (cache_directory(&directory) && make_directories(directory.at) &&
      entry_path(kind, key, &path) && (!run || inputs_add(&entry, run)) &&
      entry.len + code->len < ENTRY_MAX) {
    e.code_at = entry.len;
    str_add_bytes(&entry, code->bytes, code->len);
    str_add_bytes(&entry, "", 1);
    e.self = DIGEST_INIT;
    digest_add(&e.self, entry.at + sizeof e, entry.len - sizeof e);
    memcpy(entry.at, &e, sizeof e);
    entry_write(path.at, &entry);
    if (key.a % TRIM_EVERY == 0)
      cache_trim(directory.at);
  }
  str_done(&directory);
  str_done(&path);
  str_done(&entry);
}
