// SPDX-License-Identifier: MIT
// Equal threads of which only one ends: the first, or the second. Main joins
// one of them and does something before it joins the other, which it can only
// where the one that it joins is the one that ends. Without FLAG both end.
// args: --symmetry on
// run: flags=-DJOIN=0 rc11,imm,xmm error assertion
// run: flags=-DJOIN=1 rc11,imm,xmm error assertion
// run: flags=-DJOIN=0 flags=-DTHEN= rc11,imm ok
// run: flags=-DJOIN=1 flags=-DTHEN= rc11,imm ok
#include "../common.h"

#ifndef THEN
#define THEN assert(!result)
#endif

static atomic_int flag, arrived;

static void *set(void *unused) {
  store(&flag, 1, rlx);
  return unused;
}

static void *first_ends(void *flag) {
  bool is_first = fetch_add(&arrived, 1, rlx) == 0;
  heddle_assume(!flag || is_first);
  return flag;
}

int main(void) {
  pthread_t setter, equal[2];
  void *result;
  pthread_create(&setter, NULL, set, NULL);
  void *seen = (void *)(intptr_t)load(&flag, rlx);
  for (int i = 0; i < 2; i++)
    pthread_create(&equal[i], NULL, first_ends, seen);
  pthread_join(equal[JOIN], &result);
  THEN;
  pthread_join(equal[1 - JOIN], NULL);
  pthread_join(setter, NULL);
}
