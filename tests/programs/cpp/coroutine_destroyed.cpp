// SPDX-License-Identifier: MIT
// A coroutine that is resumed after its frame was destroyed.
// run: sc,rc11 error use-after-free
// run: flags=-DKEEP sc,rc11 ok 1
#include <coroutine>
#include <exception>

struct Task {
  struct promise_type {
    Task get_return_object() {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
  std::coroutine_handle<promise_type> handle;
};

static Task nothing() {
  co_return;
}

int main() {
  Task task = nothing();
#ifdef KEEP
  task.handle.resume();
  task.handle.destroy();
#else
  task.handle.destroy();
  task.handle.resume();
#endif
}
