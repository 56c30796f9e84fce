// SPDX-License-Identifier: MIT
// Builtins: what is a function in C but no code. Most of them only describe an
// access and stop; the value comes back through sys_result.
#include "bytecode/family.h"
#include "bytecode/operand.h"
#include "vm/cold.h"

#include <string.h>

struct args {
  const uint64_t *v;
  const uint64_t *undef;
};

static struct args args_of(struct thread *t, const struct insn *in) {
  return (struct args){thread_slot(t, in->b), thread_undef(t, in->b)};
}

void sys_result(struct thread *t, const struct insn *in, uint64_t value,
                uint64_t undef) {
  if (in->op == OP_sys && call_results(in) == 0)
    return;
  *thread_slot(t, in->a) = value;
  *thread_undef(t, in->a) = undef;
}

static bool done(struct thread *t, const struct insn *in, uint64_t value) {
  sys_result(t, in, value, 0);
  return true;
}

static bool stop(struct thread *t, enum access_kind kind, uint64_t value,
                 uint64_t value2) {
  thread_stop(t, kind, value, value2);
  return false;
}

// -- objects

// The next object number of the thread, or UINT32_MAX.
static uint32_t next_index(struct thread *t, uint64_t size) {
  uint64_t index;
  if (object_span(size) == 1) {
    index = INDEX_SHARED + (uint64_t)t->shared_small++;
    return index < INDEX_LARGE ? (uint32_t)index : UINT32_MAX;
  }
  index = INDEX_LARGE + (uint64_t)t->shared_large++ * LARGE_SPAN;
  return index + LARGE_SPAN <= INDEX_COUNT ? (uint32_t)index : UINT32_MAX;
}

// Like a real malloc, one that is too large gives null.
bool sys_alloc(struct thread *t, const struct insn *in, uint64_t size,
               uint32_t flags, uint64_t way) {
  if (size > OBJECT_MAX && !(flags & ACCF_STACK))
    return done(t, in, 0);
  if (size > OBJECT_MAX) {
    thread_cut(t, "a local variable of %llu bytes", (unsigned long long)size);
    return false;
  }
  uint32_t index = next_index(t, size);
  if (index == UINT32_MAX) {
    thread_cut(t,
               "thread %u has allocated more %sobjects than Heddle can number",
               t->id, object_span(size) == 1 ? "" : "large ");
    return false;
  }
  thread_stop(t, ACC_ALLOC, size, way);
  t->access.object =
      vm_object_of_pointer(t->vm, pointer_make(t->id + 1, index, 0));
  t->access.flags = flags;
  t->track.data = thread_set(t, in->b);
  return false;
}

static bool is_heap_pointer(uint64_t pointer) {
  object_id o = pointer_object(pointer);
  return pointer_canonical(pointer) && object_region(o) != 0 &&
         object_index(o) >= INDEX_SHARED;
}

// free and object_size: the pointer must come from malloc.
static bool sys_heap(struct thread *t, const struct insn *in,
                     enum access_kind kind, uint64_t pointer, uint64_t undef,
                     uint64_t way) {
  if (thread_raise_undef(t, undef, "a free"))
    return false;
  if (!is_heap_pointer(pointer)) {
    struct str name = {0};
    bool is_named = prog_name_address(t->vm->prog, pointer, 0, &name);
    bool raised = thread_raise(
        t, FIND_INVALID_FREE, "free of %s%s%s, which malloc did not return",
        is_named ? "`" : "an address", str_text(&name), is_named ? "`" : "");
    str_done(&name);
    return !raised && done(t, in, 0);
  }
  thread_stop(t, kind, pointer, way);
  t->access.object = vm_object_of_pointer(t->vm, pointer);
  return false;
}

static bool sys_cell_size(struct thread *t, const struct insn *in,
                          uint64_t pointer, uint64_t undef) {
  struct place p = memory_at(t, pointer, undef, 1, /*is_write=*/false);
  if (p.where == AT_STOP)
    return false;
  if (p.where != AT_SHARED)
    return done(t, in, 0);
  thread_stop(t, ACC_CELL_SIZE, pointer, 1);
  t->access.object = vm_object_of_pointer(t->vm, pointer);
  return false;
}

