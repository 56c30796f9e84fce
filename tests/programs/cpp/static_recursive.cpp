// SPDX-License-Identifier: MIT
// A static local whose initialiser needs it: the thread waits for itself.
// expect: sc,rc11 error relock
static int value(int depth);

struct Self {
  int n;
  Self(int depth) : n(value(depth)) {
  }
};

static int value(int depth) {
  static Self s(depth + 1); // BUG
  return s.n;
}

int main() {
  return value(0);
}
