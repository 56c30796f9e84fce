// SPDX-License-Identifier: MIT
// A library that is loaded into the compiler (LD_PRELOAD) and writes down what
// it looks at: files that it reads, names that it looks for in vain, variables
// of the environment, the clock. The bitcode cache asks whether any of that has
// changed. No option of clang tells it: its list of dependencies (-MD) has only
// what was found, so a header that is added where clang would look first, or
// one that `__has_include` asked for, would go unnoticed.
//
// Each function here does what the one of libc does and adds a record
// (watched.h). The list of functions is what clang 19 and LLVM import; the
// forms for old libraries (__xstat) are for clangs that were built on them.
#undef _FILE_OFFSET_BITS // it makes `open` another name of `open64`
#include "front/clang/watched.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define OURS __attribute__((visibility("default")))
#define REAL(name, ...)                                                        \
  ({                                                                           \
    static __typeof__(&(name)) real;                                           \
    if (!real)                                                                 \
      *(void **)&real = dlsym(RTLD_NEXT, #name);                               \
    real(__VA_ARGS__);                                                         \
  })

// -- records

static const char *variable(const char *name) {
  size_t n = strlen(name);
  for (char **v = environ; v && *v; v++)
    if (strncmp(*v, name, n) == 0 && (*v)[n] == '=')
      return *v + n + 1;
  return NULL;
}

// The log, opened by the process itself: a number that is inherited could be
// closed by a script in between and mean another file.
static int open_log(void) {
  static int fd = -2;
  if (fd == -2) {
    const char *path = variable(WATCH_LOG);
    fd = path ? REAL(open, path, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
  }
  return fd;
}

// One write for each record, so that processes do not mix theirs.
static void record(enum watched kind, const char *text,
                   const struct identity *id) {
  static int is_broken;
  int saved = errno, fd = open_log();
  size_t n = strlen(text);
  char line[2 * PATH_MAX];
  if (n + 2 + sizeof *id > sizeof line) {
    kind = WATCHED_DOUBT;
    n = 0;
  }
  line[0] = (char)kind;
  memcpy(line + 1, text, n);
  line[n + 1] = 0;
  size_t len = n + 2;
  if (watched_has_identity((char)kind)) {
    memcpy(line + len, id, sizeof *id);
    len += sizeof *id;
  }
  // With one record lost the others are worth nothing.
  if (fd >= 0 && !is_broken && write(fd, line, len) != (ssize_t)len)
    is_broken = ftruncate(fd, 0) == 0 || 1;
  errno = saved;
}

// -- programs

// It has no name that lasts (clang.c), and the key knows it.
static int is_this_library(const struct dl_phdr_info *object) {
  static const char here;
  Dl_info own;
  return dladdr(&here, &own) && (ElfW(Addr))own.dli_fbase == object->dlpi_addr;
}

static int record_object(struct dl_phdr_info *object, size_t size, void *seen) {
  (void)size;
  struct stat st;
  const char *path = *object->dlpi_name ? object->dlpi_name : "/proc/self/exe";
  char exe[PATH_MAX];
  if (object->dlpi_adds == *(unsigned long long *)seen)
    return 1;
  if (is_this_library(object))
    return 0;
  if (!*object->dlpi_name) {
    ssize_t n = REAL(readlink, path, exe, sizeof exe - 1);
    exe[n > 0 ? n : 0] = 0;
    path = exe;
  }
  if (*path == '/' && REAL(stat, path, &st) == 0) {
    struct identity id = identity_of(&st);
    record(WATCHED_PROGRAM, path, &id);
  }
  return 0;
}

static int count_objects(struct dl_phdr_info *object, size_t size, void *ret) {
  (void)size;
  *(unsigned long long *)ret = object->dlpi_adds;
  return 1;
}

// What the process consists of; again when a plugin was loaded.
static void record_objects(void) {
  static unsigned long long seen;
  dl_iterate_phdr(record_object, &seen);
  dl_iterate_phdr(count_objects, &seen);
}

// The program itself may look at nothing and start another one.
__attribute__((constructor)) static void record_start(void) {
  char exe[PATH_MAX];
  ssize_t n = REAL(readlink, "/proc/self/exe", exe, sizeof exe - 1);
  exe[n > 0 ? n : 0] = 0;
  record(n > 0 ? WATCHED_START : WATCHED_DOUBT, exe, NULL);
  record_objects();
}

// -- files

// A file whose last change is of this tick of the clock may change once more
// without a trace.
static int is_settled(const struct identity *id) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME_COARSE, &now);
  return id->changed != now.tv_sec ? id->changed < now.tv_sec
                                   : id->changed_ns < now.tv_nsec;
}

