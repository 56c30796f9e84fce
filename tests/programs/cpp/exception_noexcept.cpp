// SPDX-License-Identifier: MIT
// Nothing may leave a noexcept function, not even on its way to a handler.
// expect: sc,rc11 error exception
// flags: -Wno-exceptions
struct Error {};

static void inner(int n) {
  if (n)
    throw Error(); // BUG
}
static void outer(int n) noexcept {
  inner(n);
}

int main(int argc, char **) {
  try {
    outer(argc);
  } catch (Error) {
  }
}
