// The environment, as a program changes it.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void show(const char *name) {
  const char *value = getenv(name);
  printf("%s %s\n", name, value ? value : "(none)");
}

int main(void) {
  char mine[] = "C=3", next[] = "D=4";
  clearenv();
  show("A");
  printf("%d", setenv("A", "1", 0));
  printf("%d", setenv("A", "2", 0));
  show("A");
  printf("%d", setenv("A", "23", 1));
  printf("%d", setenv("AB", "", 1));
  show("A");
  show("AB");
  putenv(mine);
  mine[2] = '5';
  show("C");
  printf("%d", setenv("C", "6", 1));
  printf(" %s\n", mine);
  show("C");
  printf("%d %d\n", setenv("X=Y", "", 1), errno == EINVAL);
  printf("%d %d\n", unsetenv(""), errno == EINVAL);
  for (char **entry = environ; *entry; entry++)
    puts(*entry);
  unsetenv("A");
  unsetenv("A");
  show("A");
  show("C");
  putenv((char[]){"C"});
  show("C");
  char *list[] = {"E=1", next, NULL};
  environ = list;
  show("E");
  setenv("D", "7", 1);
  printf("%s\n", next);
  show("D");
  clearenv();
  show("E");
  return 0;
}
