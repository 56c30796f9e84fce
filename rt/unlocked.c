// SPDX-License-Identifier: MIT
// The locks of streams, which their functions do not take: what one call
// prints is one piece. So only programs that take them see them.
#include <stdio.h>
#include <threads.h>

#include "sync.h"

static mtx_t locks[3] = {{.__kind = MUTEX_RECURSIVE},
                         {.__kind = MUTEX_RECURSIVE},
                         {.__kind = MUTEX_RECURSIVE}};

static mtx_t *lock_of(FILE *file) {
  return &locks[file == stdin ? 0 : file == stdout ? 1 : 2];
}

void flockfile(FILE *file);
void funlockfile(FILE *file);
int ftrylockfile(FILE *file);

void flockfile(FILE *file) {
  mtx_lock(lock_of(file));
}
void funlockfile(FILE *file) {
  mtx_unlock(lock_of(file));
}
int ftrylockfile(FILE *file) {
  return mtx_trylock(lock_of(file));
}

#define UNLOCKED(result, name, parameters, ...)                                \
  result name##_unlocked parameters;                                           \
  result name##_unlocked parameters {                                          \
    return name(__VA_ARGS__);                                                  \
  }
UNLOCKED(int, putc, (int c, FILE *file), c, file)
UNLOCKED(int, fputc, (int c, FILE *file), c, file)
UNLOCKED(int, putchar, (int c), c)
UNLOCKED(int, fputs, (const char *text, FILE *file), text, file)
UNLOCKED(int, fflush, (FILE * file), file)
UNLOCKED(int, getc, (FILE * file), file)
UNLOCKED(int, fgetc, (FILE * file), file)
UNLOCKED(int, feof, (FILE * file), file)
UNLOCKED(int, ferror, (FILE * file), file)
UNLOCKED(size_t, fwrite,
         (const void *data, size_t size, size_t count, FILE *file), data, size,
         count, file)
