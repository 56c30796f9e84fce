// Control flow: switch, goto, computed goto, loops, recursion, VLAs, alloca.
#include <stdio.h>

static const char *name(int n) {
  switch (n) {
  case -1:
    return "minus";
  case 0:
    return "zero";
  case 1:
  case 2:
    return "few";
  case 1000000:
    return "many";
  default:
    return n < 0 ? "negative" : "other";
  }
}

static int fallthrough(unsigned char c) {
  int r = 0;
  switch (c) {
  case 'a':
    r += 1; // fall through
  case 'b':
    r += 10;
    break;
  case 200 ... 210:
    r = 5;
    break;
  }
  return r;
}

static int interpret(const char *program) {
  static const void *const labels[] = {&&increment, &&twice, &&negate, &&done};
  int x = 1;
#define NEXT goto *labels[*program++ - '0']
  NEXT;
increment:
  x++;
  NEXT;
twice:
  x *= 2;
  NEXT;
negate:
  x = -x;
  NEXT;
done:
  return x;
}

static int local_labels(int which) {
  void *targets[2] = {&&first, &&second};
  goto *targets[which];
first:
  return 11;
second:
  return 22;
}

static int ackermann(int m, int n) {
  if (m == 0)
    return n + 1;
  if (n == 0)
    return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

static int is_even(unsigned n);
static int is_odd(unsigned n) {
  return n == 0 ? 0 : is_even(n - 1);
}
static int is_even(unsigned n) {
  return n == 0 ? 1 : is_odd(n - 1);
}

static int vla(int n) {
  int a[n], sum = 0;
  for (int i = 0; i < n; i++)
    a[i] = i * n;
  for (int i = 0; i < n; i++) {
    char text[i + 1];
    for (int k = 0; k <= i; k++)
      text[k] = (char)k;
    sum += a[i] + text[i];
  }
  return sum;
}

static int vla2(int n, int m, int a[n][m]) {
  int s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      s += a[i][j] * (int)(sizeof a[i] / sizeof a[i][0]);
  return s;
}

static int dynamic(int n) {
  int *p = __builtin_alloca((unsigned)n * sizeof *p);
  for (int i = 0; i < n; i++)
    p[i] = i;
  return p[n - 1] + p[0];
}

int main(void) {
  int tests[] = {-1, 0, 1, 2, 1000000, -5, 77};
  for (unsigned i = 0; i < sizeof tests / sizeof *tests; i++)
    printf("%s\n", name(tests[i]));
  printf("%d %d %d %d\n", fallthrough('a'), fallthrough('b'), fallthrough(205),
         fallthrough('z'));
  printf("%d %d\n", interpret("00113"), interpret("02110113"));
  printf("%d %d\n", local_labels(0), local_labels(1));
  printf("%d\n", ackermann(2, 3));
  printf("%d %d\n", is_even(10), is_odd(10));
  printf("%d %d\n", vla(5), dynamic(6));
  int grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
  printf("%d\n", vla2(2, 3, grid));
  int n = 0, i = 0;
again:
  do {
    n += i;
    if (n > 40)
      goto out;
  } while (++i && i % 7 != 0 ? 1 : 0);
  i++;
  goto again;
out:
  printf("%d %d\n", n, i);
  for (int x = 0, y = 10; x < y; x += 3, y--)
    printf("%d,%d ", x, y);
  printf("\n");
  return 3;
}
