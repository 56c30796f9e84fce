// SPDX-License-Identifier: MIT
// Control flow: switch, computed goto, recursion, function pointers, loops with
// break and continue, short-circuit evaluation.
// expect: sc,rc11 ok 1
#include "../common.h"

static int classify(int n) {
  switch (n) {
  case 0:
    return 1;
  case 1 ... 5:
    n += 10; // falls through
  case 7:
    return n;
  default:
    return -1;
  }
}

static int machine(const char *code) {
  static const void *const labels[] = {&&inc, &&dbl, &&end};
  int acc = 1;
  goto *labels[*code++ - 'a'];
inc:
  acc++;
  goto *labels[*code++ - 'a'];
dbl:
  acc *= 2;
  goto *labels[*code++ - 'a'];
end:
  return acc;
}

static int ackermann(int m, int n) {
  if (m == 0)
    return n + 1;
  return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

static int twice(int (*f)(int), int v) {
  return f(f(v));
}

static int add3(int v) {
  return v + 3;
}

static int calls;
static bool note(bool value) {
  calls++;
  return value;
}

int main(void) {
  assert(classify(0) == 1 && classify(3) == 13 && classify(7) == 7);
  assert(classify(99) == -1);
  assert(machine("aabc") == 6);
  assert(ackermann(2, 3) == 9);
  int (*table[2])(int) = {classify, add3};
  assert(twice(table[1], 1) == 7);
  assert(!(note(false) && note(true)) && (note(true) || note(false)));
  assert(calls == 2);
  int sum = 0;
  for (int i = 0;; i++) {
    if (i % 2)
      continue;
    if (i > 10)
      break;
    sum += i;
  }
  assert(sum == 30);
  return 0;
}
