// SPDX-License-Identifier: MIT
// The child reads a file in memory, writes to a pipe, and ends with its parent.
#include "cmd/self.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static bool fill(int fd, const char *text) {
  size_t n = strlen(text);
  for (ssize_t put; n > 0; text += put, n -= (size_t)put) {
    put = write(fd, text, n);
    if (put < 0)
      return false;
  }
  return lseek(fd, 0, SEEK_SET) == 0;
}

static void be_heddle(const word_list *args, const char *folder, int in,
                      int out, int err, pid_t parent) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  bool is_ready = getppid() == parent && dup2(in, STDIN_FILENO) >= 0 &&
                  dup2(out, STDOUT_FILENO) >= 0 &&
                  dup2(err, STDERR_FILENO) >= 0 &&
                  (!folder || chdir(folder) == 0);
  if (!is_ready)
    _exit(EXIT_INTERNAL);
  static char name[] = "heddle";
  char **argv = xcalloc(args->len + 2, sizeof *argv);
  argv[0] = name;
  for (uint32_t i = 0; i < args->len; i++)
    argv[i + 1] = strdup(args->at[i]);
  setenv("NO_COLOR", "1", 1);
  execv("/proc/self/exe", argv);
  _exit(EXIT_INTERNAL);
}

bool self_start(struct self *s, const word_list *args, const char *folder,
                const char *input, struct diag *why) {
  int ends[2] = {-1, -1};
  int in = memfd_create("input", MFD_CLOEXEC);
  *s = (struct self){.err = memfd_create("complaints", MFD_CLOEXEC)};
  bool ok = in >= 0 && s->err >= 0 && fill(in, input ? input : "") &&
            pipe2(ends, O_CLOEXEC) == 0;
  if (ok) {
    fflush(NULL);
    pid_t parent = getpid();
    s->pid = fork();
    if (s->pid == 0)
      be_heddle(args, folder, in, ends[1], s->err, parent);
    ok = s->pid > 0;
  }
  if (!ok)
    diag_set(why, NULL, 0, "cannot start a check: %s", strerror(errno));
  s->out = ends[0];
  if (ends[1] >= 0)
    close(ends[1]);
  if (in >= 0)
    close(in);
  if (!ok && s->err >= 0)
    close(s->err);
  if (!ok)
    s->pid = 0;
  return ok;
}

static void finish(struct self *s) {
  int status = 0;
  char part[4096];
  while (waitpid(s->pid, &status, 0) < 0 && errno == EINTR)
    continue;
  s->code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  lseek(s->err, 0, SEEK_SET);
  for (ssize_t n; (n = read(s->err, part, sizeof part)) > 0;)
    str_add_bytes(&s->complaints, part, (size_t)n);
  close(s->err);
  close(s->out);
  s->pid = 0;
}

bool self_read(struct self *s) {
  char part[16384];
  ssize_t n = read(s->out, part, sizeof part);
  if (n > 0)
    str_add_bytes(&s->printed, part, (size_t)n);
  if (n > 0 || (n < 0 && errno == EINTR))
    return true;
  finish(s);
  return false;
}

bool self_run(struct self *s, const word_list *args, const char *folder,
              const char *input, struct diag *why) {
  if (!self_start(s, args, folder, input, why))
    return false;
  while (self_read(s))
    continue;
  return true;
}

void self_done(struct self *s) {
  if (s->pid) {
    kill(s->pid, SIGKILL);
    finish(s);
  }
  str_done(&s->printed);
  str_done(&s->complaints);
  *s = (struct self){0};
}
