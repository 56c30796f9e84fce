// SPDX-License-Identifier: MIT
// Exceptions in the order of their lives: an object is allocated and thrown, a
// handler is looked for among the landings of the calls that are under way
// (src/front/lower/exceptions.c), the thread unwinds to it, and what was caught
// is released at the end of the handler.
//
// What travels is a flight to the object: its number in the memory of the
// thread, which nobody else sees. Threads that throw one object again
// (std::rethrow_exception) have flights of their own to it.
#include <stdlib.h>

#include "builtin.h"
#include "cxx.h"
#include "rtti.h"

enum { MAX_FLIGHTS = 16 };
static _Thread_local struct flight {
  char *object; // null: the number is free
  const struct type_info *type;
  void *adjusted;           // what the handler gets
  int handlers;             // that have it; negative: it was thrown again
  int next;                 // caught before it by this thread, and not released
} flights[MAX_FLIGHTS + 1]; // [0] is none
static _Thread_local int caught, uncaught;

struct header { // before the object
  const struct type_info *type;
  void (*destroy)(void *);
  int uses;
};
enum { HEADER = 32 }; // keeps objects aligned to 16
_Static_assert(sizeof(struct header) <= HEADER, "the object comes behind it");

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

static int flight_new(void *object, const struct type_info *type) {
  int n = 1;
  while (n <= MAX_FLIGHTS && flights[n].object)
    n++;
  if (n > MAX_FLIGHTS)
    __heddle_limit("more than 16 exceptions of a thread at a time");
  flights[n].object = object;
  flights[n].type = type;
  flights[n].handlers = 0;
  return n;
}

static void flight_end(int n) {
  void *object = flights[n].object;
  flights[n].object = NULL;
  exception_release(object);
}

// -- what is caught where

enum { TABLE_CLEANUP = 1, TABLE_TERMINATES = 2 };

// A table: how many clauses, flags, then each clause: its selector (negative:
// it takes what is none of the types), how many types, the types.
static int select(int n, const long *table, void **adjusted) {
  const long *at = table + 2;
  for (long i = 0; i < table[0]; i++) {
    int fits = 0;
    for (long k = 0; k < at[1] && !fits; k++) {
      *adjusted = flights[n].object;
      fits = type_catches((const struct type_info *)at[2 + k], flights[n].type,
                          adjusted);
    }
    if (fits == (at[0] > 0))
      return (int)at[0];
    at += 2 + at[1];
  }
  return 0;
}

int __heddle_select(long n, const long *table);
int __heddle_select(long n, const long *table) {
  void *adjusted;
  int selector = select((int)n, table, &adjusted);
  if (selector > 0)
    flights[n].adjusted = adjusted;
  return selector;
}

static void (*terminate_handler)(void);

static _Noreturn void end_program(int n, const char *text) {
  void (*own)(void) = __atomic_load_n(&terminate_handler, __ATOMIC_ACQUIRE);
  if (own) {
    __cxa_begin_catch(n);
    own();
    __heddle_uncaught(NULL, "std::terminate: the handler has returned");
  }
  __heddle_uncaught(flights[n].type, text);
}

// Does the thread only unwind to its end (forced.c)? For std::current_exception
// and std::uncaught_exceptions that is no exception.
static int is_forced(int n) {
  return flights[n].type == &_ZTIN10__cxxabiv115__forced_unwindE;
}

// Unwinds to the handler, if there is one.
static _Noreturn void raise(int n) {
  void *adjusted;
  uncaught += !is_forced(n);
  for (long i = 0;; i++) {
    const long *table = __heddle_handler(i);
    if (!table && !is_forced(n))
      end_program(n, "is not caught");
    if (table && !select(n, table, &adjusted))
      continue;
    if (table && (table[1] & TABLE_TERMINATES))
      end_program(n, "would leave a function that is noexcept");
    __heddle_unwind(n);
    if (exception_unwound)
      exception_unwound();
  }
}

void exception_raise(void *object, const struct type_info *type) {
  raise(flight_new(object, type));
}

void __cxa_throw(void *object, const struct type_info *type,
                 void (*destroy)(void *)) {
  struct header *h = __cxa_init_primary_exception(object, type, destroy);
  __atomic_store_n(&h->uses, 1, __ATOMIC_RELAXED);
  raise(flight_new(object, type));
}

void exception_throw_again(void *object) {
  exception_hold(object);
  raise(flight_new(object, header_of(object)->type));
}

// -- handlers

void *__cxa_get_exception_ptr(long n) {
  return flights[n].adjusted;
}

void *__cxa_begin_catch(long n) {
  struct flight *f = &flights[n];
  f->handlers = (f->handlers < 0 ? -f->handlers : f->handlers) + 1;
  uncaught -= !is_forced((int)n);
  if (n != caught) {
    f->next = caught;
    caught = (int)n;
  }
  return f->adjusted;
}

void __cxa_end_catch(void) {
  int n = caught;
  struct flight *f = &flights[n];
  if (!n)
    return;
  if (f->handlers < 0) {
    if (++f->handlers == 0)
      caught = f->next; // it is on its way elsewhere
  } else if (--f->handlers == 0) {
    caught = f->next;
    if (is_forced(n))
      __heddle_uncaught(f->type,
                        "ends the thread, and is caught and not thrown again");
    flight_end(n);
  }
}

void __cxa_rethrow(void) {
  int n = caught;
  if (!n)
    __heddle_uncaught(NULL, "`throw;` where no exception is being handled");
  flights[n].handlers = -flights[n].handlers;
  raise(n);
}

void *exception_current(void) {
  return is_forced(caught) ? NULL : flights[caught].object;
}

const struct type_info *exception_type(void *object) {
  return header_of(object)->type;
}

const struct type_info *__cxa_current_exception_type(void) {
  return caught ? flights[caught].type : NULL;
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
    __heddle_uncaught(flights[caught].type,
                      "is being handled when std::terminate is called");
  __heddle_uncaught(NULL, "std::terminate is called");
}

void (*_ZSt13set_terminatePFvvE(void (*handler)(void)))(void) {
  return __atomic_exchange_n(&terminate_handler, handler, __ATOMIC_ACQ_REL);
}

void (*_ZSt13get_terminatev(void))(void) {
  return __atomic_load_n(&terminate_handler, __ATOMIC_ACQUIRE);
}

void __cxa_call_unexpected(long n) {
  end_program((int)n, "is not among those that the function may throw");
}

void __cxa_call_terminate(long n) {
  end_program((int)n, "would leave a function that is noexcept");
}

void __cxa_pure_virtual(void) {
  __heddle_fail(FIND_BAD_CALL, "call of a pure virtual function");
}

void __cxa_deleted_virtual(void) {
  __heddle_fail(FIND_BAD_CALL, "call of a deleted virtual function");
}

// Landing pads name it; it is never called.
void __gxx_personality_v0(void) {}
