// SPDX-License-Identifier: MIT
// heddle split, run, merge; --checkpoint and --resume. A file says by which
// command line its search was begun, so that `heddle run` needs nothing else,
// and digests of the build, the program, the model and the options: the paths
// in it mean nothing for any other search, so it is refused then.
#include "cmd/parts.h"

#include "base/hash.h"
#include "cmd/check.h"
#include "cmd/replay.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// ---- what a search is about

static bool read_file(const char *path, struct str *ret, struct diag *why) {
  FILE *f = fopen(path, "rb");
  char part[1 << 16];
  for (size_t n; f && (n = fread(part, 1, sizeof part, f)) > 0;)
    str_add_bytes(ret, part, n);
  bool ok = f && !ferror(f);
  int error = errno;
  if (f)
    fclose(f);
  return ok || diag_set(why, path, 0, "cannot be read: %s", strerror(error));
}

// Paths of choices depend on every detail of the search, so two builds never
// share one.
static uint64_t digest_of_build(void) {
  struct str self = {0};
  struct diag why;
  uint64_t h = hash_bytes(HEDDLE_VERSION, strlen(HEDDLE_VERSION));
  if (read_file("/proc/self/exe", &self, &why))
    h = hash_mix(h, hash_bytes(self.at, self.len));
  str_done(&self);
  return h;
}

static uint64_t digest_of_program(const struct prog *p) {
  struct str text = {0};
  prog_print(p, &text);
  uint64_t h = hash_bytes(str_text(&text), text.len);
  str_done(&text);
  h = hash_mix(h,
               hash_bytes(p->consts.at, p->consts.len * sizeof *p->consts.at));
  for (uint32_t i = 0; i < p->globals.len; i++)
    h = hash_mix(h, hash_bytes(p->globals.at[i].bytes, p->globals.at[i].size));
  return h;
}

struct frontier_about parts_about(const struct run *r) {
  struct replay_digests d = replay_digests(r->options, r->model);
  return (struct frontier_about){
      .build = digest_of_build(),
      .program = hash_mix(d.program, digest_of_program(r->prog)),
      .model = d.model,
      .options = hash_mix(d.options, r->reductions)};
}

// ---- files

static bool read_frontier(const char *path, struct frontier *ret,
                          struct diag *why) {
  struct str text = {0};
  bool ok = read_file(path, &text, why) &&
            frontier_read(ret, path, text.at, text.len, why);
  str_done(&text);
  return ok;
}

static char *copy_word(const char *word) {
  struct str s = {0};
  str_add(&s, "%s", word);
  return s.at;
}

// The words of the command line that was given, and where: [0] is the folder.
static void note_command(text_list *ret) {
  struct str all = {0};
  struct diag why;
  char *folder = getcwd(NULL, 0);
  if (folder)
    array_push(ret, folder);
  if (!folder || !read_file("/proc/self/cmdline", &all, &why))
    fatal_internal(__FILE__, __LINE__, "the command line cannot be read");
  for (uint32_t i = 0; i < all.len; i += (uint32_t)strlen(all.at + i) + 1)
    array_push(ret, copy_word(all.at + i));
  str_done(&all);
}

static bool write_frontier(const struct frontier *f, const char *path,
                           struct diag *why) {
  struct str text = {0};
  FILE *out;
  frontier_write(f, &text);
  bool ok =
      open_output(path, &out, why) && finish_output(out, path, &text, why);
  str_done(&text);
  return ok;
}

static void complain(struct saver *s, const struct diag *why) {
  if (!s->has_failed)
    fprintf(stderr, "heddle: note: no checkpoint can be written: %s: %s\n",
            why->file, why->text);
  s->has_failed = true;
}

static void write_parts(struct saver *s, struct frontier *f) {
  uint32_t n = (uint32_t)s->split_into;
  struct frontier *parts = xcalloc(n, sizeof *parts);
  struct diag why;
  frontier_split(f, n, parts);
  for (uint32_t i = 0; i < n; i++) {
    struct str path = {0};
    str_add(&path, "%s.%u", s->path, i + 1);
    note_command(&parts[i].command);
    if (!write_frontier(&parts[i], path.at, &why))
      complain(s, &why);
    str_done(&path);
    frontier_done(&parts[i]);
  }
  free(parts);
}

