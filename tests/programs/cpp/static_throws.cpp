// SPDX-License-Identifier: MIT
// The constructor of a static local throws the first time: the next caller
// tries again, whoever that is.
// expect: sc,rc11 ok 2
#include <atomic>
#include <cassert>
#include <thread>

static int tries;
static std::atomic<int> failed{0};

struct Fragile {
  Fragile() {
    if (tries++ == 0)
      throw 1;
  }
};

static void use() {
  try {
    static Fragile f;
  } catch (int) {
    failed.fetch_add(1, std::memory_order_relaxed);
  }
}

int main() {
  std::thread a(use), b(use);
  a.join();
  b.join();
  assert(tries == 2 && failed == 1);
}
