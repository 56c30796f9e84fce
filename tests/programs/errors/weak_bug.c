// SPDX-License-Identifier: MIT
// Double-checked initialisation: right with acquire and release, a race when
// relaxed.
// run: flags=-DTAKE=acq flags=-DSEND=rel sc,rc11 ok
// run: flags=-DTAKE=rlx flags=-DSEND=rlx rc11 error race
#include "../common.h"

struct config {
  int value;
};

static struct config config;
static _Atomic(struct config *) instance;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static struct config *get(void) {
  struct config *c = load(&instance, TAKE);
  if (c)
    return c;
  pthread_mutex_lock(&mutex);
  c = load(&instance, rlx);
  if (!c) {
    config.value = 42; // BUG
    c = &config;
    store(&instance, c, SEND);
  }
  pthread_mutex_unlock(&mutex);
  return c;
}

static void *thread(void *unused) {
  assert(get()->value == 42); // BUG
  return unused;
}

int main(void) {
  run(2, thread);
  return 0;
}
