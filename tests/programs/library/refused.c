// SPDX-License-Identifier: MIT
// Arguments that the library does not take are errors of the program; what only
// Heddle's does not take leaves the answer incomplete.
// run: flags=-DDO=printf(UNKNOWN,1) sc,rc11 incomplete 0
// run: flags=-DDO=printf(POSITION,1,2) sc,rc11 error bad-argument
// run: flags=-DDO=sscanf(EIGHT,UNKNOWN,&n) sc,rc11 incomplete 0
// run: flags=-DDO=sscanf(EIGHT,WIDE,text) sc,rc11 incomplete 0
// run: flags=-DDO=assert(!calloc((size_t)-1,2)) sc,rc11 ok 1
// run: flags=-DDO=assert(!reallocarray(NULL,(size_t)-1,2)) sc,rc11 ok 1
// run: flags=-DDO=aligned_alloc(3,8) sc,rc11 error bad-argument
// run: flags=-DDO=realloc(text,8) sc,rc11 error invalid-free
// run: flags=-DDO=snprintf(text,9,STRING,EIGHT) sc,rc11 error out-of-bounds
// run: flags=-DDO=strcpy(text,EIGHT) sc,rc11 error out-of-bounds
// run: flags=-DDO=__builtin___strcpy_chk(all.first,FOUR,ROOM) sc,rc11 error out-of-bounds
// run: flags=-DDO=__builtin___memset_chk(&all,0,n-92,ROOM) sc,rc11 error out-of-bounds
// run: flags=-DDO=__builtin___strcpy_chk(all.first,FOUR,n) sc,rc11 ok 1
// run: flags=-DDO=strlen(open_end) sc,rc11 error out-of-bounds
// run: flags=-DDO=strlen(NULL) sc,rc11 error null-pointer
// run: flags=-DDO=memcpy(text,open_end,9) sc,rc11 error out-of-bounds
// run: flags=-DDO=memset(text,0,9) sc,rc11 error out-of-bounds
// run: flags=-DDO=strcpy((char*)EIGHT,STRING) sc,rc11 error read-only
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNKNOWN "%y"
#define WIDE "%ls"
#define POSITION "%2$d" // nothing is said of the first
#define STRING "%s"
#define EIGHT "12345678"
#define FOUR "1234"
// What _FORTIFY_SOURCE tells of a member, though there is more behind it.
#define ROOM ((size_t)(n - 93))

static char text[8], open_end[2] = {'a', 'b'};
static int n;
static struct {
  char first[4], second[4];
} all;

int main(void) {
  n = text[0] + open_end[0] + all.second[0]; // 97
  DO; // BUG
}
