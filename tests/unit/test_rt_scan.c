// SPDX-License-Identifier: MIT
// sscanf, strtod and strtol of rt/ against the host's, on random texts.
#include "rt_host.h"
#include "tap.h"

#include <math.h>
#include <stdarg.h>

#define RT(name) extern __typeof__(name) rt_##name
RT(strtod);
RT(strtof);
RT(strtold);
RT(strtol);
RT(strtoul);
RT(sscanf);
RT(ldexp);
RT(strncpy);
RT(strncat);
RT(malloc);
RT(calloc);
RT(posix_memalign);
long rt_isoc23_strtol(const char *text, char **end, int base);
int rt_isoc23_sscanf(const char *text, const char *format, ...);

enum { ROUNDS = 200000, ITEMS = 3, ROOM = 96 };

// Text of pieces that numbers are made of, so that many of them are some.
static void random_number(char *to, unsigned max) {
  static const char *const pieces[] = {"0",          "1",
                                       "9",          "17",
                                       ".",          "e",
                                       "E-",         "e+3",
                                       "0x",         "0X1",
                                       "p",          "P-2",
                                       "abc",        "+",
                                       "-",          " ",
                                       "\t",         "inf",
                                       "INFI",       "nity",
                                       "nan",        "(",
                                       "nil)",       ")",
                                       "_z",         ",",
                                       "999",        "8",
                                       "0b1",        "e30",
                                       "e99",        "p-1074",
                                       "4294967296", "9223372036854775807",
                                       "%"};
  *to = 0;
  for (unsigned n = pick(max); n > 0; n--)
    strcat(to, pieces[pick(sizeof pieces / sizeof *pieces)]);
}

// From glibc 2.38 on, 0b1 is a number where C23 is asked for, as it is by
// default there; and sscanf has other ideas of what may follow "nan(".
static bool is_same_everywhere(const char *text) {
  return !strstr(text, "0b") && !strstr(text, "nan(");
}

// "ab" for %3c, "1e" for %f and "0x" for %x are conversions up to glibc 2.41,
// as here, and fail in glibc 2.43, as C says.
static bool prefixes_are_enough(void) {
  char x[3];
  return sscanf("ab", "%3c", x) == 1;
}

static bool has_prefixes(const char *text, const char *format) {
  return strchr(format, 'c') || strpbrk(text, "eEpPxXiInN");
}

// One item of a format, with one argument. Is that a long double?
static bool random_item(char *to) {
  static const char *const plain[] = {" ",   ",",   "%%",  "x",
                                      "%*d", "%*s", "%*2c"};
  static const char *const sizes[] = {"", "h", "hh", "l", "ll", "z", "j", "t"};
  static const char *const reals[] = {"", "l", "L"};
  static const char *const sets[] = {"[0-9]", "[^ ,]", "[]e+]", "[9-0]",
                                     "[a-]"};
  char width[8] = "";
  if (pick(4) == 0)
    strcpy(to, plain[pick(sizeof plain / sizeof *plain)]);
  else
    *to = 0;
  if (pick(3) == 0)
    sprintf(width, "%u", 1 + pick(12));
  to += strlen(to);
  switch (pick(5)) {
  case 0:
    sprintf(to, "%%%s%s%c", width, reals[pick(3)], "aefgAEFG"[pick(8)]);
    break;
  case 1:
    sprintf(to, "%%%s%s", *width ? width : "30", sets[pick(5)]);
    break;
  case 2:
    sprintf(to, "%%%s%c", *width ? width : "30", "sc"[pick(2)]);
    break;
  case 3:
    sprintf(to, "%%%s%c", width, "pn"[pick(2)]);
    break;
  default:
    sprintf(to, "%%%s%s%c", width, sizes[pick(8)], "diouxX"[pick(6)]);
  }
  return strchr(to, 'L');
}

// Ten bytes of a long double are its value; the others may be whatever the
// compiler leaves there.
static bool same_objects(const char *x, const char *y, bool is_long_double) {
  return memcmp(x, y, 10) == 0 && memcmp(x + 16, y + 16, ROOM - 16) == 0 &&
         (is_long_double || memcmp(x + 10, y + 10, 6) == 0);
}

TEST(sscanf_agrees) {
  const bool are_enough = prefixes_are_enough();
  for (unsigned round = 0; round < ROUNDS; round++) {
    char text[1024], format[128] = "";
    static char x[ITEMS][ROOM], y[ITEMS][ROOM];
    seed = round;
    random_number(text, 9);
    if (!is_same_everywhere(text))
      continue;
    bool is_long_double[ITEMS];
    for (unsigned i = 0; i < ITEMS; i++)
      is_long_double[i] = random_item(format + strlen(format));
    if (!are_enough && has_prefixes(text, format))
      continue;
    memset(x, '?', sizeof x);
    memset(y, '?', sizeof y);
    rt_errno = errno = 0;
    int want = sscanf(text, format, y[0], y[1], y[2]), error = errno;
    int got = rt_sscanf(text, format, x[0], x[1], x[2]);
    bool is_same = true;
    for (unsigned i = 0; i < ITEMS; i++)
      is_same &= same_objects(x[i], y[i], is_long_double[i]);
    if (want < ITEMS) // at the end of the text glibc forgets an error
      error = rt_errno;
    CHECK(want == got && is_same && error == rt_errno,
          "seed %u: \"%s\" \"%s\": %d, not %d; errno %d, not %d; %s", round,
          text, format, got, want, rt_errno, error,
          is_same ? "" : "other values");
    if (want != got || !is_same || error != rt_errno)
      break;
  }
}

