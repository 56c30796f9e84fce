// SPDX-License-Identifier: MIT
// Semaphores with names. Nobody outside of the program knows them, so that one
// is there only after somebody here has made it; it stays until its name is
// taken away and everybody has closed it.
#include <errno.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "builtin.h"

enum { O_CREAT = 0100, O_EXCL = 0200 }; // as the host has them

struct named {
  sem_t sem; // first: sem_close is given this
  struct named *next;
  char *name; // NULL: it has none any more
  unsigned users;
};

static struct named *all;
static int lock;

static struct named *find(const char *name) {
  struct named *n = all;
  while (n && (!n->name || strcmp(n->name, name) != 0))
    n = n->next;
  return n;
}

static struct named *make(const char *name, unsigned value) {
  struct named *n = malloc(sizeof *n);
  *n = (struct named){.next = all, .name = strdup(name)};
  sem_init(&n->sem, /*shared=*/0, value);
  return all = n;
}

static void free_if_unused(struct named *n) {
  if (n->users || n->name)
    return;
  struct named **at = &all;
  while (*at != n)
    at = &(*at)->next;
  *at = n->next;
  sem_destroy(&n->sem);
  free(n);
}

static int open_error(struct named *n, int flags, unsigned value) {
  return n && flags & O_CREAT && flags & O_EXCL ? EEXIST
         : !n && !(flags & O_CREAT)             ? ENOENT
         : !n && value > SEM_VALUE_MAX          ? EINVAL
                                                : 0;
}

sem_t *sem_open(const char *name, int flags, ...) {
  unsigned value = 0;
  if (flags & O_CREAT) {
    va_list rest;
    va_start(rest, flags);
    (void)va_arg(rest, unsigned); // the mode
    value = va_arg(rest, unsigned);
    va_end(rest);
  }
  __heddle_lock(&lock);
  struct named *n = find(name);
  int error = open_error(n, flags, value);
  if (!error) {
    n = n ? n : make(name, value);
    n->users++;
  }
  __heddle_unlock(&lock);
  if (error)
    errno = error;
  return error ? SEM_FAILED : &n->sem;
}

int sem_close(sem_t *sem) {
  struct named *n = (struct named *)sem;
  __heddle_lock(&lock);
  n->users--;
  free_if_unused(n);
  __heddle_unlock(&lock);
  return 0;
}

int sem_unlink(const char *name) {
  __heddle_lock(&lock);
  struct named *n = find(name);
  if (n) {
    free(n->name);
    n->name = NULL;
    free_if_unused(n);
  }
  __heddle_unlock(&lock);
  if (!n)
    errno = ENOENT;
  return n ? 0 : -1;
}
