// SPDX-License-Identifier: MIT
// A promise that is destroyed without a value: its future throws.
// expect: sc,rc11 ok
#include <cassert>
#include <future>
#include <thread>

int main() {
  std::promise<int> p;
  auto f = p.get_future();
  std::thread t([](std::promise<int>) {}, std::move(p));
  try {
    f.get();
    assert(!"there is no value");
  } catch (const std::future_error &e) {
    assert(e.code() == std::future_errc::broken_promise);
  }
  t.join();
}
