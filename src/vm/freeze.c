// SPDX-License-Identifier: MIT
// Freezing a thread into tuples of words and thawing it again. Equal threads
// must give equal tuples, so only what can still matter goes in: live slots,
// masks of undefined bits when there are any, private memory but for what is
// overwritten before it is read, counters, and the pending access with whatever
// is needed to complete it.
//
//   state  access, thread, counters, top frame, private memory, and what is
//          under way: a copy or fill, pieces of an access
//   frame  function, pc, frame below, live slots -> frames share their callers
//   chunk  256 bytes of private memory           -> states share unchanged ones
//   block  64 words of a long list (of chunks, or of the sizes of variables, or
//          of blocks)                            -> likewise
//
// Parts name each other by refs (pool.h). Each part exists once, lasting or
// transient, so states are equal iff their ids are. What refers to a transient
// part is transient itself, and younger, so it goes first.
#include "vm/cold.h"

#include <string.h>

static void put(struct words *out, uint32_t word) {
  array_push(out, word);
}

static void put_bytes(struct words *out, const void *data, size_t n) {
  check(n % sizeof(uint32_t) == 0);
  array_reserve(out, n / sizeof(uint32_t));
  memcpy(out->at + out->len, data, n);
  out->len += (uint32_t)(n / sizeof(uint32_t));
}

static bool is_transient(uint32_t ref) {
  return ref != NO_REF && ref & REF_TRANSIENT;
}

// -- frames

static uint32_t freeze_frame(struct thread *t, const struct frame *f,
                             uint32_t below, bool is_over, bool keep) {
  struct vm *vm = t->vm;
  uint32_t live = 0;
  uint64_t any = 0;
  const uint16_t *list = live_across(vm->prog, f->pc, &live);
  if (is_over)
    live = 0;
  for (uint32_t i = 0; i < live; i++)
    any |= t->undef[f->base + list[i]];
  struct words *out = &vm->cold->scratch[1];
  const uint32_t head[FRAME_HEAD] = {
      [FRAME_FUNC] = f->func,   [FRAME_PC] = f->pc,
      [FRAME_BELOW] = below,    [FRAME_LOCALS] = f->locals,
      [FRAME_VA] = f->va_local, [FRAME_UNDEF] = any != 0,
  };
  out->len = 0;
  put_bytes(out, head, sizeof head);
  for (uint32_t i = 0; i < live; i++)
    put_bytes(out, &t->slot[f->base + list[i]], sizeof *t->slot);
  for (uint32_t i = 0; any && i < live; i++)
    put_bytes(out, &t->undef[f->base + list[i]], sizeof *t->undef);
  return parts_put(&vm->cold->frames, out->at, out->len,
                   keep && !is_transient(below));
}

// Freezes all frames; yields the top one.
static uint32_t freeze_frames(struct thread *t, bool is_over, bool keep) {
  uint32_t below = t->parent;
  for (uint32_t i = 0; i < t->frames.len; i++) {
    struct frame *f = &t->frames.at[i];
    bool is_top = i + 1 == t->frames.len;
    if (is_top || f->ref == NO_REF)
      f->ref = freeze_frame(t, f, below, is_over && is_top, keep);
    below = f->ref;
  }
  return below;
}

void thaw_frame(struct thread *t, uint32_t ref) {
  const struct vm *vm = t->vm;
  uint32_t len, live;
  const uint32_t *w = parts_get(&vm->cold->frames, ref, &len);
  check(t->frames.len == 0);
  struct frame *f = thread_push_frame(t, w[FRAME_FUNC]);
  t->depth--; // it was counted when it was called
  f->pc = w[FRAME_PC];
  f->locals = w[FRAME_LOCALS];
  f->va_local = w[FRAME_VA];
  t->parent = w[FRAME_BELOW];
  if (t->track.on)
    track_thaw_frame(t);
  const uint16_t *list = live_across(vm->prog, f->pc, &live);
  if (len == FRAME_HEAD)
    return;
  for (uint32_t i = 0; i < live; i++)
    memcpy(&t->slot[f->base + list[i]], w + FRAME_HEAD + 2 * i,
           sizeof *t->slot);
  for (uint32_t i = 0; w[FRAME_UNDEF] && i < live; i++)
    memcpy(&t->undef[f->base + list[i]], w + FRAME_HEAD + 2 * (live + i),
           sizeof *t->undef);
}

// -- chunks: the bytes, then their masks; those are left out when all are 0

static uint32_t freeze_chunk(struct thread *t, uint32_t i, bool keep) {
  static const uint8_t defined[CHUNK];
  struct vm *vm = t->vm;
  struct words *out = &vm->cold->scratch[1];
  const uint8_t *undef = t->byte_undef + i * CHUNK;
  out->len = 0;
  put_bytes(out, t->bytes + i * CHUNK, CHUNK);
  if (memcmp(undef, defined, CHUNK) != 0)
    put_bytes(out, undef, CHUNK);
  return parts_put(&vm->cold->chunks, out->at, out->len, keep);
}

