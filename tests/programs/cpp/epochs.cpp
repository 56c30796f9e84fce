// SPDX-License-Identifier: MIT
// Epochs in place of hazard pointers: a reader says in which epoch it reads, a
// writer that has taken an object out begins a new epoch and waits for readers
// of the old one before it frees. Who does not wait (HURRY), or reads without
// saying so for all to see first (RELAXED), meets freed memory.
// run: sc,tso,rc11,armv8 ok
// run: flags=-DHURRY sc,rc11 error free-race
// run: flags=-DRELAXED rc11 error free-race
#include <atomic>
#include <cassert>
#include <thread>

#ifdef RELAXED
#define ENTER std::memory_order_relaxed
#else
#define ENTER std::memory_order_seq_cst
#endif

struct Config {
  int value;
};

class Epochs {
public:
  void enter() {
    unsigned now = epoch_.load(ENTER);
    reader_.store(now, ENTER);
  }
  void leave() {
    reader_.store(0, std::memory_order_release);
  }
  void wait_for_readers() {
    unsigned old = epoch_.fetch_add(1, std::memory_order_seq_cst);
#ifndef HURRY
    for (;;) {
      unsigned reads = reader_.load(std::memory_order_seq_cst);
      if (!reads || reads > old)
        break;
    }
#endif
    (void)old;
  }

private:
  std::atomic<unsigned> epoch_{1}, reader_{0};
};

static Epochs epochs;
static std::atomic<Config *> current{new Config{1}};

int main() {
  std::thread reader([] {
    epochs.enter();
    Config *seen = current.load(std::memory_order_seq_cst);
    assert(seen->value == 1 || seen->value == 2);
    epochs.leave();
  });
  Config *old =
      current.exchange(new Config{2}, std::memory_order_seq_cst);
  epochs.wait_for_readers();
  delete old;
  reader.join();
  delete current.load(std::memory_order_relaxed);
}
