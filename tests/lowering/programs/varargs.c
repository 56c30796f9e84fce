// Variadic functions: many kinds of arguments, va_copy, structs, forwarding.
#include <stdarg.h>
#include <stdio.h>

struct two {
  int a, b;
};
struct big {
  long v[4];
};

static long sum(int n, ...) {
  va_list ap;
  va_start(ap, n);
  long s = 0;
  for (int i = 0; i < n; i++)
    s += i % 2 ? va_arg(ap, long) : va_arg(ap, int);
  va_end(ap);
  return s;
}

static double mixed(const char *kinds, ...) {
  va_list ap, twice;
  va_start(ap, kinds);
  va_copy(twice, ap);
  double r = 0;
  for (const char *k = kinds; *k; k++)
    switch (*k) {
    case 'i':
      r += va_arg(ap, int);
      break;
    case 'd':
      r += va_arg(ap, double);
      break;
    case 's':
      r += *va_arg(ap, const char *);
      break;
    case 't': {
      struct two t = va_arg(ap, struct two);
      r += t.a * 100 + t.b;
      break;
    }
    case 'b': {
      struct big b = va_arg(ap, struct big);
      r += (double)(b.v[0] + b.v[3]);
      break;
    }
    }
  if (kinds[0] == 'i')
    r += va_arg(twice, int) * 1000;
  va_end(twice);
  va_end(ap);
  return r;
}

static int forward(char *out, unsigned long size, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  int n = vsnprintf(out, size, fmt, ap);
  va_end(ap);
  return n;
}

int main(void) {
  printf("%ld\n", sum(5, 1, 2L, 3, 40000000000L, 5));
  struct two t = {3, 4};
  struct big b = {{1, 2, 3, 4}};
  printf("%g\n", mixed("idst", 1, 2.5, "A", t));
  printf("%g\n", mixed("bib", b, 7, b));
  char text[64];
  int n = forward(text, sizeof text, "%s-%05d-%c-%x-%ld|%-6s|%6s|%.2f", "go",
                  42, 'z', 255, -1L, "ab", "cd", 3.14159);
  printf("%d %s\n", n, text);
  printf("%d %i %u %o %X %#x %+d % d %5d|%-5d|%05d %%\n", -1, 2, 3u, 8, 255,
         255, 5, 5, 5, 5, 5);
  printf("%c%s%.3s%10.4s|\n", 'a', "bc", "defgh", "ijklmn");
  printf("%hhd %hd %ld %lld %zu %jd\n", (char)300, (short)70000, 1L, 2LL,
         sizeof t, (long)5);
  printf("%*d|%-*d|%.*f\n", 6, 1, 6, 2, 2, 1.005);
  return n;
}
