// SPDX-License-Identifier: MIT
// What an execution's name says beside the execution: hashes of the files, the
// model and the options, short ones, since they only have to tell an accident.
#include "cmd/replay.h"

#include "base/hash.h"
#include "base/source.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 16, TAG = REPLAY_TAG - 1 };

// What cannot be read is the same everywhere.
static uint64_t hash_file(const char *path, uint64_t h) {
  FILE *f = fopen(source_path(path), "r");
  char part[4096] = {0};
  for (size_t n; f && (n = fread(part, 1, sizeof part, f)) > 0;)
    h = hash_mix(h, hash_bytes(part, n));
  if (f)
    fclose(f);
  return h;
}

static uint64_t hash_of(const struct options *o, bool all_errors) {
  struct options mine = *o;
  mine.all_errors = all_errors;
  return options_hash(&mine);
}

struct replay_digests replay_digests(const struct options *o,
                                     const struct model *m) {
  struct replay_digests d = {.model = hash_bytes(m->name, strlen(m->name)),
                             .options =
                                 hash_of(o, o->all_errors || o->shortest)};
  for (uint32_t i = 0; i < o->files.len; i++)
    d.program = hash_file(o->files.at[i], hash_mix(d.program, i));
  if (strchr(o->model, '.'))
    d.model = hash_file(o->model, d.model);
  return d;
}

void replay_tag(const struct options *o, const struct model *m,
                char ret[static REPLAY_TAG]) {
  struct replay_digests d = replay_digests(o, m);
  snprintf(ret, REPLAY_TAG, "%04x%02x%02x", (unsigned)(d.program & 0xffff),
           (unsigned)(d.model & 0xff), (unsigned)(d.options & 0xff));
}

static bool are_digits(const char *text, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (!isxdigit((unsigned char)text[i]))
      return false;
  return true;
}

bool replay_read(const char *text, uint64_t *ret, struct diag *why) {
  *ret = 0;
  if (!text)
    return true;
  size_t n = strlen(text);
  if ((n == NAME || (n == NAME + 1 + TAG && text[NAME] == '-' &&
                     are_digits(text + NAME + 1, TAG))) &&
      are_digits(text, NAME)) {
    *ret = strtoull(text, NULL, 16);
    return true;
  }
  diag_set(why, NULL, 0, "'%s' is not the name of an execution", text);
  diag_hint(why, "a name has sixteen digits, 0 to 9 and a to f, and eight more "
                 "after a dash; reports end executions with it");
  return false;
}

static bool ends_with(const char *name, uint64_t options) {
  char digits[3];
  snprintf(digits, sizeof digits, "%02x", (unsigned)(options & 0xff));
  return strlen(name) == NAME + 1 + TAG &&
         strcasecmp(name + NAME + 1 + TAG - 2, digits) == 0;
}

bool replay_goes_on(const struct options *o) {
  return o->replay && !ends_with(o->replay, hash_of(o, o->all_errors)) &&
         ends_with(o->replay, hash_of(o, /*all_errors=*/true));
}

void replay_differences(const char *name, const char *tag, struct str *out) {
  static const struct {
    const char *what;
    size_t at, n;
  } parts[] = {{"of another version of the program", 0, 4},
               {"under another model", 4, 2},
               {"with other options", 6, 2}};
  if (strlen(name) != NAME + 1 + TAG)
    return;
  for (unsigned i = 0; i < LENGTH(parts); i++)
    if (strncasecmp(name + NAME + 1 + parts[i].at, tag + parts[i].at,
                    parts[i].n) != 0)
      str_add(out, "%s%s", out->len ? ", " : "", parts[i].what);
}
