// SPDX-License-Identifier: MIT
// The layout that the headers give streams, and the tables of virtual functions
// in it. The functions after those of the headers are ours: who writes.
#pragma once

#include <ostream>
#include <string>

typedef std::ostream stream;

struct stream_table {
  long base, top;
  const void *type;
  void (*end)(stream *), (*end_and_free)(stream *);
  void (*write)(stream *, const char *text, long n); // null: as printf does
};

struct stream_base {
  const void *functions;
  long precision, width;
  unsigned flags;
  char others[sizeof(std::ios) - 28];
};
#define STREAM_BASE                                                            \
  {                                                                            \
    nullptr, 6, 0, std::ios_base::skipws | std::ios_base::dec, {}              \
  }
