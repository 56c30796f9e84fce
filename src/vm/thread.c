// SPDX-License-Identifier: MIT
// Frames, private objects and findings of the running thread. Slots of all
// frames stand in one array, private objects in another, both as stacks.
#include "bytecode/operand.h"
#include "vm/cold.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void need_slots(struct thread *t, uint32_t n) {
  if (n <= t->slots)
    return;
  uint32_t now = t->slots ? t->slots : 256;
  while (now < n)
    now *= 2;
  t->slot = xrealloc(t->slot, now * sizeof *t->slot);
  t->undef = xrealloc(t->undef, now * sizeof *t->undef);
  t->slot_set = xrealloc(t->slot_set, now * sizeof *t->slot_set);
  t->slots = now;
}

void thread_init(struct thread *t, struct vm *vm) {
  *t = (struct thread){.vm = vm, .parent = NO_REF, .bottom_func = UINT32_MAX};
  need_slots(t, 1);
}

void thread_done(struct thread *t) {
  array_done(&t->frames);
  array_done(&t->locals);
  array_done(&t->chunks);
  free(t->slot);
  free(t->undef);
  free(t->slot_set);
  free(t->bytes);
  free(t->byte_undef);
  free(t->byte_set);
}

void thread_reset(struct thread *t, thread_id id) {
  const struct prog *p = t->vm->prog;
  const struct vm_cold *cold = t->vm->cold;
  t->id = id;
  t->is_bulk = t->is_pieces = false;
  t->frames.len = t->locals.len = t->chunks.len = 0;
  t->parent = NO_REF;
  t->depth = t->used = 0;
  t->shared_small = t->shared_large = 0;
  thread_set_used(t, cold->tls_bytes);
  for (uint32_t i = 0; i < p->globals.len; i++) {
    const struct global *g = &p->globals.at[i];
    if (g->is_thread_local && g->is_private && g->size)
      memcpy(t->bytes + cold->tls_at[i], g->bytes, g->size);
  }
}

// -- findings

void thread_stop(struct thread *t, enum access_kind kind, uint64_t value,
                 uint64_t value2) {
  t->access = (struct access){
      .kind = (uint8_t)kind, .loc = NO_LOC, .value = value, .value2 = value2};
  t->track.addr = t->track.data = 0;
}

void thread_block(struct thread *t) {
  thread_stop(t, ACC_BLOCK, 0, 0);
}

// Frames below the thawed ones are not looked at.
site_id thread_site(const struct thread *t) {
  for (uint32_t i = t->frames.len; i-- > 0;)
    if (frame_is_users(t->vm->prog, t->frames.at[i].func, t->frames.at[i].pc))
      return t->frames.at[i].pc;
  return t->frames.at[t->frames.len - 1].pc;
}

static void note_warning(struct thread *t, enum finding_kind kind,
                         const char *text) {
  struct vm *vm = t->vm;
  site_id site = thread_site(t);
  if (vm->tries) {
    vm->withheld++;
    return;
  }
  if (t->track.on) // the real run has noted it
    return;
  for (uint32_t i = vm->warnings.len; i-- > 0;) // a loop meets the newest again
    if (vm->warnings.at[i].kind == kind && vm->warnings.at[i].site == site)
      return;
  array_push(&vm->warnings,
             (struct vm_warning){kind, site, t->id,
                                 strings_add(&vm->cold->texts, text)});
}

enum { LONGEST_TEXT = 512 };

bool thread_is_error(const struct thread *t, enum finding_kind kind) {
  const struct vm_config *c = &t->vm->cold->config;
  return !c->disabled[kind] && !c->warned[kind];
}

bool thread_raise(struct thread *t, enum finding_kind kind, const char *fmt,
                  ...) {
  const struct vm_config *c = &t->vm->cold->config;
  char text[LONGEST_TEXT];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  if (thread_is_error(t, kind)) {
    thread_stop(t, ACC_ERROR, kind, strings_add(&t->vm->cold->texts, text));
    return true;
  }
  if (!c->disabled[kind])
    note_warning(t, kind, text);
  if (finding_is_final(kind))
    thread_cut(t, "nothing is defined after %s", finding_name(kind));
  return finding_is_final(kind);
}

void thread_cut(struct thread *t, const char *fmt, ...) {
  char text[LONGEST_TEXT];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  thread_stop(t, ACC_CUT, strings_add(&t->vm->cold->texts, text), 0);
}

bool thread_raise_undef(struct thread *t, uint64_t undef, const char *what) {
  return undef && thread_raise(t, FIND_UNINITIALIZED,
                               "%s depends on an uninitialised value%s", what,
                               t->vm->prog->has_poison
                                   ? ", or on one that has no result (a shift, "
                                     "conversion or count out of range)"
                                   : "");
}

