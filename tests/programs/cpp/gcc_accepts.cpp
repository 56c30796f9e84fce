// SPDX-License-Identifier: MIT
// What gcc has a warning for, or nothing, and clang would not go on from: a
// number that is made narrower, `register`, a macro right behind a string, a
// member template without its brackets, an enumeration that a constant leaves.
// run: all ok 1
#include <cassert>
#include <cstdio>
#include <thread>

#define AS_NUMBER "d"

enum direction { NORTH, EAST };

template <direction D>
struct heading {
  static constexpr int value = D;
};

struct sample {
  unsigned low;
  short high;
};

struct sink {
  template <class T>
  void take(T &&value) {
    total += value;
  }
  int total = 0;
};

template <class Base>
struct counter : Base {
  void add(int value) { Base::template take(value); }
};

int main() {
  counter<sink> c;
  int from = 3;
  std::thread t([&c, from] {
    sample s{from, from};
    c.add(s.low + s.high);
  });
  t.join();
  register int last = heading<static_cast<direction>(5)>::value;
  std::printf("%"AS_NUMBER"\n", c.total);
  assert(c.total == 6 && last == 5);
}
