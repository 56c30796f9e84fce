// SPDX-License-Identifier: MIT
// A shared_ptr is handed over; whoever comes last destroys the object, and has
// seen all uses. Two counts of one to zero, in either order: 2.
// expect: sc,tso,ra,rc11,imm ok 2
#include <cassert>
#include <memory>
#include <thread>

static int destroyed;

struct Message {
  int value;
  ~Message() {
    destroyed = value;
  }
};

int main() {
  {
    auto p = std::make_shared<Message>(Message{7});
    destroyed = 0;
    std::thread t([q = p] { assert(q->value == 7); });
    p.reset();
    t.join();
  }
  assert(destroyed == 7);
}
