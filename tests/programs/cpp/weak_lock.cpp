// SPDX-License-Identifier: MIT
// weak_ptr::lock gets the object or nothing, never half of it.
// expect: sc,rc11 ok
#include <cassert>
#include <memory>
#include <thread>

int main() {
  auto p = std::make_shared<int>(5);
  std::weak_ptr<int> w = p;
  std::thread t([&w] {
    if (auto q = w.lock())
      assert(*q == 5);
  });
  p.reset();
  t.join();
  assert(w.expired());
}
