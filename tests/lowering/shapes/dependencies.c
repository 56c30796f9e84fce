// What a compiler would optimise away but a memory model must see.
// shape: data xor=1 load=1 store=1
// shape: zero_data and=1 add=1 load=1 store=1
// shape: address sub=1 load=1 store=1
// shape: control br=1 load=1 store=1
// shape: control_both br=1 load=1 store=2
// shape: choice br=1 select=0 load=1 store=1
// shape: repeated load=2 store=4
// shape: unused load=1 store=0
// shape: counter load=1 br=1 add=0
#include <stdatomic.h>

#define RLX memory_order_relaxed

atomic_int x, y;
int plain, array[4];

void data(void) {
  int r = atomic_load_explicit(&x, RLX);
  atomic_store_explicit(&y, r ^ r, RLX);
}

void zero_data(void) {
  int r = atomic_load_explicit(&x, RLX);
  atomic_store_explicit(&y, (r & 0) + 1, RLX);
}

void address(void) {
  int r = atomic_load_explicit(&x, RLX);
  array[r - r] = 1;
}

void control(void) {
  int r = atomic_load_explicit(&x, RLX);
  if (r) {
  }
  atomic_store_explicit(&y, 1, RLX);
}

void control_both(void) {
  if (atomic_load_explicit(&x, RLX))
    atomic_store_explicit(&y, 1, RLX);
  else
    atomic_store_explicit(&y, 1, RLX);
}

void choice(void) {
  int r = atomic_load_explicit(&x, RLX), v;
  if (r)
    v = 1;
  else
    v = 2;
  atomic_store_explicit(&y, v, RLX);
}

void repeated(void) {
  plain = 1;
  plain = 2;
  array[0] = plain;
  array[1] = plain;
}

void unused(void) {
  int r = plain;
  (void)r;
}

void counter(void) {
  for (unsigned rounds = 0; !atomic_load(&x); rounds++)
    ;
}

void (*volatile keep[])(void) = {data,     zero_data,    address,
                                 control,  control_both, choice,
                                 repeated, unused,       counter};

int main(void) {
  return keep[0] == 0;
}