static void thaw_chunk(struct thread *t, uint32_t i, uint32_t ref) {
  uint32_t len;
  const uint32_t *w = parts_get(&t->vm->cold->chunks, ref, &len);
  uint32_t words = CHUNK / sizeof *w;
  memcpy(t->bytes + i * CHUNK, w, CHUNK);
  if (len > words)
    memcpy(t->byte_undef + i * CHUNK, w + words, CHUNK);
  else
    memset(t->byte_undef + i * CHUNK, 0, CHUNK);
}

// -- private memory that is overwritten before it is read
// (bytecode/analysis/dead.c)

static const struct dead_run *dead_runs_at(struct vm *vm, uint32_t pc) {
  struct vm_cold *cold = vm->cold;
  if (!cold->dead_at)
    cold->dead_at = xcalloc(vm->prog->code.len, sizeof *cold->dead_at);
  if (!cold->dead_at[pc]) {
    cold->dead_at[pc] = cold->dead.len + 1;
    dead_find(vm->prog, pc, &cold->dead);
    array_push(&cold->dead, (struct dead_run){0});
  }
  return &cold->dead.at[cold->dead_at[pc] - 1];
}

static void forget_bytes(struct thread *t, uint32_t at, uint32_t size) {
  memset(t->bytes + at, 0, size);
  memset(t->byte_undef + at, 0xff, size);
  if (t->track.on) // they are not read, so they do not count as written
    memset(t->byte_set + at, 0, size * sizeof *t->byte_set);
  memory_touch(t, at, size);
}

// Makes dead bytes of the thawed frames what they were at first. (Those of the
// others were forgotten when they were frozen, and were not touched since.)
static void forget_dead(struct thread *t) {
  for (uint32_t i = 0; i < t->frames.len; i++) {
    uint32_t first = t->frames.at[i].locals;
    uint32_t end =
        i + 1 < t->frames.len ? t->frames.at[i + 1].locals : t->locals.len;
    if (first == end || t->frames.at[i].ref != NO_REF)
      continue;
    for (const struct dead_run *run = dead_runs_at(t->vm, t->frames.at[i].pc);
         run->size; run++) {
      if (run->object >= end - first)
        continue;
      const struct local *local = &t->locals.at[first + run->object];
      if (!local->is_gone)
        forget_bytes(t, local->first + run->first, run->size);
    }
  }
}

// -- lists of words: of those that are long, blocks are parts of their own

enum { BLOCK = 64 };

// How many words stand for n in the state itself.
static uint32_t folded(uint32_t n) {
  while (n > BLOCK)
    n = (n + BLOCK - 1) / BLOCK;
  return n;
}

bool state_put_list(struct vm *vm, struct words *out, bool keep) {
  struct words *list = &vm->cold->scratch[2];
  bool lasts = true;
  while (list->len > BLOCK) {
    uint32_t blocks = 0;
    for (uint32_t at = 0; at < list->len; at += BLOCK) {
      uint32_t n = list->len - at < BLOCK ? list->len - at : BLOCK;
      uint32_t ref = parts_put(&vm->cold->chunks, list->at + at, n, keep);
      lasts &= !is_transient(ref);
      list->at[blocks++] = ref;
    }
    list->len = blocks;
  }
  if (list->len)
    put_bytes(out, list->at, list->len * sizeof *list->at);
  return lasts;
}

// Unfolds from the end: a block goes to where its words are in the longer list.
static void unfold(const struct vm *vm, struct words *list, uint32_t n) {
  uint32_t blocks = (n + BLOCK - 1) / BLOCK, len;
  array_reserve(list, n - list->len);
  for (uint32_t i = blocks; i-- > 0;) {
    const uint32_t *w = parts_get(&vm->cold->chunks, list->at[i], &len);
    memcpy(list->at + i * BLOCK, w, len * sizeof *w);
  }
  list->len = n;
}

const uint32_t *state_list(const struct vm *vm, const uint32_t *state) {
  struct words *list = &vm->cold->scratch[2];
  uint32_t n = state[STATE_LOCALS] + state[STATE_CHUNKS], lens[8], folds = 0;
  for (uint32_t len = n; len > BLOCK; len = (len + BLOCK - 1) / BLOCK)
    lens[folds++] = len;
  list->len = 0;
  if (n)
    put_bytes(list, state + STATE_HEAD, folded(n) * sizeof *state);
  while (folds > 0)
    unfold(vm, list, lens[--folds]);
  return list->at;
}

// -- states

