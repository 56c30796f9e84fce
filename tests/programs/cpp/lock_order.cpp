// SPDX-License-Identifier: MIT
// Two mutexes taken in two orders: a deadlock; std::lock tries and gives back,
// so there is none (threads could do so in step for ever, which is another
// kind).
// run: sc,rc11 error deadlock
// run: args=--disable args=livelock flags=-DBOTH sc,rc11 ok
// run: flags=-DBOTH sc,rc11 error livelock
#include <mutex>
#include <thread>

static std::mutex a, b;

int main() {
  std::thread t([] {
#ifdef BOTH
    std::scoped_lock guard(a, b);
#else
    std::lock_guard<std::mutex> x(a);
    std::lock_guard<std::mutex> y(b);
#endif
  });
  {
#ifdef BOTH
    std::scoped_lock guard(b, a);
#else
    std::lock_guard<std::mutex> x(b);
    std::lock_guard<std::mutex> y(a);
#endif
  }
  t.join();
}
