// SPDX-License-Identifier: MIT
// Making a vm, starting threads, and what reports ask about a state.
#include "vm/vm.h"

#include "vm/cold.h"
#include "vm/quick.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

enum {
  MOST_STATES = 1 << 27, // of each half
  FEWEST_STATES = 1 << 16,
};

struct vm_config vm_config_default(void) {
  return (struct vm_config){.max_steps = 100000000, .max_private = 1 << 20};
}

// Where address space is limited, the states of all machines get a quarter of
// it: what they reserve, nobody else can have.
static uint64_t most_reserved(const struct vm_config *c) {
  struct rlimit l;
  if (getrlimit(RLIMIT_AS, &l) != 0 || l.rlim_cur == RLIM_INFINITY)
    return UINT64_MAX;
  return l.rlim_cur / 4 / (c->sharers ? c->sharers : 1);
}

// Address space for both halves of the states; pages come when touched.
static struct state *reserve_states(const struct vm_config *c,
                                    uint32_t *capacity) {
  uint64_t most = most_reserved(c);
  for (uint32_t n = MOST_STATES; n >= FEWEST_STATES; n /= 2) {
    if (n > FEWEST_STATES && 2 * (uint64_t)n * sizeof(struct state) > most)
      continue;
    void *at =
        mmap(NULL, 2 * (size_t)n * sizeof(struct state), PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at != MAP_FAILED) {
      *capacity = n;
      return at;
    }
  }
  fatal_out_of_memory(2 * (size_t)FEWEST_STATES * sizeof(struct state));
}

static void place_thread_locals(struct vm *vm) {
  const struct prog *p = vm->prog;
  vm->cold->tls_at = xcalloc(p->globals.len, sizeof *vm->cold->tls_at);
  for (uint32_t i = 0; i < p->globals.len; i++) {
    const struct global *g = &p->globals.at[i];
    if (!g->is_thread_local || !g->is_private)
      continue;
    vm->cold->tls_at[i] = vm->cold->tls_bytes;
    vm->cold->tls_bytes += (uint32_t)g->size;
  }
}

const struct vm_config *vm_config_of(const struct vm *vm) {
  return &vm->cold->config;
}

struct vm *vm_new(const struct prog *p, const struct vm_config *config) {
  struct vm *vm = xcalloc(1, sizeof *vm);
  struct vm_cold *cold = xcalloc(1, sizeof *cold);
  const uint32_t nothing[4] = {0};
  vm->prog = p;
  vm->cold = cold;
  cold->config = *config;
  if (!config->max_private || config->max_private > OBJECT_MAX_IN_WINDOW)
    cold->config.max_private = OBJECT_MAX_IN_WINDOW;
  vm->states = reserve_states(config, &cold->capacity);
  vm->nstates = 1;
  pool_intern(&cold->states.lasting, nothing, 1); // state 0 is no state
  pool_intern(&cold->wide, nothing, 4);           // handle 0 is zero
  vm_wide_make(vm, ALL_UNDEF, ALL_UNDEF);         // UNDEF_ALL
  place_thread_locals(vm);
  cold->quick = config->is_slow ? NULL : quick_new(p);
  thread_init(&cold->thread, vm);
  deps_init(&cold->deps);
  return vm;
}

// What begins anew when all states are forgotten.
static void states_done(struct vm_cold *cold) {
  for (uint32_t i = 0; i < cold->more.len; i++)
    transitions_done(&cold->more.at[i]);
  array_done(&cold->more);
  parts_done(&cold->states);
  parts_done(&cold->frames);
  parts_done(&cold->chunks);
  pool_done(&cold->spawned);
  array_done(&cold->spawned_state);
  array_done(&cold->transient);
}

void vm_forget(struct vm *vm) {
  struct vm_cold *cold = vm->cold;
  const uint32_t nothing = 0;
  states_done(cold);
  deps_forget(&cold->deps);
  memset(cold->monitor, 0, sizeof cold->monitor);
  cold->main_state = 0;
  cold->is_full = false;
  vm->nstates = 1;
  pool_intern(&cold->states.lasting, &nothing, 1);
  thread_reset(&cold->thread, 0); // its chunks have no frozen form any more
}

