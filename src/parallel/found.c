// SPDX-License-Identifier: MIT
// Findings of an earlier run or of another process. Their executions are not
// kept, only the way to them: it is gone again, and the finding is told as if
// it were new.
#include "parallel/workers.h"

struct showing {
  struct parallel *all;
  const struct finding *wanted;
  struct explorer *explorer;
  bool is_shown;
};

static void on_shown(void *arg, struct vm *vm, const struct graph *g,
                     const struct finding *f) {
  struct showing *s = arg;
  struct parallel *p = s->all;
  if (s->is_shown ||
      (s->wanted ? !finding_is_same(f, s->wanted) : f->is_warning))
    return;
  s->is_shown = true;
  parallel_keep_finding(p, f, s->explorer);
  if (p->config.observer.on_finding)
    p->config.observer.on_finding(p->config.observer.arg, vm, g, f);
  explorer_stop(s->explorer);
}

// The way to a place, as a part of the search. Its last step is what is to be
// explored.
static struct explore_task *task_of_place(struct parallel *p,
                                          const struct explore_place *place) {
  struct core *core = parallel_core(p, place->core);
  check(!place->core == !core);
  if (!core && !place->path.len)
    return NULL;
  struct explore_task *t = explore_task_of_core(core);
  if (!place->path.len)
    return t;
  const struct path_step *last = array_last(&place->path);
  for (uint32_t i = 0; i + 1 < place->path.len; i++)
    array_push(&t->path, place->path.at[i]);
  t->kind = last->kind;
  t->rank = last->rank;
  array_push(&t->options, last->option);
  return t;
}

void parallel_show_again(struct parallel *p, const struct finding *f,
                         const struct explore_place *at) {
  struct showing s = {.all = p, .wanted = f};
  struct explore_config c = p->config;
  c.observer.on_progress = NULL;
  c.observer.on_execution = NULL;
  c.observer.on_pause = NULL;
  c.observer.on_finding = on_shown;
  c.observer.on_begin_again = NULL;
  c.limits.interrupted = NULL;
  c.limits.max_time = c.limits.max_wall = 0; // they were about the search
  c.limits.max_executions = c.limits.max_memory = 0;
  c.team = p->team;
  c.assumed = &p->assumed;
  c.observer.arg = &s;
  struct vm *vm = vm_new(p->prog, &p->vm);
  struct explore_task *t = task_of_place(p, at);
  s.explorer = explorer_new(p->prog, vm, &c);
  explore_part(s.explorer, t);
  check(s.is_shown);
  explorer_free(s.explorer);
  explore_task_free(t);
  vm_free(vm);
  if (!f || parallel_ends_with(p, f)) {
    p->has_error = true;
    place_copy(&p->error, at);
  }
}
