// SPDX-License-Identifier: MIT
// Mutexes used wrongly, each in one thread.
// run: flags=-DDO=UNLOCK(m) sc,rc11 error unlock-not-held
// run: flags=-DDO=LOCK(m),UNLOCK(m),UNLOCK(m) sc,rc11 error unlock-not-held
// run: flags=-DDO=LOCK(m),UNLOCK(n) sc,rc11 error unlock-not-held
// run: flags=-DDO=LOCK(m),LOCK(m) sc,rc11 error relock
// run: flags=-DDO=LOCK(m),pthread_mutex_destroy(&m) sc,rc11 error destroy-held
// run: flags=-DDO=LOCK(m),LOCK(n),UNLOCK(m),UNLOCK(n) sc,rc11 ok
#include "../common.h"

#define LOCK(x) pthread_mutex_lock(&x)
#define UNLOCK(x) pthread_mutex_unlock(&x)

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
  DO; // BUG
  (void)n;
  return 0;
}
