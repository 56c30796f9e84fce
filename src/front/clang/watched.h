// SPDX-License-Identifier: MIT
// What the compiler looked at while it made some bitcode: what watch.c, inside
// the compiler, writes down and inputs.c, inside Heddle, reads.
//
// A record is a letter, a text that ends in NUL and, for the kinds that have
// one, the identity of a file.
#pragma once

#include <stdint.h>
#include <sys/stat.h>

// The environment variable that names the file for the records.
#define WATCH_LOG "HEDDLE_WATCH"

enum watched {
  WATCHED_FILE = 'R',      // path of a file that was read; with identity
  WATCHED_LIST = 'D',      // path of a directory that was listed; with identity
  WATCHED_PROGRAM = 'O',   // path of a program or library; with identity
  WATCHED_START = 'M',     // path of the program of a process
  WATCHED_ABSENT = 'A',    // path of which nothing could be seen
  WATCHED_STAT = 'S',      // path of a file whose size and time may have been
                           // asked (__has_embed, precompiled headers); with
                           // identity
  WATCHED_PRESENT = 'P',   // path of a file of which only that was asked
  WATCHED_DIRECTORY = 'Q', // path of a directory, likewise
  WATCHED_SET = 'E',       // NAME=VALUE of the environment
  WATCHED_UNSET = 'U',     // NAME that is not in the environment
  WATCHED_VARIABLES = 'V', // a digest of the environment; only in entries
  WATCHED_CLOCK = 'T',     // the time of day: no answer holds for long
  WATCHED_DOUBT = 'X',     // something whose change would not be noticed
};

static inline int watched_has_identity(char kind) {
  return kind == WATCHED_FILE || kind == WATCHED_LIST ||
         kind == WATCHED_PROGRAM || kind == WATCHED_STAT;
}

// Which file it is, and in which state. The kernel moves the time of the last
// change (ctime) at every change of contents or name, and no program can set
// it.
struct identity {
  uint64_t dev, ino, size;
  int64_t modified, modified_ns, changed, changed_ns;
};

// Of a struct stat or stat64.
#define IDENTITY_OF(st)                                                        \
  ((struct identity){.dev = (st)->st_dev,                                      \
                     .ino = (st)->st_ino,                                      \
                     .size = (uint64_t)(st)->st_size,                          \
                     .modified = (st)->st_mtim.tv_sec,                         \
                     .modified_ns = (st)->st_mtim.tv_nsec,                     \
                     .changed = (st)->st_ctim.tv_sec,                          \
                     .changed_ns = (st)->st_ctim.tv_nsec})

static inline struct identity identity_of(const struct stat *st) {
  return IDENTITY_OF(st);
}
