// SPDX-License-Identifier: MIT
// As ../locks/ticket.c, as a class with std::lock_guard.
// run: sc,tso,ra,rc11,imm,armv8 ok 2
// run: flags=-DN=3 sc,tso,ra,rc11,imm,armv8 ok 6
// run: flags=-DTAKE=std::memory_order_relaxed sc,tso,ra,rc11,imm,armv8 error race
// run: flags=-DGIVE=std::memory_order_relaxed sc,tso,ra,rc11,imm,armv8 error race
// run: flags=-DSTEP=0 sc,tso,ra,rc11,imm,armv8 error hang
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

#ifndef N
#define N 2
#endif
#ifndef TAKE
#define TAKE std::memory_order_acquire
#endif
#ifndef GIVE
#define GIVE std::memory_order_release
#endif
#ifndef STEP
#define STEP 1
#endif

class TicketLock {
public:
  void lock() {
    unsigned mine = next_.fetch_add(1, std::memory_order_relaxed);
    while (shown_.load(TAKE) != mine) {
    }
  }
  void unlock() {
    shown_.store(shown_.load(std::memory_order_relaxed) + STEP, GIVE);
  }

private:
  std::atomic<unsigned> next_{0}, shown_{0};
};

TicketLock l;
int counter;

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < N; i++)
    threads.emplace_back([] {
      std::lock_guard<TicketLock> guard(l);
      counter++;
    });
  for (auto &t : threads)
    t.join();
  assert(counter == N);
}
