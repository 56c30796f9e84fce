// SPDX-License-Identifier: MIT
// A program of two files, each with a static variable of the same name.
// expect: sc,rc11 ok 1
// files: files_part.c
#include "../common.h"

int part_next(void);
int shared = 4;
static int counter = 100;

int main(void) {
  assert(part_next() == 5 && part_next() == 6);
  assert(counter == 100);
  return 0;
}
