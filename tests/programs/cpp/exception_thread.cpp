// SPDX-License-Identifier: MIT
// An exception that no handler of the thread takes is an error where it was
// thrown, although main would have one; one that is taken is none.
// run: sc,rc11 error exception
// run: flags=-DCAUGHT sc,rc11 ok 1
#include <cassert>
#include <stdexcept>
#include <thread>

static int cleaned;

struct Cleanup {
  ~Cleanup() {
    cleaned++;
  }
};

static void deep(int n) {
  Cleanup c;
  if (n == 0)
    throw std::runtime_error("deep"); // BUG
  deep(n - 1);
}

static void work() {
#ifdef CAUGHT
  try {
    deep(2);
  } catch (const std::exception &) {
  }
#else
  deep(2);
#endif
}

int main() {
  try {
    std::thread t(work);
    t.join();
  } catch (...) {
  }
  assert(cleaned == 3);
}
