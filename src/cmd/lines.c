// SPDX-License-Identifier: MIT
// What a file says about itself:
//
//     // heddle: --model rc11,tso -DN=2 -I../include helper.c expect error race
//
// Options as on the command line, further files and folders of headers (as seen
// from the folder of this one), and what
// is expected: `ok`, `error` with or without a kind, `incomplete`; after `ok` a
// number is that of the executions. Without `expect` it is `ok`. Each line is a
// test, and each model in it too.
#include "cmd/suite.h"

#include "report/report.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct line {
  const char *file;
  unsigned number;
  const struct options *options;
  struct suite *suite;
};

static char *copy_of(const char *text, size_t len) {
  char *copy = xmalloc(len + 1);
  memcpy(copy, text, len);
  copy[len] = 0;
  return copy;
}

// -- words

struct words {
  ARRAY(char *) at;
};

static void words_done(struct words *w) {
  for (uint32_t i = 0; i < w->at.len; i++)
    free(w->at.at[i]);
  array_done(&w->at);
}

// Words end at blanks; quotes keep them together.
static bool split(const struct line *l, const char *text, struct words *ret,
                  struct diag *why) {
  for (const char *p = text + strspn(text, " \t\r\n"); *p;
       p += strspn(p, " \t\r\n")) {
    struct str word = {0};
    str_add(&word, "%s", "");
    while (*p && !strchr(" \t\r\n", *p)) {
      if (*p != '"' && *p != '\'') {
        str_add_bytes(&word, p++, 1);
        continue;
      }
      const char *end = strchr(p + 1, *p);
      if (!end) {
        str_done(&word);
        return diag_set(why, l->file, l->number, "a quote is not closed");
      }
      str_add_bytes(&word, p + 1, (size_t)(end - p - 1));
      p = end + 1;
    }
    array_push(&ret->at, word.at);
  }
  return true;
}

// -- what is expected

static bool is_number(const char *text) {
  return *text && strspn(text, "0123456789") == strlen(text);
}

static bool bad_expectation(const struct line *l, const char *word,
                            struct diag *why) {
  diag_set(why, l->file, l->number, "'expect' is followed by '%s'", word);
  diag_hint(why, "write 'expect ok', 'expect ok 12' (executions), 'expect "
                 "error', 'expect error race' or 'expect incomplete'");
  return false;
}

static bool read_expectation(const struct line *l, char **words, uint32_t n,
                             struct expectation *ret, struct diag *why) {
  *ret = (struct expectation){.verdict = VERDICT_OK, .kind = FIND_COUNT};
  if (n == 0 || n > 2)
    return bad_expectation(l, n ? words[2] : "nothing", why);
  const char *more = n == 2 ? words[1] : NULL;
  if (strcmp(words[0], "error") == 0) {
    ret->verdict = VERDICT_ERROR;
    ret->kind = more ? finding_of_name(more) : FIND_COUNT;
    return !more || ret->kind != FIND_COUNT || bad_expectation(l, more, why);
  }
  if (strcmp(words[0], "incomplete") == 0) {
    ret->verdict = VERDICT_INCOMPLETE;
    return !more || bad_expectation(l, more, why);
  }
  if (strcmp(words[0], "ok") != 0)
    return bad_expectation(l, words[0], why);
  if (!more)
    return true;
  ret->has_count = true;
  ret->executions = strtoull(more, NULL, 10);
  return is_number(more) || bad_expectation(l, more, why);
}

void expectation_text(const struct expectation *e, struct str *out) {
  str_add(out, "%s", verdict_name(e->verdict));
  if (e->kind != FIND_COUNT)
    str_add(out, " %s", finding_name(e->kind));
  if (e->has_count)
    str_add(out, " with %llu executions", (unsigned long long)e->executions);
}

// -- tests

// A file next to the one that names it.
static char *beside(const char *file, const char *name) {
  const char *slash = strrchr(file, '/');
  struct str path = {0};
  if (slash && *name != '/')
    str_add_bytes(&path, file, (size_t)(slash + 1 - file));
  str_add(&path, "%s", name);
  return path.at;
}

// The n-th flag for clang, or NULL, if it names a file or a folder; if that is
// the next word, *n goes on to it.
static const char *path_of_flag(const word_list *flags, uint32_t *n,
                                const char **option) {
  static const char *const options[] = {"-I",         "-isystem", "-iquote",
                                        "-idirafter", "-include", "-imacros"};
  const char *word = flags->at[*n];
  for (unsigned i = 0; i < LENGTH(options); i++) {
    size_t len = strlen(options[i]);
    if (strncmp(word, options[i], len) != 0)
      continue;
    *option = word[len] ? options[i] : "";
    if (word[len])
      return word + len;
    return *n + 1 < flags->len ? flags->at[++*n] : NULL;
  }
  return NULL;
}

