// SPDX-License-Identifier: MIT
// N threads, each with memory of its own, that take a semaphore or a read-write
// lock in turn, in N! orders. Readers of the same data have (2N)!/2^N orders in
// which they may come and go.
// run: flags=-DN=3 flags=-DREADERS all ok 90
// run: flags=-DN=4 flags=-DSEMAPHORE all ok 24
// One writer of the data, before two readers, between them or after them.
// run: flags=-DN=2 flags=-DREADERS flags=-DWRITER all ok 14
// A reader that writes the data races with the others.
// run: flags=-DN=2 flags=-DREADERS flags=-DBUG all error race
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t sem;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int data = 7, own[N];

static void *run(void *arg) {
  long me = (long)arg;
#ifdef SEMAPHORE
  sem_wait(&sem);
  own[me] = data;
  sem_post(&sem);
#else
  pthread_rwlock_rdlock(&lock);
#ifdef BUG
  data = 7;       // BUG
#endif
  own[me] = data; // BUG
  pthread_rwlock_unlock(&lock);
#endif
  return NULL;
}

static void *write_data(void *arg) {
  pthread_rwlock_wrlock(&lock);
  data = 8;
  pthread_rwlock_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t ids[N], writer;
  sem_init(&sem, 0, 1);
  for (long i = 0; i < N; i++)
    pthread_create(&ids[i], NULL, run, (void *)i);
#ifdef WRITER
  pthread_create(&writer, NULL, write_data, NULL);
  pthread_join(writer, NULL);
#endif
  for (int i = 0; i < N; i++)
    pthread_join(ids[i], NULL);
  for (int i = 0; i < N; i++)
    assert(own[i] == 7 || own[i] == 8);
}
