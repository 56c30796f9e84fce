// A plain write beside a marked access of the same variable is a warning in
// itself, no error; with a barrier between them there is none.
// expect: lkmm ok 1
// run: args=--error args=mixed-accesses lkmm error mixed-accesses
// run: flags=-DAPART args=--error args=mixed-accesses lkmm ok 1
#include <linux/atomic.h>

static int x;

int main(void) {
  x = 1; // BUG
#ifdef APART
  barrier();
#endif
  return READ_ONCE(x) - 1; // BUG
}
