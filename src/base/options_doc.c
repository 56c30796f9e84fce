// SPDX-License-Identifier: MIT
// The command line explained: --help, docs/manual/options.md and the man page,
// all from the rows of options.def, so that none of them can disagree with
// what the parser does.
#include "base/options.h"

#include <string.h>

static const char about[] =
    "Heddle checks concurrent C and C++ programs. It explores every execution "
    "that a memory model allows, each exactly once, and reports the first "
    "error (failed assertion, data race, bad memory access, deadlock, ...) "
    "with the execution that shows it, or says that there is none.";

// Each stands in the help of its command; those that come first are in
// `heddle --help` too.
static const struct {
  enum command of;
  bool comes_first;
  const char *command, *meaning;
} examples[] = {
    {COMMAND_CHECK, true, "heddle check queue.c",
     "check under RC11, the C11 model"},
    {COMMAND_CHECK, true, "heddle check --model armv8 queue.c",
     "on ARM; the others: heddle models"},
    {COMMAND_CHECK, true, "heddle check a.c b.c -- -DN=3 -Iinclude",
     "two files, with clang flags"},
    {COMMAND_CHECK, true, "heddle check --html bug.html queue.c",
     "a page to step through the error"},
    {COMMAND_CHECK, false, "heddle check --json queue.c", "the report as data"},
    {COMMAND_CHECK, false, "heddle check --max-time 60 queue.c",
     "give up after a minute (exit 3)"},
    {COMMAND_CHECK, false, "heddle check --sample 60s queue.c",
     "too many executions? draw some"},
    {COMMAND_ESTIMATE, false, "heddle estimate queue.c",
     "how many executions, how long?"},
    {COMMAND_SPLIT, false, "heddle split --parts 8 queue.c",
     "files part.1 to part.8"},
    {COMMAND_RUN, false, "heddle run part.1", "explore one of them"},
    {COMMAND_MERGE, false, "heddle merge part.*", "what they found together"},
    {COMMAND_TEST, true, "heddle test tests/", "a project's checks as a suite"},
    {COMMAND_TEST, false, "heddle test --changed tests/",
     "only where something has changed"},
    {COMMAND_TEST, false, "heddle test --junit out.xml tests/",
     "for a CI that reads JUnit"},
    {COMMAND_COMPARE, false, "heddle compare --models sc,armv8 queue.c",
     "what ARM adds"},
    {COMMAND_EXPLORE, false, "heddle explore queue.c",
     "all outcomes, and how often"},
    {COMMAND_EXPLORE, false, "heddle explore --reads queue.c",
     "which values each read can see"},
    {COMMAND_WHY, true, "heddle why 'r1 == 1 && r2 == 0' mp.c",
     "can it happen? if not, why not?"},
    {COMMAND_OPTIMIZE, true, "heddle optimize --from sc lock.c",
     "the cheapest memory orders"},
    {COMMAND_OPTIMIZE, false, "heddle optimize --repair --diff lock.c",
     "a patch for what is too weak"},
    {COMMAND_LITMUS, false, "heddle litmus MP.litmus",
     "the states that the model allows"},
    {COMMAND_LITMUS, false, "heddle litmus --summary tests/",
     "one line per test of a folder"},
    {COMMAND_MODELS, false, "heddle models --show rc11",
     "the definition of a model"},
};
enum { EXAMPLES = LENGTH(examples) };

static const struct {
  enum exit_code code;
  const char *meaning;
} exit_codes[] = {
    {EXIT_OK, "no error, and every execution was explored"},
    {EXIT_FINDING, "an error was found"},
    {EXIT_BAD_INPUT, "bad input or usage"},
    {EXIT_INCOMPLETE, "incomplete: a limit was hit before the end, without an "
                      "error so far"},
    {EXIT_INTERNAL, "internal error: a bug in Heddle"},
};
enum { EXIT_CODES = LENGTH(exit_codes) };

