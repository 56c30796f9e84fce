// SPDX-License-Identifier: MIT
// As ../locks/clh.c, as a class whose nodes are thread-local.
// run: sc,tso,ra,rc11,imm,armv8 ok 2
// run: flags=-DN=3 sc,tso,ra,rc11,imm,armv8 ok 6
// run: flags=-DROUNDS=2 sc,tso,ra,rc11,imm,armv8 ok 6
// run: flags=-DWAIT=std::memory_order_relaxed sc,tso,ra,rc11,imm,armv8 error race
// run: flags=-DGIVE=std::memory_order_relaxed sc,tso,ra,rc11,imm,armv8 error race
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

#ifndef N
#define N 2
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif
#ifndef WAIT
#define WAIT std::memory_order_acquire
#endif
#ifndef GIVE
#define GIVE std::memory_order_release
#endif

struct Node {
  std::atomic<bool> must_wait{false};
};
static Node nodes[N + 1];

class ClhLock {
public:
  void lock() {
    own->must_wait.store(true, std::memory_order_relaxed);
    before = tail_.exchange(own, std::memory_order_acq_rel);
    while (before->must_wait.load(WAIT)) {
    }
  }
  void unlock() {
    own->must_wait.store(false, GIVE);
    own = before;
  }
  static thread_local Node *own, *before;

private:
  std::atomic<Node *> tail_{&nodes[N]};
};
thread_local Node *ClhLock::own, *ClhLock::before;

static ClhLock l;
static int counter;

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < N; i++)
    threads.emplace_back([i] {
      ClhLock::own = &nodes[i];
      for (int k = 0; k < ROUNDS; k++) {
        std::lock_guard<ClhLock> guard(l);
        counter++;
      }
    });
  for (auto &t : threads)
    t.join();
  assert(counter == N * ROUNDS);
}
