// SPDX-License-Identifier: MIT
// See picture.h.
#include "picture.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

struct picture_name picture_add(struct picture *x, unsigned t,
                                struct picture_event e) {
  check(t < PROGRAM_THREADS && x->len[t] < PICTURE_EVENTS);
  x->events[t][x->len[t]] = e;
  return (struct picture_name){(uint8_t)t, x->len[t]++};
}

static void mix(struct picture_hash *h, uint64_t word) {
  h->high = hash_mix(h->high, word);
  h->low = hash_mix(h->low ^ 0x5851f42d4c957f2du, word);
}

static uint64_t name_word(struct picture_name n) {
  return (uint64_t)n.thread << 8 | n.index;
}

struct picture_hash picture_hash(const struct picture *x) {
  struct picture_hash h = {1, 2};
  for (unsigned t = 0; t < x->nthreads; t++) {
    mix(&h, x->len[t]);
    for (unsigned i = 0; i < x->len[t]; i++) {
      const struct picture_event *e = &x->events[t][i];
      mix(&h, name_word(e->rf) << 24 | (uint64_t)e->loc << 16 |
                  (uint64_t)e->order << 8 | e->kind);
      mix(&h, e->value);
    }
  }
  for (unsigned l = 0; l < x->nlocs; l++) {
    mix(&h, x->co_len[l]);
    for (unsigned i = 0; i < x->co_len[l]; i++)
      mix(&h, name_word(x->co[l][i]));
  }
  return h;
}

static void print_name(struct picture_name n, struct str *out) {
  if (n.thread == PICTURE_INIT)
    str_add(out, "init");
  else
    str_add(out, "T%u.%u", n.thread, n.index);
}

static void print_event(const struct picture_event *e, struct str *out) {
  const char *order = order_name((enum order)e->order);
  char loc = "xyzwvu"[e->loc];
  switch ((enum picture_kind)e->kind) {
  case PIC_READ:
    str_add(out, "R%s %c=%llu<-", order, loc, (unsigned long long)e->value);
    print_name(e->rf, out);
    break;
  case PIC_WRITE:
    str_add(out, "W%s %c=%llu", order, loc, (unsigned long long)e->value);
    break;
  case PIC_FENCE:
    str_add(out, "F%s", order);
    break;
  case PIC_CHOICE:
    str_add(out, "chose %llu", (unsigned long long)e->value);
    break;
  }
}

void picture_print(const struct picture *x, struct str *out) {
  for (unsigned t = 0; t < x->nthreads; t++) {
    if (!x->len[t])
      continue;
    str_add(out, "#     T%u:", t);
    for (unsigned i = 0; i < x->len[t]; i++) {
      str_add(out, "  ");
      print_event(&x->events[t][i], out);
    }
    str_add(out, "\n");
  }
  for (unsigned l = 0; l < x->nlocs; l++) {
    if (x->co_len[l] < 2)
      continue;
    str_add(out, "#     co %c:", "xyzwvu"[l]);
    for (unsigned i = 0; i < x->co_len[l]; i++) {
      str_add(out, " ");
      print_name(x->co[l][i], out);
    }
    str_add(out, "\n");
  }
}

static int compare(const void *a, const void *b) {
  const struct picture_hash *x = a, *y = b;
  if (x->high != y->high)
    return x->high < y->high ? -1 : 1;
  if (x->low != y->low)
    return x->low < y->low ? -1 : 1;
  return 0;
}

void picture_set_add(struct picture_set *s, const struct picture *x) {
  array_push(&s->hashes, picture_hash(x));
}

uint32_t picture_set_sort(struct picture_set *s) {
  uint32_t before = s->hashes.len, kept = 0;
  if (before)
    qsort(s->hashes.at, before, sizeof *s->hashes.at, compare);
  for (uint32_t i = 0; i < before; i++)
    if (!kept || compare(&s->hashes.at[kept - 1], &s->hashes.at[i]) != 0)
      s->hashes.at[kept++] = s->hashes.at[i];
  s->hashes.len = kept;
  return before - kept;
}

bool picture_set_has(const struct picture_set *s, struct picture_hash h) {
  return s->hashes.len && bsearch(&h, s->hashes.at, s->hashes.len,
                                  sizeof *s->hashes.at, compare);
}

bool picture_set_equal(const struct picture_set *a,
                       const struct picture_set *b) {
  return a->hashes.len == b->hashes.len &&
         (!a->hashes.len || memcmp(a->hashes.at, b->hashes.at,
                                   a->hashes.len * sizeof *a->hashes.at) == 0);
}

bool picture_set_contains(const struct picture_set *a,
                          const struct picture_set *b) {
  for (uint32_t i = 0; i < b->hashes.len; i++)
    if (!picture_set_has(a, b->hashes.at[i]))
      return false;
  return true;
}

void picture_set_done(struct picture_set *s) {
  array_done(&s->hashes);
}
