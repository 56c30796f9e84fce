// SPDX-License-Identifier: MIT
// The blocks of a function that is being lowered, and where their ways meet.
#pragma once

#include "front/passes/code.h"
#include "front/passes/rows.h"

struct block {
  uint32_t first, end; // instructions
  uint32_t to[2];      // where it goes; blocks->n: nowhere
  bool is_open;        // it may go elsewhere, too
};

// Sets of blocks are bits; a row is the set of one block.
struct blocks {
  struct code *code;
  struct block *at;
  uint32_t n, words;
  uint32_t *of_label;
  struct rows postdom; // by block: those that post-dominate it
};

// False: the function is too hard, and nothing was made.
MUST_USE bool blocks_find(struct blocks *b, struct code *c);
void blocks_done(struct blocks *b);

static inline uint64_t *blocks_row(const struct blocks *b, uint64_t *sets,
                                   uint32_t block) {
  return sets + (size_t)block * b->words;
}

// The last instruction of a block, if that is a branch; else NULL.
struct vinsn *blocks_branch(const struct blocks *b, uint32_t block);
// The nearest block that every way from there comes to; b->n: none.
uint32_t blocks_meeting(const struct blocks *b, uint32_t block);
// Adds the blocks from `from` on, not through those of `without`, to the set.
void blocks_collect(const struct blocks *b, uint32_t from,
                    const uint64_t *without, uint64_t *set);
// Does a way lead there, not through those of `without`?
bool blocks_reach(const struct blocks *b, uint32_t from, uint32_t to,
                  const uint64_t *without);

// ends.c: `region` is what lies between the branch of a block and where its
// ways meet. If it is a loop, does it end, whatever the numbers are? The loops
// whose tests are in `ending` do.
bool loop_ends(const struct blocks *b, uint32_t test, uint32_t meeting,
               const uint64_t *region, const uint64_t *ending);