// -- frames

// Fills the slots of a new frame. The constants of the bottom frame are still
// there when the last bottom frame was of the same function: most steps begin
// with a function that was just thawed, and it may have many constants.
static void init_slots(struct thread *t, uint32_t func, uint32_t base) {
  const struct func *f = &t->vm->prog->funcs.at[func];
  need_slots(t, base + f->nregs + f->nconsts);
  // No register is read before it is written or thawed; slow-check builds
  // make sure that a read of one would show.
  memset(t->slot + base, HEDDLE_SLOW_CHECKS ? 0xa5 : 0,
         f->nregs * sizeof *t->slot);
  memset(t->undef + base, 0, f->nregs * sizeof *t->undef);
  if (t->track.on)
    memset(t->slot_set + base, 0,
           (f->nregs + f->nconsts) * sizeof *t->slot_set);
  if (f->nconsts && !(base == 0 && t->bottom_func == func)) {
    uint32_t first = base + f->nregs;
    memcpy(t->slot + first, t->vm->prog->consts.at + f->first_const,
           f->nconsts * sizeof *t->slot);
    memset(t->undef + first, 0, f->nconsts * sizeof *t->undef);
  }
  if (base == 0)
    t->bottom_func = func;
}

struct frame *thread_push_frame(struct thread *t, uint32_t func) {
  const struct prog *p = t->vm->prog;
  const struct func *f = &p->funcs.at[func];
  uint32_t base = 0;
  if (t->frames.len) {
    const struct func *below = &p->funcs.at[thread_top(t)->func];
    base = thread_top(t)->base + below->nregs + below->nconsts;
  }
  init_slots(t, func, base);
  array_push(&t->frames, (struct frame){.func = func,
                                        .pc = f->first,
                                        .base = base,
                                        .locals = t->locals.len,
                                        .ref = NO_REF});
  t->depth++;
  return thread_top(t);
}

// Copies words of the caller into the private object from `offset` on.
static void put_words(struct thread *t, uint32_t local, uint64_t offset,
                      uint32_t from, unsigned n) {
  uint32_t at = t->locals.at[local].first + (uint32_t)offset;
  for (unsigned i = 0; i < n; i++) {
    struct place p = {.where = AT_PRIVATE, .at = at + 8 * i};
    struct value value = {{t->slot[from + i], 0}, {t->undef[from + i], 0}, 0};
    if (t->track.on)
      value.set = t->slot_set[from + i];
    memory_put(t, &p, 8, &value);
  }
}

// The area that registers are saved in is as large as it is used, so that who
// asks for too much is found out; but for one word, since a struct of 16 bytes
// that has only one in a register is copied from there as a whole.
static uint64_t saved_bytes(struct variadic v) {
  if (v.vector_end > v.vector)
    return 8 * GENERAL_REGISTERS + 16 * (uint64_t)v.vector_end;
  return v.general_end > v.general ? 8 * (uint64_t)(v.general_end + 1) : 0;
}

static unsigned register_words(struct variadic v) {
  return v.general_end - v.general + 2u * (v.vector_end - v.vector);
}

// Does the word say how `n` others are passed? A caller through a pointer
// of another type does not send it.
static bool is_variadic(uint64_t word, unsigned n) {
  struct variadic v = imm_variadic_of(word);
  return word >> 32 == VARIADIC_MARK && v.general <= v.general_end &&
         v.general_end <= GENERAL_REGISTERS && v.vector <= v.vector_end &&
         v.vector_end <= VECTOR_REGISTERS && register_words(v) <= n;
}

// Variadic arguments (prog.h) stand in two private objects.
static bool pass_variadic(struct thread *t, bool has_registers, uint32_t from,
                          unsigned n) {
  struct variadic v = {0};
  if (has_registers) {
    if (!n || !is_variadic(t->slot[from], n - 1)) {
      thread_raise(t, FIND_BAD_CALL,
                   "call of a function with ... as one without");
      return false;
    }
    v = imm_variadic_of(t->slot[from++]);
    n--;
  }
  unsigned general = v.general_end - v.general, both = register_words(v);
  uint32_t saved = thread_add_local(t, saved_bytes(v)), rest = UINT32_MAX;
  if (saved != UINT32_MAX)
    rest = thread_add_local(t, 8 * (uint64_t)(n - both));
  if (rest == UINT32_MAX)
    return false;
  put_words(t, saved, 8 * (uint64_t)v.general, from, general);
  put_words(t, saved, 8 * GENERAL_REGISTERS + 16 * (uint64_t)v.vector,
            from + general, both - general);
  put_words(t, rest, 0, from + both, n - both);
  thread_top(t)->va_local = saved + 1;
  return true;
}

