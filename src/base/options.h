// SPDX-License-Identifier: MIT
// What the command line says, as data. options.def is the only place that
// knows which commands and options exist.
#pragma once

#include "base/array.h"
#include "base/bound.h"
#include "base/diag.h"
#include "base/finding.h"
#include "base/str.h"

enum command {
#define COMMAND(id, name, arguments, summary) COMMAND_##id,
#include "base/options.def"
  COMMAND_NONE, // only --help or --version was asked for
};

// Sets of commands, for the rows of options.def.
enum {
  IN_CHECK = 1 << COMMAND_CHECK,
  IN_ESTIMATE = 1 << COMMAND_ESTIMATE,
  IN_SPLIT = 1 << COMMAND_SPLIT,
  IN_RUN = 1 << COMMAND_RUN,
  IN_MERGE = 1 << COMMAND_MERGE,
  IN_TEST = 1 << COMMAND_TEST,
  IN_EXPLORE = 1 << COMMAND_EXPLORE,
  IN_COMPARE = 1 << COMMAND_COMPARE,
  IN_WHY = 1 << COMMAND_WHY,
  IN_DUMP = 1 << COMMAND_DUMP,
  IN_MODELS = 1 << COMMAND_MODELS,
  IN_LITMUS = 1 << COMMAND_LITMUS,
  IN_OPTIMIZE = 1 << COMMAND_OPTIMIZE,
  // What explores programs, and what has a report in several formats.
  IN_REPORT = IN_CHECK | IN_ESTIMATE | IN_SPLIT | IN_TEST | IN_EXPLORE |
              IN_COMPARE | IN_WHY,
  IN_SEARCH = IN_REPORT | IN_OPTIMIZE,
  IN_PAGE = IN_CHECK | IN_EXPLORE | IN_COMPARE | IN_WHY,
  IN_EVERY = ~0,
};

// Values of the CHOICE options, in the order of their rows.
enum { RACES_LANGUAGE, RACES_MODEL, RACES_OFF };
enum { RELEASE_OWN, RELEASE_CXX20, RELEASE_C11 };
enum { ACQUIRE_LDAPR, ACQUIRE_LDAR };
enum { RMW_LSE, RMW_LLSC };
enum { SYMMETRY_ON, SYMMETRY_OFF };
enum { EQUIVALENCE_RF_CO, EQUIVALENCE_RF };
enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };
enum { FORMAT_TEXT, FORMAT_JSON, FORMAT_GITHUB };
enum { SHOW_AUTO, SHOW_JSON, SHOW_NEVER };
enum { MEND_AUTO, MEND_ON, MEND_OFF };
enum { FROM_SOURCE, FROM_SC };
enum { VOLATILE_PLAIN, VOLATILE_RELAXED };
enum { WEAK_CAS_WEAK, WEAK_CAS_STRONG };

typedef ARRAY(const char *) word_list;
typedef ARRAY(struct loop_bound) bound_list;

struct options {
  enum command command;
  word_list files; // what is neither option nor command
  word_list clang_flags;
  uint64_t given[2]; // bit k: row k of option_table is not just its default
#define FIELD_FLAG(id) bool id;
#define FIELD_NUMBER(id) uint64_t id;
#define FIELD_SECONDS(id) double id;
#define FIELD_TEXT(id) const char *id; /* NULL: not given, no default */
#define FIELD_CHOICE(id) unsigned id;
#define FIELD_CHECKS(id) bool id[FIND_COUNT];
#define FIELD_CLANG(id)
#define FIELD_ROUNDS(id) bound_list id;
#define FIELD_WORDS(id) word_list id;
#define OPTION(id, kind, name, key, argument, initial, commands, group, help)  \
  FIELD_##kind(id)
#include "base/options.def"
};

// The table itself, for parsing and for the documentation.
enum option_kind {
  OPT_FLAG,
  OPT_NUMBER,
  OPT_SECONDS,
  OPT_TEXT,
  OPT_CHOICE,
  OPT_CHECKS,
  OPT_CLANG,
  OPT_ROUNDS,
  OPT_WORDS,
};

struct option_info {
  enum option_kind kind;
  const char *name;     // without the dashes
  char key[3];          // "-I", or "" when there is no short form
  const char *argument; // "" for a flag
  const char *initial;  // "" when there is no default
  int commands;         // set of 1 << enum command
  const char *group;    // heading
  const char *help;
  size_t field; // offset in struct options; 0 for CLANG
};
struct command_info {
  const char *name, *arguments, *summary;
};
extern const struct option_info option_table[];
extern const unsigned option_count;
extern const struct command_info command_table[COMMAND_NONE];

// Reads the arguments of main. The texts of `argv` are referred to, not copied.
// On failure `why` says what is wrong and what was expected.
MUST_USE bool options_parse(int argc, char **argv, struct options *ret,
                            struct diag *why);
void options_done(struct options *o);
// The options of `base` without its files, for command `c`, and then those of
// `words`, which may also name files. The texts are referred to.
MUST_USE bool options_extend(const struct options *base, enum command c,
                             char **words, int count, struct options *ret,
                             struct diag *why);
// Of all that differs from its default and says which executions there are:
// not of files, the model, limits on the work, and output.
uint64_t options_hash(const struct options *o);
// Does the command line have this option?
bool options_has(const struct options *o, const char *name);
// The first option of the command line that command `c` does not have, but for
// those about compiling; NULL: there is none.
const char *options_beyond(const struct options *o, enum command c);

// The command of that name.
MUST_USE bool options_command(const char *word, enum command *ret,
                              struct diag *why);

// Explanations, derived from the table.
void options_help(struct str *out, enum command c); // COMMAND_NONE: overview
void options_markdown(struct str *out);             // docs/manual/options.md
void options_man(struct str *out);                  // heddle.1, in roff
// Completion for shells (options_shell.c).
void options_bash(struct str *out);
void options_zsh(struct str *out);
void options_fish(struct str *out);
