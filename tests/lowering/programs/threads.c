// Threads that run one after the other still have to give the right results.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static int data[4];
static atomic_int done;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local int mine = 1;
struct job {
  int n, result;
};

static void *work(void *arg) {
  struct job *j = arg;
  for (int i = 1; i <= j->n; i++)
    j->result += i * mine++;
  pthread_mutex_lock(&mutex);
  data[j->n % 4]++;
  pthread_mutex_unlock(&mutex);
  atomic_fetch_add(&done, 1);
  return (void *)(long)j->result;
}

int main(void) {
  pthread_t t[3];
  struct job jobs[3] = {{3, 0}, {4, 0}, {5, 0}};
  long total = 0;
  for (int i = 0; i < 3; i++)
    if (pthread_create(&t[i], NULL, work, &jobs[i]))
      abort();
  for (int i = 0; i < 3; i++) {
    void *r;
    pthread_join(t[i], &r);
    total += (long)r;
  }
  printf("%ld %d %d %d\n", total, jobs[2].result, done, mine);
  printf("%d %d %d\n", data[0], data[1], data[3]);
  return 0;
}
