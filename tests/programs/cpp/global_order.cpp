// SPDX-License-Identifier: MIT
// Globals are made in the order of the file before main, and destroyed the
// other way round after it, in which a thread has no part.
// expect: sc,rc11 ok 1
#include <cassert>
#include <thread>

static int steps;

struct Step {
  int number;
  explicit Step(int number) : number(number) {
    assert(steps++ == number);
  }
  ~Step() {
    assert(--steps == number);
  }
};
static Step first(0), second(1);

int main() {
  assert(steps == 2);
  std::thread t([] { assert(second.number == 1); });
  t.join();
}
