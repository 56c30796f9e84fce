// SPDX-License-Identifier: MIT
// An object is published while its constructor is still to set the table of
// virtual functions: to call one is a race, unless the pointer is released
// afterwards.
// run: sc,rc11 ok
// run: flags=-DORDER=std::memory_order_relaxed sc,rc11 error race
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

#ifndef ORDER
#define ORDER std::memory_order_release
#endif

struct Shape {
  virtual ~Shape() = default;
  virtual int sides() const {
    return 0;
  }
};
struct Square : Shape {
  int sides() const override {
    return 4;
  }
};

static std::atomic<Shape *> shape{nullptr};

int main() {
  auto square = std::make_unique<Shape>();
  std::thread t([] {
    if (Shape *s = shape.load(std::memory_order_acquire))
      assert(s->sides() == 4);
  });
  auto own = std::make_unique<Square>();
  shape.store(own.get(), ORDER);
  t.join();
}
