// SPDX-License-Identifier: MIT
// More of what programs ask and tell the operating system: priorities, limits
// and names without effect, sets of processors, output to the descriptors that
// are always open, and waiting for nothing. Structures of the host that nobody
// here needs are memory that is cleared.
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "sync.h"

// -- processes and processors

pid_t getppid(void);
int getcpu(unsigned *cpu, unsigned *node);
int __sched_cpucount(size_t size, const void *set);
void *__sched_cpualloc(size_t count);
void __sched_cpufree(void *set);
int sched_setscheduler(pid_t pid, int policy, const void *parameters);
int sched_getscheduler(pid_t pid);
int sched_setparam(pid_t pid, const void *parameters);
int sched_getparam(pid_t pid, int *parameters);
int sched_get_priority_min(int policy);
int sched_get_priority_max(int policy);
int nice(int by);
int getpriority(int which, unsigned who);
int setpriority(int which, unsigned who, int priority);

// Somebody, and not the superuser.
enum { SOMEBODY = 1000 };
unsigned getuid(void);
unsigned geteuid(void);
unsigned getgid(void);
unsigned getegid(void);
unsigned getuid(void) {
  return SOMEBODY;
}
unsigned geteuid(void) {
  return SOMEBODY;
}
unsigned getgid(void) {
  return SOMEBODY;
}
unsigned getegid(void) {
  return SOMEBODY;
}

pid_t getppid(void) {
  return 1;
}

int getcpu(unsigned *cpu, unsigned *node) {
  if (cpu)
    *cpu = 0;
  if (node)
    *node = 0;
  return 0;
}

int __sched_cpucount(size_t size, const void *set) {
  int n = 0;
  for (size_t i = 0; i < size; i++)
    n += __builtin_popcount(((const unsigned char *)set)[i]);
  return n;
}

void *__sched_cpualloc(size_t count) {
  return malloc((count + 63) / 64 * 8);
}

void __sched_cpufree(void *set) {
  free(set);
}

int sched_setscheduler(pid_t pid, int policy, const void *parameters) {
  (void)pid, (void)policy, (void)parameters;
  return 0;
}

int sched_getscheduler(pid_t pid) {
  (void)pid;
  return 0;
}

int sched_setparam(pid_t pid, const void *parameters) {
  (void)pid, (void)parameters;
  return 0;
}

int sched_getparam(pid_t pid, int *parameters) {
  (void)pid;
  *parameters = 0;
  return 0;
}

int sched_get_priority_min(int policy) {
  return policy == 1 || policy == 2; // SCHED_FIFO, SCHED_RR
}

int sched_get_priority_max(int policy) {
  return policy == 1 || policy == 2 ? 99 : 0;
}

int nice(int by) {
  (void)by;
  return 0;
}

int getpriority(int which, unsigned who) {
  (void)which, (void)who;
  return 0;
}

int setpriority(int which, unsigned who, int priority) {
  (void)which, (void)who, (void)priority;
  return 0;
}

// -- limits, times and names

struct limit {
  unsigned long now, most;
};
enum { SIZE_OF_RUSAGE = 144, SIZE_OF_TMS = 32, SIZE_OF_NAME = 65, NAMES = 6 };
int getrlimit(int which, struct limit *ret);
int setrlimit(int which, const struct limit *limit);
int getrusage(int who, void *ret);
long times(void *ret);
int gethostname(char *name, size_t size);
int uname(char names[NAMES][SIZE_OF_NAME]);
int pthread_atfork(void (*before)(void), void (*parent)(void),
                   void (*child)(void));
int pthread_getconcurrency(void);

int getrlimit(int which, struct limit *ret) {
  (void)which;
  *ret = (struct limit){-1ul, -1ul};
  return 0;
}

int setrlimit(int which, const struct limit *limit) {
  (void)which, (void)limit;
  return 0;
}

int getrusage(int who, void *ret) {
  (void)who;
  memset(ret, 0, SIZE_OF_RUSAGE);
  return 0;
}

long times(void *ret) {
  if (ret)
    memset(ret, 0, SIZE_OF_TMS);
  return 0;
}

int gethostname(char *name, size_t size) {
  if (size < sizeof "heddle") {
    errno = ENAMETOOLONG;
    return -1;
  }
  strcpy(name, "heddle");
  return 0;
}

int uname(char names[NAMES][SIZE_OF_NAME]) {
  static const char *const all[NAMES] = {"Linux", "heddle", "6.0.0",
                                         "#1",    "x86_64", "(none)"};
  for (int i = 0; i < NAMES; i++)
    strcpy(names[i], all[i]);
  return 0;
}

// Nothing forks.
int pthread_atfork(void (*before)(void), void (*parent)(void),
                   void (*child)(void)) {
  (void)before, (void)parent, (void)child;
  return 0;
}

int pthread_getconcurrency(void) {
  return 0;
}

