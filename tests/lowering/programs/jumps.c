// setjmp and longjmp: out of several calls, again and again, with what was
// there before it.
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

static jmp_buf outer, inner;

static int deep(int n, int value) {
  char room[16];
  memset(room, n, sizeof room);
  if (n == 0)
    longjmp(outer, value);
  return deep(n - 1, value) + room[3];
}

static int count(int limit) {
  volatile int tries = 0;
  const char *name = "kept";
  int before = limit * 2;
  int came = setjmp(outer);
  if (tries < limit) {
    tries++;
    printf("try %d came %d %s %d\n", tries, came, name, before);
    deep(tries, tries * 10);
  }
  return came + before;
}

// A jump within a jump; the outer one is left from the inner one's landing.
static void nested(void) {
  volatile int steps = 0;
  if (setjmp(outer) == 0) {
    if (setjmp(inner) == 0) {
      steps += 1;
      longjmp(inner, 5);
    }
    steps += 10;
    deep(2, 7);
  }
  steps += 100;
  printf("steps %d\n", steps);
}

static int fail_or(int value) {
  if (value < 0)
    longjmp(inner, -value);
  return value;
}

// What the call would have written is as it was.
static int unchanged(int n) {
  int x = 3, y = n;
  if (setjmp(inner))
    return x * 100 + y;
  x = fail_or(n);
  return x;
}

static int in_switch(int n) {
  switch (setjmp(inner)) {
  case 0:
    fail_or(-n);
    return -1;
  case 1:
    return 1;
  case 2:
    return 22;
  default:
    return 333;
  }
}

static int in_loop(void) {
  volatile int sum = 0;
  for (volatile int i = 1; i < 5; i++) {
    sigjmp_buf here;
    int value = sigsetjmp(here, 0);
    if (!value)
      siglongjmp(here, i);
    sum = sum * 10 + value;
  }
  return sum;
}

int main(void) {
  printf("%d\n", count(3));
  nested();
  printf("%d %d\n", unchanged(4), unchanged(-4));
  for (int i = 1; i < 4; i++)
    printf("%d\n", in_switch(i));
  printf("%d\n", in_loop());
  if (!setjmp(outer))
    longjmp(outer, 0); // comes as 1
  else
    puts("zero is one");
  return 0;
}
