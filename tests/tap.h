// SPDX-License-Identifier: MIT
// Unit tests that speak TAP, for `meson test` and `prove`. TEST(name) { ... }
// registers itself; CHECK and CHECK_EQ note a failure and leave the test. A
// program without tests fails: a test that never ran must not look green.
#pragma once

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct tap_test {
  const char *name;
  void (*run)(void);
  struct tap_test *next;
};

static struct tap_test *tap_first, **tap_end = &tap_first;
static jmp_buf tap_leave;

#define TEST(test_name)                                                        \
  static void test_name(void);                                                 \
  static struct tap_test tap_##test_name = {#test_name, test_name, NULL};      \
  __attribute__((constructor)) static void tap_add_##test_name(void) {         \
    *tap_end = &tap_##test_name;                                               \
    tap_end = &tap_##test_name.next;                                           \
  }                                                                            \
  static void test_name(void)

#define CHECK(e, ...)                                                          \
  do {                                                                         \
    if (!(e)) {                                                                \
      printf("# %s:%d: %s\n", __FILE__, __LINE__, #e);                         \
      printf("# " __VA_ARGS__);                                                \
      printf("\n");                                                            \
      longjmp(tap_leave, 1);                                                   \
    }                                                                          \
  } while (0)

#define CHECK_EQ(got, want, ...)                                               \
  do {                                                                         \
    uint64_t tap_got = (uint64_t)(got), tap_want = (uint64_t)(want);           \
    if (tap_got != tap_want) {                                                 \
      printf("# %s:%d: %s is %llu, not %llu\n", __FILE__, __LINE__, #got,      \
             (unsigned long long)tap_got, (unsigned long long)tap_want);       \
      printf("# " __VA_ARGS__);                                                \
      printf("\n");                                                            \
      longjmp(tap_leave, 1);                                                   \
    }                                                                          \
  } while (0)

#define CHECK_STR(got, want)                                                   \
  do {                                                                         \
    const char *tap_got = (got), *tap_want = (want);                           \
    if (strcmp(tap_got, tap_want) != 0) {                                      \
      printf("# %s:%d: %s is \"%s\", not \"%s\"\n", __FILE__, __LINE__, #got,  \
             tap_got, tap_want);                                               \
      longjmp(tap_leave, 1);                                                   \
    }                                                                          \
  } while (0)

static int tap_run(const struct tap_test *t) {
  if (setjmp(tap_leave))
    return 0;
  t->run();
  return 1;
}

// Runs all tests, or the one named by the first argument.
int main(int argc, char **argv) {
  unsigned n = 0, failed = 0;
  for (const struct tap_test *t = tap_first; t; t = t->next) {
    if (argc > 1 && strcmp(argv[1], t->name) != 0)
      continue;
    int ok = tap_run(t);
    failed += !ok;
    printf("%sok %u - %s\n", ok ? "" : "not ", ++n, t->name);
    fflush(stdout);
  }
  printf("1..%u\n", n);
  return failed || !n;
}
