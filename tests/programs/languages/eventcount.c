// SPDX-License-Identifier: MIT
// A queue of one producer and one consumer that waits by an event count: a word
// with an epoch and a bit that says somebody waits. The producer links its
// node, then signals if it sees the bit. If it looks with a relaxed load, it
// may miss the bit while the consumer misses the node: the wake-up is lost.
// args: --disable leak
// run: rc11,c11,jam21 ok
// run: flags=-DLOOK=rlx rc11,c11,jam21 error deadlock
// run: flags=-DLOOK=sc rc11,c11,jam21 error deadlock
#include "../common.h"

#define WAITS 0x80000000u

struct node {
  struct node *_Atomic next;
  int value;
};

static atomic_uint word;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wakes = PTHREAD_COND_INITIALIZER;
static struct node dummy;
static struct node *head = &dummy, *tail = &dummy; // producer's, consumer's

static void signal_waiter(void) {
#ifdef LOOK
  unsigned seen = load(&word, LOOK);
#else
  unsigned seen = fetch_add(&word, 0, sc);
#endif
  if (!(seen & WAITS))
    return;
  pthread_mutex_lock(&mutex);
  store(&word, (seen & ~WAITS) + 1, sc);
  pthread_cond_broadcast(&wakes);
  pthread_mutex_unlock(&mutex);
}

static void enqueue(int value) {
  struct node *n = malloc(sizeof *n);
  n->value = value;
  store(&n->next, NULL, rlx);
  store(&head->next, n, rel);
  head = n;
  signal_waiter();
}

static bool try_dequeue(int *value) {
  struct node *n = load(&tail->next, acq);
  if (!n)
    return false;
  *value = n->value;
  tail = n;
  return true;
}

static void wait_for_signal(unsigned epoch) {
  pthread_mutex_lock(&mutex);
  while ((load(&word, sc) & ~WAITS) == epoch)
    pthread_cond_wait(&wakes, &mutex); // BUG
  pthread_mutex_unlock(&mutex);
}

static int dequeue(void) {
  int value;
  while (!try_dequeue(&value)) {
    unsigned epoch = atomic_fetch_or_explicit(&word, WAITS, sc) & ~WAITS;
    if (try_dequeue(&value))
      break;
    wait_for_signal(epoch);
  }
  return value;
}

static void *consumer(void *unused) {
  assert(dequeue() == 7);
  return unused;
}

static void *producer(void *unused) {
  enqueue(7);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, consumer, NULL);
  pthread_create(&b, NULL, producer, NULL);
  pthread_join(a, NULL); // BUG
  pthread_join(b, NULL);
  return 0;
}
