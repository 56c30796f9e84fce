// SPDX-License-Identifier: MIT
// Things that headers leave to the library: the placeholders of std::bind, and
// results that are ready only at the end of the thread that makes them, after
// its other thread-local objects are gone. The reader asks once whether it is
// there: no, yes.
// run: sc,rc11 ok 2
// run: flags=-DEARLY sc,rc11 error assertion
#include <atomic>
#include <cassert>
#include <chrono>
#include <functional>
#include <future>
#include <thread>

static std::atomic<int> steps;
struct last_step {
  ~last_step() {
    steps.store(2, std::memory_order_relaxed);
  }
};

static int difference(int a, int b) {
  return a - b;
}

static void work(std::packaged_task<int(int)> task, int value) {
#ifdef EARLY
  task(value); // BUG: the thread is not at its end
  static thread_local last_step last;
  (void)last;
#else
  task.make_ready_at_thread_exit(value);
  static thread_local last_step last;
  (void)last;
#endif
}

int main() {
  using namespace std::placeholders;
  auto reversed = std::bind(difference, _2, _1);
  assert(reversed(1, 3) == 2);
  std::packaged_task<int(int)> task(std::bind(difference, _1, 5));
  auto result = task.get_future();
  std::thread t(work, std::move(task), 7);
  if (result.wait_for(std::chrono::seconds(0)) == std::future_status::ready)
    assert(steps.load(std::memory_order_relaxed) == 2); // BUG
  t.join();
  assert(result.get() == 2);
}
