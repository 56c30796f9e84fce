// Pointers: arithmetic, comparison, tags in low bits, function pointers,
// container_of, arrays of arrays, strings, linked lists on the heap.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct list {
  struct list *next;
};
struct item {
  int value;
  struct list link;
};

#define container_of(p, t, m) ((t *)((char *)(p)-offsetof(t, m)))

static struct list head = {&head};

static void push(int value) {
  struct item *i = malloc(sizeof *i);
  i->value = value;
  i->link.next = head.next;
  head.next = &i->link;
}

static int add(int a, int b) {
  return a + b;
}
static int sub(int a, int b) {
  return a - b;
}
static int mul(int a, int b) {
  return a * b;
}

static int (*const ops[])(int, int) = {add, sub, mul};
static int (*chosen)(int, int) = &mul;

static int apply(int (*f)(int, int), int a, int b) {
  return f(a, b);
}

static int matrix[3][4];
static const char *const words[] = {"alpha", "beta", "gamma"};
static char buffer[32] = "buffer";
static int *inner = &matrix[1][2];
static char *tail = buffer + 3;

static void swap(int *a, int *b) {
  int t = *a;
  *a = *b;
  *b = t;
}

static int **indirect(int **pp) {
  **pp += 1;
  return pp;
}

int main(void) {
  for (int i = 0; i < 4; i++)
    push(i * i);
  for (struct list *l = head.next; l != &head;) {
    struct item *i = container_of(l, struct item, link);
    l = l->next;
    printf("%d ", i->value);
    free(i);
  }
  printf("\n");
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
    printf("%d %d\n", ops[i](7, 3), apply(ops[i], 2, 9));
  printf("%d %d\n", chosen(4, 5), ops[0] == add);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++)
      matrix[i][j] = i * 10 + j;
  printf("%d %d %td\n", *inner, inner[-1], inner - &matrix[0][0]);
  for (int i = 0; i < 3; i++)
    printf("%s %zu %c\n", words[i], strlen(words[i]), *(words[i] + 1));
  strcpy(tail, "XYZ");
  printf("%s %s\n", buffer, tail);
  int a = 1, b = 2;
  swap(&a, &b);
  int *pa = &a;
  int **ppa = indirect(&pa);
  printf("%d %d %d\n", a, b, **ppa);
  uintptr_t tagged = (uintptr_t)&matrix[2][0] | 1;
  printf("%d %d\n", (int)(tagged & 1), *(int *)(tagged & ~(uintptr_t)1));
  int *p = matrix[0], *end = p + 12, sum = 0;
  while (p < end)
    sum += *p++;
  printf("%d\n", sum);
  int(*row)[4] = matrix + 1;
  printf("%d %d\n", (*row)[3], row[1][0]);
  int *heap = calloc(5, sizeof *heap);
  heap[4] = 9;
  heap = realloc(heap, 10 * sizeof *heap);
  heap[9] = heap[4] + heap[0];
  printf("%d\n", heap[9]);
  free(heap);
  char *dup = malloc(10);
  memcpy(dup, "abcdef", 7);
  memmove(dup + 1, dup, 6);
  dup[7] = 0;
  printf("%s\n", dup);
  free(dup);
  return 0;
}
