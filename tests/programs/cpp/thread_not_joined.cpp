// SPDX-License-Identifier: MIT
// A thread object that is destroyed before join or detach ends the program.
// expect: sc,rc11 error exception
#include <thread>

int main() {
  std::thread t([] {});
} // BUG