static const struct {
  const char *name, *meaning;
} variables[] = {
    {"HEDDLE_CACHE", "The folder in which bitcode and programs are kept "
                     "between runs; "
                     "otherwise heddle in XDG_CACHE_HOME or in ~/.cache. It "
                     "keeps itself below 64 MiB and may be deleted at any "
                     "time."},
    {"HEDDLE_CLANG", "The clang to use, of the version that Heddle was built "
                     "with (`heddle --version` says which); otherwise that "
                     "version's clang on PATH."},
    {"HEDDLE_DATA", "The folder with Heddle's own files (include/heddle, rt.a, "
                    "watch.so); otherwise ../share/heddle beside the program, "
                    "or the tree that it was built in."},
    {"HEDDLE_RUSTC",
     "The rustc for files of Rust, whose LLVM must not be newer "
     "than Heddle's; otherwise the first on PATH that has such a one."},
    {"NO_COLOR", "If set, --color auto means no colours."},
};
enum { VARIABLES = LENGTH(variables) };

static bool is_hidden(unsigned command) {
  return command == COMMAND_DOC;
}

// Fills lines of at most 79 columns; every line but the first starts with
// `indent` spaces, and the first one is at column `at` already.
static void add_wrapped(struct str *out, unsigned at, unsigned indent,
                        const char *text) {
  while (*text) {
    unsigned len = (unsigned)strcspn(text, " ");
    if (at > indent && at + 1 + len > 79) {
      str_add(out, "\n%*s", (int)indent, "");
      at = indent;
    } else if (at > indent) {
      str_add(out, " ");
      at++;
    }
    str_add_bytes(out, text, len);
    at += len;
    text += len;
    text += *text == ' ';
  }
  str_add(out, "\n");
}

// "-m, --model MODEL"
static void add_synopsis(struct str *out, const struct option_info *i) {
  str_add(out, "%s%s--%s", i->key, *i->key ? ", " : "", i->name);
  if (*i->argument)
    str_add(out, " %s", i->argument);
}

static bool applies(const struct option_info *i, enum command c) {
  return c == COMMAND_NONE ? i->commands == IN_EVERY
                           : (i->commands >> c & 1) != 0;
}

static void help_option(struct str *out, const struct option_info *i) {
  enum { TEXT_COLUMN = 8 };
  str_add(out, "  ");
  add_synopsis(out, i);
  str_add(out, "\n%*s", TEXT_COLUMN, "");
  struct str text = {0};
  str_add(&text, "%s", i->help);
  if (*i->initial)
    str_add(&text, " Default: %s.", i->initial);
  add_wrapped(out, TEXT_COLUMN, TEXT_COLUMN, str_text(&text));
  str_done(&text);
}

static void help_options(struct str *out, enum command c) {
  const char *group = NULL;
  for (unsigned k = 0; k < option_count; k++) {
    const struct option_info *i = &option_table[k];
    if (!applies(i, c))
      continue;
    if (i->group != group)
      str_add(out, "\n%s:\n", i->group);
    group = i->group;
    help_option(out, i);
  }
}

static void help_exit_codes(struct str *out) {
  str_add(out, "\nExit codes:\n");
  for (unsigned k = 0; k < EXIT_CODES; k++)
    str_add(out, "  %-3d %s\n", exit_codes[k].code, exit_codes[k].meaning);
}

static void help_variables(struct str *out) {
  str_add(out, "\nEnvironment:\n");
  for (unsigned k = 0; k < VARIABLES; k++) {
    str_add(out, "  %s\n        ", variables[k].name);
    add_wrapped(out, 8, 8, variables[k].meaning);
  }
}

// Those of a command; COMMAND_NONE: those that come first.
static void help_examples(struct str *out, enum command c) {
  const char *heading = "\nExamples:\n";
  for (unsigned k = 0; k < EXAMPLES; k++) {
    if (c == COMMAND_NONE ? !examples[k].comes_first : examples[k].of != c)
      continue;
    str_add(out, "%s  %-41s # %s\n", heading, examples[k].command,
            examples[k].meaning);
    heading = "";
  }
}