// -- threads and locks

static bool sys_spawn(struct thread *t, const struct args *a) {
  const struct prog *p = t->vm->prog;
  uint32_t func = prog_func_of_address(p, a->v[0]);
  if (thread_raise_undef(t, a->undef[0], "the start of a thread"))
    return false;
  const char *wrong =
      a->v[0] == 0         ? "is null"
      : func == UINT32_MAX ? "is no function"
      : p->funcs.at[func].params > 1 || p->funcs.at[func].is_vararg
          ? "does not take one argument"
          : NULL;
  if (wrong) {
    thread_raise(t, a->v[0] ? FIND_BAD_CALL : FIND_THREAD_MISUSE,
                 "the start function of a new thread %s", wrong);
    return false;
  }
  // Machines pass what is not taken all the same.
  if (!p->funcs.at[func].params &&
      thread_raise(t, FIND_START_TYPE,
                   "the start function `%s` of a new thread takes no argument",
                   prog_text(p, p->funcs.at[func].name)))
    return false;
  thread_stop(t, ACC_SPAWN, a->v[0], a->v[1]);
  t->access.argument =
      undef_pack(t->vm, 8, &(struct value){.undef = {a->undef[1]}});
  t->access.flags = t->access.argument ? ACCF_UNINIT : 0;
  return false;
}

// What a lock or wait in private memory stores; false: no other thread will
// ever let this thread go on.
static bool next_word(struct thread *t, enum access_kind kind,
                      const struct args *a, uint32_t *word) {
  uint32_t me = t->id + 1, now = *word;
  if (now == SYNC_DESTROYED &&
      thread_raise(t, FIND_SYNC_MISUSE, "use of a lock that was destroyed"))
    return false;
  struct access take = {.value = take_range(a->v[1], a->v[2])};
  if (kind == ACC_UNLOCK) {
    *word = 0;
    return now == me || !thread_raise(t, FIND_UNLOCK_NOT_HELD,
                                      "unlock of a mutex that is not held");
  }
  if (kind == ACC_TAKE) {
    *word = now + (uint32_t)a->v[3];
    if (!take_accepts(&take, now) && a->v[4])
      thread_block(t);
    else if (!take_accepts(&take, now))
      thread_raise(t, FIND_DEADLOCK,
                   "thread %u waits for what no other thread can do: it alone "
                   "can reach the memory",
                   t->id);
    return take_accepts(&take, now);
  }
  *word = me;
  if (now == me &&
      thread_raise(t, FIND_RELOCK,
                   "lock of a mutex that this thread holds already"))
    return false;
  if (now)
    thread_raise(t, FIND_DEADLOCK, "thread %u waits for itself", t->id);
  return !now;
}

// No other thread can reach the word, so there is no event.
static bool lock_private(struct thread *t, enum access_kind kind,
                         const struct args *a, const struct place *p) {
  struct value value = memory_get(t, p, 4);
  if (thread_raise_undef(t, value.undef[0], "a lock"))
    return false;
  if (t->track.on)
    track_branch(t, value.set);
  uint32_t word = (uint32_t)value.v[0];
  if (!next_word(t, kind, a, &word)) {
    if (t->access.kind != ACC_ERROR && t->access.kind != ACC_CUT)
      thread_block(t);
    return false;
  }
  value.v[0] = word;
  memory_put(t, p, 4, &value);
  return true;
}

// Is what is locked unknown, and does that not stop the thread (unknown.c)?
static bool is_passed(const struct thread *t, const struct args *a) {
  return a->undef[0] && t->vm->cold->config.passes_by;
}

