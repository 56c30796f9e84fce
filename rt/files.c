// SPDX-License-Identifier: MIT
// There are no files: calls that ask for one by its name fail as in an empty
// directory, and a warning says so. Libraries that look for a setting or a
// device have another way then. A program that opens a stream to write to it
// has none: it would give up, and nothing of it would be checked.
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include "builtin.h"

static int no_file(const char *call) {
  __heddle_no_system_call(call, 0);
  errno = ENOENT;
  return -1;
}

#pragma clang diagnostic ignored "-Wunused-parameter"
#define NO_FILE(result, name, parameters)                                      \
  result name parameters;                                                      \
  result name parameters {                                                     \
    return no_file("there are no files, so " #name " fails with ENOENT");      \
  }
NO_FILE(int, open, (const char *path, int flags, ...))
NO_FILE(int, open64, (const char *path, int flags, ...))
NO_FILE(int, openat, (int folder, const char *path, int flags, ...))
NO_FILE(int, access, (const char *path, int mode))
NO_FILE(int, stat, (const char *path, void *to))
NO_FILE(int, lstat, (const char *path, void *to))
NO_FILE(ssize_t, readlink, (const char *path, char *to, size_t size))

void __heddle_unsupported_fopen_for_writing(void);
FILE *fopen64(const char *path, const char *mode);
FILE *fopen(const char *path, const char *mode);
void *opendir(const char *path);

FILE *fopen(const char *path, const char *mode) {
  (void)path;
  if (*mode != 'r')
    __heddle_unsupported_fopen_for_writing();
  no_file("there are no files, so fopen fails with ENOENT");
  return NULL;
}

FILE *fopen64(const char *path, const char *mode) {
  return fopen(path, mode);
}

void *opendir(const char *path) {
  (void)path;
  no_file("there are no files, so opendir fails with ENOENT");
  return NULL;
}

void setlinebuf(FILE *file) {
  (void)file;
}