static bool same_bits(long double x, long double y) {
  return memcmp(&x, &y, 10) == 0;
}

TEST(strtod_agrees) {
  for (unsigned round = 0; round < ROUNDS; round++) {
    char text[4096], *x, *y;
    seed = round;
    random_number(text, round % 50 ? 8 : 300);
    if (!is_same_everywhere(text))
      continue;
    rt_errno = errno = 0;
    double d = strtod(text, &y), got = rt_strtod(text, &x);
    bool ok = same_bits(d, got) && x == y && rt_errno == errno;
    rt_errno = errno = 0;
    float f = strtof(text, &y), got_f = rt_strtof(text, &x);
    ok &= same_bits(f, got_f) && x == y && rt_errno == errno;
    rt_errno = errno = 0;
    long double l = strtold(text, &y), got_l = rt_strtold(text, &x);
    ok &= same_bits(l, got_l) && x == y && rt_errno == errno;
    rt_errno = errno = 0;
    int base = (int)pick(40) - 1;
    // With another base the end is not set, and gcc's address sanitizer then
    // stores what it found on its stack.
    bool is_base = base == 0 || (base >= 2 && base <= 36);
    x = y = text;
    ok &= strtol(text, &y, base) == rt_strtol(text, &x, base) &&
          (x == y || !is_base) && rt_errno == errno;
    CHECK(ok, "seed %u: \"%s\"", round, text);
    if (!ok)
      break;
  }
}

// A float is not a double that is rounded again.
TEST(floats_are_rounded_once) {
  const char *text = "1.00000017881393432617187499999999999999999999999999";
  CHECK(rt_strtof(text, NULL) == strtof(text, NULL), " ");
  float x = 0;
  CHECK_EQ(rt_sscanf(text, "%f", &x), 1, " ");
  CHECK(x == strtof(text, NULL), " ");
}

TEST(sscanf_allocates) {
  char *word = NULL, *set = NULL;
  CHECK_EQ(rt_sscanf("hello 123abc", "%ms %m[0-9]", &word, &set), 2, " ");
  CHECK_STR(word, "hello");
  CHECK_STR(set, "123");
  __heddle_free(word);
  __heddle_free(set);
}

TEST(sscanf_refuses_by_name) {
  static const char *const formats[] = {"%k", "%ls", "%md", "%1$d", "%b"};
  char at[64];
  for (unsigned i = 0; i < sizeof formats / sizeof *formats; i++) {
    may_fail = true;
    has_failed = false;
    if (setjmp(stopped) == 0)
      rt_sscanf("12", formats[i], at);
    CHECK(has_failed, "%s", formats[i]);
    may_fail = false;
  }
}

TEST(c23_has_binary_numbers) {
  char text[] = "0b101x", *end;
  int x = 0;
  CHECK_EQ(rt_isoc23_strtol(text, &end, 0), 5, " ");
  CHECK_EQ(end - text, 5, " ");
  CHECK_EQ(rt_isoc23_sscanf(text, "%i", &x), 1, " ");
  CHECK_EQ(x, 5, " ");
  CHECK_EQ(rt_strtol(text, &end, 0), 0, " ");
}

TEST(errors_of_memory) {
  volatile size_t huge = (size_t)1 << 40;
  rt_errno = 0;
  CHECK(!rt_malloc(huge) && rt_errno == ENOMEM, "malloc");
  rt_errno = 0;
  CHECK(!rt_calloc(huge, huge) && rt_errno == ENOMEM, "calloc");
  void *p = NULL;
  CHECK_EQ(rt_posix_memalign(&p, 16, huge), ENOMEM, " ");
}

// Neither touches the other: the source is full, or ends before.
TEST(neighbours_do_not_overlap) {
  struct {
    char a[4], b[12];
  } s = {{'a', 'b', 'c', 'd'}, "x"};
  rt_strncpy(s.b, s.a, 4);
  CHECK(memcmp(s.b, "abcd", 4) == 0, "strncpy");
  memcpy(s.a, "ab", 3);
  rt_strncpy(s.b, s.a, 8);
  CHECK(memcmp(s.b, "ab\0\0\0\0\0\0", 8) == 0, "strncpy that fills up");
  memcpy(s.a, "abcd", 4);
  strcpy(s.b, "");
  rt_strncat(s.b, s.a, 4);
  CHECK_STR(s.b, "abcd");
}
