// SPDX-License-Identifier: MIT
// One shared_ptr object used by two threads: its count is atomic, it is not.
// expect: sc,rc11 error race
#include <memory>
#include <thread>

static std::shared_ptr<int> p = std::make_shared<int>(1);

int main() {
  std::thread t([] { p.reset(); }); // BUG
  auto copy = p;                    // BUG
  t.join();
}
