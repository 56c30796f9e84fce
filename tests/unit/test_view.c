// SPDX-License-Identifier: MIT
// Views of the executions of a small program that is explored, and executions
// that a model refuses, or the search has lost.
#include "model/refusal.h"
#include "report/refused.h"
#include "unit/report.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

// -- views

static uint32_t code(struct prog *p, enum op op, unsigned a, unsigned b,
                     unsigned c, uint64_t imm, const char *text, unsigned at) {
  struct source from = {.file = prog_string(p, "dir/program.c"),
                        .func = prog_string(p, "f"),
                        .text = prog_string(p, text),
                        .line = at};
  return prog_emit(p, op, a, b, c, imm, from);
}

static const struct imm_access relaxed_int = {.size = 4, .order = ORD_RLX};

// main creates a thread that reads x[1], writes x[1] and waits for it.
static struct prog *small_program(void) {
  struct prog *p = prog_new();
  type_id number = p->types.len, numbers = number + 1;
  array_push(&p->types,
             (struct type){.kind = TYPE_SCALAR, .is_signed = 1, .size = 4});
  array_push(&p->types,
             (struct type){.kind = TYPE_ARRAY, .size = 8, .element = number});
  uint32_t x = prog_add_global(p, "x", 8, 4);
  p->globals.at[x].type = numbers;
  uint64_t address = prog_global_address(p, x) + 4;
  uint32_t reader = prog_add_func(p, "reader", 1, 1);
  uint32_t main_func = prog_add_func(p, "main", 0, 1);
  p->main_func = main_func;

  prog_begin_func(p, reader);
  code(p, OP_load, 1, prog_const(p, address), 0, imm_access(relaxed_int), "*p",
       3);
  code(p, OP_ret, 0, 1, 0, 0, "", 4);

  prog_begin_func(p, main_func);
  uint64_t arguments[] = {prog_func_address(p, reader), 0};
  code(p, OP_sys, 0, prog_const_run(p, arguments, 2), call_slots(2, 1),
       BI_spawn, "pthread_create", 8);
  code(p, OP_store, prog_const(p, address), prog_const(p, 0xffffffff), 0,
       imm_access(relaxed_int), "x[1]", 9);
  code(p, OP_sys, 1, 0, call_slots(1, 1), BI_join, "pthread_join", 10);
  code(p, OP_ret, 1, 1, 0, 0, "", 11);
  struct diag why;
  CHECK(prog_finish(p, &why), "%s", why.text);
  return p;
}

struct watcher {
  struct prog *prog;
  struct vm *vm;
  struct str text;
};

static void watch(void *arg, struct vm *vm, const struct graph *g,
                  bool is_blocked) {
  struct watcher *w = arg;
  CHECK(!is_blocked, "nothing blocks here");
  struct view *v = view_new(w->prog, vm, g, NULL);
  text_of(v, plain, &w->text);
  str_add(&w->text, v->is_interleaving ? "--\n" : "-- weak\n");
  view_free(v);
}

TEST(a_view_names_everything) {
  struct vm_config config = vm_config_default();
  struct watcher w = {.prog = small_program()};
  w.vm = vm_new(w.prog, &config);
  struct explore_config c = {.options.model = model_find("sc"),
                             .options.reductions = REDUCE_DEFAULT,
                             .observer.on_execution = watch,
                             .observer.arg = &w};
  struct explorer *x = explorer_new(w.prog, w.vm, &c);
  CHECK_EQ(explore(x)->executions, 2, "the read sees 0 or -1");
  CHECK(has(&w.text, "create T1 (reader)"), "%s", str_text(&w.text));
  CHECK(has(&w.text, " 9  write x[1] = -1 (rlx)"), "%s", str_text(&w.text));
  CHECK(has(&w.text, " 3  read *p = 0 (x[1], rlx, from initial value)"), "%s",
        str_text(&w.text));
  CHECK(has(&w.text, " 3  read *p = -1 (x[1], rlx, from T0 line 9)"), "%s",
        str_text(&w.text));
  CHECK(!has(&w.text, "weak"), "both are interleavings");
  explorer_free(x);
  vm_free(w.vm);
  prog_free(w.prog);
  str_done(&w.text);
}

