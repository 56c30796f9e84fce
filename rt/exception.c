// SPDX-License-Identifier: MIT
// Exceptions in the order of their lives: an object is allocated and thrown, a
// handler is looked for among the landings of the calls that are under way
// (src/front/lower_exceptions.c), the thread unwinds to it, and what was caught
// is released at the end of the handler.
//
// What travels is a `flight` to the object. Threads that throw one object again
// (std::rethrow_exception) have flights of their own.
#include <stdlib.h>

#include "builtin.h"
#include "cxx.h"
#include "rtti.h"

struct flight {
  void *object;
  struct flight *next; // caught before it by this thread, and not released
  long handlers;       // that have it; negative: it was thrown again
  void *adjusted;      // what the handler gets
};

struct header { // before the object
  struct flight first;
  const struct type_info *type;
  void (*destroy)(void *);
  int uses;
};
enum { HEADER = 64 }; // keeps objects aligned to 16
_Static_assert(sizeof(struct header) <= HEADER, "the object comes behind it");

static _Thread_local struct flight *caught;
static _Thread_local int uncaught;

static struct header *header_of(void *object) {
  return (struct header *)((char *)object - HEADER);
}

// -- objects

void *__cxa_allocate_exception(size_t size) {
  char *memory = __heddle_malloc(HEADER + size);
  return memory + HEADER;
}

void __cxa_free_exception(void *object) {
  __heddle_free(header_of(object));
}

void *__cxa_init_primary_exception(void *object, const struct type_info *type,
                                   void (*destroy)(void *)) {
  struct header *h = header_of(object);
  h->first.object = object;
  h->type = type;
  h->destroy = destroy;
  __atomic_store_n(&h->uses, 0, __ATOMIC_RELAXED);
  return h;
}

void exception_hold(void *object) {
  if (object)
    __atomic_fetch_add(&header_of(object)->uses, 1, __ATOMIC_RELAXED);
}

void exception_release(void *object) {
  if (!object)
    return;
  struct header *h = header_of(object);
  if (__atomic_fetch_sub(&h->uses, 1, __ATOMIC_ACQ_REL) != 1)
    return;
  if (h->destroy)
    h->destroy(object);
  __heddle_free(h);
}

static void flight_end(struct flight *f) {
  void *object = f->object;
  int is_first = f == &header_of(object)->first;
  exception_release(object);
  if (!is_first)
    __heddle_free(f);
}

// -- what is caught where

enum { TABLE_CLEANUP = 1, TABLE_TERMINATES = 2 };

// A table: how many clauses, flags, then each clause: its selector (negative:
// it takes what is none of the types), how many types, the types.
static int select(struct flight *f, const long *table, void **adjusted) {
  const long *at = table + 2;
  const struct type_info *thrown = header_of(f->object)->type;
  for (long i = 0; i < table[0]; i++) {
    int fits = 0;
    for (long k = 0; k < at[1] && !fits; k++) {
      *adjusted = f->object;
      fits = type_catches((const struct type_info *)at[2 + k], thrown, adjusted);
    }
    if (fits == (at[0] > 0))
      return (int)at[0];
    at += 2 + at[1];
  }
  return 0;
}

int __heddle_select(struct flight *f, const long *table);
int __heddle_select(struct flight *f, const long *table) {
  void *adjusted;
  int selector = select(f, table, &adjusted);
  if (selector > 0)
    f->adjusted = adjusted;
  return selector;
}

static void (*terminate_handler)(void);

static _Noreturn void end_program(struct flight *f, const char *text) {
  void (*own)(void) = __atomic_load_n(&terminate_handler, __ATOMIC_ACQUIRE);
  if (own) {
    __cxa_begin_catch(f);
    own();
    __heddle_uncaught(NULL, "std::terminate: the handler has returned");
  }
  __heddle_uncaught(header_of(f->object)->type, text);
}

// Unwinds to the handler, if there is one.
static _Noreturn void raise(struct flight *f) {
  void *adjusted;
  uncaught++;
  for (long n = 0;; n++) {
    const long *table = __heddle_handler(n);
    if (!table)
      end_program(f, "is not caught");
    if (!select(f, table, &adjusted))
      continue;
    if (table[1] & TABLE_TERMINATES)
      end_program(f, "would leave a function that is noexcept");
    __heddle_unwind(f);
  }
}

void __cxa_throw(void *object, const struct type_info *type,
                 void (*destroy)(void *)) {
  struct header *h = __cxa_init_primary_exception(object, type, destroy);
  __atomic_store_n(&h->uses, 1, __ATOMIC_RELAXED);
  h->first.handlers = 0;
  raise(&h->first);
}

void exception_throw_again(void *object) {
  struct flight *f = __heddle_malloc(sizeof *f);
  f->object = object;
  f->handlers = 0;
  exception_hold(object);
  raise(f);
}

// -- handlers

void *__cxa_get_exception_ptr(void *flight) {
  return ((struct flight *)flight)->adjusted;
}

void *__cxa_begin_catch(void *flight) {
  struct flight *f = flight;
  f->handlers = (f->handlers < 0 ? -f->handlers : f->handlers) + 1;
  uncaught--;
  if (f != caught) {
    f->next = caught;
    caught = f;
  }
  return f->adjusted;
}

void __cxa_end_catch(void) {
  struct flight *f = caught;
  if (!f)
    return;
  if (f->handlers < 0) {
    if (++f->handlers == 0)
      caught = f->next; // it is on its way elsewhere
  } else if (--f->handlers == 0) {
    caught = f->next;
    flight_end(f);
  }
}

void __cxa_rethrow(void) {
  struct flight *f = caught;
  if (!f)
    __heddle_uncaught(NULL, "`throw;` where no exception is being handled");
  f->handlers = -f->handlers;
  raise(f);
}

void *exception_current(void) {
  struct flight *f = caught;
  return f ? f->object : NULL;
}

const struct type_info *exception_type(void *object) {
  return header_of(object)->type;
}

const struct type_info *__cxa_current_exception_type(void) {
  return caught ? header_of(caught->object)->type : NULL;
}

int exception_uncaught(void) {
  return uncaught;
}

// -- the end

void _ZSt9terminatev(void) {
  void (*own)(void) = __atomic_load_n(&terminate_handler, __ATOMIC_ACQUIRE);
  if (own) {
    own();
    __heddle_uncaught(NULL, "std::terminate: the handler has returned");
  }
  if (caught)
    __heddle_uncaught(header_of(caught->object)->type,
                      "is being handled when std::terminate is called");
  __heddle_uncaught(NULL, "std::terminate is called");
}

void (*_ZSt13set_terminatePFvvE(void (*handler)(void)))(void) {
  return __atomic_exchange_n(&terminate_handler, handler, __ATOMIC_ACQ_REL);
}

void (*_ZSt13get_terminatev(void))(void) {
  return __atomic_load_n(&terminate_handler, __ATOMIC_ACQUIRE);
}

void __cxa_call_unexpected(void *flight) {
  struct flight *f = flight;
  end_program(f, "is not among those that the function may throw");
}

void __cxa_call_terminate(void *flight) {
  end_program(flight, "would leave a function that is noexcept");
}

void __cxa_pure_virtual(void) {
  __heddle_fail(FIND_BAD_CALL, "call of a pure virtual function");
}

void __cxa_deleted_virtual(void) {
  __heddle_fail(FIND_BAD_CALL, "call of a deleted virtual function");
}

// Landing pads name it; it is never called.
void __gxx_personality_v0(void) {
}