static void stop_at_lock(struct thread *t, enum access_kind kind,
                         const struct args *a) {
  thread_stop(t, kind, 0, 0);
  t->access.order = kind == ACC_UNLOCK ? ORD_REL : ORD_ACQ;
  t->access.loc =
      is_passed(t, a) ? NO_LOC : vm_find_location(t->vm, a->v[0], MUTEX_BYTES);
  if (kind == ACC_TAKE) {
    t->access.value = take_range(a->v[1], a->v[2]);
    t->access.value2 = (uint32_t)a->v[3];
    t->access.flags = a->v[4] ? ACCF_TIMED : 0;
  }
}

static bool sys_lock(struct thread *t, enum access_kind kind,
                     const struct args *a) {
  if (is_passed(t, a)) {
    stop_at_lock(t, kind, a);
    return false;
  }
  struct place p =
      memory_at(t, a->v[0], a->undef[0], MUTEX_BYTES, /*is_write=*/true);
  if (p.where == AT_STOP)
    return false;
  if (p.where != AT_SHARED)
    return lock_private(t, kind, a, &p);
  if (!memory_check_aligned(t, a->v[0], MUTEX_BYTES))
    return false;
  stop_at_lock(t, kind, a);
  return false;
}

static bool sys_lock_for(struct thread *t, const struct args *a) {
  bool goes_on = sys_lock(t, ACC_LOCK_READ, a);
  if (!goes_on && t->access.kind == ACC_LOCK_READ)
    t->access.value2 = a->v[1];
  return goes_on;
}

// May something be added to the word, which was taken?
static bool may_give(struct thread *t, uint32_t word, uint32_t added) {
  if (word == SYNC_DESTROYED)
    return !thread_raise(t, FIND_SYNC_MISUSE,
                         "use of a lock or semaphore that was destroyed");
  return (int32_t)word != INT32_MAX || added != 1 ||
         !thread_raise(t, FIND_BAD_ARGUMENT,
                       "the value of a semaphore overflows");
}

// What gives back what was taken is an update like others.
static bool sys_give(struct thread *t, const struct args *a) {
  uint32_t added = (uint32_t)a->v[1];
  struct place p = {.where = AT_SHARED};
  if (!is_passed(t, a))
    p = memory_at(t, a->v[0], a->undef[0], MUTEX_BYTES, /*is_write=*/true);
  if (p.where == AT_STOP)
    return false;
  if (p.where != AT_SHARED) {
    struct value value = memory_get(t, &p, MUTEX_BYTES);
    if (thread_raise_undef(t, value.undef[0], "a lock") ||
        !may_give(t, (uint32_t)value.v[0], added))
      return false;
    value.v[0] = (uint32_t)value.v[0] + added;
    memory_put(t, &p, MUTEX_BYTES, &value);
    return true;
  }
  if (!is_passed(t, a) && !memory_check_aligned(t, a->v[0], MUTEX_BYTES))
    return false;
  thread_stop(t, ACC_RMW_READ, added, 0);
  t->access.order = ORD_REL;
  t->access.loc =
      is_passed(t, a) ? NO_LOC : vm_find_location(t->vm, a->v[0], MUTEX_BYTES);
  return false;
}

bool sys_given(struct thread *t, uint64_t value, undef_id undef) {
  uint32_t added = (uint32_t)t->access.value;
  if (undef && vm_is_blind(t->vm)) {
    access_add_blindly(t);
    return false;
  }
  if (thread_raise_undef(t, undef, "a lock") ||
      !may_give(t, (uint32_t)value, added))
    return false;
  t->access.kind = ACC_RMW_WRITE;
  t->access.value = (uint32_t)value + added;
  t->access.value2 = 0;
  t->access.flags = 0;
  return false;
}

static bool sys_join(struct thread *t, enum access_kind kind,
                     const struct args *a) {
  if (thread_raise_undef(t, a->undef[0], "a join or detach"))
    return false;
  return stop(t, kind, a->v[0], 0);
}

// -- findings

static bool sys_assert_fail(struct thread *t, const struct args *a) {
  struct str text = {0};
  if (!memory_text(t, a->v[0], &text))
    str_add(&text, "?");
  bool raised =
      thread_raise(t, FIND_ASSERTION, "assertion `%s` failed", str_text(&text));
  str_done(&text);
  return !raised;
}

