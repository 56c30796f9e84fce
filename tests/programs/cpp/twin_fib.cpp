// SPDX-License-Identifier: MIT
// As ../counts/fib.c, where what is counted is explained.
// run: flags=-DN=1 all ok 11
// run: flags=-DN=2 sc ok 140; tso,ra,rc11,imm ok 153
// run: flags=-DN=3 sc ok 1698; tso,ra,rc11,imm ok 2258
// run: flags=-DN=3 flags=-DBOUND=20 sc,rc11 error assertion
#include <atomic>
#include <cassert>
#include <thread>

#ifndef BOUND
#define BOUND 144
#endif

std::atomic<int> x = 1, y = 1;

static void grow(std::atomic<int> &own) {
  for (int i = 0; i < N; i++) {
    int p = x.load(std::memory_order_acquire);
    int q = y.load(std::memory_order_acquire);
    own.store(p + q, std::memory_order_release);
  }
}

int main() {
  std::thread left(grow, std::ref(x)), right(grow, std::ref(y));
  std::thread observer([] {
    if (x.load(std::memory_order_acquire) > BOUND ||
        y.load(std::memory_order_acquire) > BOUND)
      assert(!"the numbers grow faster than Fibonacci's"); // BUG
  });
  left.join();
  right.join();
  observer.join();
}