// -- descriptors

int isatty(int file);
int fileno(FILE *file);
ssize_t write(int file, const void *data, size_t size);
int poll(void *files, unsigned long count, int timeout);
int select(int count, void *reads, void *writes, void *errors, void *timeout);
void __heddle_unsupported_write_to_a_file(void);
void __heddle_unsupported_poll_of_a_file(void);
void __heddle_unsupported_select_of_a_file(void);

int isatty(int file) {
  (void)file;
  errno = ENOTTY;
  return 0;
}

int fileno(FILE *file) {
  return file == stdin ? 0 : file == stdout ? 1 : 2;
}

ssize_t write(int file, const void *data, size_t size) {
  if (file != 1 && file != 2)
    __heddle_unsupported_write_to_a_file();
  cancel_point();
  fwrite(data, 1, size, stdout);
  return (ssize_t)size;
}

// Without files it is a way to sleep. The standard ones are open: who asks only
// for errors hears that there are none.
struct polled {
  int file;
  short events, happened;
};

int poll(void *files, unsigned long count, int timeout) {
  struct polled *asked = files;
  for (unsigned long i = 0; i < count; i++) {
    if (asked[i].events || asked[i].file > 2 || timeout)
      __heddle_unsupported_poll_of_a_file();
    asked[i].happened = 0;
  }
  cancel_point();
  __heddle_yield();
  return 0;
}

int select(int count, void *reads, void *writes, void *errors, void *timeout) {
  (void)reads, (void)writes, (void)errors, (void)timeout;
  if (count)
    __heddle_unsupported_select_of_a_file();
  cancel_point();
  __heddle_yield();
  return 0;
}

// -- <err.h>: the name of the program is left out

void vwarnx(const char *format, va_list list);
void warnx(const char *format, ...);
void warn(const char *format, ...);
void errx(int status, const char *format, ...);
void err(int status, const char *format, ...);

void vwarnx(const char *format, va_list list) {
  if (format)
    vfprintf(stderr, format, list);
  fputs("\n", stderr);
}

static void add_error(const char *format, va_list list) {
  if (format) {
    vfprintf(stderr, format, list);
    fputs(": ", stderr);
  }
  fputs(strerror(errno), stderr);
  fputs("\n", stderr);
}

#define PRINT(function)                                                        \
  va_list list;                                                                \
  va_start(list, format);                                                      \
  function(format, list);                                                      \
  va_end(list)

void warnx(const char *format, ...) {
  PRINT(vwarnx);
}

void warn(const char *format, ...) {
  PRINT(add_error);
}

void errx(int status, const char *format, ...) {
  PRINT(vwarnx);
  exit(status);
}

void err(int status, const char *format, ...) {
  PRINT(add_error);
  exit(status);
}

// -- random numbers: choices, as those of rand

void srand48(long seed);
long lrand48(void);
double drand48(void);
unsigned arc4random(void);
unsigned arc4random_uniform(unsigned below);
void arc4random_buf(void *to, size_t size);

void srand48(long seed) {
  (void)seed;
}

// With a state that the caller has, which they change, as rand_r does.
struct drand48_data;
int srand48_r(long seed, struct drand48_data *state);
int lrand48_r(struct drand48_data *state, long *ret);
int drand48_r(struct drand48_data *state, double *ret);
long nrand48(unsigned short state[3]);
double erand48(unsigned short state[3]);

int srand48_r(long seed, struct drand48_data *state) {
  *(unsigned short *)state = (unsigned short)seed;
  return 0;
}

long nrand48(unsigned short state[3]) {
  state[0]++;
  return __heddle_sample(__func__, 0, 3);
}

double erand48(unsigned short state[3]) {
  state[0]++;
  return (double)__heddle_sample(__func__, 0, 3) / 4;
}

int lrand48_r(struct drand48_data *state, long *ret) {
  ++*(unsigned short *)state;
  *ret = __heddle_sample(__func__, 0, 3);
  return 0;
}

int drand48_r(struct drand48_data *state, double *ret) {
  ++*(unsigned short *)state;
  *ret = (double)__heddle_sample(__func__, 0, 3) / 4;
  return 0;
}

long lrand48(void) {
  return __heddle_sample(__func__, 0, 3);
}

double drand48(void) {
  return (double)__heddle_sample(__func__, 0, 3) / 4;
}

unsigned arc4random(void) {
  return (unsigned)__heddle_sample(__func__, 0, 3);
}

unsigned arc4random_uniform(unsigned below) {
  if (below <= 4)
    return below < 2 ? 0 : (unsigned)__heddle_choose(0, below - 1);
  return (unsigned)__heddle_sample(__func__, 0, 3);
}

void arc4random_buf(void *to, size_t size) {
  memset(to, 0, size);
  if (size)
    *(unsigned char *)to = (unsigned char)__heddle_sample(__func__, 0, 3);
}
