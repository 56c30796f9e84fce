// SPDX-License-Identifier: MIT
// Classes: virtual bases, casts, pointers to members, statics, new and delete.
#include <cstdio>
#include <new>
struct A {
  virtual ~A() {}
  virtual int f() { return 1; }
};
struct L : virtual A {
  int l = 1;
  int f() override { return 2; }
};
struct R : virtual A {
  int r = 2;
};
struct M : L, R {
  int m = 3;
  int f() override { return 4; }
};
struct X {
  virtual ~X() {}
  int x = 5;
};
struct Y : M, private X {};
struct Z : X, M {};
struct P {
  int v;
  int get(int k) { return v + k; }
  virtual int vg(int k) { return v * k; }
};
struct Count {
  static int n;
  Count() { n++; }
  ~Count() {
    n--;
    printf("-%d\n", n);
  }
};
int Count::n;
Count global;
int make() {
  static Count c;
  static int k = 7;
  return k++;
}
template <class T> T sum(T a) {
  return a;
}
template <class T, class... U> T sum(T a, U... r) {
  return a + sum(r...);
}
struct Thrower {
  ~Thrower() noexcept(false) { throw 3.5; }
};
void nested() {
  try {
    try {
      throw 1;
    } catch (int i) {
      printf("i%d\n", i);
      throw i + 1;
    }
  } catch (int i) {
    printf("j%d\n", i);
    try {
      throw;
    } catch (int k) {
      printf("k%d\n", k);
    }
  }
}
int main() {
  M m;
  A *a = &m;
  printf("%d\n", a->f());
  L *l = dynamic_cast<L *>(a);
  R *r = dynamic_cast<R *>(a);
  X *x = dynamic_cast<X *>(a);
  printf("%d %d %d\n", l->l, r->r, x == nullptr);
  Y y;
  a = &y;
  printf("%d\n", dynamic_cast<X *>(a) == nullptr);
  Z z;
  X *zx = &z;
  printf("%d %d\n", dynamic_cast<M *>(zx)->m, dynamic_cast<R *>(zx)->r);
  try {
    dynamic_cast<X &>(*a);
  } catch (...) {
    printf("bad cast\n");
  }
  int (P::*pm)(int) = &P::get;
  int P::*pv = &P::v;
  P p;
  p.v = 3;
  printf("%d %d\n", (p.*pm)(4), p.*pv);
  pm = &P::vg;
  printf("%d\n", (p.*pm)(4));
  auto lam = [&](int q) { return p.v + q; };
  printf("%d %d\n", lam(9), sum(1, 2, 3, 4));
  printf("%d %d\n", make(), make());
  int *arr = new int[3]{1, 2, 3};
  printf("%d\n", arr[2]);
  delete[] arr;
  Count *c3 = new Count[3];
  delete[] c3;
  char buf[64];
  P *pp = new (buf) P;
  pp->v = 8;
  printf("%d\n", pp->vg(2));
  nested();
  try {
    Thrower t;
  } catch (double d) {
    printf("%g\n", d);
  }
  try {
    throw &m;
  } catch (L *q) {
    printf("L* %d\n", q->l);
  }
  try {
    throw nullptr;
  } catch (int *q) {
    printf("null %d\n", q == nullptr);
  }
  try {
    throw "c";
  } catch (const void *q) {
    printf("void*\n");
  }
  try {
    try {
      throw 5;
    } catch (double) {
      printf("no\n");
    }
  } catch (const int &k) {
    printf("%d\n", k);
  }
  return 0;
}
