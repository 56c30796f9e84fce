// Initialisers of all kinds, static locals, thread-local variables,
// constructors, aliases, weak definitions, const data.
#include <stdio.h>

extern int later;
static int *const pointers[] = {&later, &later + 1, 0};
int later = 12;
static struct {
  const char *text;
  int (*f)(int);
  double d;
  short s[3];
} rows[] = {{"one", 0, 1.25, {1, 2, 3}}, {"two", (int (*)(int))0, -2, {4}}};
static const unsigned char bytes[] = {1, 2, 255, [10] = 9};
static const char text[] = "with\0zero";
static int big[100] = {[50] = 5, [99] = 9};
static _Thread_local int tl = 4;
_Thread_local long tl_shared;
static int order;

__attribute__((constructor)) static void first(void) {
  order = order * 10 + 1;
}
__attribute__((weak)) int weak_function(void) {
  return 6;
}
static int real_function(void) {
  return 8;
}
int alias_function(void) __attribute__((alias("real_function")));

static int counter(void) {
  static int n = 100;
  return n++;
}

static long *leak(void) {
  return &tl_shared;
}

union number {
  int i;
  unsigned char c[4];
};
static union number number = {0x01020304};
static long distance = (char *)&big[3] - (char *)&big[1];
static unsigned long flexible[] = {sizeof(struct {
                                     char c;
                                     long l;
                                   }),
                                   'x'};
enum color { RED = -3, GREEN, BLUE = 40 };
static enum color color = BLUE;
int tentative;

int main(void) {
  printf("%d %d %d\n", *pointers[0], pointers[1] - pointers[0] == 1,
         !pointers[2]);
  printf("%s %g %d %s %d\n", rows[0].text, rows[0].d, rows[0].s[2],
         rows[1].text, rows[1].s[1]);
  printf("%d %d %zu %d\n", bytes[2], bytes[10], sizeof text, text[5]);
  printf("%d %d %d\n", big[50], big[99], big[98]);
  tl++;
  *leak() = 17;
  printf("%d %ld %d\n", tl, tl_shared, order);
  printf("%d %d\n", weak_function(), alias_function());
  printf("%d %d\n", counter(), counter() + counter());
  printf("%d %ld %lu %lu\n", number.i == 0x01020304, distance, flexible[0],
         flexible[1]);
  printf("%d %d %d\n", color, GREEN, tentative);
  return later;
}
