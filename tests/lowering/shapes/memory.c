// Which locals are private, which are shared, and how structs are copied.
// shape: registers local=0 stack_new=0 load=0 store=0
// shape: privately local=1 stack_new=0
// shape: by_pointer local=1 stack_new=0
// shape: published stack_new=1 stack_end=1
// shape: returned_through local=0 stack_new=0 load=0 store=0
// shape: assign load=3 store=3 copy=0
// shape: by_value load=2
// shape: initialise copy=1
// shape: initialise_parts local=0 copy=0 load=0
// text: assign to.a
// text: assign from.c
// text: assign_through to->b
// text: element table[i].a
// text: element matrix[i][j + 1]
// text: chain list->next->a
#include <string.h>

struct node {
  int a;
  struct node *next;
};
struct three {
  int a, b;
  long c;
};
struct two {
  int a, b;
};
struct three to, from;
struct two pair;
struct two table[4];
int matrix[3][4];
struct node *list;
int *leak;

int registers(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += i;
  return sum;
}

int privately(int n) {
  int a[4] = {0};
  a[n & 3] = n;
  return a[0];
}

static void fill(int *p, int n) {
  for (int i = 0; i < n; i++)
    p[i] = i;
}

int by_pointer(void) {
  int a[3];
  fill(a, 3);
  return a[2];
}

int published(void) {
  int a = 1;
  leak = &a;
  return a;
}

static int *same(int *p) {
  return p;
}

int returned_through(void) {
  int a = 1;
  *same(&a) = 2;
  return a;
}

void assign(void) {
  to = from;
}

void assign_through(struct three *to) {
  to->b = 1;
}

static int sum(struct two t) {
  return t.a + t.b;
}

int by_value(void) {
  return sum(pair);
}

int initialise(int i) {
  int a[6] = {1, 2, 3, 4, 5, 6};
  return a[i];
}

int first_of(const int *a) {
  return a[0];
}

int initialise_parts(void) {
  int a[3] = {1, 2, 3};
  return first_of(a) + a[2];
}

void element(int i, int j) {
  table[i].a = 1;
  matrix[i][j + 1] = 2;
}

void chain(void) {
  list->next->a = 1;
}

void *volatile keep[] = {registers,        privately,        by_pointer,
                         published,        returned_through, assign,
                         assign_through,   by_value,         initialise,
                         initialise_parts, element,          chain};

int main(void) {
  return keep[0] == 0;
}