static void on_save(void *arg, struct frontier *f) {
  struct saver *s = arg;
  struct diag why;
  f->about = s->about;
  f->family = s->family;
  f->part = s->part;
  f->parts = s->parts;
  s->has_written = true;
  if (s->split_into) {
    write_parts(s, f);
    return;
  }
  // A part that is run is still one of the command that has made it.
  for (uint32_t i = 0; i < s->command.len; i++)
    array_push(&f->command, copy_word(s->command.at[i]));
  if (!f->command.len)
    note_command(&f->command);
  if (!write_frontier(f, s->path, &why))
    complain(s, &why);
}

// A number that no other search has.
static uint64_t new_family(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return hash_mix(hash_mix((uint64_t)t.tv_sec, (uint64_t)t.tv_nsec),
                  (uint64_t)getpid());
}

// ---- runs

bool parts_fit(const struct options *o, struct diag *why) {
  if (!o->checkpoint && !o->resume)
    return true;
  if (o->print_executions || o->note_non_sc || o->shortest || o->replay ||
      o->dot || o->separately)
    return diag_set(why, NULL, 0,
                    "--checkpoint and --resume are about a whole search: they "
                    "exclude --print-executions, --note-non-sc, --shortest, "
                    "--replay, --dot and --separately");
  if (o->checkpoint && o->checkpoint_every <= 0)
    return diag_set(why, NULL, 0, "--checkpoint-every takes seconds above 0");
  return true;
}

static bool refuse_other(const char *path, const struct frontier *f,
                         const struct saver *s, struct diag *why) {
  const char *what = frontier_difference(&f->about, &s->about);
  if (!*what)
    return true;
  diag_set(why, path, 0, "this is of a search with %s", what);
  diag_hint(why, "paths of a search mean nothing in another one: begin anew");
  return false;
}

bool parts_begin(struct run *r, struct saver *s, struct diag *why) {
  const struct options *o = r->options;
  if (!o->checkpoint && !o->resume && !s->split_into && !r->is_resumed)
    return true;
  if (r->model->justifier && (r->reductions & REDUCE_RF)) {
    diag_set(why, NULL, 0,
             "a search under %s with --equivalence rf cannot be saved",
             r->model->name);
    diag_hint(why, "executions have to be justified: leave it out");
    return false;
  }
  s->run = r;
  s->about = parts_about(r);
  s->family = new_family();
  s->part = s->parts = 1;
  if (o->resume && !r->is_resumed) {
    if (!read_frontier(o->resume, &r->from, why))
      return false;
    r->is_resumed = true;
  }
  if (r->is_resumed) {
    if (!refuse_other(o->resume ? o->resume : o->files.at[0], &r->from, s, why))
      return false;
    for (uint32_t i = 0; i < r->from.command.len; i++)
      array_push(&s->command, copy_word(r->from.command.at[i]));
    s->family = r->from.family;
    s->part = r->from.part;
    s->parts = r->from.parts;
  }
  if (o->checkpoint || s->split_into) {
    s->path = s->split_into ? o->into : o->checkpoint;
    if (!s->split_into && !can_write(s->path, why))
      return false;
    r->saving = (struct parallel_saving){
        .every = s->split_into ? 0 : o->checkpoint_every,
        .save = on_save,
        .arg = s};
  }
  return true;
}

void parts_end(struct saver *s) {
  texts_done(&s->command);
}

// ---- heddle split

enum { BRANCHES_A_PART = 64, MOST_PARTS = 100000 };

static enum exit_code split(struct run *r, struct saver *s) {
  const struct options *o = r->options;
  const struct explore_result *x =
      run_split(r, s->split_into * BRANCHES_A_PART);
  if (s->has_failed)
    return EXIT_BAD_INPUT;
  if (!s->has_written)
    return EXIT_INTERNAL; // the caller checks it as it is
  printf(
      "%llu parts: %s.1 to %s.%llu; %llu executions were explored on the "
      "way.\nheddle run explores a part, heddle merge reports all of them.\n",
      (unsigned long long)s->split_into, o->into, o->into,
      (unsigned long long)s->split_into, (unsigned long long)x->executions);
  return EXIT_OK;
}