bool vm_leave_rounds(struct vm *vm) {
  struct vm_cold *cold = vm->cold;
  const struct prog *p = vm->prog;
  bool any = false;
  check(!cold->undo_at);
  cold->undo_at = xcalloc(p->code.len, sizeof *cold->undo_at);
  for (uint32_t pc = 0; pc < p->code.len; pc++)
    if (p->code.at[pc].op == OP_rmw_load) {
      cold->undo_at[pc] = undo_find(p, pc);
      any |= cold->undo_at[pc].success != 0;
    }
  if (!any)
    vm_keep_rounds(vm);
  return any;
}

void vm_keep_rounds(struct vm *vm) {
  free(vm->cold->undo_at);
  vm->cold->undo_at = NULL;
}

void vm_free(struct vm *vm) {
  if (!vm)
    return;
  struct vm_cold *cold = vm->cold;
  munmap(vm->states, 2 * (size_t)cold->capacity * sizeof(struct state));
  thread_done(&cold->thread);
  strings_done(&cold->texts);
  states_done(cold);
  deps_done(&cold->deps);
  pool_done(&cold->locations_by_place);
  pool_done(&cold->objects);
  pool_done(&cold->wide);
  array_done(&cold->scratch[0]);
  array_done(&cold->scratch[1]);
  array_done(&cold->scratch[2]);
  array_done(&cold->watched);
  array_done(&cold->locations);
  array_done(&cold->overlaps);
  free(cold->idle);
  free(cold->quick);
  free(cold->undo_at);
  free(cold->dead_at);
  array_done(&cold->dead);
  free(cold->tls_at);
  free(cold);
  array_done(&vm->warnings);
  free(vm);
}

// -- starting threads

state_id vm_main(struct vm *vm) {
  struct thread *t = &vm->cold->thread;
  if (vm->cold->main_state)
    return vm->cold->main_state;
  thread_reset(t, 0);
  thread_push_frame(t, vm->prog->main_func);
  uint32_t params = vm->prog->funcs.at[vm->prog->main_func].params;
  memset(t->slot, 0, params * sizeof *t->slot);
  for (uint32_t i = 0; i < params && i < 3; i++)
    t->slot[i] = vm->prog->main_args[i];
  thread_run(t);
  vm->cold->main_state = state_of_thread(vm, /*keep=*/true);
  return vm->cold->main_state;
}

static state_id start_thread(struct vm *vm, thread_id id, uint32_t func,
                             uint64_t argument, undef_id undef) {
  struct thread *t = &vm->cold->thread;
  thread_reset(t, id);
  const struct frame *f = thread_push_frame(t, func);
  if (vm->prog->funcs.at[func].params) {
    t->slot[f->base] = argument;
    t->undef[f->base] = access_unpack(t, 8, argument, undef).undef[0];
  }
  thread_run(t);
  return state_of_thread(vm, /*keep=*/true);
}

state_id vm_spawned(struct vm *vm, state_id spawner, thread_id id) {
  const struct access *a = vm_access(vm, spawner);
  check(a->kind == ACC_SPAWN && id > 0 && id < MAX_THREADS);
  uint32_t func = prog_func_of_address(vm->prog, a->value);
  uint64_t argument = a->value2;
  undef_id undef = a->argument;
  const uint32_t key[] = {func, (uint32_t)argument, (uint32_t)(argument >> 32),
                          id, undef};
  uint32_t i = pool_find(&vm->cold->spawned, key, 5);
  if (i != POOL_NONE)
    return vm->cold->spawned_state.at[i];
  state_id s = start_thread(vm, id, func, argument, undef);
  if (state_is_transient(vm, s))
    return s;
  i = pool_intern(&vm->cold->spawned, key, 5);
  check(i == vm->cold->spawned_state.len);
  array_push(&vm->cold->spawned_state, s);
  return s;
}

