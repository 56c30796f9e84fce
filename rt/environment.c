// SPDX-License-Identifier: MIT
// The environment: empty at first, and what the program makes of it. It is
// ordinary memory, so that a thread that changes it while another one looks is
// a race, as POSIX has it. What setenv copied ends when it is replaced.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "builtin.h"

enum { MAX_VARIABLES = 64 };
static char *entries[MAX_VARIABLES + 1]; // a null is behind the last one
static int is_copy[MAX_VARIABLES];       // made by setenv
char **environ;                          // null: nothing was set yet

char *secure_getenv(const char *name);
int clearenv(void);

static int is_of(const char *entry, const char *name, size_t n) {
  return strncmp(entry, name, n) == 0 && entry[n] == '=';
}

// Where the variable is, or the place behind the last one.
static size_t find(const char *name, size_t n) {
  size_t i = 0;
  while (environ[i] && !is_of(environ[i], name, n))
    i++;
  return i;
}

char *getenv(const char *name) {
  size_t n = strlen(name);
  if (!environ)
    return NULL;
  char *entry = environ[find(name, n)];
  return entry ? entry + n + 1 : NULL;
}

char *secure_getenv(const char *name) {
  return getenv(name);
}

// The program may have given `environ` a list of its own: that is taken over.
static void own_entries(void) {
  if (environ == entries)
    return;
  size_t n = 0;
  for (; environ && environ[n]; n++) {
    if (n == MAX_VARIABLES)
      __heddle_limit("more than 64 variables in the environment");
    entries[n] = environ[n];
    is_copy[n] = 0;
  }
  entries[n] = NULL;
  environ = entries;
}

static void drop(size_t i) {
  if (is_copy[i])
    free(entries[i]);
  is_copy[i] = 0;
}

static void put(size_t i, char *entry, int is_own) {
  if (i == MAX_VARIABLES)
    __heddle_limit("more than 64 variables in the environment");
  if (entries[i])
    drop(i);
  entries[i] = entry;
  is_copy[i] = is_own;
}

static int is_name(const char *name) {
  return name && *name && !strchr(name, '=');
}

int setenv(const char *name, const char *value, int overwrite) {
  if (!is_name(name)) {
    errno = EINVAL;
    return -1;
  }
  own_entries();
  size_t n = strlen(name), m = strlen(value), i = find(name, n);
  if (entries[i] && !overwrite)
    return 0;
  char *entry = malloc(n + m + 2);
  memcpy(entry, name, n);
  entry[n] = '=';
  memcpy(entry + n + 1, value, m + 1);
  put(i, entry, /*is_own=*/1);
  return 0;
}

int unsetenv(const char *name) {
  if (!is_name(name)) {
    errno = EINVAL;
    return -1;
  }
  own_entries();
  size_t i = find(name, strlen(name));
  if (!entries[i])
    return 0;
  drop(i);
  for (; entries[i]; i++) {
    entries[i] = entries[i + 1];
    is_copy[i] = entries[i] ? is_copy[i + 1] : 0;
  }
  return 0;
}

// The text itself becomes a part of the environment.
int putenv(char *entry) {
  const char *end = strchr(entry, '=');
  if (!end)
    return unsetenv(entry);
  own_entries();
  put(find(entry, (size_t)(end - entry)), entry, /*is_own=*/0);
  return 0;
}

int clearenv(void) {
  own_entries();
  for (size_t i = 0; entries[i]; i++) {
    drop(i);
    entries[i] = NULL;
  }
  environ = NULL;
  return 0;
}
