// SPDX-License-Identifier: MIT
// Integers of more than 64 bits that are neither 64 nor 128: the bit-fields of
// a packed struct are read and written as one of them, _BitInt(N) is one. The
// fields are compared with members of their own.
// expect: sc,rc11,imm ok 1
#include "../common.h"

#define PACKED __attribute__((packed))

struct PACKED head { // 80 bits
  signed a : 19;
  signed b : 31;
  unsigned c : 28;
};

struct PACKED frame { // 208 bits
  unsigned a : 27;
  signed b : 9;
  unsigned c : 30;
  unsigned long d : 61; // crosses a word
  signed e : 14;
  signed f : 18;
  unsigned long g : 49;
};

static struct head head = {-450, -17328, 12563};
static struct frame frame;

static void check_head(int a, int b, unsigned c) {
  assert(head.a == a && head.b == b && head.c == c);
}

static void fields_of_head(void) {
  check_head(-450, -17328, 12563);
  head.a = 0x3ffff;
  check_head(0x3ffff, -17328, 12563);
  head.b = -0x40000000;
  check_head(0x3ffff, -0x40000000, 12563);
  head.c = 0xfffffff;
  check_head(0x3ffff, -0x40000000, 0xfffffff);
  head.b++;
  head.c--;
  check_head(0x3ffff, -0x3fffffff, 0xffffffe);
}

struct plain {
  unsigned a, c;
  int b, e, f;
  unsigned long d, g;
};

static void check_frame(struct frame x, const struct plain *p) {
  assert(x.a == p->a && x.b == p->b && x.c == p->c && x.d == p->d);
  assert(x.e == p->e && x.f == p->f && x.g == p->g);
}

static void fields_of_frame(void) {
  struct plain p = {0};
  check_frame(frame, &p);
  frame.d = p.d = 0x1abcdef012345678;
  frame.b = p.b = -256;
  frame.f = p.f = -131072;
  check_frame(frame, &p);
  frame.e = p.e = -1;
  frame.g = p.g = 0x1ffffffffffff;
  frame.a = p.a = 0x5555555;
  frame.c = p.c = 0x3fffffff;
  check_frame(frame, &p);
  frame.d = p.d = 0;
  frame.f = p.f = 77;
  frame.e = p.e = 8191;
  check_frame(frame, &p);
}

typedef _BitInt(100) wide;
typedef unsigned _BitInt(100) uwide;
typedef unsigned _BitInt(200) huge;

static volatile int by = 70;

int main(void) {
  fields_of_head();
  fields_of_frame();

  wide x = -3;
  assert(x + 5 == 2 && x - 5 == -8 && x < 0 && x * 1000 == -3000);
  assert((x << 80) >> 80 == -3 && (x << by) >> by == -3);
  assert((wide)((uwide)x << by) >> by == -3);
  uwide u = (uwide)x;
  assert(u > 5 && (u >> 99) == 1 && (u >> by) == 0x3fffffff);
  assert((uwide)(u + 3) == 0); // the carry out of bit 99 is gone
  assert((long)x == -3 && (unsigned __int128)u >> 100 == 0);
  assert((__int128)x == -3);

  huge h = ((huge)1 << 199) | ((huge)0xabcdef << 60) | 9;
  assert((unsigned long)(h >> 60) == 0xabcdef && (h & 15) == 9);
  assert((h >> 199) == 1 && (h ^ h) == 0 && (h << 1 >> 61) != h);
  assert((unsigned)(h << 100 >> 160) == 0xabcdef);
}
