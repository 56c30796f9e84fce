// SPDX-License-Identifier: MIT
// Dates as text, in the C locale.
#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "builtin.h"

struct tm { // as glibc has it
  int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday;
  int tm_isdst;
  long tm_gmtoff;
  const char *tm_zone;
};
size_t strftime(char *to, size_t room, const char *format,
                const struct tm *date);
time_t timegm(struct tm *date);

enum { MONDAY = 1, LARGEST = 32 };

static const char *const days[] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                   "Thursday", "Friday", "Saturday"};
static const char *const months[] = {
    "January", "February", "March",     "April",   "May",      "June",
    "July",    "August",   "September", "October", "November", "December"};

static const char *name_of(const char *const *names, int i, int count) {
  return i >= 0 && i < count ? names[i] : "?";
}

static int remainder_of(int n, int by) {
  return (n % by + by) % by;
}

// The week of the year, the first of which begins with the first `day`.
static int week_from(const struct tm *d, int day) {
  return (d->tm_yday + 7 - remainder_of(d->tm_wday - day, 7)) / 7;
}

static int days_of_year(long year) {
  return 365 + ((year % 4 == 0 && year % 100 != 0) || year % 400 == 0);
}

// The week of ISO 8601: it belongs to the year that its Thursday is in.
static int iso_week(const struct tm *d, long *year) {
  *year = d->tm_year + 1900l;
  int thursday = d->tm_yday - remainder_of(d->tm_wday - MONDAY, 7) + 3;
  if (thursday < 0) {
    (*year)--;
    thursday += days_of_year(*year);
  } else if (thursday >= days_of_year(*year)) {
    thursday -= days_of_year(*year);
    (*year)++;
  }
  return thursday / 7 + 1;
}

// Conversions that stand for others.
static const char *expanded(char letter) {
  switch (letter) {
  case 'c':
    return "%a %b %e %H:%M:%S %Y";
  case 'D':
  case 'x':
    return "%m/%d/%y";
  case 'F':
    return "%Y-%m-%d";
  case 'r':
    return "%I:%M:%S %p";
  case 'R':
    return "%H:%M";
  case 'T':
  case 'X':
    return "%H:%M:%S";
  default:
    return NULL;
  }
}

// Numbers. Yields how many digits there are at least; 0: no number.
static int number_of(char letter, const struct tm *d, long *number) {
  long year = d->tm_year + 1900l;
  switch (letter) {
  case 'C':
    *number = year / 100;
    return 2;
  case 'd':
  case 'e':
    *number = d->tm_mday;
    return 2;
  case 'g':
    iso_week(d, number);
    *number = remainder_of((int)(*number % 100), 100);
    return 2;
  case 'G':
    iso_week(d, number);
    return 1;
  case 'H':
  case 'k':
    *number = d->tm_hour;
    return 2;
  case 'I':
  case 'l':
    *number = (d->tm_hour + 11) % 12 + 1;
    return 2;
  case 'j':
    *number = d->tm_yday + 1;
    return 3;
  case 'm':
    *number = d->tm_mon + 1;
    return 2;
  case 'M':
    *number = d->tm_min;
    return 2;
  case 's': {
    struct tm copy = *d;
    *number = timegm(&copy);
    return 1;
  }
  case 'S':
    *number = d->tm_sec;
    return 2;
  case 'u':
    *number = d->tm_wday ? d->tm_wday : 7;
    return 1;
  case 'U':
    *number = week_from(d, 0);
    return 2;
  case 'V':
    *number = iso_week(d, &year);
    return 2;
  case 'w':
    *number = d->tm_wday;
    return 1;
  case 'W':
    *number = week_from(d, MONDAY);
    return 2;
  case 'y':
    *number = remainder_of((int)(year % 100), 100);
    return 2;
  case 'Y':
    *number = year;
    return 1;
  default:
    return 0;
  }
}

// NULL: no conversion.
static const char *word_of(char letter, const struct tm *d) {
  switch (letter) {
  case 'A':
  case 'a':
    return name_of(days, d->tm_wday, 7);
  case 'B':
  case 'b':
  case 'h':
    return name_of(months, d->tm_mon, 12);
  case 'n':
    return "\n";
  case 'p':
    return d->tm_hour < 12 ? "AM" : "PM";
  case 'P':
    return d->tm_hour < 12 ? "am" : "pm";
  case 't':
    return "\t";
  case 'z':
    return "+0000";
  case 'Z':
    return "UTC";
  case '%':
    return "%";
  default:
    return NULL;
  }
}

