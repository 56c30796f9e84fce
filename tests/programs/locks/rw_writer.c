// SPDX-License-Identifier: MIT
// A reader-writer lock that lets writers go first: a writer announces itself,
// which keeps new readers out, and then waits until those inside have left. A
// reader says that it is inside and looks again; these two are the store
// buffering of Dekker's lock and need sc fences (FENCE), except where a
// read-modify-write is a fence itself, as on x86.
// run: sc,tso,pso,rc11,imm,armv8 ok
// run: flags=-DREADERS=2 sc,tso,rc11,imm,armv8 ok
// run: flags=-DWRITERS=2 sc,tso,rc11,imm,armv8 ok
// run: flags=-DFENCE=acqrel sc,tso ok; ra,rc11,imm error race
// run: flags=-DSTAY sc,tso,rc11,imm,armv8 error hang
#include "../common.h"

#ifndef FENCE
#define FENCE sc
#endif

static atomic_int readers;
static atomic_bool is_writer;

static void read_lock(void) {
  for (;;) {
    while (load(&is_writer, rlx))
      continue;
    fetch_add(&readers, 1, acq);
    fence(FENCE);
    if (!load(&is_writer, acq))
      return;
#ifndef STAY // waits inside, and the writer waits for it
    atomic_fetch_sub_explicit(&readers, 1, rlx);
#endif
  }
}

static void read_unlock(void) {
  atomic_fetch_sub_explicit(&readers, 1, rel);
}

static void write_lock(void) {
  while (swap(&is_writer, true, acq))
    continue;
  fence(FENCE);
  while (load(&readers, acq))
    continue;
}

static void write_unlock(void) {
  store(&is_writer, false, rel);
}

#include "rw_client.h"
