// SPDX-License-Identifier: MIT
// Michael and Scott's queue whose nodes are protected by hazard pointers: a
// dequeued node is freed when nobody looks at it. Without the second look at
// head (NO_CHECK), it may be freed before its pointer is published.
// run: rc11 ok
// run: flags=-DNO_CHECK rc11 error free-race
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  int value;
  std::atomic<Node *> next{nullptr};
  explicit Node(int value) : value(value) {
  }
};

static std::atomic<Node *> hazards[2][2]; // of each thread: head and next

class Queue {
  std::atomic<Node *> head_, tail_;

public:
  Queue() {
    Node *dummy = new Node(0);
    head_.store(dummy, std::memory_order_relaxed);
    tail_.store(dummy, std::memory_order_relaxed);
  }
  ~Queue() {
    for (Node *n = head_; n;) {
      Node *next = n->next;
      delete n;
      n = next;
    }
  }
  void push(int value) {
    Node *node = new Node(value);
    Node *tail = tail_.load(std::memory_order_relaxed);
    tail->next.store(node, std::memory_order_release);
    tail_.store(node, std::memory_order_relaxed);
  }
  // Yields the old dummy, which nobody may use any more.
  Node *pop(int me, int &value) {
    for (;;) {
      Node *head = head_.load(std::memory_order_acquire);
      hazards[me][0].store(head, std::memory_order_seq_cst);
#ifndef NO_CHECK
      if (head_.load(std::memory_order_seq_cst) != head)
        continue;
#endif
      Node *next = head->next.load(std::memory_order_acquire);
      if (!next)
        return nullptr;
      hazards[me][1].store(next, std::memory_order_seq_cst);
      if (head_.load(std::memory_order_seq_cst) != head)
        continue;
      int taken = next->value;
      if (head_.compare_exchange_strong(head, next,
                                        std::memory_order_seq_cst)) {
        value = taken;
        return head;
      }
    }
  }
};

static Node *retired[2];

static void take(Queue &q, int me) {
  int value = 0;
  Node *old = q.pop(me, value);
  for (auto &hazard : hazards[me])
    hazard.store(nullptr, std::memory_order_release);
  if (!old)
    return;
  assert(value == 1 || value == 2);
  if (hazards[1 - me][0].load(std::memory_order_seq_cst) == old ||
      hazards[1 - me][1].load(std::memory_order_seq_cst) == old)
    retired[me] = old;
  else
    delete old;
}

int main() {
  Queue q;
  q.push(1);
  q.push(2);
  std::thread a([&q] { take(q, 0); }), b([&q] { take(q, 1); });
  a.join();
  b.join();
  delete retired[0];
  delete retired[1];
}
