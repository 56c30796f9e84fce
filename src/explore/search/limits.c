// SPDX-License-Identifier: MIT
// Limits of time, memory and size, and observers of the search.
#include "base/patience.h"
#include "explore/search/search.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

static double seconds_of(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static uint64_t resident_bytes(void) {
  FILE *f = fopen("/proc/self/statm", "r");
  unsigned long long size = 0, resident = 0;
  if (f) {
    if (fscanf(f, "%llu %llu", &size, &resident) != 2)
      resident = 0;
    fclose(f);
  }
  return resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

static bool takes_too_much(const struct search_limits *l) {
  return l->max_memory && resident_bytes() > l->max_memory;
}

void explore_start_clocks(struct search_limits *l) {
  l->started = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  l->started_wall = seconds_of(CLOCK_MONOTONIC);
}

const char *explore_is_late(const struct search_limits *l) {
  if (l->interrupted && *l->interrupted)
    return "interrupted";
  if (l->max_time > 0 &&
      seconds_of(CLOCK_PROCESS_CPUTIME_ID) - l->started > l->max_time)
    return "time";
  if (l->max_wall > 0 &&
      seconds_of(CLOCK_MONOTONIC) - l->started_wall > l->max_wall)
    return "wall-clock time";
  return takes_too_much(l) ? "memory" : NULL;
}

void limits_start(struct explorer *x) {
  const struct search_limits *l = &x->limits;
  x->clocks.max_live = l->max_events ? l->max_events : UINT64_MAX;
  x->clocks.looks_closely = l->max_executions || l->every;
  if (l->started_wall <= 0)
    explore_start_clocks(&x->limits);
  x->clocks.looked = seconds_of(CLOCK_MONOTONIC);
}

static enum outcome stop_at(struct explorer *x, const char *limit) {
  x->result.limit = limit;
  return STOP;
}

// Steps may be quick or slow, so what costs something is looked at by the clock
// too. Reading this clock costs little.
static bool is_late(const struct explorer *x) {
  const double often = 0.02;
  return seconds_of(CLOCK_MONOTONIC) - x->clocks.looked > often;
}

static enum outcome look_at_clocks(struct explorer *x) {
  x->clocks.looked = seconds_of(CLOCK_MONOTONIC);
  if (x->observer.on_progress)
    x->observer.on_progress(x->observer.arg, &x->result);
  if (x->limits.max_time > 0 &&
      seconds_of(CLOCK_PROCESS_CPUTIME_ID) - x->limits.started >
          x->limits.max_time)
    return stop_at(x, "time");
  if (x->limits.max_wall > 0 &&
      x->clocks.looked - x->limits.started_wall > x->limits.max_wall)
    return stop_at(x, "wall-clock time");
  if (takes_too_much(&x->limits))
    return stop_at(x, "memory");
  return GO_ON;
}

static enum outcome look_at_length(struct explorer *x) {
  return hooks_too_long(x) == STOP ? STOP : stop_at(x, LIMIT_OF_EVENTS);
}

// Of what is done at one of so many steps.
static bool is_turn(const struct explorer *x, uint64_t steps) {
  uint64_t every = x->limits.every ? x->limits.every : steps;
  return x->clocks.ticks % every == 0;
}

enum outcome limits_look_closer(struct explorer *x) {
  if (!x->sweep) // beside the search, whose step may be the long one
    patience_heard();
  if (x->g.live > x->clocks.max_live)
    return look_at_length(x);
  if (x->limits.max_executions &&
      team_executions(x) >= x->limits.max_executions)
    return stop_at(x, "executions");
  // Who wants it to stop has something that counts on it: at once.
  if (x->limits.interrupted && *x->limits.interrupted)
    return stop_at(x, "interrupted");
  bool is_time = is_turn(x, LIMITS_EVERY);
  if (is_time && x->cycles.most_added &&
      x->result.events_added > x->cycles.most_added)
    return STOP;
  if (is_time && x->cycles.most_asked && x->cycles.asked > x->cycles.most_asked)
    return STOP;
  if (x->observer.on_pause && is_turn(x, 64))
    x->observer.on_pause(x->observer.arg, x);
  return is_turn(x, 4096) || (is_time && is_late(x)) ? look_at_clocks(x)
                                                     : GO_ON;
}
