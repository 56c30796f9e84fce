// SPDX-License-Identifier: MIT
// The second file of files.c.
// part-of: files.c
extern int shared;
static int counter;

int part_next(void) {
  counter++;
  return shared + counter;
}
