// SPDX-License-Identifier: MIT
// Compilers run as child processes, and everything they write goes to memory
// (memfd), so no file is left behind.
#include "front/clang/child.h"
#include "front/clang/watched.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

bool child_read(int fd, struct bitcode *ret) {
  struct stat st;
  if (fstat(fd, &st) != 0)
    return false;
  size_t len = (size_t)st.st_size, got = 0;
  char *bytes = xmalloc(len + 1);
  for (ssize_t n; got < len; got += (size_t)n) {
    n = pread(fd, bytes + got, len - got, (off_t)got);
    if (n <= 0) {
      free(bytes);
      return false;
    }
  }
  bytes[len] = 0;
  *ret = (struct bitcode){.bytes = bytes, .len = len};
  return true;
}

void outcome_done(struct outcome *r) {
  bitcode_done(&r->out);
  bitcode_done(&r->err);
  bitcode_done(&r->log);
}

// Our environment and, with a descriptor of `watch`, that library loaded before
// all others. It is named by the descriptor, since a blank or a colon in
// LD_PRELOAD ends a name.
static void environment_make(words *ret, int watch, int log) {
  static const char preload[] = "LD_PRELOAD=";
  struct str libraries = {0}, records = {0};
  for (char **v = environ; *v; v++)
    if (watch < 0 || strncmp(*v, preload, sizeof preload - 1) != 0)
      words_add(ret, *v);
  if (watch >= 0) {
    const char *others = getenv("LD_PRELOAD");
    str_add(&libraries, "%s/proc/%d/fd/%d%s%s", preload, (int)getpid(), watch,
            others ? ":" : "", others ? others : "");
    str_add(&records, WATCH_LOG "=/proc/%d/fd/%d", (int)getpid(), log);
    words_add(ret, libraries.at);
    words_add(ret, records.at);
  }
  array_push(ret, NULL);
  str_done(&libraries);
  str_done(&records);
}

enum { OUT, ERR, LOG, FILES };

static int spawn_onto(char *const *argv, const int fds[FILES], int watch,
                      pid_t *ret) {
  posix_spawn_file_actions_t acts;
  words environment = {0};
  environment_make(&environment, watch, fds[LOG]);
  posix_spawn_file_actions_init(&acts);
  posix_spawn_file_actions_addopen(&acts, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&acts, fds[OUT], 1);
  posix_spawn_file_actions_adddup2(&acts, fds[ERR], 2);
  int error = posix_spawn(ret, argv[0], &acts, NULL, argv, environment.at);
  posix_spawn_file_actions_destroy(&acts);
  words_done(&environment);
  return error;
}

bool child_run(char *const *argv, int watch, struct outcome *ret) {
  int fds[FILES], made = 0, error = 0;
  // The originals must not be among the descriptors that the child replaces.
  for (; made < FILES && !error; made++) {
    int fd = memfd_create("heddle", MFD_CLOEXEC);
    fds[made] = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 3);
    error = fds[made] < 0 ? errno : 0;
    if (fd >= 0)
      close(fd);
  }
  pid_t child;
  if (!error)
    error = spawn_onto(argv, fds, watch, &child);
  if (!error) {
    while (waitpid(child, &ret->status, 0) < 0 && errno == EINTR)
      continue;
    if (!child_read(fds[OUT], &ret->out) || !child_read(fds[ERR], &ret->err) ||
        !child_read(fds[LOG], &ret->log))
      error = errno;
  }
  for (int i = 0; i < made; i++)
    if (fds[i] >= 0)
      close(fds[i]);
  errno = error;
  return error == 0;
}

const char *child_path(void) {
  const char *path = getenv("PATH");
  return path ? path : "/usr/bin:/bin";
}

bool child_next(const char *name, const char **path, struct str *ret) {
  for (const char *p = *path; *p; *path = p) {
    int n = (int)strcspn(p, ":");
    ret->len = 0;
    str_add(ret, "%.*s/%s", n, p, name);
    p += n + (p[n] == ':');
    if (n > 0 && access(ret->at, X_OK) == 0) {
      *path = p;
      return true;
    }
  }
  return false;
}

bool child_find(const char *name, struct str *ret) {
  const char *path = child_path();
  if (!strchr(name, '/'))
    return child_next(name, &path, ret);
  str_add_bytes(ret, name, strlen(name));
  return access(name, X_OK) == 0;
}
