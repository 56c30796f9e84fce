// SPDX-License-Identifier: MIT
// Timed locks of all kinds may give up at any time, so whoever got one has to
// be asked. With CARELESS nobody is.
// run: sc,rc11 ok
// run: flags=-DCARELESS sc,rc11 error race
#include <cassert>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;

std::timed_mutex timed;
std::recursive_timed_mutex recursive;
std::shared_timed_mutex shared;
int data;

static bool take() {
#ifdef CARELESS
  (void)shared.try_lock_until(std::chrono::steady_clock::now() + 1s);
  return true;
#else
  return shared.try_lock_until(std::chrono::steady_clock::now() + 1s);
#endif
}

int main() {
  std::thread writer([] {
    if (!take())
      return;
    data = 1; // BUG
#ifndef CARELESS
    shared.unlock();
#endif
  });
  if (shared.try_lock_shared_for(1s)) {
    int seen = data; // BUG
    assert(seen == 0 || seen == 1);
    shared.unlock_shared();
  }
  writer.join();
  if (timed.try_lock_for(1s))
    timed.unlock();
  std::lock_guard once(recursive);
  std::unique_lock twice(recursive, 1s);
  assert(twice.owns_lock());
}
