// SPDX-License-Identifier: MIT
// The C library of the checked program (rt/) against the host's, on random
// arguments. rt/meson.build compiles rt/ for the host with every function
// renamed; rt_host.h plays the interpreter's part.
#include "rt_host.h"
#include "tap.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <strings.h>

// Random formats and texts that are cut off are the point of the test.
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wstringop-truncation"
#endif

// clang-format off
#define RT(name) extern __typeof__(name) rt_##name;
RT(isalnum) RT(isalpha) RT(isblank) RT(iscntrl) RT(isdigit) RT(isgraph)
RT(islower) RT(ispunct) RT(isspace) RT(isupper) RT(isxdigit) RT(tolower)
RT(toupper) RT(memcmp) RT(memchr) RT(memrchr) RT(memmem) RT(memcpy) RT(memset)
RT(strlen) RT(strnlen) RT(strcpy) RT(stpcpy) RT(strncpy) RT(strcat) RT(strncat)
RT(strcmp) RT(strncmp) RT(strcasecmp) RT(strncasecmp) RT(strchr) RT(strrchr)
RT(strchrnul) RT(strspn) RT(strpbrk) RT(strstr) RT(strtok_r) RT(strsep)
RT(strdup) RT(strndup) RT(strtol) RT(strtoul) RT(atoi) RT(qsort) RT(bsearch)
RT(realloc) RT(calloc) RT(posix_memalign) RT(snprintf) RT(vsnprintf) RT(printf)
RT(puts) RT(fwrite) RT(floor) RT(ceil) RT(trunc) RT(round)
RT(fmin) RT(fmax)
    RT(isprint) RT(strcspn) RT(memmove)
    // clang-format on

    // Few different characters, so that searches succeed often.
    static void random_text(char *to, unsigned max) {
  unsigned n = pick(max);
  for (unsigned i = 0; i < n; i++)
    to[i] = "ab,cA\xc3 "[pick(7)];
  to[n] = 0;
}

static int sign(int n) {
  return (n > 0) - (n < 0);
}

// -- tests

TEST(ctype_agrees) {
  for (int c = 0; c < 128; c++) {
#define SAME(f) CHECK(!rt_##f(c) == !f(c), #f "(%d)", c)
    SAME(isalnum);
    SAME(isalpha);
    SAME(isblank);
    SAME(iscntrl);
    SAME(isdigit);
    SAME(isgraph);
    SAME(islower);
    SAME(isprint);
    SAME(ispunct);
    SAME(isspace);
    SAME(isupper);
    SAME(isxdigit);
    CHECK(rt_tolower(c) == tolower(c), "tolower(%d)", c);
    CHECK(rt_toupper(c) == toupper(c), "toupper(%d)", c);
#undef SAME
  }
}

