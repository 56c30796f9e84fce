// SPDX-License-Identifier: MIT
// String functions on shared memory read its characters one by one: ordered by
// the program they are right, unordered they race.
// run: sc,rc11 ok 1
// run: flags=-DRACE=strlen(text)==5 sc,rc11 error race
// run: flags=-DRACE=memcmp(text,copy,5)==0 sc,rc11 error race
// run: flags=-DRACE=memcmp(numbers,others,20)==0 sc,rc11 error race
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static char text[16], copy[16];
static int numbers[5] = {5, 3, 1, 4, 2}, others[5];

static void *writer(void *unused) {
  strcpy(text, "hello"); // BUG
  numbers[0]++;          // BUG
  numbers[0]--;
  return unused;
}

static int by_value(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}

int main(void) {
  pthread_t id;
  pthread_create(&id, NULL, writer, NULL);
#ifdef RACE
  (void)(RACE); // BUG
#endif
  pthread_join(id, NULL);
  assert(strlen(text) == 5 && strnlen(text, 3) == 3);
  strncpy(copy, text, sizeof copy);
  assert(strcmp(text, copy) == 0 && memcmp(text, copy, sizeof text) == 0);
  strcat(copy, " you");
  assert(strcmp(text, copy) < 0 && strncmp(text, copy, 5) == 0);
  assert(strchr(copy, 'y') == copy + 6 && strstr(copy, "o y") == copy + 4);
  assert(strrchr(copy, 'o') == copy + 7 && memchr(copy, 'z', 16) == NULL);
  char *two = strdup(copy);
  assert(strcmp(two, "hello you") == 0);
  free(two);
  qsort(numbers, 5, sizeof *numbers, by_value);
  for (int i = 0; i < 5; i++)
    assert(numbers[i] == i + 1);
  int key = 4;
  assert(bsearch(&key, numbers, 5, sizeof key, by_value) == &numbers[3]);
  key = 9;
  assert(bsearch(&key, numbers, 5, sizeof key, by_value) == NULL);
  memcpy(others, numbers, sizeof others);
  assert(memcmp(others, numbers, sizeof others) == 0);
  others[4] = 0;
  assert(memcmp(others, numbers, sizeof others) < 0);

  char small[4];
  assert(strlcpy(small, "longer", sizeof small) == 6 && !strcmp(small, "lon"));
  assert(strlcpy(small, "a", sizeof small) == 1 && !strcmp(small, "a"));
  assert(strlcat(small, "bcde", sizeof small) == 5 && !strcmp(small, "abc"));
}
