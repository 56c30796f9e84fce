// SPDX-License-Identifier: MIT
// As ../counts/cas.c: N threads try to be the first.
// run: flags=-DN=2 all ok 2
// run: flags=-DN=4 all ok 4
#include <atomic>
#include <thread>
#include <vector>

std::atomic<int> x{0};

int main() {
  std::vector<std::thread> threads;
  for (int i = 1; i <= N; i++)
    threads.emplace_back([i] {
      int expected = 0;
      x.compare_exchange_strong(expected, i, std::memory_order_relaxed);
    });
  for (auto &t : threads)
    t.join();
}
