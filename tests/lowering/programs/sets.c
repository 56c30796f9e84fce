// Linker sets: what the linker gathers in a section, from its begin to its end.
#include <stdio.h>

struct entry {
  const char *name;
  int (*run)(int);
  char mark;
};

static int twice(int x) {
  return 2 * x;
}
static int negate(int x) {
  return -x;
}

#define ENTRY __attribute__((section("entries"), used, aligned(8)))
static const struct entry first ENTRY = {"twice", twice, 'a'};
static const struct entry second ENTRY = {"negate", negate, 'b'};
const struct entry third ENTRY = {"again", twice, 'c'};
extern const struct entry __start_entries[], __stop_entries[];

static volatile int counters[2] __attribute__((section("counts"), used)) = {10, 20};
static volatile int more __attribute__((section("counts"), used)) = 30;
static volatile int *const pointer __attribute__((section("pointers"), used)) = &more;
extern volatile int __start_counts[], __stop_counts[];
extern volatile int *const __start_pointers[], *const __stop_pointers[];

static int elsewhere __attribute__((section("unseen"))) = 7;

int main(void) {
  for (const struct entry *e = __start_entries; e < __stop_entries; e++)
    printf("%s %d %c\n", e->name, e->run(21), e->mark);
  printf("%ld\n", (long)(__stop_entries - __start_entries));
  more += 5;
  counters[1]++;
  int sum = 0;
  for (volatile int *p = __start_counts; p != __stop_counts; p++)
    sum += *p;
  printf("%d %ld %d\n", sum, (long)(__stop_counts - __start_counts), elsewhere);
  for (volatile int *const *p = __start_pointers; p < __stop_pointers; p++)
    printf("%d\n", **p);
  return first.mark == second.mark || third.mark == 'x';
}
