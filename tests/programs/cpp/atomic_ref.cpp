// SPDX-License-Identifier: MIT
// Threads count in the plain elements of an array by atomic_ref; who adds
// without one (PLAIN) has a race. As many executions as two orders of two
// updates: 2.
// run: sc,tso,rc11,armv8 ok 2
// run: flags=-DPLAIN sc,rc11 error race
#include <array>
#include <atomic>
#include <cassert>
#include <thread>

static std::array<int, 2> counts{};

static void count(int i) {
#ifdef PLAIN
  counts[i]++;
#else
  std::atomic_ref<int>(counts[i]).fetch_add(1, std::memory_order_relaxed);
#endif
}

int main() {
  std::thread t([] {
    count(0);
    count(1);
  });
  count(1);
  t.join();
  assert(counts[0] == 1 && counts[1] == 2);
}
