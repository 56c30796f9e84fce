// SPDX-License-Identifier: MIT
// Tasks that await each other: whoever finishes hands over to the coroutine
// that waits for it, or to std::noop_coroutine() if there is none. The outer
// one goes on in another thread. DONE: how main learns that it has finished.
// run: sc,rc11 ok 1
// run: flags=-DDONE=std::memory_order_relaxed sc,rc11 error race
#include <atomic>
#include <cassert>
#include <coroutine>
#include <exception>
#include <thread>

#ifndef DONE
#define DONE std::memory_order_release
#endif

class Task {
public:
  struct promise_type;
  using Handle = std::coroutine_handle<promise_type>;

  struct Finish {
    bool await_ready() noexcept { return false; }
    std::coroutine_handle<> await_suspend(Handle h) noexcept {
      std::coroutine_handle<> next = h.promise().waiting_;
      return next ? next : std::noop_coroutine();
    }
    void await_resume() noexcept {}
  };

  struct promise_type {
    Task get_return_object() { return Task(Handle::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    Finish final_suspend() noexcept { return {}; }
    void return_value(int value) { value_ = value; }
    void unhandled_exception() { std::terminate(); }
    int value_ = 0;
    std::coroutine_handle<> waiting_;
  };

  explicit Task(Handle handle) : handle_(handle) {}
  Task(const Task &) = delete;
  ~Task() { handle_.destroy(); }
  bool await_ready() { return false; }
  Handle await_suspend(std::coroutine_handle<> by) {
    handle_.promise().waiting_ = by;
    return handle_;
  }
  int await_resume() { return handle_.promise().value_; }
  void start() { handle_.resume(); }

private:
  Handle handle_;
};

static std::thread other;
static int result;
static std::atomic<bool> done{false};

struct ElseWhere {
  bool await_ready() { return false; }
  void await_suspend(std::coroutine_handle<> h) {
    other = std::thread([h] { h.resume(); });
  }
  void await_resume() {}
};

static Task half(int of) {
  co_return of / 2;
}

static Task work() {
  co_await ElseWhere();
  int first = co_await half(40);
  result = first + co_await half(44);
  done.store(true, DONE);
  co_return 0;
}

int main() {
  Task task = work();
  task.start();
  while (!done.load(std::memory_order_acquire)) {
  }
  assert(result == 42);
  other.join();
}
