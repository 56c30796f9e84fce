// SPDX-License-Identifier: MIT
// Exceptions of C++ in a nutshell; tests/random/exceptions.py has more.
#include <cassert>
#include <cstdio>
struct D {
  const char *n;
  D(const char *n) : n(n) {}
  ~D() { printf("~%s\n", n); }
};
struct B {
  virtual ~B() {}
  int x = 1;
};
struct C : B {
  int y = 2;
};
int f(int k) {
  D d("f");
  if (k == 1)
    throw 42;
  if (k == 2)
    throw C();
  if (k == 3)
    throw "text";
  return k;
}
int g(int k) {
  D d("g");
  try {
    return f(k);
  } catch (const B &b) {
    printf("B %d\n", b.x);
    if (k == 2)
      throw;
  }
  return -1;
}
int h(int k) {
  try {
    return g(k);
  } catch (int i) {
    return i;
  } catch (C &c) {
    printf("C %d\n", c.y);
    return 7;
  } catch (...) {
    return 9;
  }
}
int main() {
  for (int i = 0; i < 4; i++) {
    int r = h(i);
    printf("%d -> %d\n", i, r);
  }
  static D s("static");
  return 0;
}
