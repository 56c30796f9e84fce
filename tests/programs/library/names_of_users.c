// SPDX-License-Identifier: MIT
// Names that Heddle's library uses inside belong to the program: they do not
// take the place of the library's own, and are not called by it.
// expect: all ok 2
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

pthread_once_t once = PTHREAD_ONCE_INIT;
int held[4], calls;

void cond_init(void *c) { calls += c != NULL; }
void cond_wait(void *c, void *m) { calls += c != m; }
void cond_signal(void *c) { calls += c != NULL; }
void mutex_lock(void *m) { calls += m != NULL; }
void mutex_unlock(void *m) { calls += m != NULL; }
void mutex_destroy(void *m) { calls += m != NULL; }
void sync_init(void *s) { calls += s != NULL; }
void sync_check(void *s) { calls += s != NULL; }
void end_thread(void *result) { calls += result != NULL; }
void run_exit_handlers(void) { calls++; }
void destroy_thread_objects(void) { calls++; }
int held_find(void *lock) { return calls += lock != NULL; }
int held_add(void *lock) { return calls += lock != NULL; }
void *key_get(unsigned key) { return calls += key, NULL; }

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int ready, inits;

static void init(void) { inits++; }

static void *run(void *arg) {
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_once(&once, init);
  pthread_once(&once, init);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  pthread_create(&t, NULL, run, NULL);
  pthread_mutex_lock(&mutex);
  while (!ready)
    pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  pthread_join(t, NULL);
  pthread_mutex_destroy(&mutex);
  assert(inits == 1 && calls == 0 && !held[0] && !held[3]);
  return 0;
}
