// SPDX-License-Identifier: MIT
// The same in all standards.
// run: flags=-std=c++11 sc,rc11 ok 2
// run: flags=-std=c++14 rc11 ok 2
// run: flags=-std=c++17 rc11 ok 2
// run: flags=-std=c++23 rc11 ok 2
#include <atomic>
#include <cassert>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

static std::mutex m;
static std::string text;

static void add(const std::string &more) {
  std::lock_guard<std::mutex> guard(m);
  text += more;
}

int main() {
  std::thread a(add, "a"), b(add, "b");
  a.join();
  b.join();
  assert(text == "ab" || text == "ba");
}
