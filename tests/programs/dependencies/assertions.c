// SPDX-License-Identifier: MIT
// An assertion is an observation: what follows does not depend on what it looks
// at, however its condition is written. So both threads may read 1 here, the
// fourth execution of load buffering; a real branch on the value forbids it, and
// so does an assumption, which stands for a loop that waits.
// run: flags=-DLOOK=assert(r!=7) imm,armv8 ok 4; rc11 ok 3
// run: flags=-DLOOK=heddle_assert(r!=7) imm,armv8 ok 4
// run: args=--system-headers flags=-DLOOK=assert(r!=7) imm,armv8 ok 4
// run: flags=-DLOOK=__VERIFIER_assert(r!=7) imm,armv8 ok 4
// run: flags=-DLOOK=assert(r!=7&&r!=8) imm,armv8 ok 4
// run: flags=-DLOOK=assert(r==0||r==1) imm,armv8 ok 4
// run: flags=-DLOOK=assert((r==0&&zero==0)||(r==1&&(zero==1||r!=8))) imm ok 4
// run: flags=-DLOOK=assert(!(r==5&&zero)) imm,armv8 ok 4
// run: flags=-DLOOK=assert((r==0||r==1)==1) imm,armv8 ok 4
// run: flags=-DLOOK=__VERIFIER_assert(r==0||r==1) imm,armv8 ok 4
// run: flags=-DLOOK=__VERIFIER_assert((r==0&&!zero)||r==1) imm,armv8 ok 4
// run: flags=-DOWN flags=-DLOOK=__VERIFIER_assert(r==0||r==1) imm,armv8 ok 4
// run: flags=-DLOOK=if(r==7)abort() imm,armv8 ok 3
// run: flags=-DLOOK=if(r)zero=0;assert(!zero) imm,armv8 ok 3
// run: flags=-DLOOK=if(r)assert(r==1) imm,armv8 ok 3
// run: flags=-DLOOK=heddle_assume(r!=7) imm,armv8 ok 3
// run: flags=-DLOOK=__VERIFIER_assume(r!=7) imm,armv8 ok 3
// run: flags=-DLOOK=assert(r!=7),(void)(r?zero++:zero--) imm,armv8 ok 3
#include "../common.h"

#ifdef OWN
void reach_error(void) {
  assert(0);
}

void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}
#endif

static atomic_int x, y;

static void *left(void *unused) {
  int zero = 0;
  int r = load(&x, rlx);
  LOOK;
  (void)zero;
  store(&y, 1, rlx);
  return unused;
}

static void *right(void *unused) {
  int r = load(&y, rlx);
  store(&x, 1 + (r ^ r), rlx);
  return unused;
}

int main(void) {
  pthread_t l, r;
  pthread_create(&l, NULL, left, NULL);
  pthread_create(&r, NULL, right, NULL);
  pthread_join(l, NULL);
  pthread_join(r, NULL);
  return 0;
}
