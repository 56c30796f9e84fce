// SPDX-License-Identifier: MIT
// A jthread asks its thread to stop, and joins it.
// expect: sc,rc11 ok
#include <atomic>
#include <cassert>
#include <stop_token>
#include <thread>

static std::atomic<bool> ended{false};

int main() {
  {
    std::jthread t([](std::stop_token stop) {
      while (!stop.stop_requested()) {
      }
      ended.store(true, std::memory_order_relaxed);
    });
  }
  assert(ended.load(std::memory_order_relaxed));
}
