// SPDX-License-Identifier: MIT
// Vectors of floating point: arithmetic, comparisons, conversions, lanes,
// shared memory, arguments and results of functions.
// expect: all ok 1
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <string.h>

typedef float four __attribute__((vector_size(16)));
typedef double two __attribute__((vector_size(16)));
typedef double wide __attribute__((vector_size(32)));
typedef int whole __attribute__((vector_size(16)));
typedef long mask __attribute__((vector_size(16)));

struct point { // given in one register, as a vector
  float x, y;
};

static four shared = {1, 2, 3, 4};
static two pair;

static four twice(four v, float by) {
  return v * by + (four){0.5f};
}

static struct point turned(struct point p) {
  return (struct point){-p.y, p.x};
}

static float sum_of(int n, ...) {
  va_list list;
  float sum = 0;
  va_start(list, n);
  for (int i = 0; i < n; i++) {
    struct point p = va_arg(list, struct point);
    sum += p.x * 10 + p.y;
  }
  va_end(list);
  return sum;
}

static void *change(void *unused) {
  shared = twice(shared, 2);
  pair[1] = shared[3] / 4;
  return unused;
}

int main(void) {
  pthread_t id;
  pthread_create(&id, NULL, change, NULL);
  pthread_join(id, NULL);
  assert(shared[0] == 2.5f && shared[1] == 4 && shared[3] == 8);
  assert(pair[0] == 0 && pair[1] == 2);

  two a = {1, 2}, b = {2, 1};
  mask less = a < b;
  assert(less[0] == -1 && less[1] == 0);
  two negated = -a - b / 2;
  assert(negated[0] == -2 && negated[1] == -2.5);

  whole cut = __builtin_convertvector(shared, whole);
  assert(cut[0] == 2 && cut[3] == 8);
  wide larger = __builtin_convertvector(shared, wide);
  assert(larger[0] == 2.5 && larger[2] == 6);
  four mixed = __builtin_shufflevector(shared, twice(shared, 1), 7, 0, 4, 2);
  assert(mixed[0] == 8 && mixed[1] == 2.5f && mixed[2] == 3 && mixed[3] == 6);

  int lane = 2;
  mixed[lane] = 9;
  assert(mixed[lane - 1] == 2.5f && mixed[2] == 9);
  whole bits = (whole)mixed;
  assert(bits[1] == 0x40200000);

  struct point p = turned((struct point){1, 2});
  assert(p.x == -2 && p.y == 1);
  assert(sum_of(2, p, turned(p)) == -20 + 1 - 10 - 2);
  return 0;
}
