// SPDX-License-Identifier: MIT
// A finished program as one run of bytes, for a cache that keeps it: its arrays
// one after the other, each behind its length, then the texts and the first
// contents of globals up to their last byte that is not 0, which are the only
// things that arrays point to. Bytes are as this build of Heddle has them in
// memory, so no other program can read them.
#include "bytecode/prog.h"

#include <string.h>

#define ARRAYS(X)                                                              \
  X(code)                                                                      \
  X(source)                                                                    \
  X(calls)                                                                     \
  X(funcs)                                                                     \
  X(consts)                                                                    \
  X(globals)                                                                   \
  X(types)                                                                     \
  X(members)                                                                   \
  X(tables)                                                                    \
  X(cases)                                                                     \
  X(live)                                                                      \
  X(labels)

static void add(struct str *out, const void *bytes, size_t n) {
  if (n > 0)
    str_add_bytes(out, bytes, n);
}

static void add_array(struct str *out, const void *at, uint32_t len,
                      size_t size) {
  add(out, &len, sizeof len);
  add(out, at, len * size);
}

// How much of a global is needed: zeros follow.
static uint64_t filled(const struct global *g) {
  static const char zeros[64];
  uint64_t n = g->size;
  while (n >= sizeof zeros &&
         memcmp(g->bytes + n - sizeof zeros, zeros, sizeof zeros) == 0)
    n -= sizeof zeros;
  while (n > 0 && !g->bytes[n - 1])
    n--;
  return n;
}

void prog_pack(const struct prog *p, struct str *out) {
  check(!p->build);
  struct prog plain = *p; // what is neither array nor pointer
  plain.strings = (struct strings){0};
  plain.live_first = NULL;
#define X(name) plain.name.at = NULL, plain.name.len = plain.name.cap = 0;
  ARRAYS(X)
#undef X
  add(out, &plain, sizeof plain);
#define X(name) add_array(out, p->name.at, p->name.len, sizeof *p->name.at);
  ARRAYS(X)
#undef X
  add_array(out, p->live_first, p->code.len, sizeof *p->live_first);
  const uint32_t texts = p->strings.text.len;
  add(out, &texts, sizeof texts);
  for (uint32_t i = 0; i < texts; i++)
    add(out, p->strings.text.at[i], strlen(p->strings.text.at[i]) + 1);
  for (uint32_t i = 0; i < p->globals.len; i++) {
    uint64_t n = filled(&p->globals.at[i]);
    add(out, &n, sizeof n);
    add(out, p->globals.at[i].bytes, n);
  }
}

// What is left to read.
struct rest {
  const char *at, *end;
  bool is_short; // there was less than asked for
};

static const char *take(struct rest *r, size_t n) {
  r->is_short |= (size_t)(r->end - r->at) < n;
  const char *from = r->at;
  r->at += r->is_short ? 0 : n;
  return r->is_short ? NULL : from;
}

static uint32_t take_count(struct rest *r) {
  uint32_t n = 0;
  const char *from = take(r, sizeof n);
  if (from)
    memcpy(&n, from, sizeof n);
  return n;
}

static void *take_copy(struct rest *r, size_t n) {
  const char *from = take(r, n);
  void *copy = from ? xmalloc(n > 0 ? n : 1) : NULL;
  if (copy && n > 0)
    memcpy(copy, from, n);
  return copy;
}

static void take_texts(struct rest *r, struct strings *to) {
  for (uint32_t n = take_count(r); n > 0 && !r->is_short; n--) {
    const char *nul = memchr(r->at, 0, (size_t)(r->end - r->at));
    const char *text = take(r, nul ? (size_t)(nul - r->at) + 1 : SIZE_MAX);
    if (text)
      strings_add(to, text);
  }
}

static void take_contents(struct rest *r, struct global *g) {
  uint64_t n = 0;
  const char *length = take(r, sizeof n);
  if (length)
    memcpy(&n, length, sizeof n);
  const char *from = take(r, n <= g->size ? n : SIZE_MAX);
  g->bytes = from ? xcalloc(g->size, 1) : NULL;
  if (from && n > 0)
    memcpy(g->bytes, from, n);
}

struct prog *prog_unpack(const char *bytes, size_t n) {
  struct rest r = {bytes, bytes + n, false};
  struct prog *p = xcalloc(1, sizeof *p);
  const char *plain = take(&r, sizeof *p);
  if (plain)
    memcpy(p, plain, sizeof *p);
#define X(name)                                                                \
  p->name.len = p->name.cap = take_count(&r);                                  \
  p->name.at = take_copy(&r, p->name.len * sizeof *p->name.at);
  ARRAYS(X)
#undef X
  uint32_t pcs = take_count(&r);
  p->live_first = take_copy(&r, pcs * sizeof *p->live_first);
  take_texts(&r, &p->strings);
  p->globals.len = p->globals.at ? p->globals.len : 0;
  for (uint32_t i = 0; i < p->globals.len; i++)
    take_contents(&r, &p->globals.at[i]);
  if (!r.is_short && r.at == r.end)
    return p;
  prog_free(p);
  return NULL;
}
