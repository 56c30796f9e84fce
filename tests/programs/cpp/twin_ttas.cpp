// SPDX-License-Identifier: MIT
// As ../locks/ttas.c, with std::atomic_flag.
// run: sc,tso,ra,rc11,imm ok
// run: flags=-DTAKE=std::memory_order_relaxed sc,tso,ra,rc11,imm error race
// run: flags=-DFORGET sc,tso,ra,rc11,imm error hang
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

#ifndef TAKE
#define TAKE std::memory_order_acquire
#endif

struct SpinLock {
  std::atomic_flag taken = ATOMIC_FLAG_INIT;
  void lock() {
    do {
      while (taken.test(std::memory_order_relaxed)) {
      }
    } while (taken.test_and_set(TAKE));
  }
  void unlock() {
#ifndef FORGET
    taken.clear(std::memory_order_release);
#endif
  }
} l;
int counter;

static void work() {
  std::scoped_lock guard(l);
  counter++;
}

int main() {
  std::thread a(work), b(work);
  a.join();
  b.join();
  assert(counter == 2);
}
