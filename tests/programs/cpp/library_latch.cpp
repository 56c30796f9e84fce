// SPDX-License-Identifier: MIT
// What libstdc++ 12 does by the rules of C++: count_down is a release, so its
// question whether there are waiters may miss one. Machines do not do that; nor
// does 16.
// run: sc,tso,armv8 ok
// run: before=16 rc11 error deadlock
// run: since=16 rc11 ok
#include <cassert>
#include <latch>
#include <thread>

static int x;

int main() {
  std::latch done(1);
  std::thread t([&done] {
    x = 1;
    done.count_down();
  });
  done.wait(); // BUG
  assert(x == 1);
  t.join();
}
