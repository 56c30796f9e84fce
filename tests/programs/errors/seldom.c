// SPDX-License-Identifier: MIT
// Mistakes that are seldom made, each with its kind and its line.
// run: flags=-DTLS_BOUNDS rc11,imm error out-of-bounds
// run: flags=-DTLS_BELOW rc11 error out-of-bounds
// run: flags=-DVLA rc11,imm error uninitialized
// run: flags=-DALLOCA rc11 error uninitialized
// run: flags=-DOVERLAP rc11 error bad-argument
// run: flags=-DOVERLAP args=--disable args=bad-argument rc11 incomplete
// run: flags=-DRESULT rc11 error bad-call
// run: flags=-DCHOICE rc11 error bad-argument
// run: flags=-DSHIFT rc11 error uninitialized
// run: flags=-DSHIFT_BY rc11 error uninitialized
// run: flags=-DSWAPPED rc11 error uninitialized
// run: flags=-DSWAPPED_OTHER rc11 ok 1
// run: flags=-DCONVERTED rc11 error uninitialized
// run: flags=-DFREED_CODE rc11 error invalid-free
// run: flags=-DOUTPUT rc11 error uninitialized
#include <alloca.h>
#include <assert.h>
#include <heddle.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local int own[2];
static volatile int five = 5;
static char text[8] = "abcdefg";

static void nothing(void) {
}

int main(void) {
#if defined TLS_BOUNDS
  own[five] = 1; // BUG
#elif defined TLS_BELOW
  own[five - 7] = 1; // BUG
#elif defined VLA
  int n;
  char array[n]; // BUG
  array[0] = 1;
#elif defined ALLOCA
  int n;
  char *array = alloca(n); // BUG
  array[0] = 1;
#elif defined OVERLAP
  memcpy(text + 1, text, (size_t)five); // BUG
#elif defined RESULT
  int (*call)(void) = (int (*)(void))nothing;
  return call(); // BUG
#elif defined CHOICE
  return heddle_choose(five, 3); // BUG
#elif defined SHIFT
  int n;
  int x = n << 3;
  if (x & 7) // these are zero
    return 1;
  if (x & 8) // BUG
    return 1;
#elif defined SHIFT_BY
  int n;
  int x = 1 << n;
  if (x) // BUG
    return 1;
#elif defined SWAPPED || defined SWAPPED_OTHER
  uint32_t x;
  ((volatile char *)&x)[1] = 3;
  x = __builtin_bswap32(x);
#ifdef SWAPPED_OTHER
  if ((x >> 16 & 0xff) != 3)
    return 1;
#else
  if (x & 0xff) // BUG
    return 1;
#endif
#elif defined CONVERTED
  double d;
  int i = (int)d;
  if (i == 3) // BUG
    return 1;
#elif defined FREED_CODE
  free((void *)(uintptr_t)nothing); // BUG
#elif defined OUTPUT
  char letters[4];
  letters[0] = 'a';
  fwrite(letters, 1, 2, stdout); // BUG
#endif
  return 0;
}
