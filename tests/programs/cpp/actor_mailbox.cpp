// SPDX-License-Identifier: MIT
// An actor: whoever puts the first message into an empty mailbox runs it, so
// its state needs no lock. The mailbox counts messages. HAND_OVER is the order
// in which a runner leaves.
// run: sc,rc11 ok
// run: flags=-DHAND_OVER=std::memory_order_relaxed sc,rc11 error race
#include <atomic>
#include <cassert>
#include <thread>

#ifndef HAND_OVER
#define HAND_OVER std::memory_order_acq_rel
#endif

class Actor {
  std::atomic<int> pending_{0};
  int state_ = 0;

public:
  void send() {
    if (pending_.fetch_add(1, HAND_OVER) != 0)
      return; // another thread is at it, and sees the message
    int left;
    do {
      state_++;
      left = pending_.fetch_sub(1, HAND_OVER) - 1;
    } while (left > 0);
  }
  int state() const {
    return state_;
  }
};

static Actor actor;

int main() {
  std::thread a([] { actor.send(); }), b([] { actor.send(); });
  a.join();
  b.join();
  assert(actor.state() == 2);
}
