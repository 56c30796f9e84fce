// SPDX-License-Identifier: MIT
// Load buffering: a shortest cycle of program order and reads-from in an
// execution, as the reads that take their values from what comes after them.
#include "report/view.h"

#include <stdlib.h>

static uint32_t thread_end(const struct view *v, uint32_t e) {
  for (uint32_t t = 0; t < v->threads.len; t++) {
    const struct view_thread *th = &v->threads.at[t];
    if (e >= th->first && e < th->first + th->count)
      return th->first + th->count;
  }
  return e + 1;
}

// Walks from `start` along po and rf; from[e] is the event before e then.
static void walk(const struct view *v, uint32_t start, uint32_t *from,
                 uint32_t *queue) {
  uint32_t n = 0;
  for (uint32_t e = 0; e < v->events.len; e++)
    from[e] = VIEW_NOTHING;
  queue[n++] = start;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t e = queue[i];
    if (e + 1 < thread_end(v, e) && from[e + 1] == VIEW_NOTHING) {
      from[e + 1] = e;
      queue[n++] = e + 1;
    }
    for (uint32_t r = 0; r < v->events.len; r++)
      if (v->events.at[r].rf == e && from[r] == VIEW_NOTHING) {
        from[r] = e;
        queue[n++] = r;
      }
  }
}

static uint32_t length(const uint32_t *from, uint32_t start) {
  uint32_t n = 0, e = start;
  if (from[start] == VIEW_NOTHING)
    return UINT32_MAX;
  do {
    e = from[e];
    n++;
  } while (e != start);
  return n;
}

static bool is_read_of_another(const struct view *v, uint32_t e) {
  const struct view_event *r = &v->events.at[e];
  return r->kind == EV_READ && r->rf < v->events.len &&
         v->events.at[r->rf].thread != r->thread;
}

static void keep_cycle(struct view *v, const uint32_t *from, uint32_t start) {
  v->circle.len = 0;
  uint32_t e = start;
  do {
    if (is_read_of_another(v, e))
      array_push(&v->circle, e);
    e = from[e];
  } while (e != start);
}

void view_find_cycle(struct view *v) {
  uint32_t n = v->events.len, best = UINT32_MAX;
  uint32_t *from = xcalloc(n + 1, sizeof *from);
  uint32_t *queue = xcalloc(n + 1, sizeof *queue);
  for (uint32_t e = 0; e < n && !v->is_interleaving; e++) {
    if (!is_read_of_another(v, e))
      continue;
    walk(v, e, from, queue);
    uint32_t now = length(from, e);
    if (now < best) {
      best = now;
      keep_cycle(v, from, e);
    }
  }
  free(from);
  free(queue);
}
