// SPDX-License-Identifier: MIT
// The headers say "timeout" only if their clock has come to the deadline, so a
// wait that gives up takes time, and so does sleep_until, which they repeat
// until the clock is there. One thread alone: each wait gives up, or the thread
// waits for ever, which is no execution. With NOTIFIED, a thread may come too
// late, so the wait does not tell that it came.
// run: args=--still-clocks sc,rc11 ok 1
// run: sc,rc11 ok
// run: flags=-DNOTIFIED sc,rc11 error assertion
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;
using std::chrono::steady_clock;
using std::chrono::system_clock;

std::mutex m;
std::condition_variable changed;
bool ready;

int main() {
#ifdef NOTIFIED
  std::thread t([] {
    std::lock_guard<std::mutex> guard(m);
    ready = true;
    changed.notify_one();
  });
  std::unique_lock<std::mutex> lock(m);
  bool came = changed.wait_for(lock, 1ms, [] { return ready; });
  assert(came); // BUG
  lock.unlock();
  t.join();
#else
  auto end = system_clock::now() + 3s;
  std::this_thread::sleep_until(end);
  assert(system_clock::now() >= end);
  auto begin = steady_clock::now();
  std::unique_lock<std::mutex> lock(m);
  assert(!changed.wait_for(lock, 5ms, [] { return ready; }));
  assert(steady_clock::now() - begin >= 5ms);
#endif
}
