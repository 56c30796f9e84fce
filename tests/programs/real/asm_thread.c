// SPDX-License-Identifier: MIT
// The word at %fs:0 is the address of what the system keeps of a thread:
// allocators tell threads apart by it, without a call. The offset may be
// known only at run time.
// expect: sc,rc11 ok 1
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static void *word(size_t slot) {
  void *value;
  const size_t offset = slot * sizeof(void *);
  __asm__("movq %%fs:%1, %0" : "=r"(value) : "m"(*((void **)offset)) :);
  return value;
}

static void *self(void) {
  void *value;
  __asm__("mov %%fs:0, %0" : "=r"(value));
  return value;
}

static void *mine;

static void *other(void *arg) {
  assert(self() != mine && word(0) == self());
  return arg;
}

int main(void) {
  pthread_t t;
  mine = word(0);
  assert(mine && mine == self() && mine == __builtin_thread_pointer());
  pthread_create(&t, 0, other, 0);
  pthread_join(t, 0);
  return 0;
}
