// SPDX-License-Identifier: MIT
// Copies between memory that overlaps: memmove may, nothing else does. (A copy
// of something onto itself changes nothing, and compilers make some.)
// run: flags=-DDO=memcpy(text,text+1,n) sc,rc11 error bad-argument
// run: flags=-DDO=memcpy(text+2,text,n) sc,rc11 error bad-argument
// run: flags=-DDO=memcpy(text,text+1,4) sc,rc11 error bad-argument
// run: flags=-DDO=memcpy(local,local+1,4) sc,rc11 error bad-argument
// run: flags=-DDO=memcpy(text,text+4,4) sc,rc11 ok
// run: flags=-DDO=memcpy(text,text,n) sc,rc11 ok
// run: flags=-DDO=memmove(text,text+1,n) sc,rc11 ok
// run: flags=-DDO=strcpy(text,text+1) sc,rc11 error bad-argument
// run: flags=-DDO=strcpy(text+1,text) sc,rc11 error bad-argument
// run: flags=-DDO=strcpy(text,text+5) sc,rc11 ok
// run: flags=-DDO=strncpy(text+1,text,4) sc,rc11 error bad-argument
// run: flags=-DDO=strncpy(text,text+4,4) sc,rc11 ok
// run: flags=-DDO=stpncpy(text+1,text,4) sc,rc11 error bad-argument
// run: flags=-DDO=memccpy(text+1,text,0,4) sc,rc11 error bad-argument
// run: flags=-DDO=strlcpy(text+1,text,6) sc,rc11 error bad-argument
// run: flags=-DDO=strlcpy(text,text+4,4) sc,rc11 ok
// run: flags=-DDO=strcat(text,text) sc,rc11 error bad-argument
// run: flags=-DDO=strncat(text,text,8) sc,rc11 error bad-argument
// run: flags=-DDO=strcat(text,local) sc,rc11 ok
// run: flags=-DDO=P(text,text) sc,rc11 error bad-argument
// run: flags=-DDO=P(text,text+2) sc,rc11 error bad-argument
// run: flags=-DDO=P(local,text) sc,rc11 ok
#include "../common.h"

#include <stdio.h>
#include <string.h>

#define P(to, from) sprintf(to, "%s more", from)

static char text[16] = "1234567";

int main(void) {
  char local[16] = "abc";
  volatile size_t n = 6;
  DO; // BUG
  (void)n;
  (void)local;
  return 0;
}
