// SPDX-License-Identifier: MIT
// A cache of bitcode and of programs in the user's cache directory, so that
// checking the same source again costs no compiler run and no lowering. A cache
// can only save time: whatever goes wrong with it (no directory, full disk,
// damaged entry) means "not cached".
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

struct bitcode;
struct str;

// 128 bits that stand for everything that was added.
struct digest {
  uint64_t a, b;
};

#define DIGEST_INIT ((struct digest){0x6a09e667f3bcc908u, 0xbb67ae8584caa73bu})
// Adds `n` bytes and their number, so that ("ab", "c") is not ("a", "bc").
void digest_add(struct digest *d, const void *data, size_t n);
void digest_add_text(struct digest *d, const char *text);

enum kept {
  KEPT_BITCODE, // what a compiler made
  KEPT_PROGRAM, // what became of it (loaded.h); depends on its key alone
};

// The entry of that key, if it is there and nothing that the compiler looked at
// has changed since.
bool cache_find(enum kept kind, struct digest key, struct bitcode *ret);

struct compiler_run {
  const char *compiler, *source; // files
  const struct bitcode *log;     // what it looked at (watched.h)
  struct timespec began;         // by the clock of file systems,
                                 // CLOCK_REALTIME_COARSE
};

// Keeps what that run made, or a program (then `run` is NULL). Nothing is kept
// when its records are not complete, or when something that it looked at may
// have changed since it began.
void cache_store(enum kept kind, struct digest key, const struct bitcode *code,
                 const struct compiler_run *run);
