// SPDX-License-Identifier: MIT
// A sequence lock over several words.
// run: sc,rc11 ok
// run: flags=-DNO_FENCE sc ok; rc11 error assertion
#include <atomic>
#include <cassert>
#include <thread>

struct Pair {
  int a, b;
};

class SeqLock {
  std::atomic<unsigned> sequence_{0};
  std::atomic<int> a_{0}, b_{0};

public:
  void write(Pair p) {
    unsigned s = sequence_.load(std::memory_order_relaxed);
    sequence_.store(s + 1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    a_.store(p.a, std::memory_order_relaxed);
    b_.store(p.b, std::memory_order_relaxed);
    sequence_.store(s + 2, std::memory_order_release);
  }
  bool try_read(Pair &p) const {
    unsigned before = sequence_.load(std::memory_order_acquire);
    if (before & 1)
      return false;
    p.a = a_.load(std::memory_order_relaxed);
    p.b = b_.load(std::memory_order_relaxed);
#ifndef NO_FENCE
    std::atomic_thread_fence(std::memory_order_acquire);
#endif
    return sequence_.load(std::memory_order_relaxed) == before;
  }
};

SeqLock l;

int main() {
  std::thread writer([] { l.write({1, 1}); });
  Pair p;
  if (l.try_read(p))
    assert(p.a == p.b); // BUG
  writer.join();
}
