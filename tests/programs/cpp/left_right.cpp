// SPDX-License-Identifier: MIT
// Two copies: readers use one while the writer changes the other. A reader
// announces itself before it looks which one is meant. LOOK is the order of
// that, and of the writer's look at the readers.
// run: sc,rc11 ok
// run: flags=-DLOOK=std::memory_order_acquire sc ok; rc11 error race
#include <atomic>
#include <cassert>
#include <thread>

#ifndef LOOK
#define LOOK std::memory_order_seq_cst
#endif

struct Data {
  int a = 0, b = 0;
};

class LeftRight {
  Data copies_[2];
  std::atomic<int> current_{0};
  std::atomic<int> readers_[2] = {};

public:
  int read() {
    int side = current_.load(std::memory_order_acquire);
    readers_[side].fetch_add(1, std::memory_order_seq_cst);
    int sum = -1;
    if (current_.load(LOOK) == side) // otherwise the writer may be there
      sum = copies_[side].a + copies_[side].b;
    readers_[side].fetch_sub(1, std::memory_order_release);
    return sum;
  }
  void write() {
    copies_[1].a = 1;
    copies_[1].b = 1;
    current_.store(1, std::memory_order_seq_cst);
    while (readers_[0].load(LOOK) != 0) {
    }
    copies_[0].a = 1;
    copies_[0].b = 1;
  }
};

static LeftRight data;

int main() {
  std::thread writer([] { data.write(); });
  int sum = data.read();
  assert(sum == 0 || sum == 2 || sum == -1);
  writer.join();
}
