// SPDX-License-Identifier: MIT
// A program that has its own new and delete: all other forms call them, also
// those with a size, of arrays, and that do not throw.
// expect: sc,rc11 ok 2
#include <atomic>
#include <cassert>
#include <cstddef>
#include <new>
#include <thread>

static char pool[4096];
static std::atomic<std::size_t> used, live;

void *operator new(std::size_t size) {
  live++;
  return pool + used.fetch_add((size + 15) / 16 * 16);
}

void operator delete(void *p) noexcept {
  assert(!p || ((char *)p >= pool && (char *)p < pool + sizeof pool));
  live--;
}

struct Node {
  long key;
  ~Node() {
    key = 0;
  }
};

int main() {
  Node *one = new Node, *many = new Node[2];
  Node *quiet = new (std::nothrow) Node;
  assert(live == 3 && used == 16 + 32 + 16);
  delete one;
  delete[] many;
  delete quiet;
  assert(live == 0);
  {
    int *shared = new int(0);
    std::atomic<int *> mail{nullptr};
    std::thread t([&] { mail = shared; });
    if (int *p = mail)
      *p = 1;
    t.join();
    delete shared;
  }
  assert(live == 0);
}
