// SPDX-License-Identifier: MIT
// Objects of synchronisation that are used after their destruction, destroyed
// twice or initialised while they are in use; and what is right: to initialise
// one again that was destroyed, or one in memory that holds anything.
// run: flags=-DDO=M(destroy);M(lock) sc,rc11 error sync-misuse
// run: flags=-DDO=M(destroy);M(trylock) sc,rc11 error sync-misuse
// run: flags=-DDO=M(lock);M(unlock);M(destroy);M(unlock) sc,rc11 error sync-misuse
// run: flags=-DDO=M(destroy);pthread_mutex_timedlock(m,&never) sc,rc11 error sync-misuse
// run: flags=-DDO=M(destroy);M(destroy) sc,rc11 error sync-misuse
// run: flags=-DDO=M(lock);pthread_mutex_init(m,0) sc,rc11 error sync-misuse
// run: flags=-DDO=M(destroy);pthread_mutex_init(m,0);M(lock);M(unlock) sc,rc11 ok
// run: flags=-DDO=C(destroy);C(signal) sc,rc11 error sync-misuse
// run: flags=-DDO=C(destroy);C(broadcast) sc,rc11 error sync-misuse
// run: flags=-DDO=C(destroy);M(lock);pthread_cond_wait(c,m) sc,rc11 error sync-misuse
// run: flags=-DDO=C(destroy);C(destroy) sc,rc11 error sync-misuse
// run: flags=-DDO=C(destroy);pthread_cond_init(c,0);C(signal) sc,rc11 ok
// run: args=--disable=deadlock flags=-DWAITER flags=-DDO=if(is_waiting)pthread_cond_init(c,0) sc,rc11 error sync-misuse
// run: flags=-DDO=S(destroy);S(wait) sc,rc11 error sync-misuse
// run: flags=-DDO=S(destroy);S(post) sc,rc11 error sync-misuse
// run: flags=-DDO=S(destroy);S(trywait) sc,rc11 error sync-misuse
// run: flags=-DDO=S(destroy);S(destroy) sc,rc11 error sync-misuse
// run: flags=-DDO=sem_init(s,0,1) sc,rc11 error sync-misuse
// run: flags=-DDO=S(destroy);sem_init(s,0,1);S(wait) sc,rc11 ok
// run: flags=-DDO=R(destroy);R(rdlock) sc,rc11 error sync-misuse
// run: flags=-DDO=R(destroy);R(wrlock) sc,rc11 error sync-misuse
// run: flags=-DDO=R(destroy);R(tryrdlock) sc,rc11 error sync-misuse
// run: flags=-DDO=R(destroy);R(trywrlock) sc,rc11 error sync-misuse
// run: flags=-DDO=R(destroy);R(destroy) sc,rc11 error sync-misuse
// run: flags=-DDO=R(rdlock);pthread_rwlock_init(r,0) sc,rc11 error sync-misuse
// run: flags=-DDO=R(destroy);pthread_rwlock_init(r,0);R(wrlock);R(unlock) sc,rc11 ok
// run: flags=-DDO=B(destroy);B(wait) sc,rc11 error sync-misuse
// run: flags=-DDO=B(destroy);B(destroy) sc,rc11 error sync-misuse
// run: flags=-DDO=pthread_barrier_init(b,0,1) sc,rc11 error sync-misuse
// run: flags=-DDO=B(wait);B(destroy);pthread_barrier_init(b,0,1);B(wait) sc,rc11 ok
// run: flags=-DWAITER flags=-DDO=M(destroy) sc,rc11 error race
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

#define M(what) pthread_mutex_##what(m)
#define C(what) pthread_cond_##what(c)
#define S(what) sem_##what(s)
#define R(what) pthread_rwlock_##what(r)
#define B(what) pthread_barrier_##what(b)

static pthread_mutex_t *m;
static pthread_cond_t *c;
static sem_t *s;
static pthread_rwlock_t *r;
static pthread_barrier_t *b;
static const struct timespec never;
static int waits;

static void *waiter(void *unused) {
  pthread_mutex_lock(m); // BUG
  waits = 1;
#ifdef WAITER
  pthread_cond_wait(c, m); // BUG
#endif
  pthread_mutex_unlock(m); // BUG
  return unused;
}

int main(void) {
  m = malloc(sizeof *m);
  c = malloc(sizeof *c);
  s = malloc(sizeof *s);
  r = malloc(sizeof *r);
  b = malloc(sizeof *b);
  pthread_mutex_init(m, NULL);
  pthread_cond_init(c, NULL);
  sem_init(s, 0, 1);
  pthread_rwlock_init(r, NULL);
  pthread_barrier_init(b, NULL, 1);
#ifdef WAITER
  pthread_t t;
  pthread_create(&t, NULL, waiter, NULL);
  pthread_mutex_lock(m); // BUG
  int is_waiting = waits;
  pthread_mutex_unlock(m); // BUG
#endif
  DO; // BUG
  (void)waiter;
  (void)never;
  return 0;
}