// Paths in the flags of a line are as seen from its file; what is not there is
// left to clang, which looks for what -include names as for any other header.
static void place_flags(struct suite_test *t, const char *file,
                        uint32_t first) {
  word_list *flags = &t->options.clang_flags;
  for (uint32_t i = first; i < flags->len; i++) {
    const char *option, *path = path_of_flag(flags, &i, &option);
    if (!path || *path == '/')
      continue;
    char *whole = beside(file, path);
    struct str word = {0};
    str_add(&word, "%s%s", option, whole);
    if (access(whole, F_OK) == 0)
      flags->at[i] = word.at;
    array_push(&t->texts, word.at);
    free(whole);
  }
}

static void test_done(struct suite_test *t) {
  options_done(&t->options);
  free(t->file);
  free(t->name);
  texts_done(&t->texts);
}

// "ring.c -DBROKEN": several lines of a file are several tests. The model has
// a column of its own.
static char *name_of(const char *file, char **words, uint32_t n) {
  struct str name = {0};
  str_add(&name, "%s", file);
  for (uint32_t i = 0; i < n; i++) {
    if (strcmp(words[i], "--model") == 0)
      i++;
    else if (strncmp(words[i], "--model=", 8) != 0)
      str_add(&name, " %s", words[i]);
  }
  return name.at;
}

// Adds the test of one model (NULL: as the options say).
static bool add_test(const struct line *l, const struct words *w,
                     uint32_t options, const char *model, size_t len,
                     const struct expectation *expected, struct diag *why) {
  struct suite_test t = {.expected = *expected};
  struct options base = *l->options, read;
  base.jobs = 1;       // those of the suite are about tests,
  base.max_wall = 0;   // and so is its time,
  base.max_memory = 0; // and its memory
  char **words = xcalloc(options + 1, sizeof *words);
  for (uint32_t i = 0; i < options; i++) {
    words[i] = copy_of(w->at.at[i], strlen(w->at.at[i]));
    array_push(&t.texts, words[i]);
  }
  bool ok =
      options_extend(&base, COMMAND_CHECK, words, (int)options, &read, why);
  free(words);
  if (!ok) {
    texts_done(&t.texts);
    if (l->number) { // where the words stand
      snprintf(why->file, sizeof why->file, "%s", l->file);
      why->line = l->number;
    }
    return false;
  }
  t.options = read;
  t.file = copy_of(l->file, strlen(l->file));
  t.name = name_of(l->file, w->at.at, options);
  for (uint32_t i = 0; i < t.options.files.len; i++) {
    char *path = beside(l->file, t.options.files.at[i]);
    array_push(&t.texts, path);
    t.options.files.at[i] = path;
  }
  array_push(&t.options.files, t.file);
  place_flags(&t, l->file, l->options->clang_flags.len);
  if (model) {
    array_push(&t.texts, copy_of(model, len));
    t.options.model = *array_last(&t.texts);
  }
  // What describes the whole suite is no business of one test.
  t.options.separately = false;
  t.options.output = t.options.junit = NULL;
  t.options.progress = SHOW_NEVER;
  array_push(&l->suite->tests, t);
  return true;
}

// The models of "--model a,b" or "--model=a,b" among the words; NULL if none.
static const char *models_of(const struct words *w, uint32_t n) {
  const char *found = NULL;
  for (uint32_t i = 0; i < n; i++) {
    if (strncmp(w->at.at[i], "--model=", 8) == 0)
      found = w->at.at[i] + 8;
    if (i + 1 < n && strcmp(w->at.at[i], "--model") == 0)
      found = w->at.at[i + 1];
  }
  return found;
}

static bool add_line(const struct line *l, const char *text, struct diag *why) {
  struct words w = {0};
  struct expectation expected = {.verdict = VERDICT_OK, .kind = FIND_COUNT};
  bool ok = split(l, text, &w, why);
  uint32_t options = 0;
  while (options < w.at.len && strcmp(w.at.at[options], "expect") != 0)
    options++;
  if (ok && options < w.at.len)
    ok = read_expectation(l, w.at.at + options + 1, w.at.len - options - 1,
                          &expected, why);
  const char *wanted = models_of(&w, options);
  if (ok && !wanted)
    ok = add_test(l, &w, options, NULL, 0, &expected, why);
  for (const char *m = wanted; ok && m;) {
    size_t len = strcspn(m, ",");
    ok = add_test(l, &w, options, m, len, &expected, why);
    m = m[len] ? m + len + 1 : NULL;
  }
  words_done(&w);
  return ok;
}

