// SPDX-License-Identifier: MIT
// Two mutexes taken in two orders: a deadlock; std::lock tries and gives back,
// so there is none. Threads could do so in step for ever: a warning, but an
// error where the loop is the program's own.
// run: sc,rc11 error deadlock
// run: flags=-DBOTH sc,rc11 ok
// run: args=--disable args=livelock flags=-DBOTH sc,rc11 ok
// run: args=--error=back-off flags=-DBOTH sc,rc11 error back-off
// run: flags=-DHAND sc,rc11 error livelock
#include <mutex>
#include <thread>

static std::mutex a, b;

// As std::lock, but not it.
static void take(std::mutex *one, std::mutex *other) {
  for (;;) {
    std::unique_lock<std::mutex> x(*one), y(*other, std::try_to_lock);
    if (y) {
      x.release(), y.release();
      return;
    }
    x.unlock();
    std::swap(one, other);
  }
}

static void both(std::mutex &one, std::mutex &other) {
#if defined BOTH
  std::scoped_lock guard(one, other);
#elif defined HAND
  take(&one, &other);
  one.unlock();
  other.unlock();
#else
  (void)take;
  std::lock_guard<std::mutex> x(one);
  std::lock_guard<std::mutex> y(other);
#endif
}

int main() {
  std::thread t([] { both(a, b); });
  both(b, a);
  t.join();
}
