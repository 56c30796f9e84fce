// SPDX-License-Identifier: MIT
// memset, memcpy and realloc of heap memory whose type only the variables tell:
// the bytes are taken in the parts that the program uses them in, also when
// their number is known only at run time (COUNT) and when only some of them
// were used before.
// run: flags=-DCOUNT=2 sc,rc11 ok 1
// run: flags=-DCOUNT=heddle_choose(2,3) sc,rc11 ok 2
#include "../common.h"
#include <string.h>

struct node {
  int key;
  struct node *next;
  char tag[5];
};

static int *numbers;
static struct node *nodes;

static void *use(void *unused) {
  numbers[1]++;
  nodes[1].key = 7;
  nodes[1].tag[2] = 'x';
  return unused;
}

int main(void) {
  size_t count = (size_t)COUNT;
  numbers = calloc(4, sizeof *numbers);
  nodes = malloc(count * sizeof *nodes);
  memset(nodes, 0, count * sizeof *nodes);
  run(1, use);
  numbers = realloc(numbers, 8 * sizeof *numbers);
  assert(numbers[0] == 0 && numbers[1] == 1);
  numbers[7] = 5;
  struct node *copy = malloc(count * sizeof *copy);
  memcpy(copy, nodes, count * sizeof *copy);
  assert(copy[1].key == 7 && !copy[1].next && copy[1].tag[2] == 'x');
  struct node last = copy[1];
  assert(last.tag[2] == 'x');
  free(copy);
  free(nodes);
  free(numbers);
  return 0;
}
