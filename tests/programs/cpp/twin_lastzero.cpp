// SPDX-License-Identifier: MIT
// As ../counts/lastzero.c: 2^(N-2) (N + 3).
// run: flags=-DN=3 all ok 12
// run: flags=-DN=5 all ok 64
// run: flags=-DN=8 sc,rc11 ok 704
#include <array>
#include <atomic>
#include <thread>
#include <vector>

std::array<std::atomic<int>, N + 1> a;

int main() {
  std::vector<std::thread> threads;
  threads.emplace_back([] {
    for (int i = N; a[i].load(std::memory_order_acquire) != 0; i--) {
    }
  });
  for (int j = 1; j <= N; j++)
    threads.emplace_back([j] {
      a[j].store(a[j - 1].load(std::memory_order_acquire) + 1,
                 std::memory_order_release);
    });
  for (auto &t : threads)
    t.join();
}
