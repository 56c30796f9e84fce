// SPDX-License-Identifier: MIT
// Writers change two plain variables together, readers compare them: a reader
// between the two sees a difference, and a missing order is a race. The lock
// is what the including file defines as read_lock() and so on.
#pragma once

#include "../common.h"

#ifndef WRITERS
#define WRITERS 1
#endif
#ifndef READERS
#define READERS 1
#endif

static int first, second;

static void *writer(void *unused) {
  write_lock();
  first++;
  second++;
  write_unlock();
  return unused;
}

static void *reader(void *unused) {
  read_lock();
  assert(first == second);
  read_unlock();
  return unused;
}

int main(void) {
  pthread_t writers[MAX_THREADS], readers[MAX_THREADS];
  start(writers, WRITERS, writer);
  start(readers, READERS, reader);
  join(writers, WRITERS);
  join(readers, READERS);
  assert(first == WRITERS && second == WRITERS);
  return 0;
}
