// SPDX-License-Identifier: MIT
// An input is a record of watch.c; one of a file that was read is followed by a
// digest of its contents. An input is compared by the identity of its file, and
// a file is read again only when its times differ from what they were.
#include "front/clang/inputs.h"

#include "front/clang/cache.h"
#include "front/clang/watched.h"
#include "front/front.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

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

static bool is_state_of(int fd, const struct identity *id) {
  struct stat st;
  if (fstat(fd, &st) != 0)
    return false;
  struct identity now = identity_of(&st);
  return identity_equal(&now, id);
}

// False: it cannot be read, or has another size than it says, as files of /proc
// and /sys do, which change without a trace.
static bool digest_open(int fd, uint64_t size, struct digest *ret) {
  struct digest d = DIGEST_INIT;
  uint64_t len = 0;
  char block[16384]; // a fixed block, so the digest depends on contents only
  ssize_t n;
  for (; (n = read(fd, block, sizeof block)) > 0; len += (uint64_t)n)
    digest_add(&d, block, (size_t)n);
  *ret = d;
  return n == 0 && len == size;
}

// The contents of the file in that state: it must be so before and after they
// were read. It never waits for a FIFO that took the place of the file.
static bool digest_file(const char *path, const struct identity *state,
                        struct digest *ret) {
  int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  bool ok = fd >= 0 && is_state_of(fd, state) &&
            digest_open(fd, state->size, ret) && is_state_of(fd, state);
  if (fd >= 0)
    close(fd);
  return ok;
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
         (digest_file(i->text, &now, &d) && d.a == i->contents.a &&
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

static void environment_digest(struct str *ret) {
  struct digest d = DIGEST_INIT;
  for (char **v = environ; *v; v++)
    digest_add_text(&d, *v);
  str_add(ret, "%016llx%016llx", (unsigned long long)d.a,
          (unsigned long long)d.b);
}

static bool environment_unchanged(const char *digest) {
  struct str now = {0};
  environment_digest(&now);
  bool ret = strcmp(now.at, digest) == 0;
  str_done(&now);
  return ret;
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
  case WATCHED_STAT:
    return identity_now(i->text, &now) && now.size == i->id.size &&
           now.modified == i->id.modified &&
           now.modified_ns == i->id.modified_ns;
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
  case WATCHED_VARIABLES:
    return environment_unchanged(i->text);
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
// be late: the times of a file that changed so shortly before are no proof.
static bool is_fresh(const struct identity *id, struct timespec began) {
  return id->changed + 2 >= began.tv_sec;
}

// Could it have changed after the compiler had looked at it, and still have the
// same times? Times without fractions are of a clock that ticks seconds. By one
// that ticks faster, what was opened is settled (watch.c); programs were loaded
// before anybody could look.
static bool is_racy(const struct input *i, struct timespec began) {
  const struct identity *id = &i->id;
  if (!id->changed_ns)
    return is_fresh(id, began);
  if (i->kind == WATCHED_FILE || i->kind == WATCHED_LIST)
    return false;
  return id->changed != began.tv_sec ? id->changed > began.tv_sec
                                     : id->changed_ns >= began.tv_nsec;
}

// What the compiler saw must be what is there.
static bool input_add(struct str *out, const struct input *i,
                      struct timespec began) {
  struct identity id = i->id, now;
  struct digest d;
  str_add_bytes(out, i->from, strlen(i->from) + 1);
  if (!watched_has_identity(i->kind))
    return true;
  if (!identity_now(i->text, &now) || !identity_equal(&now, &id) ||
      is_racy(i, began) ||
      (i->kind == WATCHED_FILE && !digest_file(i->text, &id, &d)))
    return false;
  if (i->kind == WATCHED_FILE && is_fresh(&id, began))
    id.changed = id.changed_ns = 0; // it will be read again
  str_add_bytes(out, (const char *)&id, sizeof id);
  if (i->kind == WATCHED_FILE)
    str_add_bytes(out, (const char *)&d, sizeof d);
  return true;
}

// Was the file that `i` asks about read, too? Its contents count then.
static bool was_read(const inputs *all, const struct input *i) {
  struct str from = {0};
  str_add(&from, "%c%s", WATCHED_FILE, i->text);
  struct input key = {.from = from.at};
  bool is_there =
      bsearch(&key, all->at, all->len, sizeof *all->at, by_text) != NULL;
  str_done(&from);
  return is_there;
}

static bool is_program(const struct input *i, const struct stat *st) {
  return i->kind == WATCHED_PROGRAM && i->id.dev == st->st_dev &&
         i->id.ino == st->st_ino;
}

// clang asks for variables by name. Another program that starts it (a shell,
// what a package puts before its clang) may look at all of them and say
// nothing.
static void add_environment(struct str *out) {
  str_add(out, "%c", WATCHED_VARIABLES);
  environment_digest(out);
  str_add_bytes(out, "", 1);
}

// Several questions about one thing are one input.
static bool inputs_write(struct str *out, inputs *all,
                         const struct compiler_run *run) {
  bool has_source = false, has_compiler = false;
  unsigned programs = 0;
  struct stat compiler;
  if (stat(run->compiler, &compiler) != 0)
    return false;
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
    if (i->kind == WATCHED_STAT && was_read(all, i))
      continue;
    if (i->kind == WATCHED_START) {
      programs++;
      continue;
    }
    has_source |= i->kind == WATCHED_FILE && strcmp(i->text, run->source) == 0;
    has_compiler |= is_program(i, &compiler);
    if (!input_add(out, i, run->began))
      return false;
  }
  if (programs > 1)
    add_environment(out);
  // Otherwise it was something else that was watched: what a script asks for is
  // not seen, for one.
  return has_source && has_compiler;
}

bool inputs_add(struct str *out, const struct compiler_run *run) {
  const char *log = run->log->bytes;
  size_t len = run->log->len;
  inputs all = {0};
  struct input i;
  bool ok = true;
  for (const char *at = log; ok && at < log + len; at = i.next) {
    ok = input_read(at, log + len, /*is_entry=*/false, &i);
    if (ok)
      array_push(&all, i);
  }
  ok = ok && inputs_write(out, &all, run);
  array_done(&all);
  return ok;
}
