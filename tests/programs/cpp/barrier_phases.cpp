// SPDX-License-Identifier: MIT
// Two phases of a std::barrier with a completion: each adds once, and who is
// through sees it. (libstdc++'s misses a waiter under rc11: library_latch.cpp.
// libc++'s looks, sleeps and looks again: tests/cli/test_cxx.py.)
// run: sc,tso ok
// run: flags=-DTWICE sc,tso error assertion
#include <barrier>
#include <cassert>
#include <thread>

int phases;

int main() {
  auto add = []() noexcept { phases++; };
  std::barrier barrier(2, add);
  std::thread t([&] {
    barrier.arrive_and_wait();
#ifdef TWICE
    assert(phases == 2); // BUG
#else
    assert(phases >= 1);
#endif
    (void)barrier.arrive();
  });
  barrier.arrive_and_wait();
  barrier.arrive_and_wait();
  assert(phases == 2);
  t.join();
}
