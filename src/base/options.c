// SPDX-License-Identifier: MIT
// Reading the command line. Options may stand before or after files, an
// argument may follow as the next word or after "=", and everything behind
// "--" is for clang. Defaults are read by the same code as given arguments, so
// a row with a bad default fails in the first test that runs.
#include "base/options.h"

#include "base/bits.h"
#include "base/hash.h"
#include "base/suggest.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum group_id {
#define GROUP(id, heading) GROUP_##id,
#include "base/options.def"
};

static const char *const group_heading[] = {
#define GROUP(id, heading) heading,
#include "base/options.def"
};

const struct command_info command_table[COMMAND_NONE] = {
#define COMMAND(id, name, arguments, summary) {name, arguments, summary},
#include "base/options.def"
};

#define OFFSET_FLAG(id) offsetof(struct options, id)
#define OFFSET_NUMBER(id) offsetof(struct options, id)
#define OFFSET_SECONDS(id) offsetof(struct options, id)
#define OFFSET_TEXT(id) offsetof(struct options, id)
#define OFFSET_CHOICE(id) offsetof(struct options, id)
#define OFFSET_CHECKS(id) offsetof(struct options, id)
#define OFFSET_CLANG(id) 0
#define OFFSET_ROUNDS(id) offsetof(struct options, id)
#define OFFSET_WORDS(id) offsetof(struct options, id)
const struct option_info option_table[] = {
#define OPTION(id, kind, name, key, argument, initial, commands, group, help)  \
  {OPT_##kind,       name,     {(key) ? '-' : 0, key, 0},    argument,         \
   initial,          commands, group_heading[GROUP_##group], help,             \
   OFFSET_##kind(id)},
#include "base/options.def"
};
const unsigned option_count = LENGTH(option_table);

static void *field_of(struct options *o, const struct option_info *i) {
  return (char *)o + i->field;
}

static bool set_number(const struct option_info *i, const char *text,
                       uint64_t *ret, struct diag *why) {
  char *end;
  errno = 0;
  unsigned long long n = strtoull(text, &end, 10);
  if (text[0] < '0' || text[0] > '9' || *end || errno)
    return diag_set(why, NULL, 0,
                    "--%s expects a whole number %s, such as 1000, not '%s'",
                    i->name, i->argument, text);
  *ret = n;
  return true;
}

static bool set_seconds(const struct option_info *i, const char *text,
                        double *ret, struct diag *why) {
  char *end;
  double d = strtod(text, &end);
  if (end == text || *end || !isfinite(d) || d < 0)
    return diag_set(why, NULL, 0,
                    "--%s expects seconds, such as 60 or 0.5, not '%s'",
                    i->name, text);
  *ret = d;
  return true;
}

// The number of `text` in a list of words "a|b|c".
static bool set_choice(const struct option_info *i, const char *text,
                       unsigned *ret, struct diag *why) {
  unsigned n = 0;
  for (const char *word = i->argument;; n++) {
    size_t len = strcspn(word, "|");
    if (strlen(text) == len && strncmp(word, text, len) == 0) {
      *ret = n;
      return true;
    }
    if (!word[len])
      break;
    word += len + 1;
  }
  return diag_set(why, NULL, 0, "--%s expects %s, not '%s'", i->name,
                  i->argument, text);
}

static bool bad_check(const struct option_info *i, const char *name,
                      struct diag *why) {
  struct suggestion s = {.wanted = name};
  struct str all = {0};
  for (unsigned k = 0; k < FIND_COUNT; k++) {
    if (k == FIND_UNSUPPORTED)
      continue;
    suggest_consider(&s, finding_name(k));
    str_add(&all, "%s%s", k ? ", " : "", finding_name(k));
  }
  diag_set(why, NULL, 0, "--%s: there is no check '%s'", i->name, name);
  if (s.best)
    diag_hint(why, "did you mean '%s'? The checks are: %s", s.best,
              str_text(&all));
  else
    diag_hint(why, "the checks are: %s", str_text(&all));
  str_done(&all);
  return false;
}

static bool set_checks(const struct option_info *i, const char *text, bool *ret,
                       struct diag *why) {
  for (const char *at = text;; at++) {
    size_t len = strcspn(at, ",");
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(len < 60 ? len : 60), at);
    enum finding_kind k = finding_of_name(name);
    if (k == FIND_COUNT || k == FIND_UNSUPPORTED) // that one has to end a check
      return bad_check(i, name, why);
    ret[k] = true;
    at += len;
    if (!*at)
      return true;
  }
}

// N or FUNC:N. What names a function comes first, since the first that fits is
// the one that counts.
static bool add_rounds(const struct option_info *i, struct options *o,
                       const char *text, struct diag *why) {
  const char *colon = strrchr(text, ':');
  uint64_t n = 0;
  struct diag ignored;
  if (!set_number(i, colon ? colon + 1 : text, &n, &ignored) || n == 0 ||
      n > UINT32_MAX || colon == text)
    return diag_set(why, NULL, 0,
                    "--%s expects %s with a whole number of at least 1, such "
                    "as 2 or main:2, not '%s'",
                    i->name, i->argument, text);
  struct loop_bound r = {.rounds = (uint32_t)n};
  if (colon) {
    r.func = xmalloc((size_t)(colon - text) + 1);
    memcpy(r.func, text, (size_t)(colon - text));
    r.func[colon - text] = 0;
  }
  array_push(&o->unroll, r);
  for (uint32_t k = o->unroll.len - 1; r.func && k > 0; k--) {
    o->unroll.at[k] = o->unroll.at[k - 1];
    o->unroll.at[k - 1] = r;
  }
  return true;
}

static bool set_option(struct options *o, const struct option_info *i,
                       const char *text, struct diag *why) {
  void *field = field_of(o, i);
  switch (i->kind) {
  case OPT_FLAG:
    *(bool *)field = true;
    return true;
  case OPT_NUMBER:
    return set_number(i, text, field, why);
  case OPT_SECONDS:
    return set_seconds(i, text, field, why);
  case OPT_TEXT:
    *(const char **)field = text;
    return true;
  case OPT_CHOICE:
    return set_choice(i, text, field, why);
  case OPT_CHECKS:
    return set_checks(i, text, field, why);
  case OPT_CLANG:
    array_push(&o->clang_flags, i->key);
    array_push(&o->clang_flags, text);
    return true;
  case OPT_ROUNDS:
    return add_rounds(i, o, text, why);
  case OPT_WORDS:
    array_push((word_list *)field, text);
    return true;
  }
  check(i->kind <= OPT_WORDS);
  return false;
}

// Sets an option that the command line has.
static bool give_option(struct options *o, const struct option_info *i,
                        const char *text, struct diag *why) {
  size_t k = (size_t)(i - option_table);
  check(k < 64 * (sizeof o->given / sizeof *o->given));
  bit_add(o->given, (uint32_t)k);
  return set_option(o, i, text, why);
}

bool options_has(const struct options *o, const char *name) {
  unsigned k = 0;
  while (strcmp(option_table[k].name, name) != 0) {
    k++;
    check(k < option_count);
  }
  return bit_has(o->given, k);
}

// The arguments that are still to be read.
struct reader {
  int argc, at;
  char **argv;
};

static bool belongs(const struct option_info *i, enum command c) {
  return c == COMMAND_NONE ? i->commands == IN_EVERY
                           : (i->commands >> c & 1) != 0;
}

const char *options_beyond(const struct options *o, enum command c) {
  for (unsigned k = 0; k < option_count; k++) {
    const struct option_info *i = &option_table[k];
    if (bit_has(o->given, k) && !belongs(i, c) &&
        i->group != group_heading[GROUP_COMPILING])
      return i->name;
  }
  return NULL;
}

static const struct {
  const char *name, *instead;
} gone[] = {
#define GONE(name, instead) {name, instead},
#include "base/options.def"
};

static bool unknown_option(const char *word, enum command c, struct diag *why) {
  const char *name = word + strspn(word, "-");
  char typed[64];
  snprintf(typed, sizeof typed, "%.*s", (int)strcspn(name, "="), name);
  for (unsigned k = 0; k < LENGTH(gone); k++)
    if (strcmp(gone[k].name, typed) == 0) {
      diag_set(why, NULL, 0, "the option --%s was removed", typed);
      diag_hint(why, "%s", gone[k].instead);
      return false;
    }
  struct suggestion s = {.wanted = typed};
  for (unsigned k = 0; k < option_count; k++)
    if (c == COMMAND_NONE || belongs(&option_table[k], c))
      suggest_consider(&s, option_table[k].name);
  diag_set(why, NULL, 0, "unknown option '%.*s'", (int)strcspn(word, "="),
           word);
  // -Wall and -std=c17 are clang's, whatever option of ours they resemble.
  bool is_clangs = word[1] != '-' && word[1] && word[2] && c != COMMAND_NONE &&
                   !(s.best && strcmp(s.best, typed) == 0);
  if (is_clangs)
    diag_hint(why, "flags for clang go after '--': heddle %s FILE -- %s",
              command_table[c].name, word);
  else if (s.best && c == COMMAND_NONE)
    diag_hint(why,
              "did you mean '--%s'? Options follow a command, such as 'heddle "
              "check'",
              s.best);
  else if (s.best)
    diag_hint(why, "did you mean '--%s'?", s.best);
  else if (c == COMMAND_NONE)
    diag_hint(why, "'heddle --help' explains the commands");
  else
    diag_hint(why,
              "'heddle %s --help' lists the options; flags for clang go "
              "after '--'",
              command_table[c].name);
  return false;
}

// --name, --name=value, --name value.
static bool read_long(struct reader *r, struct options *o, struct diag *why) {
  const char *word = r->argv[r->at++], *name = word + 2;
  size_t len = strcspn(name, "=");
  const char *value = name[len] ? name + len + 1 : NULL;
  for (unsigned k = 0; k < option_count; k++) {
    const struct option_info *i = &option_table[k];
    if (strlen(i->name) != len || strncmp(i->name, name, len) != 0)
      continue;
    if (!belongs(i, o->command))
      continue; // another command may have one of the same name
    if (i->kind == OPT_FLAG && value)
      return diag_set(why, NULL, 0, "--%s takes no argument", i->name);
    if (i->kind != OPT_FLAG && !value) {
      if (r->at == r->argc)
        return diag_set(why, NULL, 0, "--%s needs an argument: %s", i->name,
                        i->argument);
      value = r->argv[r->at++];
    }
    return give_option(o, i, value, why);
  }
  return unknown_option(word, o->command, why);
}

// -k, -k value; numbers and what goes to clang may also be written -kvalue, as
// users of make and of compilers do.
static bool read_short(struct reader *r, struct options *o, struct diag *why) {
  const char *word = r->argv[r->at++];
  for (unsigned k = 0; k < option_count; k++) {
    const struct option_info *i = &option_table[k];
    if (i->key[1] != word[1] || !belongs(i, o->command))
      continue;
    if (word[2] && i->kind != OPT_CLANG && i->kind != OPT_NUMBER)
      break;
    const char *value = word[2] ? word + 2 : NULL;
    if (i->kind != OPT_FLAG && !value) {
      if (r->at == r->argc)
        return diag_set(why, NULL, 0, "%s needs an argument: %s", i->key,
                        i->argument);
      value = r->argv[r->at++];
    }
    return give_option(o, i, value, why);
  }
  return unknown_option(word, o->command, why);
}

bool options_command(const char *word, enum command *ret, struct diag *why) {
  struct suggestion s = {.wanted = word};
  for (unsigned c = 0; c < COMMAND_NONE; c++) {
    if (strcmp(command_table[c].name, word) == 0) {
      *ret = c;
      return true;
    }
    suggest_consider(&s, command_table[c].name);
  }
  diag_set(why, NULL, 0, "unknown command '%s'", word);
  const char *dot = strrchr(word, '.');
  if (dot && dot != word)
    diag_hint(why, "to check a program: heddle check %s", word);
  else if (s.best)
    diag_hint(why, "did you mean 'heddle %s'?", s.best);
  else
    diag_hint(why, "'heddle --help' lists the commands");
  return false;
}

static bool read_words(struct reader *r, struct options *o, struct diag *why) {
  while (r->at < r->argc) {
    const char *word = r->argv[r->at];
    if (strcmp(word, "--") == 0) {
      for (r->at++; r->at < r->argc; r->at++)
        array_push(&o->clang_flags, r->argv[r->at]);
    } else if (strncmp(word, "--", 2) == 0) {
      if (!read_long(r, o, why))
        return false;
    } else if (word[0] == '-' && word[1]) {
      if (!read_short(r, o, why))
        return false;
    } else if (o->command == COMMAND_NONE) {
      r->at++;
      if (!options_command(word, &o->command, why))
        return false;
    } else {
      r->at++;
      array_push(&o->files, word);
    }
  }
  return true;
}

static bool has_what_it_needs(const struct options *o, struct diag *why) {
  if (o->help || o->version)
    return true;
  const char *missing = NULL;
  switch (o->command) {
  case COMMAND_RUN:
    missing = o->files.len == 1 ? NULL : "one part or checkpoint";
    break;
  case COMMAND_MERGE:
    missing = o->files.len ? NULL : "all parts, such as part.*";
    break;
  case COMMAND_CHECK:
  case COMMAND_ESTIMATE:
  case COMMAND_SPLIT:
  case COMMAND_EXPLORE:
  case COMMAND_COMPARE:
  case COMMAND_DUMP:
  case COMMAND_OPTIMIZE:
    missing = o->files.len ? NULL : "a file to read, such as program.c";
    break;
  case COMMAND_WHY:
    missing = o->files.len > 1 ? NULL
                               : "a condition and a file, such as 'r1 == 1' "
                                 "program.c";
    break;
  case COMMAND_TEST:
    missing = o->files.len ? NULL : "a folder or files with tests";
    break;
  case COMMAND_LITMUS:
    missing = o->files.len || o->generate || o->distinguish
                  ? NULL
                  : "a litmus test, such as MP.litmus";
    break;
  case COMMAND_DOC:
    missing =
        o->files.len == 1 ? NULL : "the name of what to print, such as 'man'";
    break;
  case COMMAND_NONE:
    diag_set(why, NULL, 0, "no command given");
    diag_hint(why, "to check a program: heddle check program.c; 'heddle "
                   "--help' explains more");
    return false;
  case COMMAND_MODELS:
  case COMMAND_LSP:
  case COMMAND_MCP:
  case COMMAND_DOCTOR:
  case COMMAND_HELP:
    return true;
  }
  if (!missing)
    return true;
  diag_set(why, NULL, 0, "'heddle %s' needs %s", command_table[o->command].name,
           missing);
  diag_hint(why, "usage: heddle %s %s", command_table[o->command].name,
            command_table[o->command].arguments);
  return false;
}

// What switches a check off, without the name behind --disable; or NULL.
static const char *switched_off_by(const struct options *o, unsigned k) {
  if (k == FIND_RACE && o->races == RACES_OFF)
    return "--races off";
  if ((k == FIND_HANG || k == FIND_LIVELOCK || k == FIND_BACK_OFF) &&
      o->no_await_check)
    return "--no-await-check";
  return NULL;
}

// A check has one of three ways.
static bool checks_agree(const struct options *o, struct diag *why) {
  for (unsigned k = 0; k < FIND_COUNT; k++) {
    const char *off = switched_off_by(o, k);
    const char *name = finding_name((enum finding_kind)k);
    const char *other = o->error[k] ? "error" : "warn";
    if (off && (o->warn[k] || o->error[k]))
      diag_set(why, NULL, 0, "%s and --%s %s contradict each other", off, other,
               name);
    else if (o->disable[k] + o->warn[k] + o->error[k] >= 2)
      diag_set(why, NULL, 0, "--%s %s and --%s %s contradict each other",
               o->disable[k] ? "disable" : "warn", name, other, name);
    else
      continue;
    diag_hint(why, "a check is off, a warning or an error");
    return false;
  }
  return true;
}

static struct options defaults(void) {
  struct options o = {.command = COMMAND_NONE};
  struct diag why;
  for (unsigned k = 0; k < option_count; k++)
    if (*option_table[k].initial)
      check(set_option(&o, &option_table[k], option_table[k].initial, &why));
  return o;
}

bool options_parse(int argc, char **argv, struct options *ret,
                   struct diag *why) {
  struct options o = defaults();
  struct reader r = {.argc = argc, .at = 1, .argv = argv};
  if (!read_words(&r, &o, why) || !has_what_it_needs(&o, why) ||
      !checks_agree(&o, why)) {
    options_done(&o);
    return false;
  }
  *ret = o;
  return true;
}

// -- lists

static void own_words(word_list *w) {
  word_list own = {0};
  for (uint32_t i = 0; i < w->len; i++)
    array_push(&own, w->at[i]);
  *w = own;
}

static void bounds_done(bound_list *b) {
  for (uint32_t i = 0; i < b->len; i++)
    free(b->at[i].func);
  array_done(b);
}

static void own_bounds(bound_list *b) {
  bound_list own = {0};
  for (uint32_t i = 0; i < b->len; i++) {
    struct loop_bound one = b->at[i];
    if (one.func) {
      size_t size = strlen(one.func) + 1;
      one.func = memcpy(xmalloc(size), one.func, size);
    }
    array_push(&own, one);
  }
  *b = own;
}

// After a copy of a structure: lists of its own instead of those of the other.
static void own_lists(struct options *o) {
  own_words(&o->files);
  own_words(&o->clang_flags);
  for (unsigned k = 0; k < option_count; k++) {
    const struct option_info *i = &option_table[k];
    if (i->kind == OPT_WORDS)
      own_words(field_of(o, i));
    else if (i->kind == OPT_ROUNDS)
      own_bounds(field_of(o, i));
  }
}

bool options_extend(const struct options *base, enum command c, char **words,
                    int count, struct options *ret, struct diag *why) {
  struct options o = *base;
  o.command = c;
  own_lists(&o);
  o.files.len = 0;
  struct reader r = {.argc = count, .at = 0, .argv = words};
  if (!read_words(&r, &o, why) || !checks_agree(&o, why)) {
    options_done(&o);
    return false;
  }
  *ret = o;
  return true;
}

// -- what a search is about

static uint64_t hash_text(const char *text) {
  return text ? hash_bytes(text, strlen(text)) : 0;
}

static uint64_t hash_words(const word_list *w) {
  uint64_t h = 0;
  for (uint32_t i = 0; i < w->len; i++)
    h = hash_mix(h, hash_text(w->at[i]));
  return h;
}

static uint64_t hash_bounds(const bound_list *b) {
  uint64_t h = 0;
  for (uint32_t i = 0; i < b->len; i++)
    h = hash_mix(hash_mix(h, hash_text(b->at[i].func)), b->at[i].rounds);
  return h;
}

static uint64_t hash_value(const struct options *o,
                           const struct option_info *i) {
  const void *field = (const char *)o + i->field;
  switch (i->kind) {
  case OPT_FLAG:
    return *(const bool *)field;
  case OPT_NUMBER:
    return *(const uint64_t *)field;
  case OPT_SECONDS:
    return hash_bytes(field, sizeof(double));
  case OPT_TEXT:
    return hash_text(*(const char *const *)field);
  case OPT_CHOICE:
    return *(const unsigned *)field;
  case OPT_CHECKS:
    return hash_bytes(field, sizeof(bool[FIND_COUNT]));
  case OPT_CLANG:
    return 0; // clang_flags has them
  case OPT_ROUNDS:
    return hash_bounds(field);
  case OPT_WORDS:
    return hash_words(field);
  }
  return 0;
}

static bool says_which_executions(const struct option_info *i) {
  bool is_limit = i->group == group_heading[GROUP_LIMITS] &&
                  strncmp(i->name, "max-", 4) == 0;
  return (i->group == group_heading[GROUP_WHAT] ||
          i->group == group_heading[GROUP_LIMITS] ||
          i->group == group_heading[GROUP_COMPILING]) &&
         !is_limit && strcmp(i->name, "model") != 0 &&
         strcmp(i->name, "no-cache") != 0;
}

uint64_t options_hash(const struct options *o) {
  struct options usual = defaults();
  uint64_t h = hash_words(&o->clang_flags);
  for (unsigned k = 0; k < option_count; k++) {
    const struct option_info *i = &option_table[k];
    uint64_t value = hash_value(o, i);
    if (says_which_executions(i) && value != hash_value(&usual, i))
      h = hash_mix(hash_mix(h, hash_text(i->name)), value);
  }
  options_done(&usual);
  return h;
}

void options_done(struct options *o) {
  for (unsigned k = 0; k < option_count; k++) {
    const struct option_info *i = &option_table[k];
    if (i->kind == OPT_WORDS)
      array_done((word_list *)field_of(o, i));
    else if (i->kind == OPT_ROUNDS)
      bounds_done(field_of(o, i));
  }
  array_done(&o->files);
  array_done(&o->clang_flags);
}
