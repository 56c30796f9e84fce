// SPDX-License-Identifier: MIT
// What programs ask the operating system, with one answer for all: one
// processor, no signals, memory without files behind it.
#include <errno.h>
#include <sched.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "sync.h"

enum { PAGE = 4096 };

// -- the machine

int get_nprocs(void);
int get_nprocs_conf(void);
int sched_setaffinity(pid_t pid, size_t size, const void *set);
int sched_getaffinity(pid_t pid, size_t size, void *set);
char *setlocale(int category, const char *name);

int getpagesize(void) {
  return PAGE;
}

long sysconf(int name) {
  switch (name) {
  case _SC_PAGESIZE:
    return PAGE;
  case _SC_NPROCESSORS_CONF:
  case _SC_NPROCESSORS_ONLN:
    return 1;
  case _SC_LEVEL1_DCACHE_LINESIZE:
    return 64;
  case _SC_CLK_TCK:
    return 100;
  case _SC_OPEN_MAX:
    return 1024;
  case 75: // _SC_THREAD_STACK_MIN
    return 4 * PAGE;
  case _SC_PHYS_PAGES:
  case _SC_AVPHYS_PAGES:
    return (1l << 30) / PAGE;
  default:
    errno = EINVAL;
    return -1;
  }
}

// What the host's PTHREAD_STACK_MIN is.
long __sysconf(int name);
long __sysconf(int name) {
  return sysconf(name);
}

int gettid(void) {
  return (int)__heddle_self() + 1;
}

int sched_getcpu(void) {
  return 0;
}

int get_nprocs(void) {
  return 1;
}

int get_nprocs_conf(void) {
  return 1;
}

int sched_setaffinity(pid_t pid, size_t size, const void *set) {
  (void)pid, (void)size, (void)set;
  return 0;
}

int sched_getaffinity(pid_t pid, size_t size, void *set) {
  (void)pid;
  __builtin_memset(set, 0, size);
  if (size)
    *(unsigned char *)set = 1;
  return 0;
}

char *setlocale(int category, const char *name) {
  (void)category, (void)name;
  static char c_locale[] = "C";
  return c_locale;
}

// -- sleeping

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *duration,
                    struct timespec *left);

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *duration,
                    struct timespec *left) {
  (void)clock, (void)left;
  if (flags) // TIMER_ABSTIME
    time_passes_until(duration);
  else
    time_passes_for(duration);
  cancel_point();
  __heddle_yield();
  return 0;
}

// -- memory

void *mmap(void *wanted, size_t size, int protection, int flags, int file,
           off_t offset);
int munmap(void *at, size_t size);
int mprotect(void *at, size_t size, int protection);
int madvise(void *at, size_t size, int advice);
int mlock(const void *at, size_t size);
int mlockall(int flags);
void __heddle_unsupported_mmap_of_files_or_fixed_addresses(void);
void __heddle_unsupported_munmap_of_a_part(void);
void __heddle_unsupported_mprotect_that_forbids_accesses(void);

void *mmap(void *wanted, size_t size, int protection, int flags, int file,
           off_t offset) {
  enum { FIXED = 0x10, ANONYMOUS = 0x20 };
  (void)wanted, (void)protection, (void)file, (void)offset;
  if (!(flags & ANONYMOUS) || flags & FIXED)
    __heddle_unsupported_mmap_of_files_or_fixed_addresses();
  if (size == 0) {
    errno = EINVAL;
    return (void *)-1;
  }
  return __heddle_calloc((size + PAGE - 1) / PAGE * PAGE);
}

int munmap(void *at, size_t size) {
  if ((size + PAGE - 1) / PAGE * PAGE != __heddle_object_size(at))
    __heddle_unsupported_munmap_of_a_part();
  __heddle_free(at);
  return 0;
}

int mprotect(void *at, size_t size, int protection) {
  enum { READ_WRITE = 3 };
  (void)at, (void)size;
  if ((protection & READ_WRITE) != READ_WRITE) // there are no rights to lose
    __heddle_unsupported_mprotect_that_forbids_accesses();
  return 0;
}

int madvise(void *at, size_t size, int advice) {
  (void)at, (void)size, (void)advice;
  return 0;
}

int mlock(const void *at, size_t size) {
  (void)at, (void)size;
  return 0;
}

int mlockall(int flags) {
  (void)flags;
  return 0;
}

// -- choices: the first byte is from 0 to 3, the others are 0

ssize_t getrandom(void *to, size_t n, unsigned flags);
int getentropy(void *to, size_t n);

ssize_t getrandom(void *to, size_t n, unsigned flags) {
  (void)flags;
  __builtin_memset(to, 0, n);
  if (n)
    *(unsigned char *)to = (unsigned char)__heddle_choose(0, 3);
  return (ssize_t)n;
}

int getentropy(void *to, size_t n) {
  getrandom(to, n, 0);
  return 0;
}

// -- signals never come, so handlers are only remembered by nobody

typedef void (*handler)(int);
handler signal(int number, handler run);
int sigaction(int number, const void *now, void *old);
int sigemptyset(unsigned long *set);
int sigfillset(unsigned long *set);
int sigaddset(unsigned long *set, int number);
int sigprocmask(int how, const void *set, void *old);
int pthread_sigmask(int how, const void *set, void *old);
int raise(int number);

unsigned alarm(unsigned seconds);
int setitimer(int which, const void *now, void *old);
int prctl(int operation, ...);

// Nor does the one that this would send.
unsigned alarm(unsigned seconds) {
  (void)seconds;
  return 0;
}

int setitimer(int which, const void *now, void *old) {
  (void)which, (void)now, (void)old;
  return 0;
}

// Names and the like change nothing here; nothing can be asked for.
int prctl(int operation, ...) {
  switch (operation) {
  case 1:  // PR_SET_PDEATHSIG
  case 4:  // PR_SET_DUMPABLE
  case 15: // PR_SET_NAME
  case 29: // PR_SET_TIMERSLACK
  case 38: // PR_SET_NO_NEW_PRIVS
    return 0;
  default:
    errno = EINVAL;
    return -1;
  }
}

handler signal(int number, handler run) {
  (void)number, (void)run;
  return NULL; // SIG_DFL
}

// Nobody sends signals. Who asks about those of wrong accesses hears that they
// are ignored: Rust would prepare a second stack for each thread otherwise.
int sigaction(int number, const void *now, void *old) {
  enum { WRONG_ADDRESS = 7, WRONG_ACCESS = 11, IGNORED = 1 };
  if (!now && old && (number == WRONG_ADDRESS || number == WRONG_ACCESS))
    *(long *)old = IGNORED;
  return 0;
}

// One word of a sigset_t holds all signals.
int sigemptyset(unsigned long *set) {
  *set = 0;
  return 0;
}

int sigfillset(unsigned long *set) {
  *set = ~0ul;
  return 0;
}

int sigaddset(unsigned long *set, int number) {
  *set |= 1ul << (number - 1);
  return 0;
}

int sigprocmask(int how, const void *set, void *old) {
  (void)how, (void)set, (void)old;
  return 0;
}

int pthread_sigmask(int how, const void *set, void *old) {
  return sigprocmask(how, set, old);
}

// A handler that the program installed would not run, so only the signal that
// ends a program for certain is raised.
void __heddle_unsupported_raise_of_a_signal_other_than_SIGABRT(void);

int raise(int number) {
  enum { ABORT = 6 };
  if (number == ABORT)
    __heddle_abort();
  __heddle_unsupported_raise_of_a_signal_other_than_SIGABRT();
  return 0;
}
