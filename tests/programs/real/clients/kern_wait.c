// SPDX-License-Identifier: MIT
// Going to sleep and waking up: the one tells its state before it looks at the
// condition, the other sets the condition before it looks at the state.
// run: lkmm ok 3
// run: flags=-DWEAK lkmm error assertion
#include <assert.h>
#include <lkmm.h>
#include <pthread.h>

#define TASK_RUNNING 0
#define TASK_INTERRUPTIBLE 1
struct task {
  int state;
  int on_queue;
};
static struct task sleeper;
static int condition, missed, data;

#ifdef WEAK
#define set_current_state(s) WRITE_ONCE(sleeper.state, (s))
#else
#define set_current_state(s) smp_store_mb(sleeper.state, (s))
#endif

static void *sleep_thread(void *arg) {
  set_current_state(TASK_INTERRUPTIBLE);
  if (!READ_ONCE(condition))
    WRITE_ONCE(sleeper.on_queue, 1);
  return arg;
}
static void *wake_thread(void *arg) {
  WRITE_ONCE(data, 1);
  WRITE_ONCE(condition, 1);
  smp_mb();
  if (READ_ONCE(sleeper.state) == TASK_INTERRUPTIBLE)
    WRITE_ONCE(sleeper.state, TASK_RUNNING);
  else
    WRITE_ONCE(missed, 1);
  return arg;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, sleep_thread, NULL);
  pthread_create(&t[1], NULL, wake_thread, NULL);
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
  assert(!(sleeper.on_queue && missed));
}
