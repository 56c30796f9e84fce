// SPDX-License-Identifier: MIT
// Mutexes as POSIX and C11 share them: a lock word (0 when free, else the
// owner's thread id + 1) and a kind. Results are POSIX error numbers.
#pragma once

enum mutex_kind { MUTEX_NORMAL, MUTEX_RECURSIVE, MUTEX_ERRORCHECK };

int mutex_lock(int *word, int kind);
int mutex_trylock(int *word, int kind);
int mutex_unlock(int *word, int kind);
void mutex_destroy(int *word);
