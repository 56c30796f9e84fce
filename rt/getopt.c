// SPDX-License-Identifier: MIT
// getopt and getopt_long. Arguments are not reordered: options come first, as
// POSIX has it.
#include <stddef.h>
#include <string.h>

struct option {
  const char *name;
  int has_arg; // 0: none, 1: required, 2: optional
  int *flag;
  int val;
};

char *optarg;
int optind = 1, opterr = 1, optopt;
static size_t letter; // of the word at optind that is next; 0: a new word

int getopt(int argc, char *const argv[], const char *letters);
int getopt_long(int argc, char *const argv[], const char *letters,
                const struct option *options, int *ret_index);

static int next_word(void) {
  optind++;
  letter = 0;
  return 0;
}

// The argument of an option: what is left of its word, or the next word.
static int take_argument(int argc, char *const argv[], int has_arg,
                         const char *rest, int missing) {
  optarg = NULL;
  if (rest && *rest) {
    optarg = (char *)rest;
  } else if (has_arg == 1) {
    if (optind + 1 >= argc) {
      next_word();
      return missing;
    }
    optarg = argv[++optind];
  }
  next_word();
  return 0;
}

static int short_option(int argc, char *const argv[], const char *letters) {
  const char *word = argv[optind];
  char c = word[letter];
  int missing = *letters == ':' ? ':' : '?';
  letters += *letters == ':' || *letters == '+' || *letters == '-';
  const char *row = c == ':' ? NULL : strchr(letters, c);
  const char *rest = word + letter + 1;
  if (!row || row[1] != ':') {
    letter++;
    if (!*rest)
      next_word();
    if (!row)
      optopt = c;
    return row ? c : '?';
  }
  optopt = c;
  int problem = take_argument(argc, argv, row[2] == ':' ? 2 : 1, rest, missing);
  return problem ? problem : c;
}

static int long_option(int argc, char *const argv[],
                       const struct option *options, int missing,
                       int *ret_index) {
  const char *name = argv[optind] + 2;
  size_t n = strcspn(name, "=");
  for (int i = 0; options[i].name; i++) {
    const struct option *o = &options[i];
    if (strncmp(o->name, name, n) != 0 || o->name[n])
      continue;
    const char *given = name[n] ? name + n + 1 : NULL;
    if (given && o->has_arg == 0)
      break;
    int problem = 0;
    if (given) {
      optarg = (char *)given;
      next_word();
    } else {
      problem = take_argument(argc, argv, o->has_arg, NULL, missing);
    }
    if (ret_index)
      *ret_index = i;
    if (problem)
      return problem;
    if (o->flag)
      *o->flag = o->val;
    return o->flag ? 0 : o->val;
  }
  next_word();
  optopt = 0;
  return '?';
}

int getopt_long(int argc, char *const argv[], const char *letters,
                const struct option *options, int *ret_index) {
  if (optind == 0)
    optind = 1;
  const char *word = optind < argc ? argv[optind] : NULL;
  optarg = NULL;
  if (letter == 0) {
    if (!word || word[0] != '-' || !word[1])
      return -1;
    if (strcmp(word, "--") == 0) {
      next_word();
      return -1;
    }
    if (options && word[1] == '-')
      return long_option(argc, argv, options, *letters == ':' ? ':' : '?',
                         ret_index);
    letter = 1;
  }
  return short_option(argc, argv, letters);
}

int getopt(int argc, char *const argv[], const char *letters) {
  return getopt_long(argc, argv, letters, NULL, NULL);
}
