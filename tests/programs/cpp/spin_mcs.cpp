// SPDX-License-Identifier: MIT
// Mellor-Crummey and Scott's lock with nodes on the stack of who waits. The
// nodes are initialised by plain writes, so they have to be handed on with
// release.
// run: sc,tso,ra,rc11,imm ok
// run: flags=-DWAKE=std::memory_order_relaxed sc,tso,ra,rc11,imm error race
// run: flags=-DLINK=std::memory_order_relaxed sc,tso,rc11 error race
#include <atomic>
#include <cassert>
#include <thread>

#ifndef WAKE
#define WAKE std::memory_order_release
#endif
#ifndef LINK
#define LINK std::memory_order_release
#endif

class McsLock {
public:
  struct Guard {
    Guard(McsLock &lock) : lock_(lock) {
      Guard *before = lock_.tail_.exchange(this, std::memory_order_acq_rel);
      if (!before)
        return;
      before->next_.store(this, LINK);
      while (must_wait_.load(std::memory_order_acquire)) {
      }
    }
    ~Guard() {
      Guard *expected = this;
      if (!next_.load(std::memory_order_acquire)) {
        if (lock_.tail_.compare_exchange_strong(expected, nullptr,
                                                std::memory_order_release,
                                                std::memory_order_relaxed))
          return;
        while (!next_.load(std::memory_order_acquire)) {
        }
      }
      next_.load(std::memory_order_relaxed)->must_wait_.store(false, WAKE);
    }
    Guard(const Guard &) = delete;

  private:
    McsLock &lock_;
    std::atomic<Guard *> next_{nullptr};
    std::atomic<bool> must_wait_{true};
  };

private:
  std::atomic<Guard *> tail_{nullptr};
};

McsLock l;
int counter;

int main() {
  auto work = [] {
    McsLock::Guard guard(l);
    counter++;
  };
  std::thread a(work), b(work);
  a.join();
  b.join();
  assert(counter == 2);
}
