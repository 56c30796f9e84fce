// SPDX-License-Identifier: MIT
// The table of options, and what comes of a command line by it.
#include "base/options.h"
#include "base/suggest.h"
#include "tap.h"

static struct options o;
static struct diag why;

// Parses a command line given as words; the program name is added.
#define PARSE(...) parse((const char *[]){"heddle", __VA_ARGS__, NULL})

static bool parse(const char **words) {
  int n = 0;
  while (words[n])
    n++;
  options_done(&o);
  o = (struct options){0};
  why = (struct diag){0};
  // options_parse takes main's argv but never writes to it.
  return options_parse(n, (char **)(uintptr_t)words, &o, &why);
}

TEST(defaults_come_from_the_table) {
  CHECK(PARSE("check", "a.c"), "%s", why.text);
  CHECK_EQ(o.command, COMMAND_CHECK, "command");
  CHECK_STR(o.model, "rc11");
  CHECK_EQ(o.release_sequences, RELEASE_OWN, "choice");
  CHECK_EQ(o.color, COLOR_AUTO, "choice");
  CHECK_EQ(o.max_executions, 0, "no limit");
  CHECK(!o.output && !o.json && !o.disable[FIND_RACE], "nothing is on");
}

TEST(arguments_follow_or_stand_behind_an_equals_sign) {
  CHECK(PARSE("check", "--model", "sc", "--max-time=1.5", "a.c", "--model=rc11",
              "--max-executions", "18446744073709551615", "b.c"),
        "%s", why.text);
  CHECK_STR(o.model, "rc11");
  CHECK(o.max_time == 1.5, "%f", o.max_time);
  CHECK_EQ(o.max_executions, UINT64_MAX, "largest number");
  CHECK_EQ(o.files.len, 2, "files");
  CHECK_STR(o.files.at[1], "b.c");
}

TEST(what_is_given_is_told_from_defaults) {
  CHECK(PARSE("check", "--arm-acquire", "ldapr", "-j2", "a.c"), "%s", why.text);
  CHECK(options_has(&o, "arm-acquire") && options_has(&o, "jobs"), "given");
  CHECK(!options_has(&o, "arm-rmw") && !options_has(&o, "model"), "default");
  CHECK_EQ(o.arm_acquire, ACQUIRE_LDAPR, "the default, given");
  CHECK(PARSE("check", "--arm-rmw=llsc", "a.c"), "%s", why.text);
  CHECK_EQ(o.arm_rmw, RMW_LLSC, "choice");
}

TEST(clang_flags_are_passed_on) {
  CHECK(PARSE("check", "-Iinc", "-D", "N=3", "--define=M", "a.c", "--",
              "-std=c11", "--model"),
        "%s", why.text);
  static const char *const want[] = {"-I", "inc", "-D",       "N=3",
                                     "-D", "M",   "-std=c11", "--model"};
  CHECK_EQ(o.clang_flags.len, 8, "flags");
  for (unsigned i = 0; i < 8; i++)
    CHECK_STR(o.clang_flags.at[i], want[i]);
}

TEST(checks_are_lists_that_add_up) {
  CHECK(PARSE("check", "--disable", "race,leak", "--disable=overflow", "--warn",
              "deadlock", "a.c"),
        "%s", why.text);
  CHECK(o.disable[FIND_RACE] && o.disable[FIND_LEAK] &&
            o.disable[FIND_OVERFLOW],
        "disabled");
  CHECK(o.warn[FIND_DEADLOCK] && !o.warn[FIND_RACE], "warnings");
}

TEST(bad_arguments_say_what_is_expected) {
  CHECK(!PARSE("check", "--max-executions", "-1", "a.c"), "negative");
  CHECK_STR(why.text, "--max-executions expects a whole number N, such as "
                      "1000, not '-1'");
  CHECK(!PARSE("check", "--max-executions", "18446744073709551616", "a.c"),
        "too large");
  CHECK(!PARSE("check", "--max-executions=12x", "a.c"), "trailing text");
  CHECK(!PARSE("check", "--max-time", "nan", "a.c"), "not a number");
  CHECK(!PARSE("check", "--max-time=-1", "a.c"), "negative");
  CHECK(!PARSE("check", "--color", "red", "a.c"), "choice");
  CHECK_STR(why.text, "--color expects auto|always|never, not 'red'");
  CHECK(!PARSE("check", "--json=yes", "a.c"), "flag with argument");
  CHECK_STR(why.text, "--json takes no argument");
  CHECK(!PARSE("check", "a.c", "--model"), "missing argument");
  CHECK_STR(why.text, "--model needs an argument: MODEL");
  CHECK(!PARSE("check", "a.c", "-o"), "missing argument");
  CHECK(!PARSE("check", "a.c", "--disable", "race,"), "empty name");
}

