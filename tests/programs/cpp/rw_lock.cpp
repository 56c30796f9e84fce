// SPDX-License-Identifier: MIT
// shared_mutex: a writer alone, readers beside each other. A writer that takes
// it like a reader (WRONG) has a race.
// run: sc,rc11 ok
// run: flags=-DWRONG sc,rc11 error race
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex m;
static int a, b;

int main() {
  std::thread writer([] {
#ifdef WRONG
    std::shared_lock lock(m);
#else
    std::unique_lock lock(m);
#endif
    a = 1;
    b = 1;
  });
  {
    std::shared_lock lock(m);
    assert(a == b);
  }
  writer.join();
}