// -- one conversion, with the flags and the width that glibc has

struct spec {
  char pad; // '-', '_', '0'; 0: as usual
  int is_upper, is_swapped, width;
  char letter;
};

static const char *take_spec(const char *f, struct spec *ret) {
  struct spec s = {0};
  for (;; f++) {
    if (*f == '-' || *f == '_' || *f == '0')
      s.pad = *f;
    else if (*f == '^')
      s.is_upper = 1;
    else if (*f == '#')
      s.is_swapped = 1;
    else
      break;
  }
  while (*f >= '0' && *f <= '9' && s.width < LARGEST)
    s.width = 10 * s.width + (*f++ - '0');
  if (s.width >= LARGEST)
    __heddle_limit("strftime: a width of more than 31");
  f += *f == 'E' || *f == 'O'; // as without
  s.letter = *f;
  *ret = s;
  return f;
}

static int is_plain(const struct spec *s) {
  return !s->pad && !s->is_upper && !s->is_swapped && !s->width;
}

static int is_letter(char c, const char *letters) {
  return strchr(letters, c) != NULL;
}

static size_t put_number(char *to, const struct spec *s, int digits,
                         long number) {
  char pad = s->pad ? s->pad : is_letter(s->letter, "ekl") ? '_' : '0';
  int least = digits > s->width || pad == '-' ? digits : s->width;
  if (pad == '-')
    return (size_t)snprintf(to, LARGEST, "%*ld", s->width, number);
  return (size_t)snprintf(to, LARGEST, pad == '_' ? "%*ld" : "%0*ld", least,
                          number);
}

static size_t put_word(char *to, const struct spec *s, const char *word) {
  int length = is_letter(s->letter, "abh") ? 3 : (int)strlen(word);
  int blanks = s->width > length ? s->width - length : 0;
  int is_upper = (s->is_upper && s->letter != 'P') ||
                 (s->is_swapped && is_letter(s->letter, "aAbBh"));
  int is_lower = s->is_swapped && is_letter(s->letter, "pZ");
  memset(to, s->pad == '0' ? '0' : ' ', (size_t)blanks);
  for (int i = 0; i < length; i++)
    to[blanks + i] = (char)(is_upper   ? toupper(word[i])
                            : is_lower ? tolower(word[i])
                                       : word[i]);
  return (size_t)(blanks + length);
}

// Puts one conversion that stands for itself at `to`; yields its length.
static size_t convert(char *to, const struct spec *s, const struct tm *d) {
  long number;
  int digits = number_of(s->letter, d, &number);
  if (digits)
    return put_number(to, s, digits, number);
  const char *word = word_of(s->letter, d);
  if (!word)
    __heddle_fail(FIND_BAD_ARGUMENT,
                  "strftime: a conversion that does not exist");
  if (s->letter == 'z' && !is_plain(s))
    __heddle_limit("strftime: flags or a width with %z");
  return put_word(to, s, word);
}

// The text behind the first `n` characters; `room` + 1 at the end: too long.
static size_t put_all(char *to, size_t n, size_t room, const char *format,
                      const struct tm *d) {
  for (; *format && n <= room; format++) {
    char text[LARGEST] = {*format};
    size_t length = 1;
    if (*format == '%') {
      struct spec s;
      format = take_spec(format + 1, &s);
      const char *others = expanded(s.letter);
      if (others && !is_plain(&s))
        __heddle_limit("strftime: flags or a width with a conversion that "
                       "stands for others (%c, %D, %F, %r, %R, %T, %x, %X)");
      if (others) {
        n = put_all(to, n, room, others, d);
        continue;
      }
      length = convert(text, &s, d);
    }
    if (n + length > room)
      return room + 1;
    memcpy(to + n, text, length);
    n += length;
  }
  return n;
}

size_t strftime(char *to, size_t room, const char *format,
                const struct tm *date) {
  size_t n = room ? put_all(to, 0, room - 1, format, date) : room + 1;
  if (n >= room)
    return 0;
  to[n] = 0;
  return n;
}
