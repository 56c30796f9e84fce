// SPDX-License-Identifier: MIT
// Two threads push to one vector: the race is inside of the library, and is
// reported where the program calls it.
// expect: sc,rc11 error race
#include <thread>
#include <vector>

static std::vector<int> v;

int main() {
  std::thread t([] {
    v.push_back(1); // BUG
  });
  v.push_back(2); // BUG
  t.join();
}
