// SPDX-License-Identifier: MIT
// Code that never comes to its next shared access.
// run: flags=-DDO=for(;;){} sc,rc11 error endless-loop
// run: flags=-DDO=deep(1) sc,rc11 incomplete 0
// run: flags=-DDO=deep(-100) sc,rc11 ok
#include "../common.h"

static int deep(int n) {
  if (n == 0)
    return 0;
  return deep(n + 1) + 1;
}

int main(void) {
  DO; // BUG
  (void)deep;
  return 0;
}
