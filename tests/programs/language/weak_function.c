// SPDX-License-Identifier: MIT
// A function whose address is asked for by a variable of its name, which may be
// missing: what the library has is called, what nobody has is at no address.
// run: sc,rc11 ok 1
#include <assert.h>
#include <stddef.h>

extern char found __asm__("labs") __attribute__((weak)); // of the library
extern char nowhere __attribute__((weak));

int main(void) {
  long (*absolute)(long) = (long (*)(long))(void *)&found;
  assert(absolute && absolute(-4) == 4);
  assert(&nowhere == NULL);
}