// What a call takes of the stack besides its variables, on any machine: where
// it returns to, and the frame that it returns to.
enum { CALL_BYTES = 16 };

// Is there no room for more calls and bytes?
static bool is_stack_full(const struct thread *t, uint32_t calls,
                          uint64_t bytes) {
  const struct vm_cold *cold = t->vm->cold;
  uint64_t max = cold->config.max_private;
  return bytes > max || t->used - cold->tls_bytes + bytes +
                                (uint64_t)(t->depth + calls) * CALL_BYTES >
                            max;
}

static bool may_call(struct thread *t, const struct func *f) {
  const struct vm_config *c = &t->vm->cold->config;
  const char *name = prog_text(t->vm->prog, f->name);
  if (c->max_calls && t->depth >= c->max_calls)
    thread_cut(t, "--max-calls: calls of `%s` nest more than %llu deep", name,
               (unsigned long long)c->max_calls);
  else if (is_stack_full(t, 1, 0))
    thread_cut(t,
               "--max-stack: calls of `%s` nest %u deep and need more than "
               "%llu KiB",
               name, t->depth, (unsigned long long)c->max_private >> 10);
  else
    return true;
  return false;
}

bool thread_call(struct thread *t, uint32_t func, unsigned first, unsigned n) {
  const struct func *f = &t->vm->prog->funcs.at[func];
  uint32_t from = thread_top(t)->base + first;
  if (!may_call(t, f))
    return false;
  struct frame *callee = thread_push_frame(t, func);
  memcpy(t->slot + callee->base, t->slot + from, f->params * sizeof *t->slot);
  memcpy(t->undef + callee->base, t->undef + from,
         f->params * sizeof *t->undef);
  if (t->track.on) {
    memcpy(t->slot_set + callee->base, t->slot_set + from,
           f->params * sizeof *t->slot_set);
    track_touch(t, t->slot_set + callee->base, f->params);
  }
  return !f->is_vararg ||
         pass_variadic(t, f->params != 0, from + f->params, n - f->params);
}

// The first frame is replaced by one of prog->on_return.
static void call_on_return(struct thread *t, uint64_t value, uint64_t undef,
                           set_id set) {
  thread_drop_locals(t, thread_top(t)->locals);
  t->frames.len--;
  t->depth--;
  const struct frame *f = thread_push_frame(t, t->vm->prog->on_return);
  t->slot[f->base] = value;
  t->undef[f->base] = undef;
  if (t->track.on)
    t->slot_set[f->base] = set;
}

// Ends the innermost frame; there is one below.
struct frame *thread_leave_frame(struct thread *t) {
  thread_drop_locals(t, thread_top(t)->locals);
  t->frames.len--;
  t->depth--;
  if (!t->frames.len)
    thaw_frame(t, t->parent);
  thread_top(t)->ref = NO_REF;
  return thread_top(t);
}

bool thread_return(struct thread *t, unsigned first, unsigned n) {
  uint64_t value[UINT8_MAX];
  uint64_t undef[UINT8_MAX];
  set_id set[UINT8_MAX];
  const struct frame *callee = thread_top(t);
  memcpy(value, t->slot + callee->base + first, n * sizeof *value);
  memcpy(undef, t->undef + callee->base + first, n * sizeof *undef);
  for (unsigned i = 0; i < n; i++)
    set[i] = thread_set(t, first + i);
  if (t->depth == 1 && t->vm->prog->on_return != UINT32_MAX &&
      callee->func != t->vm->prog->on_return) {
    call_on_return(t, n ? value[0] : 0, n ? undef[0] : 0, n ? set[0] : 0);
    thread_top(t)->pc--; // the caller goes on after the call
    return true;
  }
  if (t->depth == 1) {
    thread_stop(t, ACC_END, n ? value[0] : 0, 0);
    if (n && undef[0])
      access_set_undef(
          t, undef_pack(t->vm, 8, &(struct value){.undef = {undef[0]}}));
    t->track.data = n ? set[0] : 0;
    return false;
  }
  struct frame *caller = thread_leave_frame(t);
  const struct insn *call = &t->vm->prog->code.at[caller->pc];
  unsigned taken = call_results(call);
  check(taken <= n);
  memcpy(t->slot + caller->base + call->a, value, taken * sizeof *value);
  memcpy(t->undef + caller->base + call->a, undef, taken * sizeof *undef);
  if (t->track.on) {
    memcpy(t->slot_set + caller->base + call->a, set, taken * sizeof *set);
    track_touch(t, t->slot_set + caller->base + call->a, taken);
  }
  return true;
}

// -- setjmp and longjmp

// A mark: negative, the thread, how deep its frame is, the instruction.
uint64_t thread_mark(const struct thread *t) {
  const struct frame *f = &t->frames.at[t->frames.len - 1];
  return UINT64_C(1) << 63 | (uint64_t)(t->id + 1) << 48 |
         (uint64_t)t->depth << 32 | f->pc;
}

