// SPDX-License-Identifier: MIT
// Enough of C to find a call in a text and to change it: what the files of
// heddle optimize --diff share.
#pragma once

#include "base/array.h"
#include "base/source.h"
#include "base/str.h"

#include <stdbool.h>

struct span {
  uint32_t start, end;
};

// `#define name value`, of two words.
struct alias {
  char name[64], value[64];
};

struct edit {
  uint32_t start, end; // what is replaced
  char text[160];
};

struct source_file {
  const char *path;
  struct str text; // empty: it cannot be read
  ARRAY(struct alias) aliases;
  ARRAY(struct edit) edits;
};

typedef ARRAY(struct source_file) source_files;

// A call in the text: its name (the last part of `std::atomic_load`), its last
// two arguments, and the first two that are words for orders.
struct call {
  struct span name, args[2], orders[2]; // args[1] is the last
  uint32_t nargs, norders;
  uint32_t start, close; // all of it: where its name begins, and its `)`
  bool is_member;        // behind `.` or `->`
  char meaning[64];      // the name, behind all aliases
};

// -- call.c

void source_read(struct source_file *f, const char *path);
void source_done(struct source_file *f);
// The file of that name, which is read when it is asked for first.
struct source_file *source_of(source_files *all, const char *path);
void sources_done(source_files *all);
uint32_t source_offset(const struct str *s, unsigned line, unsigned column);
// Past a string, a character or a comment that begins here; else one further.
uint32_t source_skip(const struct str *s, uint32_t at);
bool source_is_word(char c);
struct span source_trimmed(const struct str *s, uint32_t start, uint32_t end);
// The call whose name begins at `at`.
bool source_call(const struct source_file *f, uint32_t at, struct call *ret);
// The call that fits an operation at that place: the one there, or the only one
// inside of it (the compiler places what is inside of a macro at the macro).
typedef bool (*call_fits)(const struct source_file *f, const struct call *c,
                          const void *arg);
bool source_find_call(const struct source_file *f, unsigned line,
                      unsigned column, struct call *ret, call_fits fits,
                      const void *arg);
// "memory_order_acquire" or "__ATOMIC_ACQUIRE", maybe behind an alias, or as
// C++ has it (std::memory_order::acquire); false if the text there is none.
bool source_order(const struct source_file *f, struct span at, char ret[64]);

bool source_is_cxx(const struct source_file *f);

// -- statement.c

// What begins in this line, so that a statement can be put before it.
enum line_start source_statement(const struct str *s, unsigned line);

// -- patch.c

void patch_edit(struct source_file *f, uint32_t start, uint32_t end,
                const char *text);
// A call that is a statement of its own goes, with its line if nothing else is
// there. False: it is none.
bool patch_remove_statement(struct source_file *f, const struct call *c);
// The edits of a file as a unified diff.
void patch_print(const struct source_file *f, struct str *out);
