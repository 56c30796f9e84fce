// SPDX-License-Identifier: MIT
// Classes of characters (C17 7.4), in the "C" locale.
#pragma once

#include <heddle_cdefs.h>

__HEDDLE_BEGIN
int isalnum(int c);
int isalpha(int c);
int isascii(int c);
int isblank(int c);
int iscntrl(int c);
int isdigit(int c);
int isgraph(int c);
int islower(int c);
int isprint(int c);
int ispunct(int c);
int isspace(int c);
int isupper(int c);
int isxdigit(int c);
int tolower(int c);
int toupper(int c);
__HEDDLE_END
