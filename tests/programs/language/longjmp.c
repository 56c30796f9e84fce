// SPDX-License-Identifier: MIT
// longjmp out of calls that access shared memory, in several threads; a mutex
// that is held stays held. Where it leads must be a setjmp of the same thread,
// in a function that has not returned.
// run: rc11,tso,imm,armv8,c11,jam21 ok 3
// run: flags=-DCOUNTS rc11,imm ok
// run: flags=-DKEEPS all error relock
// run: flags=-DRETURNED all error bad-argument
// run: flags=-DOTHER all error bad-argument
// run: flags=-DUNSET all error bad-argument
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>

static atomic_int x, y;

struct job {
  jmp_buf out;
  atomic_int *mine, *other;
  int seen;
};

static void work(struct job *j, int depth) {
  if (depth) {
    work(j, depth - 1);
    return;
  }
  atomic_store(j->mine, 1);
  j->seen = atomic_load(j->other);
  longjmp(j->out, j->seen ? 2 : 1); // BUG
}

#ifdef COUNTS
// What a thread keeps in memory of its own is there after each jump, although
// nothing behind the call asks for it.
static void count(struct job *j) {
  volatile int tries = 0;
  int kept[3]; // in memory, since nobody knows which one is asked for
  for (;;) {
    for (int i = 0; i < 3; i++)
      kept[i] = 41 + i;
    if (setjmp(j->out)) {
      assert(kept[j->seen] == 41 + j->seen);
      if (++tries == 2)
        return;
    }
    work(j, 1);
  }
}
#endif

#ifdef RETURNED
static void set(struct job *j) {
  (void)setjmp(j->out);
}
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *arg) {
  struct job *j = arg;
#ifdef COUNTS
  struct job again = {.mine = j->mine, .other = j->other};
  count(&again);
#endif
  int way = 0;
#ifdef RETURNED
  set(j);
#elif !defined UNSET
  way = setjmp(j->out);
#endif
#ifdef KEEPS
  pthread_mutex_lock(&mutex); // BUG
#endif
  if (way == 0)
    work(j, 2);
  (void)mutex;
  return (void *)(long)way;
}

#ifdef OTHER
static jmp_buf shared;

static void *leave(void *unused) {
  longjmp(shared, 1); // BUG
  return unused;
}
#endif

int main(void) {
#ifdef OTHER
  pthread_t other;
  if (setjmp(shared) == 0)
    pthread_create(&other, NULL, leave, NULL);
  pthread_join(other, NULL);
#endif
  struct job a = {.mine = &x, .other = &y}, b = {.mine = &y, .other = &x};
  pthread_t s, t;
  void *one, *two;
  pthread_create(&s, NULL, run, &a);
  pthread_create(&t, NULL, run, &b);
  pthread_join(s, &one);
  pthread_join(t, &two);
  assert((long)one == a.seen + 1 && (long)two == b.seen + 1);
  assert(a.seen || b.seen);
  return 0;
}
