// SPDX-License-Identifier: MIT
// A failed round looks at data, which another thread changes when it is told
// so; and it is only told if a load is buffered behind the loop (as in
// tests/programs/awaits/round_races.c). Who looks for graphs with such cycles
// by guesses must not leave the round out then; where another execution has to
// justify them, too (xmm), it is not known.
// run: imm,armv8,c11,power,riscv,armv7 error race
// run: flags=-DKERNEL lkmm error race
// run: args=--jobs=2 flags=-DKERNEL lkmm error race
// run: xmm incomplete
// run: args=--jobs=3 xmm incomplete
// run: sc,tso,rc11 ok 3
// The loop runs twice, and looks at the data the first time only, the end of
// which is made known by a release. Rounds are kept in vain then.
// run: flags=-DVAIN imm,armv8 ok 9
// run: flags=-DVAIN flags=-DKERNEL lkmm ok 9
#ifdef KERNEL
#include <linux/compiler.h>
#include <pthread.h>
#include <stddef.h>
typedef int word;
#define load(x) READ_ONCE(*(x))
#define store(x, v) WRITE_ONCE(*(x), v)
#define acquire(x) smp_load_acquire(x)
#define release(x, v) smp_store_release(x, v)
#else
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
typedef atomic_int word;
#define load(x) atomic_load_explicit(x, memory_order_relaxed)
#define store(x, v) atomic_store_explicit(x, v, memory_order_relaxed)
#define acquire(x) atomic_load_explicit(x, memory_order_acquire)
#define release(x, v) atomic_store_explicit(x, v, memory_order_release)
#endif

static word first, second, y, z, told, behind;
static word *const each[] = {&first, &second};
static int data;
#ifdef VAIN
enum { TIMES = 2 };
#else
enum { TIMES = 1 };
#endif

static void *waits(void *unused) {
  for (int i = 0; i < TIMES; i++) {
    while (!load(each[i]))
      if (!i && data == 5) // BUG
        return unused;
    if (i < TIMES - 1)
      release(&behind, 1);
  }
  int r = load(&y);
  store(&z, 1);
  if (r)
    store(&told, 1);
  return unused;
}

static void *ends_wait(void *unused) {
  store(&first, 1);
#ifdef VAIN
  store(&second, 1);
#endif
  return unused;
}

static void *passes_on(void *unused) {
  store(&y, load(&z));
  return unused;
}

static void *changes(void *unused) {
#ifdef VAIN
  if (!acquire(&behind))
    return unused;
#endif
  if (load(&told))
    data = 1; // BUG
  return unused;
}

int main(void) {
  static void *(*const bodies[])(void *) = {waits, ends_wait, changes,
                                            passes_on};
  pthread_t t;
  for (int i = 0; i < 4; i++)
    pthread_create(&t, NULL, bodies[i], NULL);
  return 0;
}
