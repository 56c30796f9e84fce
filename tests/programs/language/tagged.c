// SPDX-License-Identifier: MIT
// Pointers as numbers: tags in the low bits, container_of, differences,
// comparisons, pointers to functions in shared memory.
// expect: sc,rc11 ok 1
#include "../common.h"

struct node {
  long key;
  struct node *link;
};

#define container_of(p, type, member)                                          \
  ((type *)((char *)(p)-offsetof(type, member)))

static struct node nodes[3];
static _Atomic uintptr_t marked;
static int answer(void) {
  return 42;
}
static int (*hook)(void) = answer;

static void *thread(void *unused) {
  atomic_fetch_or(&marked, 1);
  return unused;
}

int main(void) {
  marked = (uintptr_t)&nodes[1];
  run(1, thread);
  assert(marked & 1);
  struct node *p = (struct node *)(marked & ~(uintptr_t)1);
  p->key = 5;
  assert(nodes[1].key == 5 && p - nodes == 1 && p > nodes && p < nodes + 3);
  assert(container_of(&p->link, struct node, link) == &nodes[1]);
  assert(hook() == 42);
  nodes[0].link = p;
  assert(nodes[0].link->key == 5 && !nodes[1].link);
  struct node *heap = malloc(sizeof *heap);
  assert(heap && heap != nodes);
  free(heap);
  return 0;
}
