// SPDX-License-Identifier: MIT
// What a thread does before it reads what it is promised is part of the cycle's
// past. All of that is right here, and must be found right when it is looked at
// as a whole: plain accesses that creating a thread or a mutex orders, an
// object from its allocation to its free, a mutex. One execution more than
// without load buffering, and no error.
// run: flags=-DDO=plain++ rc11 ok 3; imm,armv8 ok 4
// run: flags=-DDO=section() rc11 ok 3; imm,armv8 ok 4
// run: flags=-DDO=lives() rc11 ok 3; imm,armv8 ok 4
// run: flags=-DDO=dies(object) rc11 ok 3; imm,armv8 ok 4
// run: flags=-DDO=other++ rc11,imm,armv8 error race
#include "pairs.h"

static atomic_int x, y;
static int plain, other;
static int *object;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static inline void section(void) {
  pthread_mutex_lock(&lock);
  plain++;
  pthread_mutex_unlock(&lock);
}

static inline void dies(int *p) {
  *p += 1;
  free(p);
}

static inline void lives(void) {
  dies(calloc(1, sizeof(int)));
}

static void *left(void *unused) {
  (void)section, (void)lives, (void)dies;
  DO;
  (void)load(&x, rlx);
  store(&y, 1, rlx);
  return unused;
}

static void *right(void *unused) {
  other++;
  (void)load(&y, rlx);
  store(&x, 1, rlx);
  return unused;
}

int main(void) {
  int unused;
  plain = 1;
  object = calloc(1, sizeof *object);
  together(left, right, &unused, &unused);
  return plain < 1;
}