// A pipe or a device cannot be asked whether it would say the same again.
static void record_open(const char *path, int fd, enum watched kind) {
  struct stat st;
  int saved = errno;
  int is_known =
      REAL(fstat, fd, &st) == 0 && (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode));
  struct identity id = {0};
  if (is_known)
    id = identity_of(&st);
  record(is_known && is_settled(&id) ? kind : WATCHED_DOUBT, path, &id);
  record_objects();
  errno = saved;
}

static int opened(const char *path, int flags, int fd) {
  if (fd >= 0 && (flags & O_ACCMODE) != O_WRONLY)
    record_open(path, fd, WATCHED_FILE);
  else if (fd < 0 && (flags & O_ACCMODE) == O_RDONLY)
    record(WATCHED_ABSENT, path, NULL);
  return fd;
}

// `id` is what was told of the file, or NULL: only whether it is there. What is
// in /proc is another's for another process.
static int asked(const char *path, int result, mode_t mode,
                 const struct identity *id) {
  if (result != 0)
    record(WATCHED_ABSENT, path, NULL);
  else if (S_ISDIR(mode))
    record(WATCHED_DIRECTORY, path, NULL);
  else if (id && S_ISREG(mode) && strncmp(path, "/proc/", 6) != 0)
    record(WATCHED_STAT, path, id);
  else
    record(WATCHED_PRESENT, path, NULL);
  return result;
}

#define OPEN(name)                                                             \
  OURS int name(const char *path, int flags, ...) {                            \
    va_list ap;                                                                \
    va_start(ap, flags);                                                       \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(ap, mode_t) : 0;      \
    va_end(ap);                                                                \
    return opened(path, flags, REAL(name, path, flags, mode));                 \
  }
OPEN(open)
OPEN(open64)

#define ASKED(path, call, ret)                                                 \
  ({                                                                           \
    int result = (call);                                                       \
    struct identity id = {0};                                                  \
    if (result == 0)                                                           \
      id = IDENTITY_OF(ret);                                                   \
    asked(path, result, result == 0 ? (ret)->st_mode : 0, &id);                \
  })
#define STAT(name, type)                                                       \
  OURS int name(const char *path, struct type *ret) {                          \
    return ASKED(path, REAL(name, path, ret), ret);                            \
  }
STAT(stat, stat)
STAT(stat64, stat64)
STAT(lstat, stat)
STAT(lstat64, stat64)

#define OLD_STAT(name, type)                                                   \
  int name(int version, const char *path, struct type *ret);                   \
  OURS int name(int version, const char *path, struct type *ret) {             \
    return ASKED(path, REAL(name, version, path, ret), ret);                   \
  }
OLD_STAT(__xstat, stat)
OLD_STAT(__xstat64, stat64)
OLD_STAT(__lxstat, stat)
OLD_STAT(__lxstat64, stat64)

OURS int access(const char *path, int how) {
  int result = REAL(access, path, how);
  struct stat st;
  int saved = errno;
  int is_directory = REAL(stat, path, &st) == 0 && S_ISDIR(st.st_mode);
  errno = saved;
  return asked(path, result, is_directory ? S_IFDIR : S_IFREG, NULL);
}

OURS DIR *opendir(const char *path) {
  DIR *d = REAL(opendir, path);
  if (d)
    record_open(path, dirfd(d), WATCHED_LIST);
  else
    record(WATCHED_ABSENT, path, NULL);
  return d;
}

OURS FILE *fopen(const char *path, const char *mode) {
  FILE *f = REAL(fopen, path, mode);
  if (*mode == 'r')
    opened(path, O_RDONLY, f ? fileno(f) : -1);
  return f;
}

OURS FILE *fopen64(const char *path, const char *mode) {
  FILE *f = REAL(fopen64, path, mode);
  if (*mode == 'r')
    opened(path, O_RDONLY, f ? fileno(f) : -1);
  return f;
}

// -- the environment and the clock

OURS char *getenv(const char *name) {
  const char *value = variable(name);
  if (strcmp(name, "PWD") == 0)
    ; // a shell in between sets it; the key has the directory
  else if (!value)
    record(WATCHED_UNSET, name, NULL);
  else // The variables lie as NAME=VALUE.
    record(WATCHED_SET, value - strlen(name) - 1, NULL);
  return (char *)(uintptr_t)value;
}

OURS char *secure_getenv(const char *name) {
  return getenv(name);
}

// __DATE__, __TIME__ and __TIMESTAMP__.
OURS struct tm *localtime(const time_t *t) {
  record(WATCHED_CLOCK, "", NULL);
  return REAL(localtime, t);
}

OURS struct tm *gmtime(const time_t *t) {
  record(WATCHED_CLOCK, "", NULL);
  return REAL(gmtime, t);
}