static bool sys_fail(struct thread *t, const struct args *a) {
  enum finding_kind kind =
      a->v[0] < FIND_COUNT ? (enum finding_kind)a->v[0] : FIND_BAD_ARGUMENT;
  struct str text = {0};
  if (!memory_text(t, a->v[1], &text))
    str_add(&text, "%s", finding_meaning(kind));
  // The library has no code after it, so the thread cannot go on.
  if (!thread_raise(t, kind, "%s", str_text(&text)))
    thread_cut(t, "%s", str_text(&text));
  str_done(&text);
  return false;
}

static bool sys_no_system_call(struct thread *t, const struct args *a) {
  struct str text = {0};
  if (!a->v[0] || !memory_text(t, a->v[0], &text))
    str_add(&text, "system call %lld is unknown and fails with ENOSYS",
            (long long)a->v[1]);
  bool raised = thread_raise(t, FIND_SYSTEM_CALL, "%s", str_text(&text));
  str_done(&text);
  return !raised;
}

static bool add_string(struct thread *t, uint64_t at, uint64_t size,
                       struct str *out) {
  struct place p = memory_at(t, at, 0, size, /*is_write=*/false);
  if (p.where == AT_CONSTANT)
    str_add(out, "%.*s", (int)size, (const char *)p.bytes);
  return p.where == AT_CONSTANT;
}

// `{}` stands for each of the values that are formatted behind the strings.
static void add_strings(struct thread *t, uint64_t at, uint64_t count,
                        uint64_t values, struct str *out) {
  enum { ENOUGH = 200 };
  uint64_t string[2];
  for (uint64_t i = 0; i < count && out->len < ENOUGH; i++) {
    struct place p = memory_at(t, at + i * sizeof string, 0, sizeof string,
                               /*is_write=*/false);
    if (p.where != AT_CONSTANT)
      return;
    memcpy(string, p.bytes, sizeof string);
    if (string[1] && !add_string(t, string[0], string[1], out))
      return;
    str_add(out, "%s", i < values ? "{}" : "");
  }
}

static bool sys_panic(struct thread *t, const struct args *a) {
  struct str text = {0};
  if (a->v[2] == UINT64_MAX)
    add_string(t, a->v[0], a->v[1], &text);
  else
    add_strings(t, a->v[0], a->v[1], a->v[2], &text);
  if (!thread_raise(t, FIND_PANIC, "panic: %s", str_text(&text)))
    thread_cut(t, "a panic");
  str_done(&text);
  return false;
}

static bool sys_limit(struct thread *t, const struct args *a) {
  struct str text = {0};
  if (!memory_text(t, a->v[0], &text))
    str_add(&text, "a limit of the library");
  thread_cut(t, "%s", str_text(&text));
  str_done(&text);
  return false;
}

// No option switches this off: what comes after it is unknown.
static bool sys_unsupported(struct thread *t, const struct args *a) {
  const struct strings *all = &t->vm->prog->strings;
  const char *text =
      a->v[0] < all->text.len ? strings_get(all, (uint32_t)a->v[0]) : "?";
  return stop(t, ACC_ERROR, FIND_UNSUPPORTED,
              strings_add(&t->vm->cold->texts, text));
}

static bool sys_assume(struct thread *t, const struct args *a) {
  if (a->undef[0] && vm_is_blind(t->vm))
    return true;
  if (thread_raise_undef(t, a->undef[0], "an assumption"))
    return false;
  if (a->v[0])
    return true;
  thread_block(t);
  return false;
}

static bool sys_choose(struct thread *t, const struct args *a) {
  if (thread_raise_undef(t, a->undef[0] | a->undef[1], "a choice"))
    return false;
  if ((int64_t)a->v[0] > (int64_t)a->v[1] &&
      thread_raise(t, FIND_BAD_ARGUMENT, "choice of a number from %lld to %lld",
                   (long long)a->v[0], (long long)a->v[1]))
    return false;
  return stop(t, ACC_CHOOSE, a->v[0], a->v[1]);
}

