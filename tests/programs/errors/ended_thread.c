// SPDX-License-Identifier: MIT
// What goes with its thread: thread-local variables, and locals of functions
// that pthread_exit left. main's return ends the program and leaves all alone.
// run: flags=-DHELPER=publish_tls flags=-DAFTER=(void)*seen sc,rc11 error use-after-free
// run: flags=-DHELPER=publish_tls flags=-DEARLY flags=-DAFTER=*seen=1 sc,rc11 error use-after-free
// run: flags=-DHELPER=publish_tls flags=-DAFTER=(void)seen sc,rc11 ok
// run: flags=-DHELPER=publish_tls flags=-DNO_JOIN flags=-DAFTER=atomic_load(seen) sc,rc11 error free-race
// run: flags=-DHELPER=exit_with_local flags=-DAFTER=(void)*seen sc,rc11 error use-after-free
// run: flags=-DHELPER=exit_with_local flags=-DNO_JOIN flags=-DAFTER=atomic_load(seen) sc,rc11 error free-race
// run: flags=-DHELPER=use_main flags=-DNO_JOIN flags=-DAFTER=pthread_exit(0) sc,rc11 error free-race
// run: flags=-DHELPER=use_main_tls flags=-DNO_JOIN flags=-DAFTER=pthread_exit(0) sc,rc11 error free-race
// run: flags=-DHELPER=use_main_tls flags=-DNO_JOIN flags=-DAFTER=return(0) sc,rc11 ok
// run: flags=-DHELPER=use_main flags=-DAFTER=pthread_exit(0) sc,rc11 ok
// run: flags=-DHELPER=use_main_tls flags=-DAFTER=pthread_exit(0) sc,rc11 ok
#include "../common.h"

static _Thread_local atomic_int own;
static _Atomic(atomic_int *) published;
static atomic_int *of_main, *tls_of_main;

static void *publish_tls(void *unused) {
  atomic_store(&published, &own);
#ifdef EARLY
  pthread_exit(unused); // BUG
#endif
  return unused; // BUG
}

static void *exit_with_local(void *unused) {
  atomic_int local = 1;
  atomic_store(&published, &local);
  pthread_exit(unused); // BUG
}

static void *use_main(void *unused) {
  atomic_fetch_add(of_main, 1); // BUG
  return unused;
}

static void *use_main_tls(void *unused) {
  atomic_fetch_add(tls_of_main, 1); // BUG
  return unused;
}

int main(void) {
  atomic_int local = 1;
  pthread_t t;
  of_main = &local;
  tls_of_main = &own;
  pthread_create(&t, NULL, HELPER, NULL);
#ifndef NO_JOIN
  pthread_join(t, NULL);
#endif
  atomic_int *seen = atomic_load(&published);
  if (seen || HELPER == use_main || HELPER == use_main_tls)
    AFTER; // BUG
  (void)publish_tls;
  (void)exit_with_local;
  (void)use_main;
  (void)use_main_tls;
  return 0;
}
