// SPDX-License-Identifier: MIT
// memcpy, memmove, memset and realloc of variable length, and overlapping ones
// of constant length, on memory that the program uses by its declared scalars.
// expect: sc,rc11 ok 1
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static int ints[4] = {1, 2, 5, 4}, other[4];
static struct {
  char c;
  short s;
  int i;
  long l;
} structs[2] = {{1, 2, 3, 4}, {5, 6, 7, 8}}, copied[2];
static char text[12] = "hello", copy[12];

static void fixed(void) {
  int moved[] = {1, 2, 5, 4};
  memmove(ints + 1, ints, 12);
  assert(ints[0] == 1 && ints[1] == 1 && ints[2] == 2 && ints[3] == 5);
  memmove(ints, ints + 1, 12);
  assert(ints[0] == 1 && ints[1] == 2 && ints[2] == 5 && ints[3] == 5);
  memcpy(ints, moved, sizeof moved);
}

static void variable(size_t n) {
  memmove(other + 1, ints, n * 3);
  assert(other[0] == 0 && other[1] == 1 && other[2] == 2 && other[3] == 5);
  memmove(other, other + 1, n * 3);
  assert(other[0] == 1 && other[1] == 2 && other[2] == 5 && other[3] == 5);
  memset(other, 0, n * 4);
  assert(other[3] == 0);
  memcpy(copied, structs, n * 8);
  assert(copied[0].c == 1 && copied[0].l == 4 && copied[1].s == 6);
  assert(copied[1].i == 7 && copied[1].l == 8);
  memcpy(copy, text, n + 2);
  assert(strcmp(copy, "hello") == 0 && copy[6] == 0);
}

static void heap(size_t n) {
  int *p = malloc(4 * n), *q = malloc(4 * n);
  p[0] = 1;
  p[1] = 2;
  memcpy(q, p, 2 * n);
  assert(q[0] == 1 && q[1] == 2);
  memset(q, 0xff, 4 * n);
  assert(q[3] == -1);
  p = realloc(p, 8 * n);
  p[2] = 3;
  p[7] = 8;
  assert(p[0] == 1 && p[1] == 2 && p[2] == 3);
  free(p);
  free(q);
}

static void *thread(void *unused) {
  volatile size_t n = 4;
  fixed();
  variable(n);
  heap(n);
  return unused;
}

int main(void) {
  pthread_t id;
  pthread_create(&id, NULL, thread, NULL);
  pthread_join(id, NULL);
}
