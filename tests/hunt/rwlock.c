// SPDX-License-Identifier: MIT
// A read-write lock: readers leave without a release, so the writer may write
// what they still read.
#include "hunt.h"
#define READERS sized(4, 1)
enum { WRITER = 64 };

static atomic_int lock;
static int data;
static atomic_int sum;

static void *reader(void *unused) {
  (void)unused;
  int seen;
  if (fetch_add(&lock, 1, acq) >= WRITER) {
    fetch_add(&lock, -1, rlx);
    return NULL;
  }
  seen = data;
  fetch_add(&lock, -1, planted(rel, rlx));
  fetch_add(&sum, seen, rlx);
  return NULL;
}

static void *writer(void *unused) {
  (void)unused;
  if (cas(&lock, 0, WRITER, acq, rlx)) {
    data++;
    fetch_add(&lock, -WRITER, rel);
  }
  return NULL;
}

int main(void) {
  pthread_t t[READERS], w;
  start(t, READERS, reader);
  pthread_create(&w, NULL, writer, NULL);
  join(t, READERS);
  join(&w, 1);
}
