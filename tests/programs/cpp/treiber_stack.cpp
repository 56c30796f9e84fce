// SPDX-License-Identifier: MIT
// Treiber's stack of nodes from the heap. Nodes that were popped are freed
// only at the end, or at once (FREE), which is too early.
// run: sc,rc11 ok
// run: flags=-DPUSH=std::memory_order_relaxed sc,rc11 error race
// run: flags=-DFREE rc11 error free-race
#include <atomic>
#include <cassert>
#include <thread>

#ifndef PUSH
#define PUSH std::memory_order_release
#endif

template <class T> class Stack {
  struct Node {
    T value;
    Node *next;
  };
  std::atomic<Node *> top_{nullptr};
  std::atomic<Node *> garbage_{nullptr};

  static void push_to(std::atomic<Node *> &list, Node *node,
                      std::memory_order order) {
    node->next = list.load(std::memory_order_relaxed);
    while (!list.compare_exchange_weak(node->next, node, order,
                                       std::memory_order_relaxed)) {
    }
  }
  static void free_all(Node *node) {
    while (node) {
      Node *next = node->next;
      delete node;
      node = next;
    }
  }

public:
  void push(T value) {
    push_to(top_, new Node{value, nullptr}, PUSH);
  }
  bool pop(T &value) {
    Node *node = top_.load(std::memory_order_acquire);
    while (node && !top_.compare_exchange_weak(node, node->next,
                                               std::memory_order_acquire)) {
    }
    if (!node)
      return false;
    value = node->value;
#ifdef FREE
    delete node;
#else
    kept_[count_.fetch_add(1, std::memory_order_relaxed)] = node;
#endif
    return true;
  }
  ~Stack() {
    free_all(top_.load(std::memory_order_relaxed));
    for (unsigned i = 0; i < count_; i++)
      delete kept_[i];
  }

private:
  Node *kept_[4];
  std::atomic<unsigned> count_{0};
};

int main() {
  Stack<int> s;
  s.push(1);
  auto take = [&] {
    int value;
    if (s.pop(value))
      assert(value == 1 || value == 2);
  };
  std::thread a([&] { s.push(2); }), b(take), c(take);
  a.join();
  b.join();
  c.join();
}
