// long double: arithmetic, comparisons, conversions, in memory and passed.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct holder {
  char tag;
  long double x;
  int after;
};

static long double global = 1.1L, values[3] = {-0.0L, 1e4000L, 3};
static const long double third = 1.0L / 3;

static void show(const char *name, long double x) {
  unsigned char bytes[16] = {0};
  memcpy(bytes, &x, 10);
  printf("%s %.6Lf ", name, x > 1e15L ? 0 : x);
  for (int i = 9; i >= 0; i--)
    printf("%02x", bytes[i]);
  puts("");
}

static long double weigh(long double a, int n, long double b) {
  return a * n - b;
}

static struct holder hold(long double x) {
  struct holder h = {'h', x, 5};
  return h;
}

static long double total(int n, ...) {
  long double sum = 0;
  va_list ap;
  va_start(ap, n);
  for (int i = 0; i < n; i++)
    sum += i % 2 ? va_arg(ap, int) : va_arg(ap, long double);
  va_end(ap);
  return sum;
}

int main(void) {
  long double a = global, b = third;
  show("sum", a + b);
  show("difference", a - b);
  show("product", a * b);
  show("quotient", a / b);
  show("negation", -a);
  show("weighed", weigh(a, 7, b));
  show("large", values[1] * 2);
  show("zero", values[0]);
  show("not a number", (values[1] * values[1]) * 0 == 0 ? 1 : 2);
  printf("%d%d%d%d%d%d\n", a<b, a <= b, a> b, a >= b, a == b, a != b);
  volatile long double nan = values[1] * values[1];
  nan -= nan;
  printf("%d%d%d%d\n", nan < a, nan == nan, nan != nan, !(nan >= a));
  for (int i = -3; i < 4; i++)
    printf("%d %d %u %ld\n", (int)(a * i), (short)(b * i * 100),
           (unsigned)(long)(a * i * 1000), (long)(a * i * 1e15L));
  unsigned long big = ~0ul;
  long small = -7;
  show("unsigned", big);
  show("signed", small);
  show("float", 0.1f);
  show("double", 0.1);
  show("constant", 0.1L);
  printf("%.17g %.9g %lu\n", (double)third, (float)third,
         (unsigned long)(long double)big);
  a += 2;
  a++;
  show("changed", a);
  show("chosen", a > 4 ? a : b);
  struct holder h = hold(a), copy = h;
  copy.x *= 2;
  show("held", h.x + copy.x);
  printf("%c %d %lu\n", copy.tag, copy.after, sizeof(struct holder));
  values[2] = h.x;
  show("stored", values[2]);
  show("variable arguments", total(4, 1.5L, 2, third, 4));
  int truth = a && !values[0];
  printf("%d\n", truth);
  return 0;
}
