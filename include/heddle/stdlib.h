// SPDX-License-Identifier: MIT
// General utilities (C17 7.22). Every allocation is checked: bounds, life
// time, leaks. malloc never fails.
#pragma once

#include <heddle_cdefs.h>
#include <stddef.h>

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 3
#define MB_CUR_MAX 1

#if defined __HEDDLE_HOST__ && __has_include_next(<stdlib.h>)
// What is missing here, as the host declares it.
#include_next <stdlib.h>
#undef RAND_MAX
#define RAND_MAX 3
#undef bsearch // a macro of C23 in glibc 2.43
#else
typedef struct {
  int quot, rem;
} div_t;
typedef struct {
  long quot, rem;
} ldiv_t;
typedef struct {
  long long quot, rem;
} lldiv_t;
#endif

__HEDDLE_BEGIN
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *old, size_t size);
void *reallocarray(void *old, size_t count, size_t size);
void *aligned_alloc(size_t alignment, size_t size);
int posix_memalign(void **ret, size_t alignment, size_t size);
void *memalign(size_t alignment, size_t size);
void *valloc(size_t size);
size_t malloc_usable_size(void *p);
void free(void *p);

__HEDDLE_NORETURN void abort(void);
__HEDDLE_NORETURN void exit(int status);
__HEDDLE_NORETURN void _Exit(int status);
int atexit(void (*handler)(void));
__HEDDLE_NORETURN void quick_exit(int status);
int at_quick_exit(void (*handler)(void));

int abs(int n);
long labs(long n);
long long llabs(long long n);
div_t div(int a, int b);
ldiv_t ldiv(long a, long b);
lldiv_t lldiv(long long a, long long b);

int atoi(const char *text);
long atol(const char *text);
long long atoll(const char *text);
double atof(const char *text);
double strtod(const char *__restrict text, char **__restrict end);
float strtof(const char *__restrict text, char **__restrict end);
long double strtold(const char *__restrict text, char **__restrict end);
long strtol(const char *__restrict text, char **__restrict end, int base);
long long strtoll(const char *__restrict text, char **__restrict end, int base);
unsigned long strtoul(const char *__restrict text, char **__restrict end,
                      int base);
unsigned long long strtoull(const char *__restrict text, char **__restrict end,
                            int base);

// Any number from 0 to RAND_MAX: a real choice, each value is explored. Other
// systems have more of them, so the verdict is incomplete without an error.
int rand(void);
int rand_r(unsigned *seed);
void srand(unsigned seed);
long random(void);
void srandom(unsigned seed);

void qsort(void *base, size_t count, size_t size,
           int (*compare)(const void *, const void *));
void qsort_r(void *base, size_t count, size_t size,
             int (*compare)(const void *, const void *, void *), void *arg);
void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *));

// The environment is empty until the program puts something into it.
char *getenv(const char *name);
int setenv(const char *name, const char *value, int overwrite);
int unsetenv(const char *name);
int putenv(char *entry);
int on_exit(void (*handler)(int status, void *argument), void *argument);
__HEDDLE_END
