// SPDX-License-Identifier: MIT
// Locals end when an exception passes: with a clean-up on the way (CLEANUP),
// and without one.
// run: sc,rc11 error use-after-free
// run: flags=-DCLEANUP sc,rc11 error use-after-free
// run: flags=-DINSIDE sc,rc11 ok 1
#include <atomic>
#include <thread>

static std::atomic<int *> shared{nullptr};

struct Cleanup {
  ~Cleanup() {
  }
};

static void fail() {
  throw 1;
}

static void work() {
#ifdef CLEANUP
  Cleanup c;
#endif
  int local = 1;
  shared.store(&local);
#ifdef INSIDE
  std::thread t([] { *shared.load() = 2; });
  t.join();
#endif
  fail();
}

int main() {
  try {
    work();
  } catch (int) {
  }
#ifndef INSIDE
  std::thread t([] { *shared.load() = 2; }); // BUG
  t.join();
#endif
}
