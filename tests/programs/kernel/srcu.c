// Two domains of SRCU: a reader is only waited for in its own.
// expect: lkmm ok 3
// run: flags=-DOTHER lkmm error assertion
#include <linux/srcu.h>
#include <pthread.h>

DEFINE_STATIC_SRCU(one);
DEFINE_STATIC_SRCU(two);
static int x, y;

static void *reader(void *unused) {
  long section = srcu_read_lock(&one);
  int first = READ_ONCE(x), second = READ_ONCE(y);
  srcu_read_unlock(&one, section);
  assert(!(first == 1 && second == 0)); // BUG
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, reader, NULL);
  WRITE_ONCE(y, 1);
#ifdef OTHER
  synchronize_srcu(&two);
#else
  synchronize_srcu(&one);
#endif
  WRITE_ONCE(x, 1);
  pthread_join(t, NULL);
  return 0;
}
