// SPDX-License-Identifier: MIT
// "Did you mean ...?": the nearest of some names to a misspelt one.
#pragma once

// Edit distance where inserting, deleting, replacing one character and
// swapping two neighbours each cost 1. Cost: product of the lengths.
unsigned suggest_distance(const char *a, const char *b);

// Keeps the nearest name seen so far. Start with {.wanted = what was typed}.
struct suggestion {
  const char *wanted;
  const char *best; // NULL when nothing was near enough
  unsigned distance;
};
void suggest_consider(struct suggestion *s, const char *name);
