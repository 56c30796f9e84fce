// SPDX-License-Identifier: MIT
// Structs by value: small ones travel in registers, large ones in memory, and
// a copy of a shared one is the reads of its members.
// expect: sc,rc11 ok 1
#include "../common.h"

struct pair {
  int a, b;
};
struct mixed {
  double d;
  char c;
  short s;
};
struct large {
  long v[5];
  struct pair p;
};

static struct pair flip(struct pair p) {
  return (struct pair){p.b, p.a};
}

static struct mixed scale(struct mixed m, double by) {
  m.d *= by;
  m.c++;
  m.s = (short)-m.s;
  return m;
}

static struct large fill(long first) {
  struct large l = {.p = {7, 8}};
  for (int i = 0; i < 5; i++)
    l.v[i] = first + i;
  return l;
}

static long sum(struct large l) {
  long s = l.p.a + l.p.b;
  for (int i = 0; i < 5; i++)
    s += l.v[i];
  return s;
}

static struct pair shared = {1, 2};
static struct large shared_large;

static void *thread(void *unused) {
  shared = flip(shared);
  shared_large = fill(10);
  return unused;
}

int main(void) {
  struct mixed m = scale((struct mixed){1.5, 'a', 300}, 2);
  assert(m.d == 3 && m.c == 'b' && m.s == -300);
  run(1, thread);
  struct pair p = shared;
  assert(p.a == 2 && p.b == 1);
  struct large copy = shared_large;
  assert(sum(copy) == 60 + 15);
  assert(sum(shared_large) == 60 + 15);
  return 0;
}
