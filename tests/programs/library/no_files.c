// SPDX-License-Identifier: MIT
// Libraries ask for settings and devices by their names, and do without when
// there are none.
// run: sc,rc11 ok 1
// run: args=--error=system-call sc,rc11 error system-call
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
  char text[8];
  struct stat about;
  assert(open("/dev/urandom", O_RDONLY) == -1 && errno == ENOENT); // BUG
  errno = 0;
  assert(access("/proc/self", R_OK) == -1 && errno == ENOENT);
  assert(openat(AT_FDCWD, "x", O_RDWR | O_CREAT, 0600) == -1);
  assert(stat("/sys", &about) == -1 && lstat("/sys", &about) == -1);
  assert(readlink("/proc/self/exe", text, sizeof text) == -1);
  errno = 0;
  assert(!fopen("/proc/cpuinfo", "r") && errno == ENOENT);
  errno = 0;
  assert(!opendir("/sys/devices/system/node") && errno == ENOENT);
  return 0;
}