bool freeze_thread(struct vm *vm, bool keep) {
  struct thread *t = &vm->cold->thread;
  bool over = is_over(&t->access);
  uint32_t locals = over ? 0 : t->locals.len;
  uint32_t chunks = over ? 0 : t->chunks.len;
  if (locals && !vm->cold->config.keeps_dead)
    forget_dead(t);
  uint32_t top = freeze_frames(t, over, keep);
  bool lasts = keep && !is_transient(top);
  for (uint32_t i = 0; i < chunks; i++) {
    if (t->chunks.at[i] == NO_REF)
      t->chunks.at[i] = freeze_chunk(t, i, keep);
    lasts &= !is_transient(t->chunks.at[i]);
  }
  struct words *out = &vm->cold->scratch[0];
  uint32_t head[STATE_HEAD] = {
      [STATE_THREAD] = t->id,
      [STATE_SMALL] = t->shared_small,
      [STATE_LARGE] = t->shared_large,
      [STATE_FRAME] = top,
      [STATE_DEPTH] = t->depth,
      [STATE_LOCALS] = locals,
      [STATE_CHUNKS] = chunks,
      [STATE_BULK] = t->is_bulk     ? 1
                     : t->is_pieces ? 2
                                    : 0,
  };
  memcpy(head, &t->access, sizeof t->access);
  out->len = 0;
  put_bytes(out, head, sizeof head);
  struct words *list = &vm->cold->scratch[2];
  list->len = 0;
  for (uint32_t i = 0; i < locals; i++)
    put(list, t->locals.at[i].size << 1 | t->locals.at[i].is_gone);
  if (chunks)
    put_bytes(list, t->chunks.at, chunks * sizeof *t->chunks.at);
  lasts &= state_put_list(vm, out, lasts);
  if (t->is_bulk)
    put_bytes(out, &t->bulk, sizeof t->bulk);
  if (t->is_pieces)
    put_bytes(out, &t->pieces, sizeof t->pieces);
  return lasts;
}

// Chunks that are in place already are not copied again; a transient ref may
// name something else by now, so it is never trusted.
static void thaw_memory(struct thread *t, const uint32_t *sizes,
                        uint32_t locals, const uint32_t *refs,
                        uint32_t chunks) {
  uint32_t used = t->vm->cold->tls_bytes;
  t->locals.len = 0;
  for (uint32_t i = 0; i < locals; i++) {
    struct local local = {used, sizes[i] >> 1, sizes[i] & 1};
    array_push(&t->locals, local);
    used += local.size;
  }
  thread_set_chunks(t, chunks);
  for (uint32_t i = 0; i < chunks; i++) {
    if (t->chunks.at[i] != refs[i] || is_transient(refs[i]))
      thaw_chunk(t, i, refs[i]);
    t->chunks.at[i] = refs[i];
  }
  t->used = used;
}

const uint32_t *state_tuple(const struct vm *vm, state_id s) {
  uint32_t len;
  return parts_get(
      &vm->cold->states,
      state_is_transient(vm, s) ? (s - vm->cold->capacity) | REF_TRANSIENT : s,
      &len);
}

void thaw_thread(struct vm *vm, state_id s) {
  struct thread *t = &vm->cold->thread;
  const uint32_t *w = state_tuple(vm, s);
  memcpy(&t->access, w, sizeof t->access);
  check(!is_over(&t->access));
  t->id = w[STATE_THREAD];
  t->shared_small = w[STATE_SMALL];
  t->shared_large = w[STATE_LARGE];
  t->depth = w[STATE_DEPTH];
  t->is_bulk = w[STATE_BULK] == 1;
  t->is_pieces = w[STATE_BULK] == 2;
  uint32_t locals = w[STATE_LOCALS], chunks = w[STATE_CHUNKS];
  const uint32_t *sizes = state_list(vm, w);
  const uint32_t *rest = w + STATE_HEAD + folded(locals + chunks);
  thaw_memory(t, sizes, locals, sizes + locals, chunks);
  if (t->is_bulk)
    memcpy(&t->bulk, rest, sizeof t->bulk);
  if (t->is_pieces)
    memcpy(&t->pieces, rest, sizeof t->pieces);
  t->frames.len = 0;
  thaw_frame(t, w[STATE_FRAME]);
}

uint32_t state_top_frame(const struct vm *vm, state_id s) {
  return state_tuple(vm, s)[STATE_FRAME];
}

void frozen_frame(const struct vm *vm, uint32_t ref, uint32_t *func,
                  uint32_t *pc, uint32_t *below) {
  uint32_t len;
  const uint32_t *w = parts_get(&vm->cold->frames, ref, &len);
  *func = w[FRAME_FUNC];
  *pc = w[FRAME_PC];
  *below = w[FRAME_BELOW];
}
