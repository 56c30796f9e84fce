// SPDX-License-Identifier: MIT
// The C library of the checked program is an archive of bitcode, as `ar` makes
// it. Its first member is an index: how many names there are, for each the
// place of the member that defines it (both as big-endian 32-bit numbers),
// then the names, each with a NUL behind it.
#include "front/stage.h"

#include <string.h>

#define MAGIC "!<arch>\n"

enum { HEADER = 60, SIZE_AT = 48, SIZE_LEN = 10 }; // of a member

static uint32_t big_endian(const char *at) {
  const unsigned char *b = (const unsigned char *)at;
  return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 |
         b[3];
}

// The contents of the member whose header is at `place`.
static bool member(const struct bitcode *archive, size_t place,
                   struct bitcode *ret) {
  if (place > archive->len || archive->len - place < HEADER)
    return false;
  char digits[SIZE_LEN + 1] = "";
  memcpy(digits, archive->bytes + place + SIZE_AT, SIZE_LEN);
  size_t size = strtoul(digits, NULL, 10);
  if (size > archive->len - place - HEADER)
    return false;
  *ret =
      (struct bitcode){.bytes = archive->bytes + place + HEADER, .len = size};
  return true;
}

static bool damaged(struct front *f) {
  return front_refuse(f, NULL, "Heddle's own file rt.a is damaged");
}

// The place of the member that defines `name`; 0: none does.
static size_t find_member(struct front *f, const char *name) {
  struct bitcode index;
  if (!member(&f->runtime, strlen(MAGIC), &index) || index.len < 4)
    return damaged(f);
  uint32_t count = big_endian(index.bytes);
  if (count > (index.len - 4) / 4)
    return damaged(f);
  const char *at = index.bytes + 4 + 4 * (size_t)count;
  const char *end = index.bytes + index.len;
  for (uint32_t i = 0; i < count && at < end; i++) {
    if (strncmp(at, name, (size_t)(end - at)) == 0)
      return big_endian(index.bytes + 4 + 4 * (size_t)i);
    at += strnlen(at, (size_t)(end - at)) + 1;
  }
  return 0;
}

static bool open_archive(struct front *f) {
  if (f->has_runtime)
    return true;
  f->has_runtime = true;
  if (!clang_runtime(f->options, &f->runtime, f->why)) {
    f->failed = true;
    return false;
  }
  size_t n = strlen(MAGIC);
  return (f->runtime.len > n && memcmp(f->runtime.bytes, MAGIC, n) == 0) ||
         damaged(f);
}

bool runtime_lacks_libcxx(struct front *f, const char *name) {
  bool is_of_libcxx = strstr(name, "NSt3__1") != NULL;
  return is_of_libcxx && open_archive(f) &&
         !find_member(f, "_ZNSt3__115__thread_structC1Ev");
}

bool runtime_load(struct front *f, const char *name) {
  if (f->failed || !open_archive(f))
    return false;
  size_t place = find_member(f, name);
  struct bitcode part;
  if (!place)
    return false;
  if (!member(&f->runtime, place, &part))
    return damaged(f);
  check(f->nmodules < f->options->nfiles + MAX_PARTS);
  return module_add(f, "rt.a", &part, /*is_library=*/true);
}
