// SPDX-License-Identifier: MIT
// What the interpreter does itself, as C sees it: one function a row of
// src/bytecode/builtin.def, where the meanings are.
//
// Rules for the code of this folder. It runs inside the checked program, so
// each access to memory that another thread can reach is an event: touch as
// little shared memory as the function's contract needs, and never keep the
// address of a local in memory, because that would make the local shared.
#pragma once

#include <stddef.h>

enum finding_kind {
#define FINDING(id, ...) FIND_##id,
#include "base/finding.def"
#undef FINDING
};

void *__heddle_malloc(size_t size);
void *__heddle_calloc(size_t size);
void __heddle_free(void *p);
void *__heddle_new(size_t size, unsigned way);
void __heddle_delete(void *p, unsigned way, size_t size);
size_t __heddle_object_size(const void *p);
size_t __heddle_cell_size(const void *p);
unsigned long __heddle_spawn(void *(*start)(void *), void *argument);
void *__heddle_join(unsigned long thread);
void __heddle_detach(unsigned long thread);
unsigned long __heddle_self(void);
_Noreturn void __heddle_thread_exit(void *result, int is_early);
void __heddle_lock(int *word);
void __heddle_lock_for(int *word, const int *reason);
void __heddle_unlock(int *word);
void __heddle_take(int *word, int least, int most, int added, int is_timed);
void __heddle_give(int *word, int added);
int __heddle_is_defined(long value);
void __heddle_assume(int condition);
void __heddle_assert_fail(const char *text, const char *file, unsigned line,
                          const char *function);
_Noreturn void __heddle_fail(enum finding_kind kind, const char *text);
_Noreturn void __heddle_panic(const void *strings, size_t count, size_t values);
void __heddle_no_system_call(const char *text, long number);
_Noreturn void __heddle_limit(const char *text);
_Noreturn void __heddle_abort(void);
_Noreturn void __heddle_exit(int status);
long __heddle_choose(long lo, long hi);
long __heddle_sample(const char *function, long lo, long hi);
long long __heddle_clock(long long known, long long passes);
int __heddle_time_out(void);
void __heddle_output(const char *text, size_t n);
void __heddle_observe(const char *name, size_t n, long value);
int __heddle_format_double(double value, int conversion, int precision,
                           char *to);
double __heddle_parse_double(const char *text, int is_single); // private memory
int __heddle_format_extended(long double value, int conversion, int precision,
                             char *to);
long double __heddle_parse_extended(const char *text);
enum { PARSE_SINGLE, PARSE_DOUBLE, PARSE_EXTENDED };
int __heddle_parse_error(const char *text, int kind);
double __heddle_math(int function, double x, double y);
int __heddle_math_error(int function, double x, double y);
long double __heddle_extended(int operation, long double x, long double y);
long double __heddle_fma(int width, long double x, long double y,
                         long double z);
void __heddle_yield(void);
