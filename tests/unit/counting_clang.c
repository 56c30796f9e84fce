// SPDX-License-Identifier: MIT
// A compiler that counts how often it runs: one byte for each run in the file
// `runs` of the directory (or in what $COUNTING names), then clang does the
// work. A program, since what scripts ask for is not seen.
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv) {
  const char *given = getenv("COUNTING");
  int runs = open(given ? given : "runs",
                  O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (argc < 1 || runs < 0 || write(runs, "x", 1) != 1)
    return 126;
  execv(CLANG, argv);
  return 127;
}
