// SPDX-License-Identifier: MIT
// Dates as text, in the C locale.
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
    *number = d->tm_hour;
    return 2;
  case 'I':
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

static int is_short(char letter) {
  return letter == 'a' || letter == 'b' || letter == 'h';
}

// Puts one conversion that stands for itself at `to`; yields its length.
static size_t convert(char *to, char letter, const struct tm *d) {
  long number;
  int width = number_of(letter, d, &number);
  if (width)
    return (size_t)snprintf(to, LARGEST, letter == 'e' ? "%*ld" : "%0*ld",
                            width, number);
  const char *word = word_of(letter, d);
  if (!word)
    __heddle_fail(FIND_BAD_ARGUMENT,
                  "strftime: a conversion that does not exist");
  return (size_t)snprintf(to, LARGEST, "%.*s", is_short(letter) ? 3 : LARGEST,
                          word);
}

// The text behind the first `n` characters; `room` + 1 at the end: too long.
static size_t put_all(char *to, size_t n, size_t room, const char *format,
                      const struct tm *d) {
  for (; *format && n <= room; format++) {
    char text[LARGEST] = {*format};
    size_t length = 1;
    if (*format == '%') {
      format++;
      if (*format == 'E' || *format == 'O') // as without
        format++;
      const char *others = expanded(*format);
      if (others) {
        n = put_all(to, n, room, others, d);
        continue;
      }
      length = convert(text, *format, d);
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
