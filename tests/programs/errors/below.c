// SPDX-License-Identifier: MIT
// An access in front of an object is out of its bounds, whatever is there.
// run: flags=-DACCESS=first[minus_one]=1 sc,rc11,imm error out-of-bounds
// run: flags=-DACCESS=second[minus_one]=1 sc,rc11,imm error out-of-bounds
// run: flags=-DACCESS=(void)first[minus_one] sc,rc11 error out-of-bounds
// run: flags=-DACCESS=local[minus_one]=1 sc,rc11,imm error out-of-bounds
// run: flags=-DACCESS=(void)later[minus_one] sc,rc11 error out-of-bounds
// run: flags=-DACCESS=own[minus_one]=1 sc,rc11,imm error out-of-bounds
// run: flags=-DACCESS=(void)more[minus_one] sc,rc11 error out-of-bounds
#include "../common.h"

static _Thread_local int own[2], more[2];

int main(void) {
  int minus_one = -1;
  int *first = malloc(8), *second = malloc(8);
  int local[2] = {0}, later[2] = {0};
  free(second);
  second = malloc(8);
  ACCESS; // BUG
  (void)local, (void)later, (void)own, (void)more;
  return first == second;
}