// The function of the frame that is so deep.
static uint32_t func_at(const struct thread *t, uint32_t depth) {
  uint32_t frozen = t->depth - t->frames.len, ref = t->parent;
  if (depth > frozen)
    return t->frames.at[depth - frozen - 1].func;
  uint32_t func, pc;
  for (uint32_t at = frozen;; at--) {
    frozen_frame(t->vm, ref, &func, &pc, &ref);
    if (at == depth)
      return func;
  }
}

bool thread_jump(struct thread *t, uint64_t mark, uint32_t value, set_id set) {
  const struct prog *p = t->vm->prog;
  uint32_t depth = mark >> 32 & 0xffff, pc = (uint32_t)mark;
  bool is_ours = mark >> 63 && (mark >> 48 & 0x7fff) == t->id + 1;
  const struct func *f = is_ours && depth && depth <= t->depth
                             ? &p->funcs.at[func_at(t, depth)]
                             : NULL;
  if (!f || pc < f->first || pc >= f->end)
    return !thread_raise(t, FIND_BAD_ARGUMENT,
                         is_ours ? "longjmp into a function that has returned"
                                 : "longjmp to where no setjmp of this thread "
                                   "was");
  while (t->depth > depth)
    thread_leave_frame(t);
  struct frame *top = thread_top(t);
  uint32_t to = top->base + p->code.at[pc].a;
  top->pc = pc;
  t->slot[to] = value ? value : 1;
  t->undef[to] = 0;
  if (t->track.on) {
    t->slot_set[to] = set;
    track_touch(t, t->slot_set + to, 1);
  }
  return true;
}

// -- private memory

void memory_touch(struct thread *t, uint32_t at, uint64_t size) {
  if (!size)
    return;
  for (uint32_t i = at / CHUNK; i <= (at + size - 1) / CHUNK; i++)
    t->chunks.at[i] = NO_REF;
}

void thread_set_chunks(struct thread *t, uint32_t chunks) {
  if (chunks * CHUNK > t->cap) {
    uint32_t now = t->cap ? t->cap : 4 * CHUNK;
    while (now < chunks * CHUNK)
      now *= 2;
    t->bytes = xrealloc(t->bytes, now);
    t->byte_undef = xrealloc(t->byte_undef, now);
    t->byte_set = xrealloc(t->byte_set, now * sizeof *t->byte_set);
    t->cap = now;
  }
  while (t->chunks.len < chunks)
    array_push(&t->chunks, NO_REF);
  t->chunks.len = chunks;
}

static void clear(struct thread *t, uint32_t from, uint32_t to) {
  memset(t->bytes + from, 0, to - from);
  memset(t->byte_undef + from, 0, to - from);
  if (t->track.on)
    track_put_bytes(t, from, to - from, 0);
  memory_touch(t, from, to - from);
}

// Bytes between `used` and the end of its chunk are zero and clean, so that
// equal memory has equal chunks.
void thread_set_used(struct thread *t, uint32_t used) {
  uint32_t chunks = (used + CHUNK - 1) / CHUNK, old = t->chunks.len;
  thread_set_chunks(t, chunks);
  if (old < chunks)
    clear(t, old * CHUNK, chunks * CHUNK);
  else if (used < t->used)
    clear(t, used, chunks * CHUNK);
  t->used = used;
}

uint32_t thread_add_local(struct thread *t, uint64_t size) {
  uint64_t max = t->vm->cold->config.max_private;
  if (is_stack_full(t, 0, size)) {
    thread_cut(t,
               "--max-stack: the locals of thread %u need more than %llu KiB",
               t->id, (unsigned long long)max >> 10);
    return UINT32_MAX;
  }
  if (t->locals.len >= INDEX_SHARED - INDEX_LOCAL) {
    thread_cut(t, "thread %u has more than %u local variables", t->id,
               INDEX_SHARED - INDEX_LOCAL);
    return UINT32_MAX;
  }
  struct local local = {.first = t->used, .size = (uint32_t)size};
  thread_set_used(t, t->used + local.size);
  if (local.size)
    memset(t->byte_undef + local.first, 0xff, local.size);
  memory_touch(t, local.first, size);
  array_push(&t->locals, local);
  return t->locals.len - 1;
}

void thread_drop_locals(struct thread *t, uint32_t keep) {
  if (keep == t->locals.len)
    return;
  uint32_t used = t->locals.at[keep].first;
  t->locals.len = keep;
  thread_set_used(t, used);
}

uint64_t thread_local_address(const struct thread *t, uint32_t local) {
  return pointer_make(t->id + 1, INDEX_LOCAL + local, 0);
}