// -- files and folders

bool suite_add_file(struct suite *s, const struct options *o, const char *path,
                    struct diag *why) {
  struct line l = {.file = path, .options = o, .suite = s};
  return add_line(&l, "", why);
}

// What follows "// heddle:" at the start of a line, or NULL.
static const char *after_marker(const char *text) {
  text += strspn(text, " \t");
  if (strncmp(text, "//", 2) != 0)
    return NULL;
  text += 2;
  text += strspn(text, " \t");
  return strncmp(text, "heddle:", 7) == 0 ? text + 7 : NULL;
}

static bool add_source(struct suite *s, const struct options *o,
                       const char *path, bool is_named, struct diag *why) {
  FILE *f = fopen(path, "r");
  if (!f)
    return diag_set(why, path, 0, "cannot read: %s", strerror(errno));
  struct line l = {.file = path, .options = o, .suite = s};
  char *text = NULL;
  size_t cap = 0;
  uint32_t before = s->tests.len;
  bool ok = true;
  while (ok && getline(&text, &cap, f) >= 0) {
    l.number++;
    const char *rest = after_marker(text);
    ok = !rest || add_line(&l, rest, why);
  }
  free(text);
  fclose(f);
  if (!ok || s->tests.len > before)
    return ok;
  s->without += !is_named;
  return !is_named || suite_add_file(s, o, path, why);
}

// The words of a line, if it expects no error.
static bool take_words(const struct line *l, const char *text, text_list *ret) {
  struct words w = {0};
  struct expectation e = {.verdict = VERDICT_OK};
  struct diag why;
  uint32_t n = 0;
  bool ok = split(l, text, &w, &why);
  while (n < w.at.len && strcmp(w.at.at[n], "expect") != 0)
    n++;
  if (ok && n < w.at.len)
    ok = read_expectation(l, w.at.at + n + 1, w.at.len - n - 1, &e, &why);
  ok = ok && e.verdict == VERDICT_OK;
  for (uint32_t i = 0; ok && i < n; i++)
    array_push(ret, copy_of(w.at.at[i], strlen(w.at.at[i])));
  words_done(&w);
  return ok;
}

void suite_words_of(const char *path, text_list *ret) {
  FILE *f = fopen(path, "r");
  struct line l = {.file = path};
  char *text = NULL;
  size_t cap = 0;
  bool is_found = false;
  while (f && !is_found && getline(&text, &cap, f) >= 0) {
    const char *rest = after_marker(text);
    is_found = rest && take_words(&l, rest, ret);
  }
  free(text);
  if (f)
    fclose(f);
}

static int is_visible(const struct dirent *d) {
  return d->d_name[0] != '.';
}

bool suite_is_source(const char *name) {
  static const char *const endings[] = {".c",   ".cpp", ".cc",
                                        ".cxx", ".C",   ".c++"};
  const char *dot = strrchr(name, '.');
  for (size_t i = 0; dot && i < LENGTH(endings); i++)
    if (strcmp(dot, endings[i]) == 0)
      return true;
  return false;
}

static bool add_folder(struct suite *s, const struct options *o,
                       const char *path, struct diag *why) {
  struct dirent **names;
  int n = scandir(path, &names, is_visible, alphasort);
  if (n < 0)
    return diag_set(why, path, 0, "cannot read: %s", strerror(errno));
  bool ok = true;
  for (int i = 0; i < n; i++) {
    struct str inside = {0};
    struct stat st;
    const char *name = names[i]->d_name;
    str_add(&inside, "%s%s%s", path, path[strlen(path) - 1] == '/' ? "" : "/",
            name);
    if (ok && stat(str_text(&inside), &st) == 0 && S_ISDIR(st.st_mode))
      ok = add_folder(s, o, str_text(&inside), why);
    else if (ok && suite_is_source(name))
      ok = add_source(s, o, str_text(&inside), /*is_named=*/false, why);
    str_done(&inside);
    free(names[i]);
  }
  free(names);
  return ok;
}

bool suite_add_path(struct suite *s, const struct options *o, const char *path,
                    struct diag *why) {
  struct stat st;
  if (*path && stat(path, &st) == 0 && S_ISDIR(st.st_mode))
    return add_folder(s, o, path, why);
  return add_source(s, o, path, /*is_named=*/true, why);
}

void suite_done(struct suite *s) {
  for (uint32_t i = 0; i < s->tests.len; i++)
    test_done(&s->tests.at[i]);
  array_done(&s->tests);
}
