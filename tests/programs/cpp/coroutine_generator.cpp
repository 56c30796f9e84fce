// SPDX-License-Identifier: MIT
// A coroutine yields numbers and passes an exception on to who asks for more;
// its frame and what is in it are destroyed with it.
// expect: sc,rc11 ok 1
#include <cassert>
#include <coroutine>
#include <exception>
#include <utility>

static int alive;
struct Local {
  Local() { alive++; }
  ~Local() { alive--; }
};

class Numbers {
public:
  struct promise_type {
    int value;
    std::exception_ptr thrown;
    Numbers get_return_object() {
      return Numbers(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int next) {
      value = next;
      return {};
    }
    void return_void() {}
    void unhandled_exception() { thrown = std::current_exception(); }
  };
  explicit Numbers(std::coroutine_handle<promise_type> h) : handle_(h) {}
  Numbers(Numbers &&other) : handle_(std::exchange(other.handle_, nullptr)) {}
  ~Numbers() {
    if (handle_)
      handle_.destroy();
  }
  bool next() {
    handle_.resume();
    if (handle_.promise().thrown)
      std::rethrow_exception(handle_.promise().thrown);
    return !handle_.done();
  }
  int value() const { return handle_.promise().value; }

private:
  std::coroutine_handle<promise_type> handle_;
};

static Numbers count_to(int last, bool fails) {
  Local local;
  for (int i = 1; i <= last; i++)
    co_yield i;
  if (fails)
    throw last;
}

int main() {
  int sum = 0;
  for (Numbers all = count_to(3, false); all.next();)
    sum += all.value();
  assert(sum == 6 && alive == 0);
  try {
    Numbers failing = count_to(1, true);
    while (failing.next())
      assert(alive == 1);
    assert(false);
  } catch (int last) {
    sum += last;
  }
  assert(sum == 7 && alive == 0);
  {
    Numbers left = count_to(2, false);
    left.next();
    assert(alive == 1);
  }
  assert(alive == 0);
}
