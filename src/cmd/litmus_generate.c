// SPDX-License-Identifier: MIT
// heddle litmus --generate: tests from cycles (litmus/cycle.h), one or all of
// some edges, on standard output or as files of a folder.
#include "cmd/litmus.h"
#include "cmd/run.h"
#include "report/json_writer.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// -- one test

// A name that no other test has: two cycles may differ in what names leave out.
static void unique_name(struct made_tests *m, struct str *name) {
  struct str tried = {0};
  uint32_t before = m->names.text.len;
  strings_add(&m->names, str_text(name));
  for (unsigned n = 2; m->names.text.len == before; n++) {
    str_clear(&tried);
    str_add(&tried, "%s-%u", str_text(name), n);
    strings_add(&m->names, str_text(&tried));
  }
  if (tried.len) {
    str_done(name);
    *name = tried;
  }
}

bool make_test(struct made_tests *m, const struct cycle_edges *e,
               struct made_test *ret, struct diag *why) {
  struct cycle_edges edges = *e;
  struct cycle c;
  *ret = (struct made_test){0};
  if (!cycle_of_edges(m->dialect, &edges, &c, why))
    return false;
  cycle_name(m->dialect, &edges, &ret->name);
  cycle_edges_print(m->dialect, &edges, &ret->edges);
  unique_name(m, &ret->name);
  // Once more, as the name begins it.
  if (cycle_of_edges(m->dialect, &edges, &c, why) &&
      cycle_write(&c, str_text(&ret->name), str_text(&ret->edges), &ret->text,
                  why))
    return true;
  made_test_done(ret);
  return false;
}

void made_test_done(struct made_test *t) {
  str_done(&t->name);
  str_done(&t->edges);
  str_done(&t->text);
}

// -- where they go

bool begin_folder(const struct options *o, bool *is_folder, struct diag *why) {
  struct stat st;
  size_t len = o->output ? strlen(o->output) : 0;
  bool exists = len && stat(o->output, &st) == 0 && S_ISDIR(st.st_mode);
  *is_folder = exists || (len && o->output[len - 1] == '/');
  if (*is_folder && !exists && mkdir(o->output, 0777) != 0)
    return diag_set(why, o->output, 0, "cannot make this folder: %s",
                    strerror(errno));
  return true;
}

static void path_in_folder(const struct options *o, const char *name,
                           struct str *out) {
  size_t len = strlen(o->output);
  str_add(out, "%s%s%s", o->output, o->output[len - 1] == '/' ? "" : "/", name);
}

static bool write_file(const struct options *o, const char *name,
                       const struct str *text, struct diag *why) {
  struct str path = {0};
  FILE *out;
  path_in_folder(o, name, &path);
  bool ok = open_output(str_text(&path), &out, why) &&
            finish_output(out, str_text(&path), text, why);
  str_done(&path);
  return ok;
}

bool write_test(const struct options *o, const struct made_test *t,
                struct diag *why) {
  struct str name = {0};
  str_add(&name, "%s.litmus", str_text(&t->name));
  bool ok = write_file(o, str_text(&name), &t->text, why);
  str_done(&name);
  return ok;
}

// -- many

struct generating {
  const struct options *options;
  struct made_tests made;
  bool is_folder;
  FILE *out;
  struct str list; // of file names
  uint64_t tests, refused;
  struct diag why; // of the first that was refused, or of what ends it
  bool is_broken;  // it cannot be written
  uint64_t cycles; // that there will be
  struct run clock;
  struct progress progress;
};

static void test_json(const struct made_test *t, enum dialect d,
                      struct str *out) {
  struct json j = {.out = out, .is_line = true};
  json_open(&j, NULL, '{');
  json_text(&j, "name", str_text(&t->name));
  json_text(&j, "arch", dialect_name(d));
  json_text(&j, "edges", str_text(&t->edges));
  json_text(&j, "test", str_text(&t->text));
  json_close(&j, '}');
  str_add(out, "\n");
}

