// SPDX-License-Identifier: MIT
// A coroutine that awaits a thread goes on in it: the thread's closing
// exchange and that of the awaiting side decide who resumes it, once. If the
// thread resumes with a relaxed exchange (SET), what the coroutine wrote before
// is not seen there.
// run: sc,rc11 ok 2
// run: flags=-DSET=std::memory_order_relaxed rc11 error race
#include <atomic>
#include <cassert>
#include <coroutine>
#include <thread>

#ifndef SET
#define SET std::memory_order_acq_rel
#endif

struct Task {
  struct promise_type {
    Task get_return_object() { return {}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
};

class Event {
public:
  // Who comes second resumes.
  bool await_ready() { return false; }
  bool await_suspend(std::coroutine_handle<> h) {
    waiter_ = h;
    return !second_.exchange(true, std::memory_order_acq_rel);
  }
  void await_resume() {}
  void set() {
    if (second_.exchange(true, SET))
      waiter_.resume();
  }

private:
  std::coroutine_handle<> waiter_;
  std::atomic<bool> second_{false};
};

static Event event;
static int data, result;
static std::atomic<int> resumed{0};

static Task work() {
  int before = 1;
  co_await event;
  result = before + data;
  resumed.fetch_add(1, std::memory_order_relaxed);
}

int main() {
  std::thread t([] {
    data = 41;
    event.set();
  });
  work();
  t.join();
  assert(resumed.load(std::memory_order_relaxed) == 1 && result == 42);
}
