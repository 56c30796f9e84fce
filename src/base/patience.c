// SPDX-License-Identifier: MIT
// A timer's signal asks ten times a second, and looks whether it was heard. The
// handler must not allocate or lock: it reads clocks and a file, and sets
// flags.
#include "base/patience.h"

#include "base/fatal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

atomic_bool patience_is_asked, patience_is_over;

static struct patience limits;
static double began, began_wall; // by both clocks
static double heard;             // CPU time of the process
static const char *_Atomic why;

static double seconds_of(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static uint64_t resident_bytes(void) {
  char text[128] = {0};
  int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
  const char *at = text;
  uint64_t pages = 0;
  if (fd >= 0)
    close(fd);
  while (n > 0 && *at && *at != ' ')
    at++;
  while (*at == ' ')
    at++;
  for (; *at >= '0' && *at <= '9'; at++)
    pages = 10 * pages + (uint64_t)(*at - '0');
  return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static const char *limit_hit(double cpu) {
  if (atomic_load(limits.interrupted))
    return "interrupted";
  if (limits.max_time > 0 && cpu - began > limits.max_time)
    return "time";
  return limits.max_wall > 0 &&
                 seconds_of(CLOCK_MONOTONIC) - began_wall > limits.max_wall
             ? "wall-clock time"
             : NULL;
}

static bool takes_too_much(void) {
  return limits.max_memory && resident_bytes() > limits.max_memory;
}

static void on_alarm(int sig) {
  int saved = errno;
  double cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  (void)sig;
  if (!atomic_exchange(&patience_is_asked, true)) {
    heard = cpu;
  } else if (cpu - heard > limits.seconds / 10 && takes_too_much()) {
    // It could double in no time.
    why = "memory";
    atomic_store(&patience_is_over, true);
  } else if (cpu - heard > limits.seconds && limit_hit(cpu)) {
    why = limit_hit(cpu);
    atomic_store(&patience_is_over, true);
  }
  errno = saved;
}

static void set_timer(suseconds_t interval) {
  struct itimerval each = {.it_interval.tv_usec = interval,
                           .it_value.tv_usec = interval};
  setitimer(ITIMER_REAL, &each, NULL);
}

void patience_begin(const struct patience *p) {
  struct sigaction a = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
  limits = *p;
  began = heard = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  began_wall = seconds_of(CLOCK_MONOTONIC);
  patience_is_asked = patience_is_over = false;
  sigaction(SIGALRM, &a, NULL);
  set_timer(100000);
}

void patience_end(void) {
  struct sigaction none = {.sa_handler = SIG_IGN};
  set_timer(0);
  sigaction(SIGALRM, &none, NULL); // one may be on its way
  patience_is_over = false;
}

_Noreturn void patience_give_up(void) {
  patience_end(); // for who tells what is known
  fatal_limit(why);
}
