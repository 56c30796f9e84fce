// Vectors of integers: arithmetic, comparisons, shuffles, other types for the
// same bits, in memory and passed around.
#include <stdio.h>
#include <string.h>

typedef int v4 __attribute__((vector_size(16)));
typedef unsigned u4 __attribute__((vector_size(16)));
typedef long v2 __attribute__((vector_size(16)));
typedef unsigned char b16 __attribute__((vector_size(16)));
typedef short s8 __attribute__((vector_size(16)));
typedef int e4 __attribute__((ext_vector_type(4)));
typedef int v8 __attribute__((vector_size(32)));

struct holder {
  char tag;
  v4 v;
  long after;
};

static v4 global = {1, -2, 3, -4};
static const b16 bytes = {0, 1, 2,  3,  4,  5,  250, 251,
                          8, 9, 10, 11, 12, 13, 14,  255};
static v4 table[3];

static void show(const char *name, v4 v) {
  printf("%s %d %d %d %d\n", name, v[0], v[1], v[2], v[3]);
}

static v4 weigh(v4 a, int w, v4 b) {
  return a * w - b;
}

static struct holder hold(v4 v, long n) {
  struct holder h = {'h', v, n};
  return h;
}

static int sum(v4 v) {
  int all = 0;
  for (int i = 0; i < 4; i++)
    all += v[i]; // by a variable index
  return all;
}

static v8 widen(s8 v) {
  return __builtin_convertvector(v, v8);
}

int main(void) {
  v4 a = global, b = {10, 20, 30, 40};
  show("sum", a + b);
  show("difference", a - b);
  show("product", a * b);
  show("quotient", b / a);
  show("rest", b % (a + 7));
  show("negation", -a);
  show("inverse", ~a);
  show("and", a & b);
  show("or", a | 5);
  show("xor", a ^ b);
  show("left", b << 3);
  show("right", a >> 1);
  show("logical", (v4)((u4)a >> 28));
  show("less", a < 2);
  show("equal", a == (v4){1, 0, 3, 0});
  show("unsigned less", (v4)((u4)a < (u4)b));
  e4 left = {1, -2, 3, -4}, right = {5, 6, 7, 8},
     chosen = left > 0 ? left : right;
  printf("chosen %d %d %d %d\n", chosen.x, chosen.y, chosen.z, chosen.w);
  show("weighed", weigh(a, 3, b));
  show("shuffled", __builtin_shufflevector(a, b, 0, 4, 3, 7));
  show("one of them", __builtin_shufflevector(a, a, 2, 2, 2, 2));
  v2 longs = (v2)a;
  printf("%lx %lx\n", longs[0], longs[1]);
  b16 as_bytes = (b16)b;
  for (int i = 0; i < 16; i++)
    printf("%d ", as_bytes[i]);
  b16 more = bytes + bytes;
  printf("\n%d %d %d\n", more[6], more[7], more[15]);
  s8 shorts = (s8)bytes;
  printf("%d %d\n", shorts[3], shorts[7]);
  v8 wide = widen(shorts);
  printf("%d %d\n", wide[3], wide[7] * 2);
  for (int i = 0; i < 4; i++)
    a[i] += i * i; // to a variable index
  show("changed", a);
  table[1] = a;
  table[2] = table[1] + global;
  show("in memory", table[2]);
  int plain[4];
  memcpy(plain, &table[2], sizeof plain);
  printf("%d %d\n", plain[1], plain[3]);
  struct holder h = hold(b, 7), copy = h;
  copy.v[2] = 99;
  show("held", copy.v);
  printf("%c %ld %d %d\n", copy.tag, copy.after, sum(h.v), sum(copy.v));
  unsigned __int128 bits = (unsigned __int128)b;
  printf("%lx %lx\n", (long)(bits >> 64), (long)bits);
  show("and back", (v4)(bits + 1));
  global = b;
  printf("%d %lu\n", *((int *)&global + 2), sizeof(v8));
  printf("%d %d %d\n", __builtin_reduce_add(b), __builtin_reduce_max(a),
         __builtin_reduce_xor(b));
  show("larger", __builtin_elementwise_max(a, b));
  show("smaller", __builtin_elementwise_min(a, b));
  show("magnitudes", __builtin_elementwise_abs(-b));
  show("reversed", __builtin_elementwise_bitreverse(a));
  return 0;
}
