// SPDX-License-Identifier: MIT
// Dates of the proleptic Gregorian calendar. The local time is UTC, since there
// is no environment that would say otherwise.
#include <stddef.h>
#include <stdio.h>
#include <time.h>

enum { DAY = 86400 };

struct tm { // as glibc has it
  int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday;
  int tm_isdst;
  long tm_gmtoff;
  const char *tm_zone;
};

struct tm *gmtime_r(const time_t *time, struct tm *ret);
struct tm *localtime_r(const time_t *time, struct tm *ret);
struct tm *gmtime(const time_t *time);
struct tm *localtime(const time_t *time);
time_t timegm(struct tm *date);
time_t mktime(struct tm *date);
char *asctime_r(const struct tm *date, char *text);
char *asctime(const struct tm *date);
char *ctime_r(const time_t *time, char *text);
char *ctime(const time_t *time);
void tzset(void);

static int is_leap(long year) {
  return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int days_of(long year, int month) {
  static const signed char days[] = {31, 28, 31, 30, 31, 30,
                                     31, 31, 30, 31, 30, 31};
  return days[month] + (month == 1 && is_leap(year));
}

// Days from the first of January 1970 to that of the year.
static long days_before(long year) {
  long y = year - 1;
  long leaps = y / 4 - y / 100 + y / 400;
  return (year - 1970) * 365 + leaps - 477;
}

struct tm *gmtime_r(const time_t *time, struct tm *ret) {
  long days = *time / DAY, rest = *time % DAY;
  if (rest < 0) {
    rest += DAY;
    days--;
  }
  long year = 1970 + days / 366;
  while (days_before(year + 1) <= days)
    year++;
  while (days_before(year) > days)
    year--;
  int day = (int)(days - days_before(year)), month = 0;
  *ret = (struct tm){.tm_sec = (int)(rest % 60),
                     .tm_min = (int)(rest / 60 % 60),
                     .tm_hour = (int)(rest / 3600),
                     .tm_year = (int)(year - 1900),
                     .tm_yday = day,
                     .tm_wday = (int)((days % 7 + 11) % 7),
                     .tm_zone = "UTC"};
  for (; day >= days_of(year, month); month++)
    day -= days_of(year, month);
  ret->tm_mon = month;
  ret->tm_mday = day + 1;
  return ret;
}

struct tm *localtime_r(const time_t *time, struct tm *ret) {
  return gmtime_r(time, ret);
}

static struct tm last; // of the functions without a place of their own

struct tm *gmtime(const time_t *time) {
  return gmtime_r(time, &last);
}

struct tm *localtime(const time_t *time) {
  return gmtime_r(time, &last);
}

// Members may be out of their ranges; they are put into them.
time_t timegm(struct tm *date) {
  long year = 1900l + date->tm_year + date->tm_mon / 12;
  int month = date->tm_mon % 12;
  if (month < 0) {
    month += 12;
    year--;
  }
  long days = days_before(year) + date->tm_mday - 1;
  for (int i = 0; i < month; i++)
    days += days_of(year, i);
  time_t time =
      days * DAY + date->tm_hour * 3600l + date->tm_min * 60l + date->tm_sec;
  gmtime_r(&time, date);
  return time;
}

time_t mktime(struct tm *date) {
  return timegm(date);
}

char *asctime_r(const struct tm *date, char *text) {
  static const char days[] = "SunMonTueWedThuFriSat",
                    months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
  snprintf(text, 26, "%.3s %.3s %2d %02d:%02d:%02d %d\n",
           days + 3 * date->tm_wday, months + 3 * date->tm_mon, date->tm_mday,
           date->tm_hour, date->tm_min, date->tm_sec, 1900 + date->tm_year);
  return text;
}

static char text_of_last[26];

char *asctime(const struct tm *date) {
  return asctime_r(date, text_of_last);
}

char *ctime_r(const time_t *time, char *text) {
  struct tm date;
  return asctime_r(gmtime_r(time, &date), text);
}

char *ctime(const time_t *time) {
  return ctime_r(time, text_of_last);
}

void tzset(void) {}
