// SPDX-License-Identifier: MIT
// Local variables whose address small functions get: they are what they would
// be in memory, whichever of them become registers.
// run: flags=-DWHAT=parts all ok 1
// run: flags=-DWHAT=pieces all ok 1
// run: flags=-DWHAT=filled all ok 1
// run: flags=-DWHAT=looped all ok 1
// run: flags=-DWHAT=outside rc11 error out-of-bounds
// run: flags=-DWHAT=beside rc11 error out-of-bounds
// run: flags=-DWHAT=before rc11 error out-of-bounds
// run: flags=-DWHAT=unset rc11 error uninitialized
// run: flags=-DWHAT=half_set rc11 error uninitialized
#include <assert.h>
#include <string.h>

struct two {
  int a;
  short b, c;
};

static void swap(struct two *t) {
  short b = t->b;
  t->b = t->c;
  t->c = b;
  t->a++;
}

static int get(const int *p, int i) {
  return p[i]; // BUG
}

static void parts(void) {
  struct two t = {1, 2, 3}, u = {4, 5, 6};
  swap(&t);
  swap(&u);
  swap(&t);
  assert(t.a == 3 && t.b == 2 && t.c == 3 && u.a == 5 && u.b == 6 && u.c == 5);
}

static void beside(void) {
  int a[2] = {1, 2};
  a[2] = 3; // BUG
  assert(a[0] == 1 && a[1] == 2 && a[2] == 3);
}

union word {
  unsigned whole;
  unsigned char byte[4];
};

static void set_byte(union word *w, unsigned char value) {
  w->byte[1] = value;
}

static void pieces(void) {
  union word w = {0x01020304};
  set_byte(&w, 0xff);
  assert(w.whole == 0x0102ff04);
}

static void clear(void *p, size_t n) {
  memset(p, 0, n);
}

static void filled(void) {
  struct two t = {-1, -1, -1}, u = {-1, -1, -1};
  clear(&t, 6);
  clear(&u, 3); // not all of a
  assert(t.a == 0 && t.b == 0 && t.c == -1);
  assert(u.a == (int)0xff000000 && u.b == -1);
}

static void add(int *sum, int n) {
  *sum += n;
}

static void looped(void) {
  int all = 0;
  for (int i = 0; i < 4; i++) {
    int sum = i;
    add(&sum, 2);
    add(&all, sum);
  }
  assert(all == 14);
}

static void outside(void) {
  int one = 1;
  assert(get(&one, 1)); // BUG
}

static void before(void) {
  int one = 1, two = 2;
  assert(get(&two, -1) == one); // BUG
}

static void unset(void) {
  int none;
  if (get(&none, 0)) // BUG
    return;
}

static void half_set(void) {
  struct two t;
  t.b = 1;
  swap(&t);
  if (t.b) // BUG
    return;
}

int main(void) {
  (void)parts, (void)pieces, (void)filled, (void)looped;
  (void)outside, (void)beside, (void)before, (void)unset, (void)half_set;
  WHAT();
  return 0;
}
