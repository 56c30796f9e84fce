// SPDX-License-Identifier: MIT
// <stdlib.h>: memory, numbers, choices, sorting.
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

#include "builtin.h"

// -- memory. An allocation of up to 1 GiB never fails, a larger one always
// does. Where nobody can see errno, malloc is the builtin itself (builtin.c of
// the front end).

static void *or_error(void *p) {
  if (!p)
    errno = ENOMEM;
  return p;
}

void *malloc(size_t size) {
  return or_error(__heddle_malloc(size));
}

void free(void *p) {
  __heddle_free(p);
}

// An array whose size does not fit into size_t is too large as well.
void *calloc(size_t count, size_t size) {
  size_t total;
  int is_too_large = __builtin_mul_overflow(count, size, &total);
  return or_error(is_too_large ? NULL : __heddle_calloc(total));
}

// Always moves, so that a program that keeps the old address is found out.
void *realloc(void *old, size_t size) {
  size_t had = old ? __heddle_object_size(old) : 0;
  void *now = or_error(__heddle_malloc(size));
  if (!now || !old)
    return now;
  __builtin_memcpy(now, old, had < size ? had : size);
  __heddle_free(old);
  return now;
}

void *reallocarray(void *old, size_t count, size_t size) {
  size_t total;
  return __builtin_mul_overflow(count, size, &total) ? or_error(NULL)
                                                     : realloc(old, total);
}

static int is_power_of_two(size_t n) {
  return n != 0 && (n & (n - 1)) == 0;
}

// Every object starts at a multiple of 16 MiB (src/bytecode/pointer.h).
void *aligned_alloc(size_t alignment, size_t size) {
  if (!is_power_of_two(alignment))
    __heddle_fail(FIND_BAD_ARGUMENT,
                  "aligned_alloc: the alignment is not a power of two");
  if (alignment > 16u << 20)
    __heddle_limit("aligned_alloc: an alignment of more than 16 MiB");
  return or_error(__heddle_malloc(size));
}

int posix_memalign(void **ret, size_t alignment, size_t size) {
  if (!is_power_of_two(alignment) || alignment % sizeof(void *) != 0)
    return EINVAL;
  void *p = __heddle_malloc(size);
  if (!p)
    return ENOMEM;
  *ret = p;
  return 0;
}

void *memalign(size_t alignment, size_t size) {
  return aligned_alloc(alignment, size);
}

void *valloc(size_t size) {
  return or_error(__heddle_malloc(size));
}

void *pvalloc(size_t size); // declared by the host's <malloc.h>
void *pvalloc(size_t size) {
  return valloc((size + 4095) / 4096 * 4096);
}

size_t malloc_usable_size(void *p) {
  return p ? __heddle_object_size(p) : 0;
}

// -- numbers

int abs(int n) {
  return n < 0 ? -n : n;
}

long labs(long n) {
  return n < 0 ? -n : n;
}

long long llabs(long long n) {
  return n < 0 ? -n : n;
}

intmax_t imaxabs(intmax_t n) {
  return n < 0 ? -n : n;
}

div_t div(int a, int b) {
  return (div_t){a / b, a % b};
}

ldiv_t ldiv(long a, long b) {
  return (ldiv_t){a / b, a % b};
}

lldiv_t lldiv(long long a, long long b) {
  return (lldiv_t){a / b, a % b};
}

static int digit_value(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'z')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z')
    return c - 'A' + 10;
  return INT_MAX;
}

// The value of digits that begin at *p, which is moved behind them; *clipped:
// it is more than the limit, which is the value then.
static unsigned long take_digits(const char **p, int base, unsigned long limit,
                                 int *clipped) {
  unsigned long value = 0;
  for (int d; (d = digit_value(**p)) < base; (*p)++) {
    *clipped |= __builtin_mul_overflow(value, (unsigned long)base, &value);
    *clipped |= __builtin_add_overflow(value, (unsigned long)d, &value);
    *clipped |= value > limit;
  }
  return *clipped ? limit : value;
}

static int has_prefix(const char *p, char letter, int base) {
  return p[0] == '0' && (p[1] | 32) == letter && digit_value(p[2]) < base;
}

enum { SIGNED = 1, C23 = 2 }; // C23 has 0b

