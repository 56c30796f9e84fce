// SPDX-License-Identifier: MIT
// As ../counts/ainc.c: N threads add 1 in any order, N!.
// run: flags=-DN=2 all ok 2
// run: flags=-DN=3 all ok 6
// run: flags=-DN=5 all ok 120
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

std::atomic<int> x{0};

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < N; i++)
    threads.emplace_back([] { x.fetch_add(1, std::memory_order_relaxed); });
  for (auto &t : threads)
    t.join();
  assert(x.load(std::memory_order_relaxed) == N);
}
