// SPDX-License-Identifier: MIT
// C++ together with a C file.
// files: mixed_part.c
// expect: sc,rc11 ok 2
// flags: -std=c++17 -std=c11
#include <atomic>
#include <cassert>
#include <thread>

extern "C" {
void part_add(int n);
int part_sum(void);
}

int main() {
  std::thread a(part_add, 1), b(part_add, 2);
  a.join();
  b.join();
  assert(part_sum() == 3);
}