static bool sys_sample(struct thread *t, const struct args *a) {
  struct str text = {0};
  if (!memory_text(t, a->v[0], &text))
    str_add(&text, "?");
  thread_stop(t, ACC_CHOOSE, a->v[1], a->v[2]);
  t->access.flags = ACCF_SAMPLE;
  t->access.argument = strings_add(&t->vm->cold->texts, str_text(&text));
  str_done(&text);
  return false;
}

// -- output

static bool has_undef(const struct thread *t, uint32_t at, uint64_t size) {
  for (uint64_t i = 0; i < size; i++)
    if (t->byte_undef[at + i])
      return true;
  return false;
}

// The text that the first two arguments are; false: the thread stopped.
static bool text_of(struct thread *t, const struct args *a, struct str *ret) {
  struct place p =
      memory_at(t, a->v[0], a->undef[0], a->v[1], /*is_write=*/false);
  if (p.where == AT_STOP)
    return false;
  if (p.where == AT_SHARED)
    return !thread_raise(t, FIND_BAD_ARGUMENT,
                         "output from memory that other threads can reach");
  if (p.where == AT_PRIVATE && has_undef(t, p.at, a->v[1]) &&
      thread_raise_undef(t, ALL_UNDEF, "the output"))
    return false;
  for (uint64_t i = 0; i < a->v[1]; i++)
    if (p.bytes[i])
      str_add_bytes(ret, (const char *)p.bytes + i, 1);
  return true;
}

static bool sys_output(struct thread *t, const struct args *a) {
  struct str text = {0};
  if (text_of(t, a, &text))
    thread_stop(t, ACC_OUTPUT,
                strings_add(&t->vm->cold->texts, str_text(&text)), 0);
  str_done(&text);
  return false;
}

static bool sys_observe(struct thread *t, const struct args *a) {
  struct str name = {0};
  bool ok = text_of(t, a, &name) &&
            (vm_is_blind(t->vm) ||
             !thread_raise_undef(t, a->undef[2], "what is observed"));
  if (ok) {
    thread_stop(t, ACC_OUTPUT,
                strings_add(&t->vm->cold->texts, str_text(&name)), a->v[2]);
    t->access.flags = ACCF_OBSERVED;
  }
  str_done(&name);
  return false;
}

static bool sys_setjmp(struct thread *t, const struct insn *in) {
  if (t->depth <= UINT16_MAX)
    return done(t, in, thread_mark(t));
  thread_cut(t, "setjmp in more than %d calls", UINT16_MAX);
  return false;
}

bool sys_longjmp(struct thread *t, const struct insn *in) {
  struct args a = args_of(t, in);
  if (thread_raise_undef(t, a.undef[0] | (uint32_t)a.undef[1], "longjmp"))
    return false;
  if (t->track.on)
    track_branch(t, thread_set(t, in->b));
  return thread_jump(t, a.v[0], (uint32_t)a.v[1], thread_set(t, in->b + 1u));
}

