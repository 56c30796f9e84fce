// SPDX-License-Identifier: MIT
// The functions of a shared_ptr that take a lock are right.
// expect: sc,rc11 ok
// flags: -std=gnu++17
#include <cassert>
#include <memory>
#include <thread>

static std::shared_ptr<int> p;

int main() {
  std::thread t([] { std::atomic_store(&p, std::make_shared<int>(3)); });
  auto q = std::atomic_load(&p);
  assert(!q || *q == 3);
  t.join();
  assert(*std::atomic_load(&p) == 3);
}
