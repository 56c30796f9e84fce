// SPDX-License-Identifier: MIT
// Thread-local objects are made when a thread first uses them, and destroyed
// when it ends; who joins it sees that.
// expect: sc,rc11 ok 2
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> made{0}, destroyed{0};

struct Local {
  int uses = 0;
  Local() {
    made.fetch_add(1, std::memory_order_relaxed);
  }
  ~Local() {
    destroyed.store(destroyed.load(std::memory_order_relaxed) + 1,
                    std::memory_order_relaxed);
  }
};
static thread_local Local local;

int main() {
  std::thread a([] { assert(++local.uses == 1); });
  a.join();
  std::thread b([] { assert(++local.uses == 1); });
  assert(destroyed >= 1); // b may have ended already
  b.join();
  assert(made == 2 && destroyed == 2);
}
