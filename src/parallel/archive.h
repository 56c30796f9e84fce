// SPDX-License-Identifier: MIT
// Data as words of a text, written and read by the same description: a function
// that names the members of a structure does both, so that the two cannot
// differ. Bad text makes the archive fail once; what follows reads zeros.
#pragma once

#include "base/diag.h"
#include "base/str.h"

struct archive {
  struct str *out; // NULL: reading
  const char *name, *at, *end;
  unsigned line;
  struct diag *why;
  bool failed;
};

// A word that must be there; it begins a line.
void archive_tag(struct archive *a, const char *word);
void archive_number(struct archive *a, uint64_t *n, uint64_t most);
// Text without NUL. The copy of archive_text belongs to the caller; that of
// archive_buffer is cut to `size` with its NUL.
void archive_text(struct archive *a, char **text);
void archive_buffer(struct archive *a, char *text, size_t size);
// A text that is kept in `texts`; NULL stays NULL.
void archive_shared(struct archive *a, const char **text,
                    struct strings *texts);
void archive_fail(struct archive *a, const char *what);

// A number of any integer type or bool, with the range of its type.
#define ARCHIVE(a, member)                                                     \
  do {                                                                         \
    uint64_t word_ = (uint64_t)(member);                                       \
    archive_number((a), &word_,                                                \
                   _Generic((member), bool : 1, default                        \
                            : UINT64_MAX >> (64 - 8 * sizeof(member))));       \
    (member) = (__typeof__(member))word_;                                      \
  } while (0)

// The length of an array; when reading, zeroed elements are made. The body that
// follows is run for each.
#define ARCHIVE_ARRAY(a, array, i)                                             \
  for (uint32_t i = 0, n_ = archive_length((a), (array)->len);                 \
       i < n_ && !(a)->failed && ((a)->out || array_extend((array), 1)); i++)
uint32_t archive_length(struct archive *a, uint32_t len);
