// Structs by value in all shapes of the calling convention, unions, bitfields,
// nested aggregates, struct copies.
#include <stdio.h>
#include <string.h>

struct two {
  int a, b;
};
struct odd {
  char a, b, c;
};
struct mix {
  double d;
  int i;
};
struct floats {
  float x, y;
};
struct four {
  float x, y, z, w;
};
struct ptrs {
  const char *name;
  long n;
};
struct big {
  int v[10];
  char tag;
};
struct nested {
  struct two t;
  struct {
    short s;
    union {
      int i;
      float f;
    } u;
  } in;
};
struct bits {
  unsigned a : 3, b : 7;
  signed c : 5;
  unsigned long d : 40;
  int e;
};
struct one {
  long only;
};
struct empty_tail {
  long a;
  char b;
};

static struct two two(int a) {
  return (struct two){a, a + 1};
}
static struct odd odd(char a) {
  return (struct odd){a, (char)(a + 1), (char)(a + 2)};
}
static struct mix mix(double d) {
  return (struct mix){d, (int)d};
}
static struct floats floats(float x) {
  return (struct floats){x, x * 2};
}
static struct four four(float x) {
  return (struct four){x, x + 1, x + 2, x + 3};
}
static struct ptrs ptrs(const char *s) {
  return (struct ptrs){s, (long)strlen(s)};
}
static struct big big(int n) {
  struct big b = {.tag = 't'};
  for (int i = 0; i < 10; i++)
    b.v[i] = n * i;
  return b;
}

static int sum_big(struct big b) {
  int s = b.tag;
  for (int i = 0; i < 10; i++)
    s += b.v[i];
  b.v[0] = 1000; // the caller's stays
  return s;
}

static int takes(struct two a, struct odd b, struct mix c, struct floats d,
                 struct four e, struct ptrs f, struct big g, struct one h) {
  printf("%d %d|%d %d %d|%g %d|%g %g|%g %g %g %g|%s %ld|%d %c|%ld\n", a.a, a.b,
         b.a, b.b, b.c, c.d, c.i, (double)d.x, (double)d.y, (double)e.x,
         (double)e.y, (double)e.z, (double)e.w, f.name, f.n, g.v[3], g.tag,
         h.only);
  return sum_big(g);
}

struct two g2;
struct big gbig;
struct nested gnested = {{1, 2}, {3, {4}}};
struct nested table[3] = {{{1, 2}, {3, {4}}}, [2] = {{5, 6}, {7, {.f = 1.5f}}}};
struct mix gmix = {2.5, 3};
struct floats gf = {1, 2};

static int depth(struct nested n) {
  return n.t.a + n.t.b + n.in.s + n.in.u.i;
}

int main(void) {
  g2 = two(40);
  gbig = big(3);
  struct big copy = gbig;
  copy.v[4] = -1;
  printf("%d\n", takes(g2, odd(5), mix(1.5), floats(0.5f), four(8),
                       ptrs("hello"), gbig, (struct one){99}));
  printf("%d %d %d\n", sum_big(copy), gbig.v[4], gbig.v[0]);
  printf("%d\n", depth(gnested) + depth(table[0]));
  gnested = table[0];
  gnested.in.u.f = 2.0f;
  printf("%g %d\n", (double)gnested.in.u.f, gnested.t.b);
  gmix = mix(gmix.d * 2);
  gf = floats(gf.y);
  printf("%g %d %g %g\n", gmix.d, gmix.i, (double)gf.x, (double)gf.y);
  struct bits b = {5, 100, -3, 1ul << 39, 17};
  b.a += 2;
  b.c -= 4;
  b.d |= 12345;
  printf("%d %d %d %lu %d\n", b.a, b.b, b.c, (unsigned long)b.d, b.e);
  static struct bits sb;
  sb = b;
  sb.b--;
  printf("%d %d\n", sb.b, sb.e);
  struct two *p = &g2, many[4];
  memset(many, 0, sizeof many);
  many[2] = *p;
  *p = many[1];
  printf("%d %d %d\n", many[2].b, p->a, memcmp(&many[0], &many[1], sizeof *p));
  struct empty_tail t = {1, 2}, u = t;
  printf("%ld %d\n", u.a, u.b);
  return two(3).b;
}
