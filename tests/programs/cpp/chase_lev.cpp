// SPDX-License-Identifier: MIT
// Chase and Lev's deque with one owner and one thief, with the fences of Le,
// Pop, Cohen and Nardelli. Without the one in take, an element is taken twice.
// run: rc11 ok
// run: flags=-DNO_FENCE rc11 error assertion
#include <atomic>
#include <cassert>
#include <thread>

template <class T, long Size> class Deque {
  std::atomic<long> top_{0}, bottom_{0};
  std::atomic<T> slots_[Size] = {};

public:
  void push(T value) {
    long b = bottom_.load(std::memory_order_relaxed);
    slots_[b % Size].store(value, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    bottom_.store(b + 1, std::memory_order_relaxed);
  }
  bool take(T &value) {
    long b = bottom_.load(std::memory_order_relaxed) - 1;
    bottom_.store(b, std::memory_order_relaxed);
#ifndef NO_FENCE
    std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
    long t = top_.load(std::memory_order_relaxed);
    bool has = t <= b;
    if (has) {
      value = slots_[b % Size].load(std::memory_order_relaxed);
      if (t == b) {
        has = top_.compare_exchange_strong(t, t + 1, std::memory_order_seq_cst,
                                           std::memory_order_relaxed);
        bottom_.store(b + 1, std::memory_order_relaxed);
      }
    } else {
      bottom_.store(b + 1, std::memory_order_relaxed);
    }
    return has;
  }
  bool steal(T &value) {
    long t = top_.load(std::memory_order_acquire);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    long b = bottom_.load(std::memory_order_acquire);
    if (t >= b)
      return false;
    value = slots_[t % Size].load(std::memory_order_relaxed);
    return top_.compare_exchange_strong(t, t + 1, std::memory_order_seq_cst,
                                        std::memory_order_relaxed);
  }
};

static Deque<int, 4> deque;
static std::atomic<int> taken[3];

static void note(int value) {
  assert(taken[value].fetch_add(1, std::memory_order_relaxed) == 0); // BUG
}

int main() {
  deque.push(1);
  deque.push(2);
  std::thread thief([] {
    int value;
    for (int i = 0; i < 2; i++)
      if (deque.steal(value))
        note(value);
  });
  int value;
  if (deque.take(value))
    note(value);
  thief.join();
}
