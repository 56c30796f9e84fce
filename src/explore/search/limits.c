// SPDX-License-Identifier: MIT
// Limits of time, memory and size, and whoever wants to hear from the search.
#include "explore/loops/loops.h"

#include <stdio.h>
#include <time.h>

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
  return resident * 4096;
}

void explore_start_clocks(struct explore_config *c) {
  c->started = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  c->started_wall = seconds_of(CLOCK_MONOTONIC);
}

void limits_start(struct explorer *x) {
  x->max_live = x->config.max_events ? x->config.max_events : UINT64_MAX;
  const struct explore_config *c = &x->config;
  x->looked = seconds_of(CLOCK_MONOTONIC);
  x->started =
      c->started_wall > 0 ? c->started : seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  x->started_wall = c->started_wall > 0 ? c->started_wall : x->looked;
}

static enum outcome stop_at(struct explorer *x, const char *limit) {
  x->result.limit = limit;
  return STOP;
}

// Steps may be quick or slow, so what costs something is looked at by the clock
// too. Reading this clock costs little.
static bool is_late(const struct explorer *x) {
  const double often = 0.02;
  return seconds_of(CLOCK_MONOTONIC) - x->looked > often;
}

static enum outcome look_at_clocks(struct explorer *x) {
  const struct explore_config *c = &x->config;
  x->looked = seconds_of(CLOCK_MONOTONIC);
  if (c->on_progress) {
    x->result.left = progress_left(x);
    c->on_progress(c->arg, &x->result);
  }
  if (c->max_seconds > 0 &&
      seconds_of(CLOCK_PROCESS_CPUTIME_ID) - x->started > c->max_seconds)
    return stop_at(x, "time");
  if (c->max_wall > 0 && x->looked - x->started_wall > c->max_wall)
    return stop_at(x, "wall-clock time");
  if (c->max_memory && resident_bytes() > c->max_memory)
    return stop_at(x, "memory");
  return GO_ON;
}

static enum outcome look_at_length(struct explorer *x) {
  if (livelock_look(x) == STOP)
    return STOP;
  unroll_explain(x);
  return stop_at(x, LIMIT_OF_EVENTS);
}

enum outcome limits_look_closer(struct explorer *x) {
  const struct explore_config *c = &x->config;
  if (x->g.live > x->max_live)
    return look_at_length(x);
  if (c->max_executions && team_executions(x) >= c->max_executions)
    return stop_at(x, "executions");
  // Who wants it to stop has something that counts on it: at once.
  if (c->interrupted && *c->interrupted)
    return stop_at(x, "interrupted");
  if (x->ticks % LIMITS_EVERY != 0)
    return GO_ON;
  if (c->on_pause && x->ticks % 64 == 0)
    c->on_pause(c->arg, x);
  return x->ticks % 4096 == 0 || is_late(x) ? look_at_clocks(x) : GO_ON;
}
