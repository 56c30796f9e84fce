// SPDX-License-Identifier: MIT
// The arguments of main: the name of the program, what --args says, and no
// environment; the program may write to them.
// expect: all ok 1
// run: args=--args args=-n args=--args args=3 flags=-DGIVEN all ok 1
// run: args=--args args= flags=-DEMPTY all ok 1
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv, char **environment) {
  assert(argc >= 1 && strcmp(argv[0], "arguments") == 0);
  assert(argv[argc] == NULL && environment[0] == NULL);
#ifdef GIVEN
  int n = 0;
  for (int c; (c = getopt(argc, argv, "n:")) != -1;)
    if (c == 'n')
      n = atoi(optarg);
  assert(argc == 3 && n == 3 && optind == 3);
  argv[2][0] = '4';
  assert(atoi(argv[2]) == 4);
#elif defined EMPTY
  assert(argc == 2 && argv[1][0] == 0);
#else
  assert(argc == 1);
#endif
  return 0;
}