static void help_overview(struct str *out) {
  str_add(out, "usage: heddle COMMAND [options] ...\n\n");
  add_wrapped(out, 0, 0, about);
  str_add(out, "\nCommands:\n");
  for (unsigned c = 0; c < COMMAND_NONE; c++)
    if (!is_hidden(c))
      str_add(out, "  %-8s %s\n", command_table[c].name,
              command_table[c].summary);
  help_examples(out, COMMAND_NONE);
  help_exit_codes(out);
  str_add(out, "\n'heddle COMMAND --help' explains a command and lists its "
               "options.\n");
}

void options_help(struct str *out, enum command c) {
  if (c == COMMAND_NONE) {
    help_overview(out);
    return;
  }
  str_add(out, "usage: heddle %s%s%s\n\n", command_table[c].name,
          *command_table[c].arguments ? " " : "", command_table[c].arguments);
  if (c == COMMAND_CHECK) {
    add_wrapped(out, 0, 0, about);
    str_add(out,
            "\nFILE is C, C++ (.cpp) or Rust (.rs) source, or LLVM "
            "bitcode (.bc) or\nassembly (.ll), or - for C from standard input; "
            "several are linked.\n");
  } else {
    struct str sentence = {0};
    str_add(&sentence, "heddle %s: %s.", command_table[c].name,
            command_table[c].summary);
    add_wrapped(out, 0, 0, str_text(&sentence));
    str_done(&sentence);
  }
  help_examples(out, c);
  help_options(out, c);
  if (c == COMMAND_CHECK) {
    help_variables(out);
    help_exit_codes(out);
  }
}

// A bar would end the cell of a table.
static void add_cell(struct str *out, const char *text) {
  for (; *text; text++)
    str_add(out, *text == '|' ? "\\|" : "%c", *text);
}

// Commands that have options of their own, in the order of the table.
static bool has_column(unsigned c) {
  for (unsigned k = 0; k < option_count; k++)
    if (option_table[k].commands != IN_EVERY && applies(&option_table[k], c))
      return true;
  return false;
}

static void markdown_heading(struct str *out, const char *group) {
  str_add(out, "\n## %s\n\n| option | what it does |", group);
  for (unsigned c = 0; c < COMMAND_NONE; c++)
    if (has_column(c))
      str_add(out, " %s |", command_table[c].name);
  str_add(out, "\n|---|---|");
  for (unsigned c = 0; c < COMMAND_NONE; c++)
    if (has_column(c))
      str_add(out, ":-:|");
  str_add(out, "\n");
}

static void markdown_option(struct str *out, const struct option_info *i) {
  struct str synopsis = {0};
  add_synopsis(&synopsis, i);
  str_add(out, "| `");
  add_cell(out, str_text(&synopsis));
  str_add(out, "` | ");
  add_cell(out, i->help);
  if (*i->initial) {
    str_add(out, " Default: `");
    add_cell(out, i->initial);
    str_add(out, "`.");
  }
  str_add(out, " |");
  for (unsigned c = 0; c < COMMAND_NONE; c++)
    if (has_column(c))
      str_add(out, " %s |", applies(i, c) ? "x" : "");
  str_add(out, "\n");
  str_done(&synopsis);
}

void options_markdown(struct str *out) {
  str_add(out, "# Options\n\n<!-- Printed by `heddle doc options`; change "
               "src/base/options.def instead. -->\n\nEach option stands here "
               "once; an x says which commands have it. `heddle COMMAND "
               "--help` lists those of one command.\n\n## Commands\n\n"
               "| command | what it does |\n|---|---|\n");
  for (unsigned c = 0; c < COMMAND_NONE; c++) {
    if (is_hidden(c))
      continue;
    str_add(out, "| `heddle %s%s", command_table[c].name,
            *command_table[c].arguments ? " " : "");
    add_cell(out, command_table[c].arguments);
    str_add(out, "` | %s |\n", command_table[c].summary);
  }
  const char *group = NULL;
  for (unsigned k = 0; k < option_count; k++) {
    const struct option_info *i = &option_table[k];
    if (i->group != group)
      markdown_heading(out, i->group);
    group = i->group;
    markdown_option(out, i);
  }
  str_add(out, "\n## Environment\n\n");
  for (unsigned k = 0; k < VARIABLES; k++)
    str_add(out, "- `%s`: %s\n", variables[k].name, variables[k].meaning);
}