static bool learn_from(struct run *r, struct saver *s, struct diag *why) {
  const struct options *o = r->options;
  for (uint32_t i = 0; i < o->learned.len; i++) {
    struct frontier f;
    if (!read_frontier(o->learned.at[i], &f, why))
      return false;
    bool ok = refuse_other(o->learned.at[i], &f, s, why);
    for (uint32_t k = 0; k < f.learned.len; k++)
      assume_join(&r->learned, &f.learned.at[k]);
    assume_join(&r->learned, &f.assumed);
    array_push(&r->texts, f.texts);
    f.texts = (struct strings){0};
    frontier_done(&f);
    if (!ok)
      return false;
  }
  return true;
}

// What is told of the beginning is told again by who goes on with it. (That a
// search may begin again decides what it leaves out, so it must be as in a
// check.)
static void on_begin_again(void *arg) {
  (void)arg;
}

enum exit_code cmd_split(const struct options *o) {
  struct run r = {.on_begin_again = on_begin_again,
                  .on_earlier_error = on_begin_again};
  struct saver s = {.split_into = o->parts};
  struct diag why;
  if (!o->parts || o->parts > MOST_PARTS) {
    diag_set(&why, NULL, 0, "--parts takes a number from 1 to %d", MOST_PARTS);
    return bad_input(&why);
  }
  bool ok = run_begin(&r, o, &why) && parts_begin(&r, &s, &why) &&
            learn_from(&r, &s, &why);
  enum exit_code code = ok ? split(&r, &s) : bad_input(&why);
  run_end(&r);
  if (!ok || s.has_written)
    return code;
  // An error, a limit or the end came first: that is a check.
  struct check_outcome unused = {0};
  return check_program(o, &unused);
}

// ---- heddle run, heddle merge

// The command by which a file was made, as options. What is given now comes
// behind it, so that it counts.
struct origin {
  text_list now;
  ARRAY(char *) words; // of both
  struct options options;
  bool is_read;
};

static void origin_done(struct origin *c) {
  if (c->is_read)
    options_done(&c->options);
  array_done(&c->words);
  texts_done(&c->now);
}

static bool is_operand(const struct options *o, const char *word) {
  for (uint32_t i = 0; i < o->files.len; i++)
    if (strcmp(word, o->files.at[i]) == 0)
      return true;
  return false;
}

// Files that are named now are in the folder that this is run in.
static void name_files(struct origin *c, const struct options *o) {
  const char *const given[] = {o->output, o->html, o->sarif};
  const char **const paths[] = {&c->options.output, &c->options.html,
                                &c->options.sarif};
  for (size_t i = 0; i < LENGTH(given); i++) {
    struct str path = {0};
    if (!given[i] || given[i][0] == '/')
      continue;
    str_add(&path, "%s/%s", c->now.at[0], given[i]);
    *paths[i] = path.at;
    array_push(&c->now, path.at);
  }
}

static bool origin_of(struct origin *c, const text_list *made_by,
                      const struct options *o, struct diag *why) {
  uint32_t i = 1;
  *c = (struct origin){0};
  note_command(&c->now);
  for (; i < made_by->len && strcmp(made_by->at[i], "--") != 0; i++)
    array_push(&c->words, made_by->at[i]);
  for (uint32_t k = 3; k < c->now.len; k++)
    if (!is_operand(o, c->now.at[k]))
      array_push(&c->words, c->now.at[k]);
  for (; i < made_by->len; i++)
    array_push(&c->words, made_by->at[i]);
  int n = (int)c->words.len;
  array_push(&c->words, NULL);
  if (made_by->len < 3 || chdir(made_by->at[0]) != 0)
    return diag_set(why, made_by->len ? made_by->at[0] : NULL, 0,
                    "the folder in which the search was begun is not here");
  c->is_read = options_parse(n, c->words.at, &c->options, why);
  if (c->is_read)
    name_files(c, o);
  return c->is_read;
}

