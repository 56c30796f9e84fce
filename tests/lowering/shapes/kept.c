// From a relaxed load to the store after it: dependencies that look foolish,
// and that an optimiser would remove, but that the source has.
// depends: data by_zero by_mask by_ones by_itself divided equal choice
// depends: data of_call logical_value sum real boolean
// depends: data narrow remainder expression exchanged both_arms
// depends: addr masked_index nested_index first_index bytes either
// depends: ctrl equal_if and_zero or_one logical_value only_default cases
// depends: ctrl no_case below_zero one_round loop_over if_else jump likely
// depends: ctrl asserted in_call waited both_values
// What a thread does not compute with is no dependency, and clang never looks
// at the operand that && and || do not need.
// depends: nothing and_never comma overwritten
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

#define READ() atomic_load_explicit(&x, memory_order_relaxed)
#define WRITE(value) atomic_store_explicit(&y, value, memory_order_relaxed)

struct item {
  int head, tail[2];
};
atomic_int x, y;
int plain, array[4];
struct item items[3];

static int one(int r) {
  return r ? 1 : 1;
}

static void look(int r) {
  if (r == r)
    return;
}

// -- values

void by_zero(void) {
  int r = READ();
  WRITE(r * 0);
}

void by_mask(void) {
  int r = READ();
  WRITE(r & 0);
}

void by_ones(void) {
  int r = READ();
  WRITE(r | -1);
}

void by_itself(void) {
  int r = READ();
  WRITE(r - r);
}

void divided(void) {
  int r = READ();
  WRITE(0 / (r | 1));
}

void equal(void) {
  int r = READ();
  WRITE(r == r);
}

void choice(void) {
  int r = READ();
  WRITE(r ? 1 : 1);
}

void of_call(void) {
  WRITE(one(READ()));
}

void logical_value(void) {
  int r = READ();
  WRITE(r && r);
}

void sum(void) {
  int r = READ(), s = 0;
  for (int i = 0; i < 3; i++)
    s += r;
  WRITE(s);
}

void real(void) {
  int r = READ();
  WRITE((int)(r * 0.0));
}

void boolean(void) {
  bool r = READ();
  WRITE(r & 0);
}

void narrow(void) {
  unsigned r = (unsigned)READ();
  WRITE((unsigned char)(r << 8));
}

void remainder(void) {
  int r = READ();
  WRITE(r % 1);
}

void expression(void) {
  int r = READ();
  WRITE(({
    int s = r;
    s ^ s;
  }));
}

void exchanged(void) {
  int r = atomic_exchange_explicit(&x, 1, memory_order_relaxed);
  WRITE(r & 0);
}

void both_arms(void) {
  int r = READ();
  WRITE(r < 0 ? r : r);
}

// -- addresses

void masked_index(void) {
  int r = READ();
  array[r & 0] = 1;
}

void nested_index(void) {
  int r = READ();
  items[1].tail[r ^ r] = 1;
}

void first_index(void) {
  int r = READ();
  items[r * 0].head = 1;
}

void bytes(void) {
  int r = READ();
  *(int *)((char *)&plain + (r & 0)) = 1;
}

void either(void) {
  int r = READ();
  *(r ? &plain : &plain) = 1;
}

// -- branches

void equal_if(void) {
  int r = READ();
  if (r == r) {
  }
  WRITE(1);
}

void and_zero(void) {
  int r = READ();
  if (r && 0) {
  }
  WRITE(1);
}

void or_one(void) {
  int r = READ();
  if (r || 1) {
  }
  WRITE(1);
}

void only_default(void) {
  int r = READ();
  switch (r) {
  default:
    break;
  }
  WRITE(1);
}

void cases(void) {
  int r = READ();
  switch (r) {
  case 1:
  case 2:
    break;
  }
  WRITE(1);
}

void no_case(void) {
  int r = READ();
  switch (r) {}
  WRITE(1);
}

void below_zero(void) {
  unsigned r = (unsigned)READ();
  if (r < 0) {
  }
  WRITE(1);
}

void one_round(void) {
  int r = READ();
  while (r)
    break;
  WRITE(1);
}

void loop_over(void) {
  for (int r = READ(); r; r = 0)
    continue;
  WRITE(1);
}

void if_else(void) {
  int r = READ();
  if (r)
    ;
  else
    ;
  WRITE(1);
}

void jump(void) {
  int r = READ();
  if (r)
    goto out;
out:
  WRITE(1);
}

void likely(void) {
  int r = READ();
  if (__builtin_expect(r, 0)) {
  }
  WRITE(1);
}

void asserted(void) {
  int r = READ();
  assert(r == r);
  WRITE(1);
}

void in_call(void) {
  look(READ());
  WRITE(1);
}

void waited(void) {
  while (!READ())
    continue;
  WRITE(1);
}

void both_values(void) {
  int v;
  if (READ())
    v = 1;
  else
    v = 1;
  WRITE(v);
}

// -- none

void and_never(void) {
  int r = READ();
  if (0 && r) {
  }
  WRITE(1);
}

void comma(void) {
  WRITE(((void)READ(), 1));
}

void overwritten(void) {
  int r = READ();
  r = 1;
  WRITE(r);
}

void (*volatile keep[])(void) = {
    by_zero,      by_mask,   by_ones,      by_itself,     divided,
    equal,        choice,    of_call,      logical_value, sum,
    real,         boolean,   narrow,       remainder,     expression,
    exchanged,    both_arms, masked_index, nested_index,  first_index,
    bytes,        either,    equal_if,     and_zero,      or_one,
    only_default, cases,     no_case,      below_zero,    one_round,
    loop_over,    if_else,   jump,         likely,        asserted,
    in_call,      waited,    both_values,  and_never,     comma,
    overwritten,
};

int main(void) {
  return keep[0] == 0;
}