// The end of the reader is said to depend on its start and on its read.
static void watch_dependencies(void *arg, struct vm *vm, const struct graph *g,
                               bool is_blocked) {
  struct watcher *w = arg;
  CHECK(!is_blocked, "nothing blocks here");
  struct sets sets;
  sets_init(&sets);
  struct graph with = *g;
  with.sets = &sets;
  with.deps = xcalloc(g->nevents, sizeof *with.deps);
  for (event_id e = 0; e < g->nevents; e++)
    with.deps[e] = (struct event_deps){0};
  struct event_deps *end = &with.deps[graph_at(g, 1, 2)];
  end->data = set_union(&sets, set_of_one(&sets, 0), set_of_one(&sets, 1));
  end->state = 1;
  struct view *v = view_new(w->prog, vm, &with, NULL);
  const struct view_thread *reader = &v->threads.at[1];
  const struct view_range *deps = v->events.at[reader->first + 2].deps;
  CHECK_EQ(deps[DEP_DATA].count, 1, "the start is no read");
  CHECK_EQ(v->dep_events.at[deps[DEP_DATA].first], reader->first + 1, "read");
  CHECK_EQ(deps[DEP_ADDR].count + deps[DEP_CTRL].count, 0, "nothing else");
  CHECK_EQ(v->dep_events.len, 1, "other events were not asked");
  view_free(v);
  free(with.deps);
  sets_done(&sets);
}

TEST(a_view_has_the_reads_that_an_event_depends_on) {
  struct vm_config config = vm_config_default();
  struct watcher w = {.prog = small_program()};
  w.vm = vm_new(w.prog, &config);
  struct explore_config c = {.options.model = model_find("sc"),
                             .options.reductions = REDUCE_DEFAULT,
                             .observer.on_execution = watch_dependencies,
                             .observer.arg = &w};
  struct explorer *x = explorer_new(w.prog, w.vm, &c);
  CHECK_EQ(explore(x)->executions, 2, "the read sees 0 or -1");
  explorer_free(x);
  vm_free(w.vm);
  prog_free(w.prog);
}

// -- what a model refuses, and what a search has lost

static bool refuses_nothing(const struct model *m, const struct graph *g,
                            const struct model_options *options,
                            struct refusal *ret) {
  (void)m, (void)g, (void)options, (void)ret;
  return false;
}

static bool refuses_all(const struct model *m, const struct graph *g,
                        const struct model_options *options,
                        struct refusal *ret) {
  (void)m, (void)g, (void)options;
  ret->axiom = "nothing is allowed";
  return true;
}

struct considering {
  struct prog *prog;
  struct refused refused;
};

static void consider(void *arg, struct vm *vm, const struct graph *g,
                     bool is_blocked) {
  struct considering *c = arg;
  (void)is_blocked;
  struct event *before = xmalloc(g->nevents * sizeof *before);
  memcpy(before, g->events, g->nevents * sizeof *before);
  refused_consider(&c->refused, c->prog, vm, g);
  CHECK(memcmp(before, g->events, g->nevents * sizeof *before) == 0,
        "the graph was changed");
  free(before);
}

// All executions of a small program, judged by a definition that says so.
static struct refused judge(const struct model *m, bool is_all) {
  struct vm_config config = vm_config_default();
  struct considering all = {.prog = small_program()};
  struct vm *vm = vm_new(all.prog, &config);
  all.refused =
      (struct refused){.prog = all.prog, .model = m, .is_all = is_all};
  const struct model source = refused_source(m);
  struct explore_config c = {.options.model = &source,
                             .observer.on_execution = consider,
                             .observer.arg = &all};
  struct explorer *x = explorer_new(all.prog, vm, &c);
  CHECK_EQ(explore(x)->executions, 2, "the read sees 0 or -1");
  explorer_free(x);
  vm_free(vm);
  refused_done(&all.refused);
  all.refused.view = NULL;
  prog_free(all.prog);
  return all.refused;
}

static int exit_code_of_check(const struct refused *r) {
  fflush(stdout);
  pid_t child = fork();
  if (!child) {
    if (!freopen("/dev/null", "w", stderr))
      _exit(1);
    refused_check(r, "x == 1");
    _exit(0);
  }
  int status;
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status), " ");
  return WEXITSTATUS(status);
}

TEST(what_the_definition_allows_and_the_search_has_not_found_is_our_error) {
  struct model loose = {
      .name = "loose", .text = &loose, .refuses = refuses_nothing};
  struct model strict = {
      .name = "strict", .text = &strict, .refuses = refuses_all};
  struct refused r = judge(&loose, /*is_all=*/true);
  CHECK(r.is_lost && !r.candidates, "all are allowed");
  CHECK_EQ(exit_code_of_check(&r), EXIT_INTERNAL, "loudly");
  // Unless a limit was hit, or an error was found before.
  r = judge(&loose, /*is_all=*/false);
  CHECK(!r.is_lost, "not all was explored");
  CHECK_EQ(exit_code_of_check(&r), 0, " ");
  r = judge(&strict, /*is_all=*/true);
  CHECK(!r.is_lost && r.candidates == 2, "none is allowed");
  CHECK_EQ(exit_code_of_check(&r), 0, " ");
}
