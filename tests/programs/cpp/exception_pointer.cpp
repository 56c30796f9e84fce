// SPDX-License-Identifier: MIT
// An exception goes to another thread by std::exception_ptr: the object is
// shared, and the last owner destroys it.
// expect: sc,rc11 ok
#include <atomic>
#include <cassert>
#include <exception>
#include <thread>

static std::atomic<int> alive{0};

struct Error {
  int code;
  Error(int code) : code(code) {
    alive++;
  }
  Error(const Error &other) : code(other.code) {
    alive++;
  }
  ~Error() {
    alive--;
  }
};

int main() {
  std::exception_ptr p;
  std::thread t([&p] {
    try {
      throw Error(5);
    } catch (...) {
      p = std::current_exception();
    }
  });
  t.join();
  try {
    std::rethrow_exception(p);
  } catch (const Error &e) {
    assert(e.code == 5);
  }
  p = nullptr;
  assert(alive == 0);
}
