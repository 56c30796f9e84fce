// SPDX-License-Identifier: MIT
// An exception_ptr object itself is not atomic.
// expect: sc,rc11 error race
#include <exception>
#include <thread>

static std::exception_ptr p;

int main() {
  std::thread t([] { p = std::make_exception_ptr(1); }); // BUG
  if (p)                                                 // BUG
    return 1;
  t.join();
}