// -- reports

unsigned vm_backtrace(const struct vm *vm, state_id s, site_id *out,
                      unsigned max) {
  unsigned n = 0;
  uint32_t func, pc, below;
  for (uint32_t ref = state_top_frame(vm, s); ref != NO_REF && n < max;
       ref = below) {
    frozen_frame(vm, ref, &func, &pc, &below);
    out[n++] = pc;
  }
  return n;
}

bool vm_goes_back(const struct vm *vm, state_id before, state_id after) {
  enum { MAX_FRAMES = 32 };
  site_id from[MAX_FRAMES], to[MAX_FRAMES];
  uint32_t func, pc, to_pc, below, to_below;
  uint32_t ref = state_top_frame(vm, before),
           to_ref = state_top_frame(vm, after);
  if (ref == NO_REF || to_ref == NO_REF)
    return ref == to_ref;
  frozen_frame(vm, ref, &func, &pc, &below);
  frozen_frame(vm, to_ref, &func, &to_pc, &to_below);
  if (below == to_below)
    return to_pc <= pc; // as mostly
  unsigned n = vm_backtrace(vm, before, from, MAX_FRAMES);
  unsigned m = vm_backtrace(vm, after, to, MAX_FRAMES);
  while (n && m && from[n - 1] == to[m - 1])
    n--, m--;
  return n && m ? to[m - 1] < from[n - 1] : n == m;
}

site_id vm_access_site(const struct vm *vm, state_id s) {
  uint32_t func, pc, below;
  for (uint32_t ref = state_top_frame(vm, s); ref != NO_REF; ref = below) {
    frozen_frame(vm, ref, &func, &pc, &below);
    if (!vm->prog->funcs.at[func].is_library)
      return pc;
  }
  return vm_site(vm, s);
}

// All frames may be library code, in an atexit handler for example; then the
// innermost one is the best answer.
site_id vm_site(const struct vm *vm, state_id s) {
  site_id innermost = NO_SITE;
  uint32_t func, pc, below;
  for (uint32_t ref = state_top_frame(vm, s); ref != NO_REF; ref = below) {
    frozen_frame(vm, ref, &func, &pc, &below);
    if (frame_is_users(vm->prog, func, pc))
      return pc;
    if (innermost == NO_SITE)
      innermost = pc;
  }
  return innermost;
}

uint32_t vm_differs_in(const struct vm *vm, state_id s, state_id t) {
  uint32_t len, other_len, live;
  const uint32_t *a =
      parts_get(&vm->cold->frames, state_top_frame(vm, s), &len);
  const uint32_t *b =
      parts_get(&vm->cold->frames, state_top_frame(vm, t), &other_len);
  const uint16_t *list = live_across(vm->prog, a[FRAME_PC], &live);
  if (len != other_len || a[FRAME_PC] != b[FRAME_PC])
    return NO_SLOT;
  for (uint32_t i = 0; i < live && FRAME_HEAD + 2 * i + 1 < len; i++)
    if (memcmp(a + FRAME_HEAD + 2 * i, b + FRAME_HEAD + 2 * i, 8) != 0)
      return list[i];
  return NO_SLOT;
}

const char *vm_text(const struct vm *vm, uint64_t string_id) {
  check(string_id <= UINT32_MAX);
  return strings_get(&vm->cold->texts, (uint32_t)string_id);
}

struct vm_stats vm_stats(const struct vm *vm) {
  const struct vm_cold *cold = vm->cold;
  uint64_t states = vm->nstates - 1, transient = cold->transient.len;
  return (struct vm_stats){
      .states = states,
      .transient = transient,
      .misses = vm->misses,
      .bytes = parts_bytes(&cold->states) + parts_bytes(&cold->frames) +
               parts_bytes(&cold->chunks) +
               (states + transient) * sizeof(struct state),
  };
}
