// Dates as text.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void show(time_t time) {
  char text[256];
  struct tm date;
  gmtime_r(&time, &date);
  size_t n = strftime(text, sizeof text,
                      "%a %A %b %B %h %c|%C %d %D %e %F %g %G %H %I %j %m "
                      "%M%n%p %P %r %R %S%t%T %u %U %V %w %W %x %X %y %Y %z "
                      "%% %Ey %Od",
                      &date);
  printf("%zu %s\n", n, text);
  n = strftime(text, sizeof text,
               "%k|%l|%-d|%_d|%0e|%5d|%-5d|%_5d|%05Y|%-H:%-M|%_j|%-j|%-y|%0k|"
               "%^a|%#B|%^h|%^P|%#p|%5a|%05A|%-5b|%5%|%_H|%5C|%-Od",
               &date);
  printf("%zu %s\n", n, text);
}

int main(void) {
  time_t first_days = 1230768000; // the first of January 2009
  for (int year = 0; year < 6; year++)
    for (int day = -4; day < 5; day++)
      show(first_days + (year * 36525l / 100 + day) * 86400 + 45296);
  show(0);
  show(951782400);
  char text[8] = "";
  struct tm date = {.tm_year = 99, .tm_mon = 11, .tm_mday = 31};
  printf("%zu\n", strftime(text, 5, "%Y", &date));
  printf("%s\n", text);
  printf("%zu\n", strftime(text, 4, "%Y", &date));
  printf("%zu\n", strftime(text, 0, "", &date));
  return 0;
}
