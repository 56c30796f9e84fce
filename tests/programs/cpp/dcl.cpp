// SPDX-License-Identifier: MIT
// Double-checked locking, right with acquire and release, and wrong without.
// run: sc,tso,ra,rc11,imm ok
// run: flags=-DLOOK=std::memory_order_relaxed sc,tso,ra,rc11,imm error race
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

#ifndef LOOK
#define LOOK std::memory_order_acquire
#endif

class Config {
public:
  static const Config &get() {
    Config *c = instance_.load(LOOK);
    if (!c) {
      std::lock_guard<std::mutex> guard(mutex_);
      c = instance_.load(std::memory_order_relaxed);
      if (!c) {
        c = new Config;
        instance_.store(c, std::memory_order_release);
      }
    }
    return *c;
  }
  static void destroy() {
    delete instance_.load();
  }
  int value = 42;

private:
  static std::atomic<Config *> instance_;
  static std::mutex mutex_;
};
std::atomic<Config *> Config::instance_{nullptr};
std::mutex Config::mutex_;

int main() {
  std::thread t([] { assert(Config::get().value == 42); });
  assert(Config::get().value == 42);
  t.join();
  Config::destroy();
}
