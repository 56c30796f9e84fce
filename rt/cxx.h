// SPDX-License-Identifier: MIT
// What C++'s language needs of its library, as C sees it; the names are those
// of the Itanium C++ ABI. And what the parts of rt/ for C++ ask each other.
#pragma once

#include "private.h"

#include <stddef.h>

struct type_info;

#ifdef __cplusplus
extern "C" {
#define NORETURN [[noreturn]]
#else
#define NORETURN _Noreturn
#endif

// -- builtins (src/bytecode/builtin.def)
void __heddle_unwind(long flight); // comes back if there is no landing
const long *__heddle_handler(long n);
NORETURN void __heddle_uncaught(const struct type_info *type, const char *text);

// -- exception.c
#ifndef __cplusplus
void *__cxa_allocate_exception(size_t size);
void __cxa_free_exception(void *object);
void *__cxa_init_primary_exception(void *object, const struct type_info *type,
                                   void (*destroy)(void *));
NORETURN void __cxa_throw(void *object, const struct type_info *type,
                          void (*destroy)(void *));
void *__cxa_get_exception_ptr(long flight);
void *__cxa_begin_catch(long flight);
void __cxa_end_catch(void);
NORETURN void __cxa_rethrow(void);
const struct type_info *__cxa_current_exception_type(void);
NORETURN void _ZSt9terminatev(void);
void (*_ZSt13set_terminatePFvvE(void (*handler)(void)))(void);
void (*_ZSt13get_terminatev(void))(void);
NORETURN void __cxa_call_unexpected(long flight);
NORETURN void __cxa_call_terminate(long flight);
NORETURN void __cxa_pure_virtual(void);
NORETURN void __cxa_deleted_virtual(void);
void __gxx_personality_v0(void);
#endif
// Objects of std::exception_ptr: references are counted.
void exception_hold(void *object);
void exception_release(void *object);
NORETURN void exception_throw_again(void *object);
void *exception_current(void); // the newest that is being handled, or null
const struct type_info *exception_type(void *object);
int exception_uncaught(void);
NORETURN void exception_raise(void *object, const struct type_info *type);
// forced.c: what has landed nowhere has left all functions of the thread. Other
// exceptions unwind only if they are caught.
NORETURN void exception_unwound(void) __attribute__((weak));
extern const struct type_info _ZTIN10__cxxabiv115__forced_unwindE;

#ifdef __cplusplus
}

// An object that lives for ever, and costs no constructor.
template <class T> union for_ever {
  T it;
  template <class... A> constexpr for_ever(A... a) : it(a...) {}
  ~for_ever() {}
};
#endif
