// SPDX-License-Identifier: MIT
// Static locals: one thread makes them, the others wait and see all of it.
// Each of the two may be first, and the other one finds them made or has to
// wait: 4. Without that (-fno-threadsafe-statics), a race.
// run: all ok 4
// run: flags=-fno-threadsafe-statics sc,rc11 error race
#include <cassert>
#include <thread>

static int made;

struct Table {
  int values[2];
  Table() {
    made++;
    values[0] = 1;
    values[1] = 2;
  }
};

static Table &table() {
  static Table t;
  return t;
}

int main() {
  auto look = [] { assert(table().values[0] + table().values[1] == 3); };
  std::thread a(look), b(look);
  a.join();
  b.join();
  assert(made == 1);
}
