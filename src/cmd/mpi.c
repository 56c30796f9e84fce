// SPDX-License-Identifier: MIT
// What carries the messages is loaded from a shared object beside Heddle's
// other files (parallel/mpi.c), if Heddle was built with MPI.
#include "cmd/mpi.h"

#include "base/hash.h"
#include "cmd/parts.h"
#include "front/front.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

bool mpi_fits(const struct options *o, struct diag *why) {
  if (!o->mpi)
    return true;
  if (o->mpi_patience <= 0)
    return diag_set(why, NULL, 0, "--mpi-patience takes seconds above 0");
  if (o->print_executions || o->note_non_sc || o->shortest || o->replay ||
      o->dot || o->separately || o->sample || o->max_executions)
    return diag_set(why, NULL, 0,
                    "--mpi is about one whole search: it excludes "
                    "--print-executions, --note-non-sc, --shortest, --replay, "
                    "--dot, --separately, --sample and --max-executions");
  return true;
}

static bool find_object(struct str *ret, struct diag *why) {
  if (front_own_file("mpi.so", ret))
    return true;
  diag_set(why, NULL, 0, "this heddle was built without MPI");
  diag_hint(why, "install Open MPI (in Debian libopenmpi-dev and openmpi-bin) "
                 "and build again; `heddle split` needs no MPI");
  return false;
}

static bool load(const char *path, carrier_begin **ret, struct diag *why) {
  // Open MPI's own plug-ins look for its symbols among all.
  void *object = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  void *begin = object ? dlsym(object, CARRIER_BEGIN) : NULL;
  if (!begin) {
    diag_set(why, path, 0, "cannot be loaded: %s", dlerror());
    diag_hint(why, "--mpi needs Open MPI (in Debian openmpi-bin)");
    return false;
  }
  memcpy(ret, &begin, sizeof begin);
  return true;
}

bool mpi_begin(struct run *r, const struct options *o, struct diag *why) {
  struct str path = {0};
  carrier_begin *begin = NULL;
  char problem[200];
  if (!o->mpi)
    return true;
  bool ok = find_object(&path, why) && load(path.at, &begin, why);
  str_done(&path);
  if (!ok)
    return false;
  r->carrier = begin(problem, sizeof problem);
  return r->carrier || diag_set(why, NULL, 0, "%s", problem);
}

// ---- is it one search?

struct presence { // of a rank
  uint64_t is_ready, machine;
  struct frontier_about about;
};

static bool can_share(const struct run *r, struct diag *why) {
  if (memcmp(r->bounds.first, r->bounds.last, sizeof r->bounds.first) != 0)
    return diag_set(why, NULL, 0,
                    "--mpi is about one search: --bound takes no range then");
  return true;
}

// The same for all ranks that share its memory.
static uint64_t this_machine(void) {
  char id[64];
  FILE *f = fopen("/proc/sys/kernel/random/boot_id", "r");
  bool ok = f && fgets(id, sizeof id, f);
  if (f)
    fclose(f);
  return ok ? hash_bytes(id, strlen(id)) : (uint64_t)gethostid();
}

// Of those who have something to say, the first one does.
static bool say_one(const struct carrier *c, const struct presence *all,
                    bool ok, struct diag *why) {
  char text[sizeof why->text];
  for (unsigned i = 0; i < c->rank; i++)
    if (!all[i].is_ready || ok)
      why->text[0] = 0;
  if (c->rank && !ok && why->text[0]) {
    snprintf(text, sizeof text, "%s", why->text);
    snprintf(why->text, sizeof why->text, "rank %u: %.1500s", c->rank, text);
  }
  return false;
}

static bool is_same_search(const struct carrier *c, const struct presence *all,
                           struct diag *why) {
  for (unsigned i = 1; i < c->ranks; i++) {
    const char *what = frontier_difference(&all[i].about, &all[0].about);
    if (!*what)
      continue;
    diag_set(why, NULL, 0, "rank %u explores a search with %s", i, what);
    if (c->rank)
      why->text[0] = 0;
    return false;
  }
  return true;
}

bool mpi_agree(struct run *r, bool ok, struct diag *why) {
  struct carrier *c = r->carrier;
  if (!c)
    return ok;
  ok = ok && can_share(r, why);
  struct presence mine = {.is_ready = ok, .machine = this_machine()};
  if (ok)
    mine.about = parts_about(r);
  struct presence *all = xcalloc(c->ranks, sizeof *all);
  c->compare(c, &mine, sizeof mine, all);
  bool are_all = true;
  for (unsigned i = 0; i < c->ranks; i++)
    are_all &= all[i].is_ready;
  for (unsigned i = 0; i < c->ranks; i++)
    r->neighbours += all[i].machine == mine.machine;
  if (ok)
    why->text[0] = 0;
  bool ret = are_all ? is_same_search(c, all, why) : say_one(c, all, ok, why);
  free(all);
  return ret;
}

// ---- the ranks

void mpi_help(struct run *r) {
  r->progress = progress_of_style(PROGRESS_NONE);
  r->estimate_after = 0; // never
  run_explore(r);
}

static bool is_unread(int fd) {
  struct stat s;
  int n = 0;
  return fstat(fd, &s) == 0 && S_ISFIFO(s.st_mode) &&
         ioctl(fd, FIONREAD, &n) == 0 && n > 0;
}

// What is printed goes to mpirun through a pipe. That of Open MPI 5 (by its
// PMIx 5) keeps the beginning of a line until it reads the rest, and when a
// rank ends all others meanwhile, puts that beginning before what it says of
// the end: the report has a hole. So all must have been read; the last of it
// may still be on its way from one thread of mpirun's to another, which cannot
// be seen from here, so it is given some time. (The pseudoterminal that Open
// MPI 4 gives to ranks cannot be asked, and need not be.)
static void wait_until_read(int fd, double patience) {
  static const struct timespec often = {.tv_nsec = 1000000},
                               after = {.tv_nsec = 200000000};
  for (double waited = 0; is_unread(fd) && waited < patience; waited += 0.001)
    nanosleep(&often, NULL);
  nanosleep(&after, NULL);
}

void mpi_end(struct run *r, enum exit_code code) {
  if (!r->carrier)
    return;
  fflush(NULL);
  if (r->search && parallel_has_lost(r->search)) {
    wait_until_read(STDOUT_FILENO, r->options->mpi_patience);
    r->carrier->abandon(r->carrier, (int)code);
  }
  // The others wait for rank 0, however long its report takes.
  double patience = mpi_is_helper(r) ? HUGE_VAL : r->options->mpi_patience;
  r->carrier->leave(r->carrier, patience, (int)code);
}

void mpi_about(struct str *out) {
  struct str path = {0};
  bool ok = front_own_file("mpi.so", &path);
  str_add(out, "%-8s %s\n", "MPI", ok ? path.at : "(built without)");
  str_done(&path);
}
