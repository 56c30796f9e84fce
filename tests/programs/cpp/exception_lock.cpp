// SPDX-License-Identifier: MIT
// A guard gives its mutex back when an exception passes; a plain unlock behind
// the call does not, and the next thread waits for ever.
// run: sc,rc11 ok 2
// run: flags=-DPLAIN sc,rc11 error deadlock
#include <mutex>
#include <thread>

static std::mutex m;
static int value;

static void change() {
  value++;
  throw value;
}

static void work() {
  try {
#ifdef PLAIN
    m.lock();
    change();
    m.unlock();
#else
    std::lock_guard<std::mutex> guard(m);
    change();
#endif
  } catch (int) {
  }
}

int main() {
  std::thread a(work), b(work);
  a.join();
  b.join();
}
