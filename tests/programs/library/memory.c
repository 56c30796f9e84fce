// SPDX-License-Identifier: MIT
// Allocation, copies of any length and comparison, on memory that two threads
// share: whole cells are read and written, so that sizes never mix.
// expect: sc,rc11 ok 1
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct item {
  int key;
  char tag;
  long value;
};

static struct item *items;
static size_t count = 3;

static int by_key(const void *x, const void *y) {
  const struct item *a = x, *b = y;
  return (a->key > b->key) - (a->key < b->key);
}

static void *thread(void *unused) {
  struct item *copy = malloc(count * sizeof *copy);
  memcpy(copy, items, count * sizeof *copy);
  qsort(copy, count, sizeof *copy, by_key);
  for (size_t i = 0; i < count; i++)
    assert(copy[i].key == (int)i + 1 && copy[i].value == 10 * copy[i].key);
  struct item key = {.key = 2};
  struct item *found = bsearch(&key, copy, count, sizeof key, by_key);
  assert(found == copy + 1 && found->tag == 'b');
  free(copy);
  return unused;
}

static void resize(void) {
  int *p = calloc(2, sizeof *p);
  assert(p[0] == 0 && p[1] == 0);
  p[1] = 7;
  p = realloc(p, 4 * sizeof *p);
  p[3] = 9;
  p = reallocarray(p, 2, sizeof *p);
  assert(p[1] == 7);
  free(p);
  long *q = aligned_alloc(64, 64);
  assert((uintptr_t)q % 64 == 0);
  free(q);
  void *r;
  assert(posix_memalign(&r, 3, 8) == EINVAL);
  assert(posix_memalign(&r, 32, 8) == 0);
  free(r);
}

static void compare(void) {
  static int a[4] = {1, 2, 3, 4}, b[4];
  memcpy(b, a, sizeof a);
  assert(memcmp(a, b, sizeof a) == 0);
  b[2] = 5;
  assert(memcmp(a, b, sizeof a) < 0 && memcmp(b, a, sizeof a) > 0);
  memmove(b + 1, b, 3 * sizeof *b);
  assert(b[1] == 1 && b[2] == 2 && b[3] == 5);
  memset(b, 0, sizeof b);
  assert(b[3] == 0);
}

int main(void) {
  items = malloc(count * sizeof *items);
  for (int i = 0; i < 3; i++)
    items[i] = (struct item){3 - i, (char)('c' - i), 10 * (3 - i)};
  pthread_t t;
  pthread_create(&t, NULL, thread, NULL);
  resize();
  compare();
  pthread_join(t, NULL);
  free(items);
}
