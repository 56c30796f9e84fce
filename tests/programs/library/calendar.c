// SPDX-License-Identifier: MIT
// Dates: the local time is UTC.
// expect: all ok 1
#include <assert.h>
#include <string.h>
#include <time.h>

static void back_and_forth(time_t time, int year, int month, int day, int week,
                           int of_year) {
  struct tm date;
  assert(gmtime_r(&time, &date) == &date);
  assert(date.tm_year == year - 1900 && date.tm_mon == month - 1);
  assert(date.tm_mday == day && date.tm_wday == week);
  assert(date.tm_yday == of_year && timegm(&date) == time);
}

int main(void) {
  back_and_forth(0, 1970, 1, 1, 4, 0);
  back_and_forth(-1, 1969, 12, 31, 3, 364);
  back_and_forth(951782400, 2000, 2, 29, 2, 59);
  back_and_forth(1709251199, 2024, 2, 29, 4, 59);
  back_and_forth(4107542400, 2100, 3, 1, 1, 59);
  back_and_forth(-2203977600, 1900, 2, 28, 3, 58);

  time_t now = time(NULL);
  struct tm *here = localtime(&now);
  assert(strcmp(asctime(here), "Thu Jan  1 00:00:01 1970\n") == 0);
  assert(strcmp(ctime(&now), "Thu Jan  1 00:00:01 1970\n") == 0);

  struct tm odd = {.tm_year = 124, .tm_mon = 13, .tm_mday = 29, .tm_sec = 61};
  assert(mktime(&odd) == 1740787261);
  assert(odd.tm_year == 125 && odd.tm_mon == 2 && odd.tm_mday == 1);
  assert(odd.tm_min == 1 && odd.tm_sec == 1);
  return 0;
}