// number = blank* ("+" | "-")? ("0x" | "0b" | "0")? digit+. The value is
// negated when there is a minus and clipped to what fits.
static unsigned long parse_number(const char *text, char **end, int base,
                                  int how) {
  if (base < 0 || base == 1 || base > 36) {
    errno = EINVAL;
    return 0;
  }
  const char *p = text;
  while (*p == ' ' || (*p >= '\t' && *p <= '\r'))
    p++;
  int is_negative = *p == '-', is_clipped = 0;
  p += *p == '-' || *p == '+';
  if ((base == 0 || base == 16) && has_prefix(p, 'x', 16)) {
    base = 16;
    p += 2;
  } else if ((base == 0 || base == 2) && how & C23 && has_prefix(p, 'b', 2)) {
    base = 2;
    p += 2;
  } else if (base == 0) {
    base = *p == '0' ? 8 : 10;
  }
  const char *first = p;
  unsigned long limit = how & SIGNED
                            ? (unsigned long)LONG_MAX + (unsigned)is_negative
                            : ULONG_MAX;
  unsigned long value = take_digits(&p, base, limit, &is_clipped);
  if (end)
    *end = (char *)(p == first ? text : p);
  if (is_clipped)
    errno = ERANGE;
  return is_negative && !(is_clipped && !(how & SIGNED)) ? 0 - value : value;
}

// Since 2.38, glibc's headers call another function where C23 is spoken.
#define STRTO(type, name, how)                                                 \
  type name(const char *restrict text, char **restrict end, int base) {        \
    return (type)parse_number(text, end, base, how);                           \
  }                                                                            \
  type __isoc23_##name(const char *restrict text, char **restrict end,         \
                       int base);                                              \
  type __isoc23_##name(const char *restrict text, char **restrict end,         \
                       int base) {                                             \
    return (type)parse_number(text, end, base, (how) | C23);                   \
  }
STRTO(long, strtol, SIGNED)
STRTO(long long, strtoll, SIGNED)
STRTO(unsigned long, strtoul, 0)
STRTO(unsigned long long, strtoull, 0)
STRTO(intmax_t, strtoimax, SIGNED)
STRTO(uintmax_t, strtoumax, 0)

int atoi(const char *text) {
  return (int)strtol(text, NULL, 10);
}

long atol(const char *text) {
  return strtol(text, NULL, 10);
}

long long atoll(const char *text) {
  return strtol(text, NULL, 10);
}

// -- choices. A pseudo-random stream would check one run only. What a program
// runs with later has more values than are tried, so no verdict is a proof.

int rand(void) {
  return (int)__heddle_sample(__func__, 0, RAND_MAX);
}

// It changes the seed, so two threads with one seed race.
int rand_r(unsigned *seed) {
  *seed = *seed + 1;
  return (int)__heddle_sample(__func__, 0, RAND_MAX);
}

void srand(unsigned seed) {
  (void)seed;
}

long random(void) {
  return __heddle_sample(__func__, 0, RAND_MAX);
}

void srandom(unsigned seed) {
  (void)seed;
}

// -- sorting and searching

static void swap(char *a, char *b, size_t size) {
  char kept[size];
  __builtin_memcpy(kept, a, size);
  __builtin_memcpy(a, b, size);
  __builtin_memcpy(b, kept, size);
}

// Shell's sort: short, in place, and the comparison sees elements of the array
// only, never a temporary copy.
void qsort_r(void *base, size_t count, size_t size,
             int (*compare)(const void *, const void *, void *), void *arg) {
  char *at = base;
  for (size_t gap = count / 2; gap > 0; gap /= 2)
    for (size_t i = gap; i < count; i++)
      for (size_t j = i; j >= gap; j -= gap) {
        char *low = at + (j - gap) * size, *high = at + j * size;
        if (compare(low, high, arg) <= 0)
          break;
        swap(low, high, size);
      }
}

static int compare_two(const void *a, const void *b, void *compare) {
  return ((int (*)(const void *, const void *))compare)(a, b);
}

void qsort(void *base, size_t count, size_t size,
           int (*compare)(const void *, const void *)) {
  qsort_r(base, count, size, compare_two, (void *)compare);
}

void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *)) {
  const char *at = base;
  while (count > 0) {
    const char *middle = at + count / 2 * size;
    int order = compare(key, middle);
    if (order == 0)
      return (void *)middle;
    if (order > 0) {
      at = middle + size;
      count--;
    }
    count /= 2;
  }
  return NULL;
}
