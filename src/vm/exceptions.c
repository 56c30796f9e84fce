// SPDX-License-Identifier: MIT
// Exceptions: what a thread does when one passes. It leaves frames until one of
// them stands before a landing; whether there is one that takes the exception,
// rt/exception.c has asked before.
#include "vm/cold.h"

#include <string.h>

// Where an exception lands that comes out of the call at pc, or NULL.
static const struct insn *landing_at(const struct prog *p, uint32_t pc) {
  const struct insn *next = &p->code.at[pc + 1];
  return next->op == OP_landing ? next : NULL;
}

// The landing number n, or the number n of those with a table, that a frame
// below the top stands before; NULL: there are not so many.
static const struct insn *next_landing(const struct thread *t, bool has_table,
                                       uint64_t n) {
  uint32_t ref = t->parent, func, pc;
  uint32_t living = t->frames.len - 1; // the top frame makes no call
  for (uint32_t left = t->depth - 1; left > 0; left--) {
    if (living > 0)
      pc = t->frames.at[--living].pc;
    else
      frozen_frame(t->vm, ref, &func, &pc, &ref);
    const struct insn *landing = landing_at(t->vm->prog, pc);
    if (landing && (landing->imm || !has_table) && n-- == 0)
      return landing;
  }
  return NULL;
}

bool thread_lands(const struct thread *t) {
  return next_landing(t, /*has_table=*/false, 0) != NULL;
}

bool thread_unwind(struct thread *t, uint64_t exception, uint64_t undef,
                   set_id set) {
  const struct prog *p = t->vm->prog;
  const struct insn *landing = NULL;
  while (!landing) {
    check(t->depth > 1);
    landing = landing_at(p, thread_leave_frame(t)->pc);
  }
  struct frame *top = thread_top(t);
  uint32_t to = top->base + landing->a;
  top->pc++; // the thread goes on behind the landing
  t->slot[to] = exception;
  t->undef[to] = undef;
  if (t->track.on)
    t->slot_set[to] = set;
  return true;
}

uint64_t thread_handler(const struct thread *t, uint64_t n) {
  const struct insn *landing = next_landing(t, /*has_table=*/true, n);
  return landing ? landing->imm : 0;
}

bool sys_unwind(struct thread *t, const struct insn *in) {
  return thread_unwind(t, *thread_slot(t, in->b), *thread_undef(t, in->b),
                       thread_set(t, in->b));
}

// Type information is a global of the program, whose name says the type.
bool sys_uncaught(struct thread *t, uint64_t type, uint64_t why) {
  static const char prefix[] = "typeinfo for ";
  const struct prog *p = t->vm->prog;
  struct str text = {0};
  uint32_t global = prog_global_of_object(p, pointer_object(type));
  const char *name =
      global == UINT32_MAX ? "" : prog_text(p, p->globals.at[global].name);
  if (strncmp(name, prefix, sizeof prefix - 1) == 0)
    name += sizeof prefix - 1;
  memory_text(t, why, &text);
  bool stopped = thread_raise(t, FIND_EXCEPTION, "%s%s%s%s",
                              *name ? "an exception of type `" : "", name,
                              *name ? "` " : "", str_text(&text));
  str_done(&text);
  if (!stopped)
    thread_block(t);
  return false;
}
