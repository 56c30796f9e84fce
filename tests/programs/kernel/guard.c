// Message passing to a writer: y = 1 comes after the branch on x, and x = 1
// after y = 2. If the branch guards y = 1, that is the last write of y; if not,
// y may end as 2 although x was seen. A branch in a loop that is over guards
// nothing either, nor do the two parts of a condition.
// expect: lkmm ok
// run: flags=-DAFTER lkmm error assertion
// run: flags=-DBOTH lkmm ok
// run: flags=-DAFTER_BOTH lkmm error assertion
// run: flags=-DAFTER_ELSE lkmm error assertion
// run: flags=-DIN_ELSE lkmm ok
// run: flags=-DLOOP lkmm error assertion
// run: flags=-DIN_LOOP lkmm ok
// run: flags=-DRETURN lkmm error assertion
#include <linux/atomic.h>
#include <pthread.h>

static int x, y, z;

static void *sender(void *unused) {
  WRITE_ONCE(y, 2);
  smp_wmb();
  WRITE_ONCE(x, 1);
  return unused;
}

#ifdef RETURN
static int look(void) {
  if (READ_ONCE(x))
    return 1;
  return 0;
}
#endif

static int receive(void) {
  int seen = 0;
#if defined(AFTER)
  seen = READ_ONCE(x);
  if (seen)
    WRITE_ONCE(z, 1);
  WRITE_ONCE(y, 1);
#elif defined(BOTH)
  seen = READ_ONCE(x);
  if (seen && READ_ONCE(z) == 0)
    WRITE_ONCE(y, 1);
#elif defined(AFTER_BOTH)
  seen = READ_ONCE(x);
  if (seen && READ_ONCE(z) == 0)
    WRITE_ONCE(z, 1);
  WRITE_ONCE(y, 1);
#elif defined(AFTER_ELSE)
  seen = READ_ONCE(x);
  if (seen)
    WRITE_ONCE(z, 1);
  else
    WRITE_ONCE(z, 2);
  WRITE_ONCE(y, 1);
#elif defined(IN_ELSE)
  seen = READ_ONCE(x);
  if (!seen)
    WRITE_ONCE(z, 1);
  else
    WRITE_ONCE(y, 1);
#elif defined(LOOP)
  while (!READ_ONCE(x))
    cpu_relax();
  seen = 1;
  WRITE_ONCE(y, 1);
#elif defined(IN_LOOP)
  for (int i = 0; i < 2 && !seen; i++) {
    seen = READ_ONCE(x);
    if (seen)
      WRITE_ONCE(y, 1);
  }
#elif defined(RETURN)
  seen = look();
  WRITE_ONCE(y, 1);
#else
  seen = READ_ONCE(x);
  if (seen)
    WRITE_ONCE(y, 1);
#endif
  return seen;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, sender, NULL);
  int seen = receive();
  pthread_join(t, NULL);
  if (seen)
    assert(READ_ONCE(y) == 1); // BUG
  return 0;
}
