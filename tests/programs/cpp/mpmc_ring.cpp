// SPDX-License-Identifier: MIT
// A bounded queue for many producers and consumers: each slot has a number
// that says whose turn it is (Vyukov). READY is the order in which a producer
// hands its slot on.
// run: sc,rc11 ok
// run: flags=-DREADY=std::memory_order_relaxed sc,rc11 error race
#include <atomic>
#include <cassert>
#include <thread>

#ifndef READY
#define READY std::memory_order_release
#endif

template <class T, unsigned Size> class Queue {
  struct Slot {
    std::atomic<unsigned> turn;
    T value;
  };
  Slot slots_[Size];
  std::atomic<unsigned> head_{0}, tail_{0};

public:
  Queue() {
    for (unsigned i = 0; i < Size; i++)
      slots_[i].turn.store(i, std::memory_order_relaxed);
  }
  bool push(const T &value) {
    unsigned at = tail_.load(std::memory_order_relaxed);
    for (;;) {
      Slot &s = slots_[at % Size];
      int ahead = int(s.turn.load(std::memory_order_acquire) - at);
      if (ahead < 0)
        return false;
      if (ahead > 0)
        at = tail_.load(std::memory_order_relaxed);
      else if (tail_.compare_exchange_weak(at, at + 1,
                                           std::memory_order_relaxed)) {
        s.value = value;
        s.turn.store(at + 1, READY);
        return true;
      }
    }
  }
  bool pop(T &value) {
    unsigned at = head_.load(std::memory_order_relaxed);
    for (;;) {
      Slot &s = slots_[at % Size];
      int ahead = int(s.turn.load(std::memory_order_acquire) - (at + 1));
      if (ahead < 0)
        return false;
      if (ahead > 0)
        at = head_.load(std::memory_order_relaxed);
      else if (head_.compare_exchange_weak(at, at + 1,
                                           std::memory_order_relaxed)) {
        value = s.value;
        s.turn.store(at + Size, std::memory_order_release);
        return true;
      }
    }
  }
};

Queue<int, 2> queue;

int main() {
  std::thread a([] { queue.push(1); }), b([] { queue.push(2); });
  int got = 0;
  if (queue.pop(got))
    assert(got == 1 || got == 2);
  a.join();
  b.join();
}