TEST(searching_agrees) {
  for (seed = 0; seed < 20000; seed++) {
    uint64_t kept = seed;
    char s[32], part[4];
    random_text(s, 24);
    random_text(part, 4);
    int c = "ab,cA\xc3 z"[pick(9)]; // the last one is the NUL
    size_t n = strlen(s), m = strlen(part);
#define SAME(f, ...)                                                           \
  CHECK(rt_##f(__VA_ARGS__) == f(__VA_ARGS__), #f " \"%s\"", s)
    SAME(strlen, s);
    SAME(strnlen, s, 5);
    SAME(strchr, s, c);
    SAME(strrchr, s, c);
    SAME(strchrnul, s, c);
    SAME(strspn, s, part);
    SAME(strcspn, s, part);
    SAME(strpbrk, s, part);
    SAME(strstr, s, part);
    SAME(memchr, s, c, n);
    SAME(memrchr, s, c, n);
    SAME(memmem, s, n, part, m);
#undef SAME
    seed = kept;
  }
}

TEST(comparing_agrees) {
  for (seed = 0; seed < 20000; seed++) {
    uint64_t kept = seed;
    _Alignas(8) char a[32] = {0}, b[32] = {0};
    random_text(a, 6);
    random_text(b, 6);
    size_t n = pick(8);
    cell_size = 1u << pick(4);
#define SAME(f, ...)                                                           \
  CHECK(sign(rt_##f(__VA_ARGS__)) == sign(f(__VA_ARGS__)),                     \
        #f " \"%s\" \"%s\" %zu", a, b, n)
    SAME(strcmp, a, b);
    SAME(strncmp, a, b, n);
    SAME(strcasecmp, a, b);
    SAME(strncasecmp, a, b, n);
    SAME(memcmp, a, b, n);
    memcpy(b, a, 16);
    b[pick(16)] ^= (char)pick(2);
    SAME(memcmp, a, b, 16);
#undef SAME
    seed = kept;
  }
}

TEST(copying_agrees) {
  for (seed = 0; seed < 20000; seed++) {
    uint64_t kept = seed;
    char from[16], a[64], b[64];
    random_text(from, 12);
    memset(a, '#', sizeof a);
    random_text(a, 12);
    memcpy(b, a, sizeof a);
    size_t n = pick(16), at = pick(16), to = pick(16);
    ptrdiff_t x = 0, y = 0;
    switch (pick(8)) {
    case 0:
      x = rt_strcpy(a, from) - a, y = strcpy(b, from) - b;
      break;
    case 1:
      x = rt_stpcpy(a, from) - a, y = stpcpy(b, from) - b;
      break;
    case 2:
      x = rt_strncpy(a, from, n) - a, y = strncpy(b, from, n) - b;
      break;
    case 3:
      x = rt_strcat(a, from) - a, y = strcat(b, from) - b;
      break;
    case 4:
      x = rt_strncat(a, from, n) - a, y = strncat(b, from, n) - b;
      break;
    case 5:
      rt_memmove(a + to, a + at, n), memmove(b + to, b + at, n);
      break;
    case 6:
      rt_memset(a + to, 300, n);
      memset(b + to, 300, n); // NOLINT: what is left of 300
      break;
    default:
      rt_memcpy(a + 40, from, n), memcpy(b + 40, from, n);
    }
    CHECK(x == y && memcmp(a, b, sizeof a) == 0, "seed %llu",
          (unsigned long long)kept);
    seed = kept;
  }
}

TEST(tokens_agree) {
  for (seed = 0; seed < 5000; seed++) {
    uint64_t kept = seed;
    char a[32], b[32], *rest_a = NULL, *rest_b = NULL;
    random_text(a, 24);
    memcpy(b, a, sizeof a);
    char *x = rt_strtok_r(a, ", ", &rest_a), *y = strtok_r(b, ", ", &rest_b);
    for (; x && y; x = rt_strtok_r(NULL, ", ", &rest_a),
                   y = strtok_r(NULL, ", ", &rest_b))
      CHECK(x - a == y - b && strcmp(x, y) == 0, "strtok_r \"%s\"", y);
    CHECK(!x && !y, "strtok_r ends early");
    char *in_a = a, *in_b = b;
    do {
      x = rt_strsep(&in_a, ",b");
      y = strsep(&in_b, ",b");
      CHECK(!x == !y && (!x || strcmp(x, y) == 0), "strsep");
    } while (x);
    seed = kept;
  }
}

TEST(numbers_agree) {
  static const char *const texts[] = {"",
                                      "0",
                                      "-0",
                                      "  +17",
                                      "0x",
                                      "0x1fZ",
                                      "0779",
                                      "-0x10",
                                      "zz",
                                      "-",
                                      "+-3",
                                      "\t\n12",
                                      "1e5",
                                      "9223372036854775807",
                                      "9223372036854775808",
                                      "-9223372036854775808",
                                      "-9223372036854775809",
                                      "18446744073709551615",
                                      "18446744073709551616",
                                      "-18446744073709551615",
                                      "99999999999999999999999",
                                      "-99999999999999999999999"};
  static const int bases[] = {0, 2, 8, 10, 16, 36};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    for (size_t j = 0; j < sizeof bases / sizeof *bases; j++) {
      const char *t = texts[i];
      char *x, *y;
      rt_errno = errno = 0;
      CHECK(rt_strtol(t, &x, bases[j]) == strtol(t, &y, bases[j]),
            "strtol \"%s\" %d", t, bases[j]);
      CHECK(x == y && rt_errno == errno, "strtol \"%s\" %d", t, bases[j]);
      rt_errno = errno = 0;
      CHECK(rt_strtoul(t, &x, bases[j]) == strtoul(t, &y, bases[j]),
            "strtoul \"%s\" %d", t, bases[j]);
      CHECK(x == y && rt_errno == errno, "strtoul \"%s\" %d", t, bases[j]);
    }
  CHECK_EQ(rt_atoi(" 42x"), 42, "atoi");
}

static int by_value(const void *x, const void *y) {
  const int *a = x, *b = y;
  return (*a > *b) - (*a < *b);
}

TEST(sorting_agrees) {
  for (seed = 0; seed < 2000; seed++) {
    uint64_t kept = seed;
    int a[40], b[40];
    size_t n = pick(40);
    for (size_t i = 0; i < n; i++)
      a[i] = b[i] = (int)pick(30);
    rt_qsort(a, n, sizeof *a, by_value);
    qsort(b, n, sizeof *b, by_value);
    CHECK(n == 0 || memcmp(a, b, n * sizeof *a) == 0, "qsort of %zu", n);
    int key = (int)pick(30);
    const int *x = rt_bsearch(&key, a, n, sizeof *a, by_value);
    const int *y = bsearch(&key, b, n, sizeof *b, by_value);
    CHECK(!x == !y && (!x || *x == key), "bsearch of %d in %zu", key, n);
    seed = kept;
  }
}

TEST(memory_keeps_contents) {
  int *p = rt_calloc(3, sizeof *p);
  p[2] = 7;
  p = rt_realloc(p, 5 * sizeof *p);
  CHECK(p[0] == 0 && p[2] == 7, "realloc");
  p = rt_realloc(p, sizeof *p);
  CHECK_EQ(p[0], 0, "realloc");
  __heddle_free(p);
  void *aligned;
  CHECK_EQ(rt_posix_memalign(&aligned, 3, 8), EINVAL, "posix_memalign");
  volatile size_t half = SIZE_MAX / 2; // so that the compiler does not see it
  CHECK(!rt_calloc(half, 3), "calloc must refuse a size that overflows");
}

// -- printf

// Both libraries format the same; `n` is the room.
static void same_text(size_t n, const char *format, ...) {
  char a[2048], b[2048];
  va_list list, again;
  memset(a, '#', sizeof a);
  memset(b, '#', sizeof b);
  va_start(list, format);
  va_copy(again, list);
  int x = rt_vsnprintf(a, n, format, list);
  int y = vsnprintf(b, n, format, again);
  va_end(again);
  va_end(list);
  CHECK(x == y, "\"%s\": %d characters, not %d", format, x, y);
  CHECK(memcmp(a, b, sizeof a) == 0, "\"%s\": \"%.*s\", not \"%.*s\"", format,
        x, a, y, b);
}

// A conversion with random flags, width, precision and room.
static void random_spec(char *to, const char *length_and_conversion,
                        const char *flags) {
  char *p = to;
  *p++ = '<';
  *p++ = '%';
  for (; *flags; flags++)
    if (pick(3) == 0)
      *p++ = *flags;
  if (pick(2))
    p += sprintf(p, "%u", 1 + pick(14));
  if (pick(2))
    p += sprintf(p, ".%u", pick(12));
  sprintf(p, "%s>", length_and_conversion);
}

TEST(printf_integers_agree) {
  static const char *const kinds[] = {"d",  "i",  "u",   "x",   "X",   "o",
                                      "hd", "hu", "hhd", "hhx", "hho", "c"};
  static const char *const longs[] = {"ld", "lu", "lx", "lo", "lld",
                                      "jd", "zu", "zX", "td"};
  static const long values[] = {0,         1,         -1,       7,
                                -128,      255,       65535,    INT32_MAX,
                                INT32_MIN, INT64_MAX, INT64_MIN};
  for (seed = 0; seed < 50000; seed++) {
    uint64_t kept = seed;
    char format[64];
    long value = values[pick(11)];
    size_t room = pick(4) ? 64 : pick(20);
    bool is_long = pick(2);
    const char *kind = is_long ? longs[pick(9)] : kinds[pick(12)];
    random_spec(format, kind, *kind == 'c' ? "-" : "-+ #0");
    if (is_long)
      same_text(room, format, value);
    else
      same_text(room, format, (int)value);
    seed = kept;
  }
}

TEST(printf_texts_agree) {
  for (seed = 0; seed < 20000; seed++) {
    uint64_t kept = seed;
    char format[64], text[24];
    random_text(text, 20);
    random_spec(format, "s", "-");
    same_text(pick(3) ? 64 : pick(20), format, pick(9) ? text : NULL);
    random_spec(format, "p", "-");
    if (!strchr(format, '.'))
      same_text(64, format, pick(2) ? (void *)text : NULL);
    seed = kept;
  }
  same_text(64, "%*d|%-*d|%.*s|%%", 5, 1, -7, 2, 3, "abcdef");
  same_text(64, "%*s|%.*d|", -6, "ab", -1, 5);
  same_text(0, "%d %s", 1, "x");
}

TEST(printf_doubles_agree) {
  static const char *const kinds[] = {"f", "F", "e", "E", "g", "G", "a", "lf"};
  static const double values[] = {0.0,       -0.0,  1.0,    -1.5,
                                  3.14159,   1e300, 1e-300, INFINITY,
                                  -INFINITY, NAN,   0.1,    123456789.125};
  for (seed = 0; seed < 20000; seed++) {
    uint64_t kept = seed;
    char format[64];
    random_spec(format, kinds[pick(8)], "-+ 0#'");
    same_text(600, format, values[pick(12)]);
    seed = kept;
  }
}

static bool refuses(const char *format) {
  char text[8];
  int n = 0;
  may_fail = true;
  has_failed = false;
  if (setjmp(stopped) == 0)
    rt_snprintf(text, sizeof text, format, &n);
  may_fail = false;
  return has_failed;
}

TEST(printf_refuses_what_it_cannot_do) {
  static const char *const formats[] = {"%y", "%", "%2$d"};
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    CHECK(refuses(formats[i]), "format %zu was accepted", i);
}

TEST(arguments_are_taken_by_their_place) {
  char ours[80], host[80];
#define SAME(...)                                                              \
  do {                                                                         \
    int n = rt_snprintf(ours, sizeof ours, __VA_ARGS__);                       \
    CHECK_EQ(n, snprintf(host, sizeof host, __VA_ARGS__), "length");           \
    CHECK(strcmp(ours, host) == 0, "'%s', not '%s'", ours, host);              \
  } while (0)
  SAME("%2$d %1$s %3$.2f %2$05d", "one", 22, 1.5);
  SAME("%1$*2$d|%3$Lf|%4$ld", 7, 3, 2.0L, -9L);
  SAME("%3$s%2$c%1$x", 255u, 'c', "three");
#undef SAME
}

TEST(output_is_shown_whole) {
  char expected[4096], line[700];
  memset(line, 'x', sizeof line);
  line[sizeof line - 1] = 0;
  int n = sprintf(expected, "a%db\n%s\n%.3s", 5, line, "wxyz");
  shown_len = 0;
  CHECK_EQ(rt_printf("a%db\n", 5), 4, "printf");
  rt_puts(line);
  rt_fwrite("wxyz", 1, 3, stdout);
  CHECK(shown_len == (size_t)n && memcmp(shown, expected, shown_len) == 0,
        "shown: %.*s", (int)shown_len, shown);
}

// -- math

static double random_double(void) {
  if (pick(4) == 0) {
    static const double special[] = {0.0, -0.0,   0.5,      -0.5,
                                     1.5, 2.5,    INFINITY, -INFINITY,
                                     NAN, 0x1p52, 0x1p-1074};
    return special[pick(11)];
  }
  double x = ldexp((double)pick(1u << 30) + pick(1u << 20) * 0x1p-20,
                   (int)pick(80) - 60);
  return pick(2) ? x : -x;
}

static bool same_double(double x, double y) {
  return (isnan(x) && isnan(y)) ||
         memcmp(&x, &y, sizeof x) == 0; // NOLINT: 0.0 is not -0.0
}

TEST(math_agrees) {
  for (seed = 0; seed < 50000; seed++) {
    uint64_t kept = seed;
    double x = random_double(), y = random_double();
#define SAME(f, ...)                                                           \
  CHECK(same_double(rt_##f(__VA_ARGS__), f(__VA_ARGS__)), #f " %a %a", x, y)
    SAME(floor, x);
    SAME(ceil, x);
    SAME(trunc, x);
    SAME(round, x);
    if (x != y) { // of +0 and -0 either may come back
      SAME(fmin, x, y);
      SAME(fmax, x, y);
    }
#undef SAME
    seed = kept;
  }
}
