// SPDX-License-Identifier: MIT
// Double-checked locking: the pointer is published before what it points to.
#include "hunt.h"
#define USERS sized(6, 2)

struct settings {
  atomic_int level;
};
static struct settings only;
static struct settings *_Atomic instance;
static atomic_int lock, asked;

static struct settings *get(void) {
  struct settings *s = load(&instance, acq);
  if (s)
    return s;
  while (swap(&lock, 1, acq))
    ;
  s = load(&instance, rlx);
  if (!s) {
    s = &only;
    store(&s->level, 3, rlx);
    store(&instance, s, planted(rel, rlx));
  }
  store(&lock, 0, rel);
  return s;
}

static void *user(void *unused) {
  (void)unused;
  assert(load(&get()->level, rlx) == 3);
  fetch_add(&asked, 1, rlx);
  return NULL;
}

int main(void) {
  run(USERS, user);
}
