// SPDX-License-Identifier: MIT
// Readers and writers on C11 mutexes and condition variables.
// run: rc11,imm ok
// run: flags=-DIF rc11 error race
// run: flags=-DNO_WRITER rc11 error deadlock
#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>

typedef struct {
  mtx_t m;
  cnd_t can_read, can_write;
  int readers, waiting_writers;
  bool writing;
} rw_t;

static void must(int r) {
  if (r != thrd_success) {
    fprintf(stderr, "threads.h failed\n");
    exit(EXIT_FAILURE);
  }
}
static void rw_init(rw_t *l) {
  must(mtx_init(&l->m, mtx_plain));
  must(cnd_init(&l->can_read));
  must(cnd_init(&l->can_write));
  l->readers = l->waiting_writers = 0;
  l->writing = false;
}
static void rw_read_lock(rw_t *l) {
  must(mtx_lock(&l->m));
  while (l->writing || l->waiting_writers)
    must(cnd_wait(&l->can_read, &l->m));
  l->readers++;
  must(mtx_unlock(&l->m));
}
static void rw_read_unlock(rw_t *l) {
  must(mtx_lock(&l->m));
  if (--l->readers == 0)
    must(cnd_signal(&l->can_write));
  must(mtx_unlock(&l->m));
}
static void rw_write_lock(rw_t *l) {
  must(mtx_lock(&l->m));
  l->waiting_writers++;
#ifdef IF
  if (l->writing || l->readers)
#else
  while (l->writing || l->readers)
#endif
    must(cnd_wait(&l->can_write, &l->m));
  l->waiting_writers--;
  l->writing = true;
  must(mtx_unlock(&l->m));
}
static void rw_write_unlock(rw_t *l) {
  must(mtx_lock(&l->m));
  l->writing = false;
#ifndef NO_WRITER
  if (l->waiting_writers)
    must(cnd_signal(&l->can_write));
  else
#endif
    must(cnd_broadcast(&l->can_read));
  must(mtx_unlock(&l->m));
}
static void rw_destroy(rw_t *l) {
  mtx_destroy(&l->m);
  cnd_destroy(&l->can_read);
  cnd_destroy(&l->can_write);
}
static rw_t lock;
static int value;
static int reader(void *arg) {
  (void)arg;
  rw_read_lock(&lock);
  int v = value;
  rw_read_unlock(&lock);
  return v;
}
static int writer(void *arg) {
  (void)arg;
  rw_write_lock(&lock);
  value++;
  rw_write_unlock(&lock);
  return 0;
}
int main(void) {
  thrd_t w[2], r;
  int got;
  rw_init(&lock);
  must(thrd_create(&w[0], writer, NULL));
  must(thrd_create(&w[1], writer, NULL));
  must(thrd_create(&r, reader, NULL));
  must(thrd_join(r, &got));
  assert(got >= 0 && got <= 2);
  must(thrd_join(w[0], NULL));
  must(thrd_join(w[1], NULL));
  assert(value == 2);
  rw_destroy(&lock);
  return 0;
}
