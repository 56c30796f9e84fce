// SPDX-License-Identifier: MIT
// call_once: one call, which everybody has seen; one that throws does not
// count.
// run: sc,rc11 ok
// run: flags=-DTHROWS sc,rc11 ok
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

static std::once_flag flag;
static int calls, value;
static std::atomic<int> failures{0};

static void use() {
  try {
    std::call_once(flag, [] {
      calls++;
#ifdef THROWS
      if (calls == 1)
        throw 1;
#endif
      value = 7;
    });
    assert(value == 7);
  } catch (int) {
    failures.fetch_add(1, std::memory_order_relaxed);
  }
}

int main() {
  std::thread a(use), b(use);
  a.join();
  b.join();
#ifdef THROWS
  assert(failures == 1 && calls == 2);
#else
  assert(calls == 1);
#endif
}
