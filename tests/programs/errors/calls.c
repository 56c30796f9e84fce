// SPDX-License-Identifier: MIT
// Calls that go nowhere, and threads that do not exist.
// run: flags=-DDO=none() sc,rc11 error bad-call
// run: flags=-DDO=((void(*)(void))&data)() sc,rc11 error bad-call
// run: flags=-DDO=((void(*)(int,int))good)(1,2) sc,rc11 error bad-call
// run: flags=-DDO=pthread_create(&id,NULL,no_thread,NULL) sc,rc11 error thread-misuse
// run: flags=-DDO=pthread_join(id,NULL),pthread_join(id,NULL) sc,rc11 error thread-misuse
// run: flags=-DDO=pthread_detach(id),pthread_join(id,NULL) sc,rc11 error thread-misuse
// run: flags=-DDO=pthread_detach(id),pthread_detach(id) sc,rc11 error thread-misuse
// run: flags=-DDO=pthread_join(id,NULL),pthread_detach(id) sc,rc11 error thread-misuse
// run: flags=-DDO=pthread_join(pthread_self(),NULL) sc,rc11 error thread-misuse
// run: flags=-DDO=pthread_join((pthread_t)99,NULL) sc,rc11 error thread-misuse
// run: flags=-DDO=good(),pthread_join(id,NULL) sc,rc11 ok
#include "../common.h"

static int data;
static void (*none)(void);
static void *(*no_thread)(void *);

static void good(void) {
  data++;
}

static void *thread(void *unused) {
  return unused;
}

int main(void) {
  pthread_t id;
  pthread_create(&id, NULL, thread, NULL);
  DO; // BUG
  (void)none;
  (void)no_thread;
  (void)good;
  return 0;
}
