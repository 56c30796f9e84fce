// Rare things that compilers allow: weak references, zero-sized types, K&R
// functions, overlapping moves, unnamed members, statement expressions, labels
// as values in locals, main with arguments.
#include <stddef.h>
#include <stdio.h>
#include <string.h>

extern int missing(int) __attribute__((weak));
extern int missing_variable __attribute__((weak));
struct empty {};
static struct empty nothing;
static struct empty take(struct empty e) {
  return e;
}

static int old_style();
static int old_style(a, b)
int a;
short b;
{ return a - b; }

struct unnamed {
  int kind;
  union {
    struct {
      int x, y;
    };
    long both;
  };
  char tail[];
};
static struct unnamed point = {1, {{2, 3}}};

struct shift {
  int a;
  short b;
  char c[5];
};
static struct shift row[4] = {{1, 2, "abcd"}, {3, 4, "efgh"}, {5, 6, "ijkl"}};

static int (*pick(int which))(const char *) {
  return which ? puts : NULL;
}

static int nested(int n) {
  return ({
    int square = n * n;
    square > 10 ? square : ({
      int z = -square;
      z;
    });
  });
}

static inline int always(int x) __attribute__((always_inline));
static inline int always(int x) {
  return x * 3;
}

typedef int (*binary)(int, int);
static int reduce(binary f, int n, const int *v) {
  int r = v[0];
  for (int i = 1; i < n; i++)
    r = f(r, v[i]);
  return r;
}
static int larger(int a, int b) {
  return a > b ? a : b;
}

static volatile int watched = 3;
static const int constants[3] = {7, 8, 9};

int main(int argc, char **argv) {
  (void)argv;
  printf("%d %d\n", missing == NULL, &missing_variable == NULL);
  nothing = take(nothing);
  printf("%zu %d\n", sizeof nothing, old_style(9, 4));
  point.y += point.x;
  printf("%d %d %zu\n", point.kind, point.y, offsetof(struct unnamed, tail));
  memmove(&row[1], &row[0], 3 * sizeof row[0]);
  printf("%d %s %d %s\n", row[1].a, row[1].c, row[3].b, row[3].c);
  memmove(&row[0], &row[2], 2 * sizeof row[0]);
  printf("%d %d %s\n", row[0].a, row[1].a, row[0].c);
  pick(1)("called");
  printf("%d %d %d\n", nested(2), nested(5), always(4));
  printf("%d\n", reduce(larger, 3, constants));
  printf("%d\n", reduce(&larger, 5, (int[]){3, 1, 4, 1, 5}));
  watched += watched;
  printf("%d\n", watched);
  int shadow = 1;
  {
    int shadow = 2;
    for (int shadow = 3; shadow < 4; shadow++)
      printf("%d ", shadow);
    printf("%d ", shadow);
  }
  printf("%d\n", shadow);
  unsigned char small = 250;
  small += 10;
  signed char negative = (signed char)200;
  printf("%d %d %d\n", small, negative, (unsigned char)~small);
  const char *text = "one"
                     "two";
  printf("%s %c %zu\n", text + 3, 2 [text], sizeof "four");
  printf("%d\n", argc < 2);
  return sizeof(struct shift) + _Alignof(struct unnamed);
}
