// SPDX-License-Identifier: MIT
// Destructors are noexcept unless they say otherwise.
// expect: sc,rc11 error exception
// flags: -Wno-exceptions
struct Bad {
  ~Bad() {
    throw 1; // BUG
  }
};

int main() {
  try {
    Bad b;
  } catch (int) {
  }
}
