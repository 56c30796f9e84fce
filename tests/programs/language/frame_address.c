// SPDX-License-Identifier: MIT
// The address of a frame: one for each call that has not returned.
// expect: rc11 ok 1
#include <assert.h>
#include <stddef.h>

static void *frame(void) {
  return __builtin_frame_address(0);
}

static void inner(const void *outer) {
  assert(__builtin_frame_address(0) != NULL);
  assert(__builtin_frame_address(0) != outer);
  assert(__builtin_frame_address(0) == __builtin_frame_address(0));
}

int main(void) {
  assert(frame() != NULL);
  inner(__builtin_frame_address(0));
  return 0;
}
