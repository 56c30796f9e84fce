// SPDX-License-Identifier: MIT
// Workers take one file after the other and leave a reply in its place; replies
// are printed in the order of the files as soon as it is their turn.
#include "answer/batch.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// What a worker found out about a file.
struct reply {
  struct str text;
  struct litmus *test; // NULL, or it and its answer are to be kept
  struct answer *answer;
  struct contrast *contrast; // NULL, or to be kept
  enum difference difference;
  bool has_more[2];
  char name[256]; // of the test; "": it could not be read
  uint32_t size;  // instructions of what was compared
  enum litmus_verdict verdict;
  const struct model *model;
  const char *model_by;
  bool is_done, is_error, is_unfinished, is_broken, is_expected, disagrees;
};

struct batch {
  const struct batch_config *c;
  struct batch_result *result;
  ARRAY(char *) files;
  struct reply *replies;
  uint32_t next; // file to be taken
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  bool stops;
};

// -- files

static void add_file(struct batch *s, const char *path) {
  char *copy = strdup(path);
  check(copy);
  array_push(&s->files, copy);
}

static int by_text(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool has_suffix(const char *name, const char *suffix) {
  size_t n = strlen(name), m = strlen(suffix);
  return n > m && strcmp(name + n - m, suffix) == 0;
}

static bool is_folder(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool add_path(struct batch *s, const char *path, unsigned depth,
                     struct diag *why);

// All *.litmus files below, by name.
static bool add_folder(struct batch *s, const char *path, unsigned depth,
                       struct diag *why) {
  enum { MAX_DEPTH = 40 };
  DIR *d = opendir(path);
  if (!d)
    return diag_set(why, path, 0, "cannot read: %s", strerror(errno));
  ARRAY(char *) names = {0};
  for (struct dirent *e; (e = readdir(d));) {
    struct str name = {0};
    if (e->d_name[0] == '.')
      continue;
    str_add(&name, "%s/%s", path, e->d_name);
    array_push(&names, name.at);
  }
  closedir(d);
  if (names.len)
    qsort(names.at, names.len, sizeof *names.at, by_text);
  bool ok = true;
  for (uint32_t i = 0; i < names.len; i++) {
    if (ok && depth < MAX_DEPTH &&
        (has_suffix(names.at[i], ".litmus") || is_folder(names.at[i])))
      ok = add_path(s, names.at[i], depth + 1, why);
    free(names.at[i]);
  }
  array_done(&names);
  return ok;
}

// A list: one path in a line, from the folder of the list; # begins a comment.
static bool add_list(struct batch *s, const char *path, unsigned depth,
                     struct diag *why) {
  FILE *f = fopen(path, "r");
  if (!f)
    return diag_set(why, path, 0, "cannot read: %s", strerror(errno));
  const char *slash = strrchr(path, '/');
  char *line = NULL;
  size_t size = 0;
  bool ok = true;
  while (ok && getline(&line, &size, f) >= 0) {
    struct str name = {0};
    line[strcspn(line, "\r\n#")] = 0;
    if (!*line)
      continue;
    if (*line != '/' && slash)
      str_add(&name, "%.*s/", (int)(slash - path), path);
    str_add(&name, "%s", line);
    ok = add_path(s, str_text(&name), depth + 1, why);
    str_done(&name);
  }
  free(line);
  fclose(f);
  return ok;
}

static bool add_path(struct batch *s, const char *path, unsigned depth,
                     struct diag *why) {
  if (path[0] == '@' && depth < 8)
    return add_list(s, path + 1, depth, why);
  if (is_folder(path))
    return add_folder(s, path, depth, why);
  add_file(s, path);
  return true;
}

// -- one test

static bool read_whole(const char *path, struct str *ret, struct diag *why) {
  enum { MAX_BYTES = 16 << 20 };
  char buffer[4096];
  FILE *f = fopen(path, "r");
  if (!f)
    return diag_set(why, path, 0, "cannot read: %s", strerror(errno));
  for (size_t n; (n = fread(buffer, 1, sizeof buffer, f)) > 0;)
    if (ret->len < MAX_BYTES)
      str_add_bytes(ret, buffer, n);
  bool ok = !ferror(f);
  fclose(f);
  if (ret->len >= MAX_BYTES)
    return diag_set(why, path, 0, "a file of this size is no litmus test");
  return ok || diag_set(why, path, 0, "cannot read: %s", strerror(errno));
}

// Has a test beside this one names of the Linux kernel?
static bool has_kernel_neighbour(const struct litmus *t) {
  const char *slash = strrchr(t->file, '/');
  struct str folder = {0}, path = {0};
  str_add(&folder, "%.*s", slash ? (int)(slash - t->file) : 1,
          slash ? t->file : ".");
  DIR *d = opendir(str_text(&folder));
  bool found = false;
  for (struct dirent *e; d && !found && (e = readdir(d));) {
    struct litmus *other = NULL;
    struct diag why;
    path.len = 0;
    str_add(&path, "%s/%s", str_text(&folder), e->d_name);
    if (!has_suffix(e->d_name, ".litmus") ||
        !batch_read(str_text(&path), NULL, &other, &why))
      continue;
    found = other->is_kernel;
    litmus_free(other);
  }
  if (d)
    closedir(d);
  str_done(&folder);
  str_done(&path);
  return found;
}

static bool find_model(const struct batch_config *c, struct litmus *t,
                       const struct model **ret, const char **by,
                       struct diag *why) {
  bool is_beside = !c->model && t->is_plain && has_kernel_neighbour(t);
  t->is_kernel |= is_beside;
  *by = c->model       ? "--model"
        : is_beside    ? "tests beside it have names of the Linux kernel"
        : t->is_kernel ? "it has names of the Linux kernel"
        : t->is_v8     ? "it has instructions of ARMv8"
                       : "its architecture";
  *ret = c->model;
  return *ret || c->find_model(c->arg, litmus_language(t), ret, why);
}

static void print_reply(const struct batch *s, struct reply *a,
                        const struct answer *o, const char *expected) {
  switch (s->c->style) {
  case BATCH_TEXT:
    answer_text(o, &a->text);
    break;
  case BATCH_JSON:
    answer_json(o, &a->text);
    break;
  case BATCH_LINES:
    answer_line(o, &a->text);
    break;
  case BATCH_DISAGREEMENTS:
    break;
  }
  if (a->disagrees && s->c->style != BATCH_JSON)
    str_add(&a->text, "%s: expected %s, but it is %s (%s)\n", o->test->name,
            expected, litmus_verdict_name(answer_verdict(o)),
            observation_name(answer_observation(o)));
}

static void keep_reply(const struct batch *s, struct litmus *t, struct reply *a,
                       struct answer *o) {
  if (s->c->keep && (o->witnesses.len || o->refused.view)) {
    a->test = t;
    a->answer = o;
    return;
  }
  answer_done(o);
  free(o);
  litmus_free(t);
}

// Has the model all the relations that are to be shown?
static bool relations_fit(const struct answer_config *c, const struct litmus *t,
                          struct diag *why) {
  for (uint32_t i = 0; i < c->nrelations; i++)
    if (!model_names_relation(c->model, c->relations[i], why)) {
      struct diag said = *why;
      diag_set(why, t->file, 0, "--show-relations: %s", said.text);
      diag_hint(why, "%s", said.hint);
      return false;
    }
  return true;
}

// Takes over `t` if it succeeds.
static bool reply_test(const struct batch *s, struct litmus *t, struct reply *a,
                       struct diag *why) {
  struct answer_config c = s->c->answer;
  struct answer *o = xcalloc(1, sizeof *o);
  if (!find_model(s->c, t, &c.model, &c.model_by, why) ||
      !relations_fit(&c, t, why) || !answer_of(t, &c, o, why)) {
    a->is_unfinished = o->is_unfinished;
    free(o);
    return false;
  }
  const char *expected =
      s->c->expect ? expectations_find(s->c->expect, t) : NULL;
  if (!s->c->expect && s->c->style == BATCH_LINES && !s->c->model)
    expected = expectation_of_text(t);
  a->model = o->model;
  a->model_by = o->model_by;
  a->is_expected = expected;
  a->disagrees = expected && !expectation_is_met(expected, o);
  a->verdict = answer_verdict(o);
  print_reply(s, a, o, expected);
  keep_reply(s, t, a, o);
  return true;
}

static void print_contrast(const struct batch *s, const struct contrast *c,
                           struct reply *a) {
  bool differs = c->difference != DIFFERS_NOT;
  if (s->c->style == BATCH_JSON)
    contrast_json(c, &a->text);
  else if (s->c->style == BATCH_LINES && differs)
    contrast_line(c, &a->text);
  else if (differs)
    contrast_text(c, &a->text);
}

// Takes over `t` if it succeeds.
static bool contrast_test(const struct batch *s, struct litmus *t,
                          struct reply *a, struct diag *why) {
  struct contrast_config c = {.models = {s->c->model, s->c->other},
                              .answer = s->c->answer};
  struct contrast *x = xcalloc(1, sizeof *x);
  if (!contrast_of(t, &c, x, &a->is_unfinished, why)) {
    free(x);
    return false;
  }
  a->difference = x->difference;
  a->size = x->test->prog->code.len;
  for (unsigned m = 0; m < 2; m++)
    a->has_more[m] = x->only[m].len;
  print_contrast(s, x, a);
  if (s->c->keep_contrast && x->difference != DIFFERS_NOT) {
    a->contrast = x;
  } else {
    contrast_done(x);
    free(x);
  }
  return true;
}

static void print_error(const struct batch *s, const char *file,
                        const char *name, const struct diag *why,
                        struct reply *a) {
  struct str *out = &a->text;
  if (s->c->style == BATCH_JSON) {
    answer_error_json(file, name, why, a->is_unfinished, out);
    return;
  }
  str_add(out, "Error %s", *why->file ? why->file : file);
  if (why->line)
    str_add(out, ":%u", why->line);
  str_add(out, ": %s%s%s\n%s", why->text, *why->hint ? "; " : "", why->hint,
          s->c->style == BATCH_TEXT ? "\n" : "");
}

bool batch_read(const char *path, const char *asks, struct litmus **ret,
                struct diag *why) {
  struct str text = {0};
  bool ok = read_whole(path, &text, why) &&
            litmus_read(path, str_text(&text), text.len, asks, ret, why);
  str_done(&text);
  return ok;
}

static void try_file(const struct batch *s, const char *file, struct reply *a) {
  struct diag why;
  struct litmus *t = NULL;
  if (batch_read(file, s->c->asks, &t, &why)) {
    snprintf(a->name, sizeof a->name, "%s", t->name);
    if (s->c->other ? contrast_test(s, t, a, &why) : reply_test(s, t, a, &why))
      return;
  }
  a->is_error = true;
  print_error(s, file, t ? t->name : NULL, &why, a);
  if (t)
    litmus_free(t);
}

// A bug of ours that one test meets ends that test: the others have nothing of
// it but the model, which is not changed.
static void reply_file(const struct batch *s, const char *file,
                       struct reply *a) {
  struct fatal_catch bug;
  if (setjmp(bug.to) == 0) {
    fatal_catch(&bug);
    try_file(s, file, a);
    fatal_catch(NULL);
    return;
  }
  struct diag why;
  diag_set(&why, file, 0, "internal error at %s", bug.what);
  diag_hint(&why, "this is a bug in Heddle, not in the test: please report it "
                  "with the file");
  struct reply broken = {.is_error = true, .is_broken = true};
  memcpy(broken.name, a->name, sizeof broken.name);
  *a = broken;
  print_error(s, file, *a->name ? a->name : NULL, &why, a);
}

// -- workers

static void *work(void *arg) {
  struct batch *s = arg;
  pthread_mutex_lock(&s->mutex);
  while (s->next < s->files.len && !s->stops) {
    uint32_t i = s->next++;
    pthread_mutex_unlock(&s->mutex);
    reply_file(s, s->files.at[i], &s->replies[i]);
    pthread_mutex_lock(&s->mutex);
    s->replies[i].is_done = true;
    pthread_cond_signal(&s->changed);
  }
  pthread_mutex_unlock(&s->mutex);
  return NULL;
}

static void count_model(struct batch_result *r, const struct reply *a) {
  uint32_t i = 0;
  while (i < r->nmodels &&
         (strcmp(r->models[i].model->name, a->model->name) != 0 ||
          r->models[i].by != a->model_by))
    i++;
  if (i == BATCH_MODELS)
    return;
  if (i == r->nmodels)
    r->models[r->nmodels++] = (struct batch_model){a->model, a->model_by, 0};
  r->models[i].tests++;
}

static void count_more(struct batch_result *r, const struct reply *a) {
  for (unsigned m = 0; m < 2; m++) {
    if (a->has_more[m] && (!r->more[m] || a->size < r->least_size[m])) {
      snprintf(r->least[m], sizeof r->least[m], "%s", a->name);
      r->least_size[m] = a->size;
    }
    r->more[m] += a->has_more[m];
  }
}

static void count(struct batch_result *r, const struct reply *a) {
  if (a->model)
    count_model(r, a);
  r->tests++;
  r->errors += a->is_error && !a->is_unfinished;
  r->unfinished += a->is_unfinished;
  r->broken += a->is_broken;
  r->ok += !a->is_error && a->verdict == LITMUS_OK;
  r->no += !a->is_error && a->verdict == LITMUS_NO;
  r->undef += !a->is_error && a->verdict == LITMUS_UNDEF;
  r->differ[a->difference] += !a->is_error;
  count_more(r, a);
  r->expected += a->is_expected;
  r->disagreements += a->disagrees;
}

static bool take_reply(struct batch *s, uint32_t i) {
  struct reply *a = &s->replies[i];
  count(s->result, a);
  if (s->c->expect)
    expectations_meet(s->c->expect, a->name, s->files.at[i]);
  bool ok = !a->text.len || s->c->print(s->c->arg, &a->text);
  str_done(&a->text);
  if (a->test)
    s->c->keep(s->c->arg, a->test, a->answer);
  a->test = NULL;
  if (a->contrast)
    s->c->keep_contrast(s->c->arg, a->contrast);
  a->contrast = NULL;
  if (s->c->on_progress)
    s->c->on_progress(s->c->arg, s->result->tests, s->files.len);
  bool is_stopped =
      s->c->answer.interrupted && atomic_load(s->c->answer.interrupted);
  return ok && !is_stopped;
}

// What was not taken, since the run was ended.
static void drop_reply(struct reply *a) {
  str_done(&a->text);
  if (a->contrast) {
    contrast_done(a->contrast);
    free(a->contrast);
  }
  if (!a->test)
    return;
  answer_done(a->answer);
  free(a->answer);
  litmus_free(a->test);
}

static void run_here(struct batch *s) {
  for (uint32_t i = 0; i < s->files.len && !s->stops; i++) {
    reply_file(s, s->files.at[i], &s->replies[i]);
    s->stops = !take_reply(s, i);
  }
}

static void run_workers(struct batch *s) {
  unsigned jobs = s->c->jobs < s->files.len ? s->c->jobs : s->files.len;
  pthread_t *threads = xcalloc(jobs, sizeof *threads);
  unsigned started = 0;
  while (started < jobs &&
         pthread_create(&threads[started], NULL, work, s) == 0)
    started++;
  if (!started)
    run_here(s);
  pthread_mutex_lock(&s->mutex);
  for (uint32_t i = 0; started && i < s->files.len && !s->stops; i++) {
    while (!s->replies[i].is_done)
      pthread_cond_wait(&s->changed, &s->mutex);
    pthread_mutex_unlock(&s->mutex);
    bool ok = take_reply(s, i);
    pthread_mutex_lock(&s->mutex);
    s->stops = !ok;
  }
  pthread_mutex_unlock(&s->mutex);
  for (unsigned i = 0; i < started; i++)
    pthread_join(threads[i], NULL);
  free(threads);
}

bool batch_run(const struct batch_config *c, struct batch_result *ret,
               struct diag *why) {
  struct batch s = {.c = c, .result = ret};
  *ret = (struct batch_result){0};
  bool ok = true;
  for (uint32_t i = 0; ok && i < c->npaths; i++)
    ok = add_path(&s, c->paths[i], 0, why);
  if (ok && !s.files.len)
    ok = diag_set(why, c->npaths ? c->paths[0] : NULL, 0,
                  "no litmus test there");
  if (ok) {
    s.replies = xcalloc(s.files.len, sizeof *s.replies);
    pthread_mutex_init(&s.mutex, NULL);
    pthread_cond_init(&s.changed, NULL);
    if (c->jobs > 1)
      run_workers(&s);
    else
      run_here(&s);
    for (uint32_t i = 0; i < s.files.len; i++)
      drop_reply(&s.replies[i]);
    free(s.replies);
    pthread_cond_destroy(&s.changed);
    pthread_mutex_destroy(&s.mutex);
  }
  for (uint32_t i = 0; i < s.files.len; i++)
    free(s.files.at[i]);
  array_done(&s.files);
  return ok;
}
