// What the headers of glibc 2.38 and later call where C23 is spoken, and what
// sscanf makes of long numbers, short texts and its own memory.
// expect: rc11 ok 1
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

long __isoc23_strtol(const char *text, char **end, int base);
unsigned long long __isoc23_strtoull(const char *text, char **end, int base);
int __isoc23_sscanf(const char *text, const char *format, ...);

int main(void) {
  char *end;
  assert(__isoc23_strtol("0b101", &end, 0) == 5 && *end == 0);
  assert(__isoc23_strtoull("ff", NULL, 16) == 255);
  int i = 0;
  float f = 0;
  assert(__isoc23_sscanf("0b11 2.5E1", "%i %G", &i, &f) == 2);
  assert(i == 3 && f == 25);
  char digits[200] = {0};
  memset(digits, '0', 150);
  strcat(digits, "17");
  double d = 0;
  long l = 0;
  assert(sscanf(digits, "%ld", &l) == 1 && l == 17);
  assert(sscanf(digits, "%lf", &d) == 1 && d == 17 &&
         strtod(digits, NULL) == 17);
  errno = 0;
  assert(sscanf("99999999999999999999", "%ld", &l) == 1);
  assert(l == 0x7fffffffffffffff && errno == ERANGE);
  char three[3] = "..";
  assert(sscanf("ab", "%3c", three) == 1 && memcmp(three, "ab", 3) == 0);
  char *word = NULL;
  assert(sscanf(" word ", "%ms", &word) == 1 && strcmp(word, "word") == 0);
  free(word);
}
