// SPDX-License-Identifier: MIT
// A thread waits N times for a short time, and asserts that it need not give up
// each time: it may have to, whatever N is. With LOOP it waits until it is told
// to stop, which nobody wakes it for: it comes back to where it was.
// run: flags=-DN=1 sc,rc11 error assertion
// run: flags=-DN=3 sc,rc11 error assertion
// run: flags=-DN=4 sc,rc11 error assertion
// run: flags=-DLOOP rc11 ok
#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

std::mutex m;
std::condition_variable changed;
bool ready;
std::atomic<bool> stop;

int main() {
  std::thread t([] {
    std::unique_lock<std::mutex> lock(m);
    auto is_ready = [] { return ready; };
#ifdef LOOP
    while (!stop)
      changed.wait_for(lock, 1ms, is_ready);
#else
    int times = 0;
    while (!changed.wait_for(lock, 1ms, is_ready))
      assert(++times < N); // BUG
#endif
  });
#ifdef LOOP
  stop = true;
#else
  std::unique_lock<std::mutex> lock(m);
  ready = true;
  lock.unlock();
  changed.notify_one();
#endif
  t.join();
  return 0;
}
