// SPDX-License-Identifier: MIT
// A ring for one producer and one consumer. PUBLISH is the order in which the
// producer shows an element.
// run: sc,tso,ra,rc11,imm ok
// run: flags=-DPUBLISH=std::memory_order_relaxed sc,tso,rc11,imm error race
#include <array>
#include <atomic>
#include <cassert>
#include <optional>
#include <thread>

#ifndef PUBLISH
#define PUBLISH std::memory_order_release
#endif

template <class T, unsigned Size> class Ring {
public:
  bool push(T value) {
    unsigned tail = tail_.load(std::memory_order_relaxed);
    if (tail - head_.load(std::memory_order_acquire) == Size)
      return false;
    slots_[tail % Size] = value;
    tail_.store(tail + 1, PUBLISH);
    return true;
  }
  std::optional<T> pop() {
    unsigned head = head_.load(std::memory_order_relaxed);
    if (head == tail_.load(std::memory_order_acquire))
      return std::nullopt;
    T value = slots_[head % Size];
    head_.store(head + 1, std::memory_order_release);
    return value;
  }

private:
  std::array<T, Size> slots_;
  std::atomic<unsigned> head_{0}, tail_{0};
};

Ring<int, 2> ring;

int main() {
  std::thread producer([] {
    for (int i = 1; i <= 3; i++)
      ring.push(i);
  });
  int last = 0;
  for (int i = 0; i < 2; i++)
    if (auto value = ring.pop()) {
      assert(*value == last + 1);
      last = *value;
    }
  producer.join();
}