enum exit_code cmd_run(const struct options *o) {
  struct frontier f = {0};
  struct origin c = {0};
  struct diag why;
  char *path = realpath(o->files.at[0], NULL);
  if (!read_frontier(path ? path : o->files.at[0], &f, &why)) {
    free(path);
    return bad_input(&why);
  }
  bool ok = origin_of(&c, &f.command, o, &why);
  c.options.checkpoint = c.options.resume = path;
  c.options.mpi = o->mpi;
  struct check_outcome unused = {0};
  enum exit_code code =
      ok ? check_program(&c.options, &unused) : bad_input(&why);
  origin_done(&c);
  frontier_done(&f);
  free(path);
  return code;
}

// Are these all parts of one search, each once?
static bool are_all_parts(const struct frontier *parts, const struct options *o,
                          struct diag *why) {
  uint32_t n = o->files.len;
  for (uint32_t i = 0; i < n; i++) {
    const char *what = frontier_difference(&parts[i].about, &parts[0].about);
    if (*what || parts[i].family != parts[0].family)
      return diag_set(why, o->files.at[i], 0,
                      "this is a part of another search than %s (%s)",
                      o->files.at[0], *what ? what : "of another split");
    for (uint32_t k = 0; k < i; k++)
      if (parts[k].part == parts[i].part)
        return diag_set(why, o->files.at[i], 0, "this is part %u, as is %s",
                        parts[i].part, o->files.at[k]);
  }
  for (uint32_t nth = 1; nth <= parts[0].parts; nth++) {
    uint32_t i = 0;
    while (i < n && parts[i].part != nth)
      i++;
    if (i == n)
      return diag_set(why, NULL, 0, "part %u of %u is missing", nth,
                      parts[0].parts);
  }
  return true;
}

// What keeps the parts from being the whole search, or NULL.
static const char *why_not_whole(const struct frontier *f,
                                 const struct frontier *parts, uint32_t n) {
  struct assumptions all = {0};
  bool is_known = true, is_done = true;
  for (uint32_t i = 0; i < f->learned.len; i++)
    assume_join(&all, &f->learned.at[i]);
  for (uint32_t i = 0; i < f->learned.len; i++)
    is_known &= assume_knows(&f->learned.at[i], &all);
  for (uint32_t i = 0; i < n; i++)
    is_done &= parts[i].is_done;
  assume_done(&all);
  return !is_done    ? "parts that are not explored to their end"
         : !is_known ? "parts that did not know what others have learned of "
                       "the program; split it again, with --learned for each "
                       "of them"
                     : NULL;
}

static enum exit_code merge(struct frontier *parts, const struct options *o) {
  struct frontier f = {0};
  struct origin c = {0};
  struct diag why;
  bool ok = are_all_parts(parts, o, &why);
  for (uint32_t i = 0; ok && i < o->files.len; i++)
    if (!frontier_join(&f, &parts[i]))
      ok = diag_set(&why, o->files.at[i], 0,
                    "threads have other numbers in this part than in those "
                    "before it; the program cannot be split like this");
  for (uint32_t i = 0; ok && i < parts[0].command.len; i++)
    array_push(&f.command, copy_word(parts[0].command.at[i]));
  ok = ok && origin_of(&c, &parts[0].command, o, &why);
  if (ok) {
    f.done.limit = why_not_whole(&f, parts, o->files.len);
    f.is_done = true; // it is reported, and nothing is explored
    frontier_keep_first_error(&f, c.options.all_errors);
  }
  enum exit_code code = ok ? check_frontier(&c.options, &f) : bad_input(&why);
  origin_done(&c);
  frontier_done(&f);
  return code;
}

enum exit_code cmd_merge(const struct options *o) {
  uint32_t n = o->files.len;
  struct frontier *parts = xcalloc(n, sizeof *parts);
  struct diag why;
  bool ok = true;
  for (uint32_t i = 0; ok && i < n; i++)
    ok = read_frontier(o->files.at[i], &parts[i], &why);
  enum exit_code code = ok ? merge(parts, o) : bad_input(&why);
  for (uint32_t i = 0; i < n; i++)
    frontier_done(&parts[i]);
  free(parts);
  return code;
}
