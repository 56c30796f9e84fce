// SPDX-License-Identifier: MIT
// A thread that reads a flag of the object knows from it that the object is
// there, unless another thread has overwritten the flag: that says nothing. In
// sc the flag is never seen as it was before.
// run: flags=-DOTHER=rlx sc,tso,rc11,imm error alloc-race
// run: flags=-DOTHER=rel sc,tso ok 5
#include "../common.h"

static atomic_int *_Atomic where;

static void *maker(void *unused) {
  atomic_int *flag = malloc(sizeof *flag);
  store(flag, 1, rel);
  store(&where, flag, rel);
  return unused;
}

static void *reader(void *unused) {
  atomic_int *flag = load(&where, rlx);
  if (flag)
    (void)load(flag, acq); // BUG
  return unused;
}

static void *writer(void *unused) {
  atomic_int *flag = load(&where, acq);
  if (flag)
    store(flag, 2, OTHER);
  return unused;
}

int main(void) {
  void *(*const all[])(void *) = {maker, reader, writer};
  pthread_t t[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], NULL, all[i], NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
  free((void *)load(&where, rlx));
  return 0;
}
