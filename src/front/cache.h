// SPDX-License-Identifier: MIT
// A cache of bitcode in the user's cache directory, so that checking the same
// source again costs no compiler run. A cache can only save time: whatever goes
// wrong with it (no directory, full disk, damaged entry) means "not cached".
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

struct bitcode;

// 128 bits that stand for everything that was added.
struct digest {
  uint64_t a, b;
};

#define DIGEST_INIT ((struct digest){0x6a09e667f3bcc908u, 0xbb67ae8584caa73bu})
// Adds `n` bytes and their number, so that ("ab", "c") is not ("a", "bc").
void digest_add(struct digest *d, const void *data, size_t n);
void digest_add_text(struct digest *d, const char *text);

// The entry of that key, if it is there and no file that it was made from has
// changed since.
bool cache_find(struct digest key, struct bitcode *ret);

// Keeps `code`. `rule` is the make rule that clang wrote (-MD): the files that
// it read. Files that changed after `began` may not be what clang saw: then
// nothing is kept.
void cache_store(struct digest key, const struct bitcode *code,
                 const char *rule, struct timespec began);
