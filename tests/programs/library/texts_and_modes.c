// SPDX-License-Identifier: MIT
// Texts of errors, parts of complex numbers, the floating-point environment
// that there is, locks of streams, random numbers with a state of the caller's.
// The assertions hold with glibc, too. LOCKED: what a stream's lock protects.
// run: rc11 ok 1
// run: flags=-DRANDOM rc11 incomplete
// run: flags=-DLOCKED sc,rc11 ok 2
// run: flags=-DUNLOCKED sc,rc11 error race
#define _GNU_SOURCE
#include <assert.h>
#include <complex.h>
#include <errno.h>
#include <fenv.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void texts(void) {
  char room[40];
  int n;
  short before;
  snprintf(room, 3, "%d%hn-%s%n", 12, &before, "long", &n);
  assert(before == 2 && n == 7 && !strcmp(room, "12"));
  assert(!strcmp(strerror(ENOENT), "No such file or directory"));
  assert(!strcmp(strerror(ECONNREFUSED), "Connection refused"));
  assert(!strcmp(strerror(12345), "Unknown error 12345"));
  errno = EACCES;
  snprintf(room, sizeof room, "%m");
  assert(!strcmp(room, "Permission denied"));
  assert(!strcmp(strerror_r(EIO, room, sizeof room), "Input/output error"));
  assert(!strcmp(strerror_r(-3, room, sizeof room), "Unknown error -3"));
  assert(!strcmp(strcasestr("the Word", "WORD"), "Word"));
  assert(strcasestr("abc", "x") == NULL && *strcasestr("abc", "") == 'a');
  assert(rawmemchr("a-b", '-') && getuid() == geteuid());
}

static void parts(void) {
  double complex z = 3 - 4 * I;
  assert(cabs(z) == 5 && creal(z) == 3 && cimag(conj(z)) == 4);
  assert(cargf(I) > 1.57f && cargf(I) < 1.58f && cabsl(z * 2) == 10);
  assert(isinf(creal(cproj(__builtin_complex(1.0, -(double)INFINITY)))));
  assert(creal(cproj(z)) == 3);
}

static void modes(void) {
  fenv_t kept;
  assert(fegetround() == FE_TONEAREST && !fesetround(FE_TONEAREST));
  assert(!feholdexcept(&kept) && !feclearexcept(FE_ALL_EXCEPT));
  assert(!fesetenv(&kept) && !fetestexcept(0));
}

static int data;
static void *add(void *unused) {
#ifndef UNLOCKED
  flockfile(stdout);
  flockfile(stdout);
#endif
  data++;
  putc_unlocked('a', stdout);
#ifndef UNLOCKED
  funlockfile(stdout);
  funlockfile(stdout);
#endif
  return unused;
}

int main(void) {
  texts();
  parts();
  modes();
#if defined RANDOM
  unsigned short state[3] = {1, 2, 3};
  double x = erand48(state);
  assert(x >= 0 && x < 1 && nrand48(state) >= 0);
#endif
#if defined LOCKED || defined UNLOCKED
  pthread_t a, b;
  pthread_create(&a, NULL, add, NULL);
  pthread_create(&b, NULL, add, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(data == 2);
#else
  (void)add;
#endif
  return 0;
}
