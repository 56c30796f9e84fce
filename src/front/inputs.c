// SPDX-License-Identifier: MIT
// An input is a record of watch.c; one of a file that was read is followed by a
// digest of its contents. An input is compared by the identity of its file, and
// a file is read again only when its times differ from what they were.
#include "front/inputs.h"

#include "front/cache.h"
#include "front/watched.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static bool digest_file(const char *path, struct digest *ret) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return false;
  struct digest d = DIGEST_INIT;
  char block[16384]; // a fixed block, so the digest depends on contents only
  ssize_t n;
  while ((n = read(fd, block, sizeof block)) > 0)
    digest_add(&d, block, (size_t)n);
  close(fd);
  *ret = d;
  return n == 0;
}

static bool identity_now(const char *path, struct identity *ret) {
  struct stat st;
  if (stat(path, &st) != 0)
    return false;
  *ret = identity_of(&st);
  return true;
}

static bool identity_equal(const struct identity *x, const struct identity *y) {
  return memcmp(x, y, sizeof *x) == 0;
}

// One record of a log or of an entry.
struct input {
  char kind;
  const char *text;
  struct identity id;      // for the kinds that have one
  struct digest contents;  // only in entries, of files that were read
  const char *from, *next; // where it lies
};

// Reads the record at `at`. False: it is cut off.
static bool input_read(const char *at, const char *end, bool is_entry,
                       struct input *ret) {
  *ret = (struct input){.kind = *at, .text = at + 1, .from = at};
  const char *nul = memchr(at, 0, (size_t)(end - at));
  size_t ids = watched_has_identity(ret->kind) ? sizeof ret->id : 0;
  size_t digests =
      is_entry && ret->kind == WATCHED_FILE ? sizeof ret->contents : 0;
  if (!nul || (size_t)(end - nul) < 1 + ids + digests)
    return false;
  memcpy(&ret->id, nul + 1, ids);
  memcpy(&ret->contents, nul + 1 + ids, digests);
  ret->next = nul + 1 + ids + digests;
  return true;
}

// -- comparing

// Another file of the same contents is not the same: `#pragma once` tells them
// apart.
static bool file_unchanged(const struct input *i) {
  struct identity now;
  struct digest d;
  if (!identity_now(i->text, &now) || now.dev != i->id.dev ||
      now.ino != i->id.ino || now.size != i->id.size)
    return false;
  return identity_equal(&now, &i->id) ||
         (digest_file(i->text, &d) && d.a == i->contents.a &&
          d.b == i->contents.b);
}

static bool variable_unchanged(const char *text) {
  char name[256];
  size_t n = strcspn(text, "=");
  if (n >= sizeof name)
    return false;
  memcpy(name, text, n);
  name[n] = 0;
  const char *value = getenv(name);
  return value && strcmp(value, text + n + 1) == 0;
}

static bool input_unchanged(const struct input *i) {
  struct stat st;
  struct identity now;
  switch (i->kind) {
  case WATCHED_FILE:
    return file_unchanged(i);
  case WATCHED_LIST:
  case WATCHED_PROGRAM:
    return identity_now(i->text, &now) && identity_equal(&now, &i->id);
  case WATCHED_ABSENT:
    return stat(i->text, &st) != 0;
  case WATCHED_PRESENT:
    return stat(i->text, &st) == 0 && !S_ISDIR(st.st_mode);
  case WATCHED_DIRECTORY:
    return stat(i->text, &st) == 0 && S_ISDIR(st.st_mode);
  case WATCHED_SET:
    return variable_unchanged(i->text);
  case WATCHED_UNSET:
    return !getenv(i->text);
  default:
    return false;
  }
}

bool inputs_unchanged(const char *at, const char *end) {
  while (at < end) {
    struct input i;
    if (!input_read(at, end, /*is_entry=*/true, &i) || !input_unchanged(&i))
      return false;
    at = i.next;
  }
  return true;
}

// -- making

typedef ARRAY(struct input) inputs;

static int by_text(const void *x, const void *y) {
  const struct input *a = x, *b = y;
  return strcmp(a->from, b->from);
}

// Clocks of file systems are coarse, some by seconds, and those of servers may
// be late: the times of a file that changed just before are no proof.
static void distrust_fresh(struct identity *id, struct timespec began) {
  if (id->changed + 2 >= began.tv_sec)
    id->changed = id->changed_ns = 0;
}

static bool input_add(struct str *out, const struct input *i,
                      struct timespec began) {
  str_add_bytes(out, i->from, strlen(i->from) + 1);
  struct identity id = i->id, now;
  if (watched_has_identity(i->kind)) {
    // What clang saw must be what is there.
    if (!identity_now(i->text, &now) || !identity_equal(&now, &id))
      return false;
    if (i->kind == WATCHED_FILE)
      distrust_fresh(&id, began);
    str_add_bytes(out, (const char *)&id, sizeof id);
  }
  struct digest d;
  if (i->kind == WATCHED_FILE) {
    if (!digest_file(i->text, &d))
      return false;
    str_add_bytes(out, (const char *)&d, sizeof d);
  }
  return true;
}

// Several questions about one thing are one input.
static bool inputs_write(struct str *out, inputs *all, const char *source,
                         struct timespec began) {
  bool has_source = false;
  if (all->len)
    qsort(all->at, all->len, sizeof *all->at, by_text);
  for (uint32_t k = 0; k < all->len; k++) {
    const struct input *i = &all->at[k];
    if (i->kind == WATCHED_CLOCK || i->kind == WATCHED_DOUBT)
      return false;
    if (k > 0 && by_text(i - 1, i) == 0) {
      if (watched_has_identity(i->kind) && !identity_equal(&i->id, &i[-1].id))
        return false;
      continue;
    }
    has_source |= i->kind == WATCHED_FILE && strcmp(i->text, source) == 0;
    if (!input_add(out, i, began))
      return false;
  }
  return has_source; // else it is not clang that was watched
}

bool inputs_add(struct str *out, const char *log, size_t len,
                const char *source, struct timespec began) {
  inputs all = {0};
  struct input i;
  bool ok = true;
  for (const char *at = log; ok && at < log + len; at = i.next) {
    ok = input_read(at, log + len, /*is_entry=*/false, &i);
    if (ok)
      array_push(&all, i);
  }
  ok = ok && inputs_write(out, &all, source, began);
  array_done(&all);
  return ok;
}