static bool call_builtin(struct thread *t, const struct insn *in) {
  const struct args a = args_of(t, in);
  switch ((enum builtin)in->imm) {
  case BI_malloc:
  case BI_calloc:
  case BI_new:
    if (thread_raise_undef(t, a.undef[0], "the size of an allocation"))
      return false;
    return sys_alloc(t, in, a.v[0], in->imm == BI_calloc ? ACCF_ZEROED : 0,
                     in->imm == BI_new ? a.v[1] : FAMILY_MALLOC);
  case BI_free:
  case BI_delete:
    return (a.v[0] == 0 && !a.undef[0]) || is_passed(t, &a) ||
           sys_heap(t, in, ACC_FREE, a.v[0], a.undef[0],
                    in->imm == BI_free ? FAMILY_MALLOC
                                       : family_pack(a.v[1], a.v[2]));
  case BI_object_size:
    return sys_heap(t, in, ACC_OBJECT_SIZE, a.v[0], a.undef[0], FAMILY_MALLOC);
  case BI_cell_size:
    return sys_cell_size(t, in, a.v[0], a.undef[0]);
  case BI_spawn:
    return sys_spawn(t, &a);
  case BI_join:
    return sys_join(t, ACC_JOIN, &a);
  case BI_detach:
    return sys_join(t, ACC_DETACH, &a);
  case BI_self:
    return done(t, in, t->id);
  case BI_thread_exit:
    thread_stop(t, ACC_END, a.v[0], 0);
    access_set_undef(
        t, undef_pack(t->vm, 8, &(struct value){.undef = {a.undef[0]}}));
    t->access.flags |= a.v[1] ? ACCF_EARLY : 0;
    return false;
  case BI_setjmp:
    return sys_setjmp(t, in);
  case BI_lock:
    return sys_lock(t, ACC_LOCK_READ, &a);
  case BI_lock_for:
    return sys_lock_for(t, &a);
  case BI_unlock:
    return sys_lock(t, ACC_UNLOCK, &a);
  case BI_take:
    return sys_lock(t, ACC_TAKE, &a);
  case BI_give:
    return sys_give(t, &a);
  case BI_is_defined:
    sys_result(t, in, !a.undef[0] && !vm_is_blind(t->vm), vm_is_blind(t->vm));
    return true;
  case BI_assume:
    return sys_assume(t, &a);
  case BI_handler:
    return done(t, in, thread_handler(t, a.v[0]));
  case BI_uncaught:
    return sys_uncaught(t, a.v[0], a.v[1]);
  case BI_assert_fail:
    return sys_assert_fail(t, &a);
  case BI_fail:
    return sys_fail(t, &a);
  case BI_panic:
    return sys_panic(t, &a);
  case BI_unsupported:
    return sys_unsupported(t, &a);
  case BI_no_system_call:
    return sys_no_system_call(t, &a);
  case BI_limit:
    return sys_limit(t, &a);
  case BI_abort:
    if (!thread_raise(t, FIND_ABORT, "the program called abort()"))
      thread_block(t);
    return false;
  case BI_exit:
    if (thread_raise_undef(t, a.undef[0], "the exit status"))
      return false;
    return stop(t, ACC_EXIT, a.v[0], 0);
  case BI_choose:
    return sys_choose(t, &a);
  case BI_sample:
    return sys_sample(t, &a);
  case BI_clock:
    return stop(t, ACC_CLOCK, a.v[0], a.v[1]);
  case BI_time_out:
    thread_stop(t, ACC_CHOOSE, 0, 1);
    t->access.flags = ACCF_TIMED;
    return false;
  case BI_output:
    return sys_output(t, &a);
  case BI_observe:
    return sys_observe(t, &a);
  case BI_format_double:
    return number_format(t, in, /*is_extended=*/false);
  case BI_format_extended:
    return number_format(t, in, /*is_extended=*/true);
  case BI_parse_double:
  case BI_parse_extended:
  case BI_parse_error:
    return number_parse(t, in);
  case BI_extended:
    return number_extended(t, in);
  case BI_math:
  case BI_math_error:
    return number_math(t, in);
  case BI_fma:
    return number_fma(t, in);
  case BI_pair:
    return done(t, in, vm_wide_make(t->vm, a.v[0], a.v[1]));
  case BI_ctrl_save: // track.c does the work
  case BI_stored:
    return done(t, in, 0);
  case BI_decide:
    return done(t, in, a.v[0]);
  case BI_ctrl_restore:
  case BI_yield:
    return true;
  case BI_longjmp: // sys_longjmp
  case BI_unwind:  // sys_unwind
  case BI_COUNT:
    break;
  }
  fatal_internal(__FILE__, __LINE__, "unknown builtin");
}

bool sys_call(struct thread *t, const struct insn *in) {
  if (vm_is_blind(t->vm) && unknown_stops(t, in))
    return false;
  bool is_done = call_builtin(t, in);
  if (t->track.on)
    track_builtin(t, in, is_done);
  return is_done;
}
