// SPDX-License-Identifier: MIT
// What Rust's library asks of the system, beyond what C programs do. It is
// asked once, when a program or a thread starts, and takes "there is none" for
// an answer nearly everywhere.
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "builtin.h"

void *mmap(void *wanted, size_t size, int protection, int flags, int file,
           long offset);
void *mmap64(void *wanted, size_t size, int protection, int flags, int file,
             long offset);
void *mmap64(void *wanted, size_t size, int protection, int flags, int file,
             long offset) {
  return mmap(wanted, size, protection, flags, file, offset);
}

unsigned long getauxval(unsigned long what);
unsigned long getauxval(unsigned long what) {
  (void)what;
  errno = ENOENT;
  return 0;
}

int sigaltstack(const void *now, void *old);
int sigaltstack(const void *now, void *old) {
  (void)now, (void)old;
  return 0;
}

// Where a stack lies is no question here.
int pthread_getattr_np(unsigned long thread, void *attributes);
int pthread_getattr_np(unsigned long thread, void *attributes) {
  (void)thread, (void)attributes;
  return ENOSYS;
}

// Functions that newer systems have: there are none.
void *dlsym(void *library, const char *name);
void *dlsym(void *library, const char *name) {
  (void)library, (void)name;
  return NULL;
}

const char *gnu_get_libc_version(void);
const char *gnu_get_libc_version(void) {
  return "2.36";
}

struct piece {
  const void *at;
  size_t size;
};

long write(int file, const void *data, size_t size);
long writev(int file, const struct piece *pieces, int count);
long writev(int file, const struct piece *pieces, int count) {
  long all = 0;
  for (int i = 0; i < count; i++)
    all += write(file, pieces[i].at, pieces[i].size);
  return all;
}

// What passes the time between two tries (src/front/spins.c).
void heddle_rust_back_off(const void *count);
void heddle_rust_back_off(const void *count) {
  (void)count;
}

// -- panics

// What core::panicking::panic_fmt is given: the constant parts of a message,
// and what is formatted between them, which is not looked at.
struct arguments {
  const struct piece *strings;
  size_t count;
  const void *values;
  size_t nvalues;
};

// A single string may be named by a variable; more are constants.
static _Noreturn void panic(const struct arguments *a) {
  if (a->count == 1 && a->nvalues == 0)
    __heddle_panic(a->strings->at, a->strings->size, (size_t)-1);
  __heddle_panic(a->strings, a->count, a->nvalues);
}

_Noreturn void heddle_rust_panic(const struct arguments *a, const void *place);
_Noreturn void heddle_rust_panic(const struct arguments *a, const void *place) {
  (void)place;
  panic(a);
}

_Noreturn void heddle_rust_panic_nounwind(const struct arguments *a,
                                          _Bool is_silent, const void *place);
_Noreturn void heddle_rust_panic_nounwind(const struct arguments *a,
                                          _Bool is_silent, const void *place) {
  (void)is_silent, (void)place;
  panic(a);
}
