// SPDX-License-Identifier: MIT
// What an asynchronous function throws comes out of get().
// expect: sc,rc11 ok
#include <cassert>
#include <future>
#include <stdexcept>
#include <string>

int main() {
  auto f = std::async(std::launch::async, []() -> int {
    throw std::invalid_argument("no");
  });
  try {
    f.get();
    assert(!"it has thrown");
  } catch (const std::logic_error &e) {
    assert(std::string(e.what()) == "no");
  }
}