TEST(misspelt_words_get_a_suggestion) {
  CHECK(!PARSE("chekc", "a.c"), "command");
  CHECK_STR(why.hint, "did you mean 'heddle check'?");
  CHECK(!PARSE("queue.c"), "no command");
  CHECK_STR(why.hint, "to check a program: heddle check queue.c");
  CHECK(!PARSE("check", "--modle=sc", "a.c"), "option");
  CHECK_STR(why.text, "unknown option '--modle'");
  CHECK_STR(why.hint, "did you mean '--model'?");
  CHECK(!PARSE("check", "-output", "r.txt", "a.c"), "one dash");
  CHECK_STR(why.hint, "did you mean '--output'?");
  CHECK(!PARSE("check", "--disable", "rase", "a.c"), "check");
  CHECK(strstr(why.hint, "did you mean 'race'?") == why.hint, "%s", why.hint);
  CHECK(strstr(why.hint, "use-after-free"), "lists all: %s", why.hint);
  CHECK(!PARSE("check", "--zzzzzz", "a.c"), "nothing near");
  CHECK(strstr(why.hint, "heddle check --help"), "%s", why.hint);
}

TEST(a_beginning_of_three_letters_gets_a_suggestion) {
  CHECK(!PARSE("check", "--mod", "sc", "a.c"), "option");
  CHECK_STR(why.text, "unknown option '--mod'");
  CHECK_STR(why.hint, "did you mean '--model'?");
  CHECK(!PARSE("opt", "a.c"), "command");
  CHECK_STR(why.hint, "did you mean 'heddle optimize'?");
}

TEST(an_option_of_another_command_is_unknown) {
  CHECK(!PARSE("dump", "--model", "sc", "a.c"), "dump has no model");
  CHECK(!PARSE("--json"), "no command");
  CHECK(PARSE("dump", "--system-headers", "a.c"), "%s", why.text);
}

TEST(a_command_says_what_it_needs) {
  CHECK(!PARSE("check"), "no file");
  CHECK(strstr(why.text, "needs a file"), "%s", why.text);
  CHECK(PARSE("check", "--help"), "%s", why.text);
  CHECK(PARSE("--version"), "%s", why.text);
  CHECK(!parse((const char *[]){"heddle", NULL}), "nothing at all");
  CHECK(strstr(why.hint, "heddle --help"), "%s", why.hint);
}

// Options of a group stand together in the table.
TEST(help_has_each_heading_once) {
  for (unsigned k = 1; k < option_count; k++)
    for (unsigned i = 0; i < k; i++)
      CHECK(option_table[i].group != option_table[k].group ||
                option_table[k - 1].group == option_table[k].group,
            "--%s is not with the others of '%s'", option_table[k].name,
            option_table[k].group);
}

TEST(every_option_is_explained_everywhere) {
  struct str help = {0}, markdown = {0}, man = {0};
  for (unsigned c = 0; c < COMMAND_NONE; c++)
    options_help(&help, (enum command)c);
  options_markdown(&markdown);
  options_man(&man);
  for (unsigned k = 0; k < option_count; k++) {
    char name[64];
    snprintf(name, sizeof name, "--%s", option_table[k].name);
    CHECK(strstr(str_text(&help), name), "help: %s", name);
    CHECK(strstr(str_text(&markdown), name), "markdown: %s", name);
    CHECK(*option_table[k].help, "%s has no help", name);
  }
  for (const char *line = str_text(&help); *line;) {
    size_t len = strcspn(line, "\n");
    CHECK(len < 80, "too wide: %.*s", (int)len, line);
    line += len + (line[len] == '\n');
  }
  CHECK(strstr(str_text(&man), "\\-\\-release\\-sequences"), "roff");
  str_done(&help);
  str_done(&markdown);
  str_done(&man);
}

TEST(distance_counts_single_edits) {
  CHECK_EQ(suggest_distance("", ""), 0, "empty");
  CHECK_EQ(suggest_distance("", "abc"), 3, "insert");
  CHECK_EQ(suggest_distance("abc", "ab"), 1, "delete");
  CHECK_EQ(suggest_distance("model", "modle"), 1, "swap");
  CHECK_EQ(suggest_distance("kitten", "sitting"), 3, "mixed");
}

TEST(suggestions_are_near_or_absent) {
  struct suggestion s = {.wanted = "rc1"};
  suggest_consider(&s, "sc");
  suggest_consider(&s, "rc11");
  CHECK_STR(s.best, "rc11");
  s = (struct suggestion){.wanted = "banana"};
  suggest_consider(&s, "rc11");
  CHECK(!s.best, "%s", s.best);
}