static bool put_test(struct generating *g, const struct made_test *t) {
  str_add(&g->list, "%s.litmus\n", str_text(&t->name));
  if (g->is_folder)
    return write_test(g->options, t, &g->why);
  struct str text = {0};
  if (g->options->json)
    test_json(t, g->made.dialect, &text);
  else if (g->options->summary)
    str_add(&text, "%s: %s\n", str_text(&t->name), str_text(&t->edges));
  else
    str_add(&text, "%s%s", g->tests ? "\n" : "", str_text(&t->text));
  bool ok = fwrite(str_text(&text), 1, text.len, g->out) == text.len ||
            diag_set(&g->why, g->options->output, 0, "cannot write: %s",
                     strerror(errno));
  str_done(&text);
  return ok;
}

static bool on_count(void *arg, const struct cycle_edges *e,
                     const struct cycle *c) {
  struct generating *g = arg;
  (void)e, (void)c;
  g->cycles++;
  return true;
}

static void show_progress(struct generating *g, bool is_end) {
  struct str text = {0};
  if (is_end)
    progress_end(&g->progress, &text);
  else
    progress_show_tests(&g->progress, g->tests, g->cycles,
                        run_seconds(&g->clock), &text);
  fputs(str_text(&text), stderr);
  str_done(&text);
}

// How many tests there will be is known before anything is written. A file has
// one: nothing reads several.
static bool begin_output(struct generating *g, uint64_t tests,
                         struct diag *why) {
  const struct options *o = g->options;
  if (g->is_folder)
    return true;
  if (tests < 2 || !o->output || o->json || o->summary)
    return open_output(o->output, &g->out, why);
  diag_set(why, o->output, 0, "%llu tests are too many for one file",
           (unsigned long long)tests);
  diag_hint(why,
            "-o %s/ makes a file for each test in that folder; --json writes "
            "them to one file, a line for each",
            o->output);
  return false;
}

static bool on_cycle(void *arg, const struct cycle_edges *e,
                     const struct cycle *c) {
  struct generating *g = arg;
  struct made_test t;
  struct diag why;
  (void)c;
  if (!make_test(&g->made, e, &t, &why)) {
    if (!g->refused++)
      g->why = why;
    return true;
  }
  g->is_broken = !put_test(g, &t);
  g->tests++;
  made_test_done(&t);
  show_progress(g, /*is_end=*/false);
  return !g->is_broken;
}

static uint64_t count_given(const char *at) {
  uint64_t n = 0;
  for (; *at; at += at[strcspn(at, ";")] == ';') {
    n += at[strspn(at, " \t\n")] && at[strspn(at, " \t\n")] != ';';
    at += strcspn(at, ";");
  }
  return n;
}

// "A B C; D E F"
static bool make_given(struct generating *g, struct diag *why) {
  const char *at = g->options->cycles;
  if (!begin_output(g, count_given(at), why))
    return false;
  while (true) {
    size_t n = strcspn(at, ";");
    struct str one = {0};
    struct cycle_edges e;
    struct cycle c;
    str_add(&one, "%.*s", (int)n, at);
    bool is_last = !at[n];
    bool is_empty = !str_text(&one)[strspn(str_text(&one), " \t\n")];
    bool ok =
        (is_empty && (g->tests || !is_last)) ||
        (cycle_edges_parse(g->made.dialect, str_text(&one), &e, why) &&
         cycle_of_edges(g->made.dialect, &e, &c, why) && on_cycle(g, &e, &c));
    str_done(&one);
    if (!ok || g->refused) {
      if (g->refused || g->is_broken)
        *why = g->why;
      return false;
    }
    if (is_last)
      return true;
    at += n + 1;
  }
}

