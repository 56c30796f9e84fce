// SPDX-License-Identifier: MIT
// Tries of a weak compare-exchange that are counted. Failures for no reason are
// left out but for those that lead to giving up, if nothing but their number
// tells where a thread is. What can be seen of it is seen (W):
//
//   1  the loop gives up though nobody else has written
//   2  it succeeds in the third try, and says so
//   3  it gives up, by what is tested after the loop
//   4  the second try writes something else
//   5  each round stores its number
//   6  a failure for a reason ends the second try, and not the first
//   7  a try that is left out would race: a plain store beside it
//   8  an assertion inside of the loop
//   9  tries that are written one after the other, without a loop
//  10  a number that is looked at after another load
//  11  more tries than are followed
//
// run: flags=-DW=1 sc,tso,pso,ra,rc11,imm,armv8,c11,xmm error assertion
// run: flags=-DW=2 sc,tso,pso,ra,rc11,imm,armv8,c11,xmm error assertion
// run: flags=-DW=3 sc,tso,pso,ra,rc11,imm,armv8,c11,xmm error assertion
// run: flags=-DW=4 sc,tso,pso,ra,rc11,imm,armv8,c11,xmm error assertion
// run: flags=-DW=5 sc,tso,pso,ra,rc11,imm,armv8,c11,xmm error assertion
// run: flags=-DW=6 sc,tso,pso,ra,rc11,imm,armv8,c11,xmm error assertion
// run: flags=-DW=7 rc11,ra,imm,armv8 error race
// run: flags=-DW=8 sc,tso,pso,ra,rc11,imm,armv8,c11,xmm error assertion
// run: flags=-DW=9 sc,tso,pso,ra,rc11,imm,armv8,c11,xmm error assertion
// run: flags=-DW=10 sc,tso,pso,ra,rc11,imm,armv8,c11,xmm error assertion
// run: flags=-DW=11 sc,rc11 error assertion
#include "../common.h"
#include <string.h>

#define try(expected, wanted)                                                  \
  atomic_compare_exchange_weak_explicit(&x, (expected), (wanted), acqrel, acq)

static atomic_int x, y;
static int plain; // of main alone

static void *other(void *unused) {
#if W == 6
  store(&x, 1, rel);
#elif W == 7
  memcpy(&x, &(int){1}, sizeof x);
#endif
  return unused;
}

int main(void) {
  pthread_t id;
  pthread_create(&id, NULL, other, NULL);
  int old = 0, n = 0;
#if W == 1
  bool ok = false;
  for (n = 0; n < 5 && !ok; n++)
    ok = try(&old, 1);
  n = 0;
  assert(ok);
#elif W == 2
  while (n < 5 && !try(&old, 1))
    n++;
  assert(n != 2);
#elif W == 3
  while (n < 5 && !try(&old, 1))
    n++;
  assert(n != 5);
#elif W == 4
  while (n < 5 && !try(&old, 1 + (n == 1)))
    n++;
  assert(load(&x, rlx) != 2);
#elif W == 5
  for (; n < 5; n++) {
    plain = n;
    if (try(&old, 1))
      break;
  }
  assert(plain != 3);
#elif W == 6
  bool second = false;
  for (; n < 5; n++) {
    int was = old;
    if (try(&old, 2))
      break;
    if (old != was && n == 1) {
      second = true;
      break;
    }
  }
  assert(!second);
#elif W == 7
  for (; n < 3; n++)
    if (try(&old, 2))
      break;
#elif W == 8
  for (; n < 5; n++) {
    assert(n != 3);
    if (try(&old, 1))
      break;
  }
#elif W == 9
  assert(try(&old, 1) || try(&old, 1) || try(&old, 1));
#elif W == 10
  while (n < 5 && !try(&old, 1))
    n++;
  assert(load(&y, rlx) || n != 2);
#elif W == 11
  while (n < 100 && !try(&old, 1))
    n++;
  assert(n != 100);
#endif
  pthread_join(id, NULL);
  return 0;
}