// Roff treats a backslash, and a dot or quote at the start of a line, as its
// own; a hyphen must be escaped to stay a plain minus sign.
static void add_roff(struct str *out, const char *text) {
  if (*text == '.' || *text == '\'')
    str_add(out, "\\&");
  for (; *text; text++) {
    if (*text == '-' || *text == '\\')
      str_add(out, "\\");
    str_add_bytes(out, text, 1);
  }
}

static void man_option(struct str *out, const struct option_info *i) {
  struct str synopsis = {0};
  const char *separator = " For: ";
  add_synopsis(&synopsis, i);
  str_add(out, ".TP\n\\fB");
  add_roff(out, str_text(&synopsis));
  str_add(out, "\\fR\n");
  str_done(&synopsis);
  add_roff(out, i->help);
  if (*i->initial) {
    str_add(out, " Default: ");
    add_roff(out, i->initial);
    str_add(out, ".");
  }
  for (unsigned c = 0; c < COMMAND_NONE && i->commands != IN_EVERY; c++)
    if (applies(i, c)) {
      str_add(out, "%s%s", separator, command_table[c].name);
      separator = ", ";
    }
  str_add(out, "%s\n", i->commands != IN_EVERY ? "." : "");
}

static void man_options(struct str *out) {
  const char *group = NULL;
  for (unsigned k = 0; k < option_count; k++) {
    const struct option_info *i = &option_table[k];
    if (i->group != group) {
      str_add(out, ".SS \"");
      add_roff(out, i->group);
      str_add(out, "\"\n");
    }
    group = i->group;
    man_option(out, i);
  }
}

static void man_section(struct str *out, const char *heading) {
  str_add(out, ".SH \"%s\"\n", heading);
}

void options_man(struct str *out) {
  str_add(out, ".TH HEDDLE 1 \"\" \"heddle %s\"\n", HEDDLE_VERSION);
  man_section(out, "NAME");
  str_add(out, "heddle \\- model checker for concurrent C programs\n");
  man_section(out, "SYNOPSIS");
  for (unsigned c = 0; c < COMMAND_NONE; c++) {
    if (is_hidden(c))
      continue;
    str_add(out, "\\fBheddle %s\\fR ", command_table[c].name);
    add_roff(out, command_table[c].arguments);
    str_add(out, "\n.br\n");
  }
  man_section(out, "DESCRIPTION");
  add_roff(out, about);
  str_add(out, "\n");
  for (unsigned c = 0; c < COMMAND_NONE; c++) {
    if (is_hidden(c))
      continue;
    str_add(out, ".TP\n\\fBheddle %s\\fR\n", command_table[c].name);
    add_roff(out, command_table[c].summary);
    str_add(out, "\n");
  }
  man_section(out, "OPTIONS");
  man_options(out);
  man_section(out, "ENVIRONMENT");
  for (unsigned k = 0; k < VARIABLES; k++) {
    str_add(out, ".TP\n\\fB%s\\fR\n", variables[k].name);
    add_roff(out, variables[k].meaning);
    str_add(out, "\n");
  }
  man_section(out, "EXIT STATUS");
  for (unsigned k = 0; k < EXIT_CODES; k++) {
    str_add(out, ".TP\n%d\n", exit_codes[k].code);
    add_roff(out, exit_codes[k].meaning);
    str_add(out, "\n");
  }
  man_section(out, "EXAMPLES");
  for (unsigned k = 0; k < EXAMPLES; k++) {
    str_add(out, ".TP\n");
    add_roff(out, examples[k].command);
    str_add(out, "\n");
    add_roff(out, examples[k].meaning);
    str_add(out, "\n");
  }
}