static bool make_all(struct generating *g, struct diag *why) {
  edge_list edges = {0};
  bool ok = cycle_edges_select(g->made.dialect, g->options->relax, &edges, why);
  // First all are counted, and then made.
  for (unsigned pass = 0; ok && pass < 2; pass++) {
    ok = !pass || begin_output(g, g->cycles, why);
    for (unsigned size = 2; ok && size <= g->options->size; size++) {
      struct cycle_search s = {.dialect = g->made.dialect,
                               .edges = &edges,
                               .size = size,
                               .found = pass ? on_cycle : on_count,
                               .arg = g};
      cycle_search(&s);
      ok = !g->is_broken;
      if (!ok)
        *why = g->why;
    }
  }
  show_progress(g, /*is_end=*/true);
  array_done(&edges);
  if (ok && !g->tests)
    ok = diag_set(why, NULL, 0,
                  "no cycle of up to %llu of these edges comes back to where "
                  "it began",
                  (unsigned long long)g->options->size);
  return ok;
}

static enum exit_code list_edges(const struct options *o, enum dialect d) {
  edge_list all = {0};
  struct str text = {0};
  cycle_edges_of(d, &all);
  for (uint32_t i = 0; i < all.len; i++)
    str_add(&text, "%s\n", all.at[i].name);
  str_add(&text,
          "\nMarks of accesses, as in PodWW%s%s:", order_mark(d, ORD_RLX),
          order_mark(d, ORD_RLX));
  for (const struct cycle_order *m = cycle_orders; m->mark; m++)
    if (m->dialect == d)
      str_add(&text, " %s", m->mark);
  str_add(&text, "\n");
  array_done(&all);
  return print(o->output, &text, EXIT_OK);
}

bool size_fits(const struct options *o, struct diag *why) {
  return (o->size >= 2 && o->size <= MOST_EDGES) ||
         diag_set(why, NULL, 0, "--size is from 2 to %d", MOST_EDGES);
}

static bool options_fit_generation(const struct options *o, struct diag *why) {
  static const char *const others[] = {"model", "compare", "expect", "html",
                                       "dot",   "why",     "witness"};
  for (unsigned i = 0; i < LENGTH(others); i++)
    if (options_has(o, others[i]))
      return diag_set(why, NULL, 0, "--%s cannot be combined with --generate",
                      others[i]);
  if (o->files.len)
    return diag_set(why, o->files.at[0], 0,
                    "--generate makes tests and reads none");
  if (o->cycles && o->relax)
    return diag_set(why, NULL, 0, "--cycles and --relax exclude each other");
  if (options_has(o, "size") && !o->relax)
    return diag_set(why, NULL, 0, "--size is for the cycles of --relax");
  return size_fits(o, why);
}

static bool finish(struct generating *g, struct diag *why) {
  struct str rest = {0};
  if (g->is_folder)
    return write_file(g->options, "@all", &g->list, why);
  return finish_output(g->out, g->options->output, &rest, why);
}

enum exit_code generate_tests(const struct options *o) {
  struct generating g = {.options = o};
  struct diag why;
  if (!options_fit_generation(o, &why) ||
      !dialect_find(o->generate, &g.made.dialect, &why))
    return bad_input(&why);
  if (!o->cycles && !o->relax)
    return list_edges(o, g.made.dialect);
  bool ok = begin_folder(o, &g.is_folder, &why);
  bool is_shown = !g.is_folder && !o->output && isatty(STDOUT_FILENO);
  clock_gettime(CLOCK_MONOTONIC, &g.clock.start);
  g.progress =
      progress_of_style(is_shown ? PROGRESS_NONE : run_progress_style(o));
  ok = ok && (o->cycles ? make_given(&g, &why) : make_all(&g, &why)) &&
       finish(&g, &why);
  if (ok && (g.is_folder || g.refused))
    fprintf(stderr, "heddle: %llu tests", (unsigned long long)g.tests);
  if (ok && g.refused)
    fprintf(stderr, "; %llu cycles were left out: %s",
            (unsigned long long)g.refused, g.why.text);
  if (ok && (g.is_folder || g.refused))
    fprintf(stderr, "\n");
  strings_done(&g.made.names);
  str_done(&g.list);
  return ok ? EXIT_OK : bad_input(&why);
}
