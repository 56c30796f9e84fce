// SPDX-License-Identifier: MIT
// Two locks, taken in different orders: a deadlock.
//
// Each transfer locks the account that it takes from and then the one that it
// gives to. Two transfers in opposite directions can each hold one lock and
// wait for the other's. Tests rarely hit the moment; the checker shows it, with
// who waits for whom. The usual repair is one order for all locks, for example
// by address.
//
// expect: rc11 error deadlock; sc error deadlock
#include <pthread.h>

struct account {
  pthread_mutex_t lock;
  int money;
};

struct account alice = {PTHREAD_MUTEX_INITIALIZER, 10};
struct account bob = {PTHREAD_MUTEX_INITIALIZER, 10};

void transfer(struct account *from, struct account *to, int amount) {
  pthread_mutex_lock(&from->lock);
  pthread_mutex_lock(&to->lock);
  from->money -= amount;
  to->money += amount;
  pthread_mutex_unlock(&to->lock);
  pthread_mutex_unlock(&from->lock);
}

void *alice_pays(void *unused) {
  transfer(&alice, &bob, 3);
  return unused;
}

void *bob_pays(void *unused) {
  transfer(&bob, &alice, 5);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, alice_pays, NULL);
  pthread_create(&b, NULL, bob_pays, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
