// SPDX-License-Identifier: MIT
// An executor's gate with atomic::wait. Without notify (FORGET) the waiter
// sleeps for ever, if it got to sleep.
// run: sc,rc11 ok
// run: flags=-DFORGET sc,rc11 error deadlock
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> gate{0};
static int job;

int main() {
  std::thread worker([] {
    gate.wait(0);
    assert(job == 9);
  });
  job = 9;
  gate.store(1);
#ifndef FORGET
  gate.notify_one();
#endif
  worker.join();
}
