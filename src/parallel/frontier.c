// SPDX-License-Identifier: MIT
// A frontier as text: a line for each kind of thing (archive.h), and a last one
// with a hash of all before it, so that a file that was cut or changed is told
// from a whole one. Tasks of one stack share most of their paths: each has only
// what differs from the one before.
#include "parallel/frontier.h"

#include "base/hash.h"
#include "parallel/archive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FORMAT = 4 };
static const char head[] = "heddle-frontier";
static const char last[] = "\nend ";

void place_copy(struct explore_place *to, const struct explore_place *from) {
  *to = (struct explore_place){.core = from->core};
  for (uint32_t i = 0; i < from->path.len; i++)
    array_push(&to->path, from->path.at[i]);
}

void frontier_add_finding(struct frontier *f, const struct finding *finding,
                          const struct explore_place *place) {
  struct frontier_finding *k = array_extend(&f->found, 1);
  k->finding = *finding;
  k->finding.how = NULL; // they do not last
  k->finding.again = NULL;
  place_copy(&k->place, place);
}

void frontier_done(struct frontier *f) {
  for (uint32_t i = 0; i < f->found.len; i++)
    array_done(&f->found.at[i].place.path);
  for (uint32_t i = 0; i < f->tasks.len; i++)
    explore_task_free(f->tasks.at[i]);
  for (uint32_t i = 0; i < f->learned.len; i++)
    assume_done(&f->learned.at[i]);
  assume_done(&f->assumed);
  cores_drop(&f->cores);
  array_done(&f->found);
  array_done(&f->tasks);
  array_done(&f->learned);
  array_done(&f->threads);
  texts_done(&f->command);
  strings_done(&f->texts);
  *f = (struct frontier){0};
}

// ---- what the lines hold, for writing and reading alike

static void about(struct archive *a, struct frontier *f) {
  archive_tag(a, "about");
  ARCHIVE(a, f->about.build);
  ARCHIVE(a, f->about.program);
  ARCHIVE(a, f->about.model);
  ARCHIVE(a, f->about.options);
  archive_tag(a, "part");
  ARCHIVE(a, f->part);
  ARCHIVE(a, f->parts);
  ARCHIVE(a, f->family);
  ARCHIVE(a, f->is_done);
  archive_tag(a, "command");
  ARCHIVE_ARRAY(a, &f->command, i)
  archive_text(a, &f->command.at[i]);
  archive_tag(a, "threads");
  ARCHIVE_ARRAY(a, &f->threads, i) {
    ARCHIVE(a, f->threads.at[i].parent);
    ARCHIVE(a, f->threads.at[i].nth);
  }
}

static void rollback(struct archive *a, struct assumed_rollback *r) {
  ARCHIVE(a, r->address);
  ARCHIVE(a, r->size);
  ARCHIVE(a, r->word.is_seen);
  ARCHIVE(a, r->word.threads);
  ARCHIVE(a, r->word.nvalues);
  ARCHIVE(a, r->word.ntried);
  if (r->word.nvalues > MAX_KNOWN || r->word.ntried > MAX_TRIED) {
    archive_fail(a, "a word has too many values");
    return;
  }
  for (uint32_t i = 0; i < r->word.nvalues; i++)
    ARCHIVE(a, r->word.values[i]);
  for (uint32_t i = 0; i < r->word.ntried; i++) {
    struct tried *t = &r->word.tried[i];
    int32_t *bounds[] = {&t->least, &t->most, &t->wait_least, &t->wait_most};
    for (unsigned k = 0; k < 4; k++) {
      uint32_t n = (uint32_t)*bounds[k];
      ARCHIVE(a, n);
      *bounds[k] = (int32_t)n;
    }
    ARCHIVE(a, t->add);
  }
}

static void lock(struct archive *a, struct assumed_lock *l) {
  ARCHIVE(a, l->address);
  ARCHIVE(a, l->size);
  ARCHIVE(a, l->is_refuted);
  ARCHIVE(a, l->is_weak);
  ARCHIVE(a, l->releases);
  ARCHIVE(a, l->is_asked);
  ARCHIVE(a, l->free);
  ARCHIVE(a, l->nheld);
  if (l->nheld > MAX_HELD)
    archive_fail(a, "a lock has too many values");
  for (uint32_t i = 0; i < l->nheld && !a->failed; i++)
    ARCHIVE(a, l->held[i]);
}

static void rounds(struct archive *a, struct round_access_list *l) {
  ARCHIVE_ARRAY(a, l, i) {
    ARCHIVE(a, l->at[i].thread);
    ARCHIVE(a, l->at[i].begin);
    ARCHIVE(a, l->at[i].kind);
    ARCHIVE(a, l->at[i].is_plain);
    ARCHIVE(a, l->at[i].races);
    ARCHIVE(a, l->at[i].owner);
    ARCHIVE(a, l->at[i].other);
    ARCHIVE(a, l->at[i].index);
    ARCHIVE(a, l->at[i].address);
    ARCHIVE(a, l->at[i].size);
  }
}

static void assumptions(struct archive *a, const char *tag,
                        struct assumptions *s, struct strings *texts) {
  archive_tag(a, tag);
  ARCHIVE(a, s->refuted);
  archive_shared(a, &s->asymmetry, texts);
  archive_shared(a, &s->gave_up, texts);
  ARCHIVE(a, s->in_pieces);
  ARCHIVE(a, s->has_own_rounds);
  ARCHIVE(a, s->keeps_rounds);
  ARCHIVE(a, s->asks_clocks);
  ARCHIVE(a, s->spares_time);
  ARCHIVE(a, s->has_race);
  ARCHIVE(a, s->has_detours);
  ARCHIVE(a, s->numbered.len);
  if (s->numbered.len > MAX_NUMBERED)
    archive_fail(a, "there are too many arrays");
  for (uint32_t i = 0; i < s->numbered.len && !a->failed; i++) {
    ARCHIVE(a, s->numbered.at[i].function);
    ARCHIVE(a, s->numbered.at[i].first);
    ARCHIVE(a, s->numbered.at[i].stride);
  }
  rounds(a, &s->round_begins);
  rounds(a, &s->rounds_made);
  rounds(a, &s->rounds_exposed);
  ARCHIVE_ARRAY(a, &s->cells, i) {
    ARCHIVE(a, s->cells.at[i].address);
    ARCHIVE(a, s->cells.at[i].size);
    ARCHIVE(a, s->cells.at[i].cuts);
    ARCHIVE(a, s->cells.at[i].is_used);
  }
  ARCHIVE_ARRAY(a, &s->looked, i) {
    ARCHIVE(a, s->looked.at[i].address);
    ARCHIVE(a, s->looked.at[i].size);
  }
  ARCHIVE_ARRAY(a, &s->locks, i)
  lock(a, &s->locks.at[i]);
  ARCHIVE_ARRAY(a, &s->rollbacks, i)
  rollback(a, &s->rollbacks.at[i]);
}

static void counts(struct archive *a, struct frontier *f) {
  struct explore_result *r = &f->done;
  archive_tag(a, "counts");
#define COUNT(field, ...) ARCHIVE(a, r->field);
#include "explore/counts.def"
#undef COUNT
  ARCHIVE(a, r->stands_for);
  ARCHIVE(a, r->witnesses);
  ARCHIVE(a, r->free_orders);
  ARCHIVE(a, r->max_graph);
  uint32_t status = (uint32_t)r->exit_status;
  ARCHIVE(a, status);
  r->exit_status = (int)status;
  archive_shared(a, &r->asymmetry, &f->texts);
  archive_buffer(a, r->cut, sizeof r->cut);
  archive_buffer(a, r->sampled, sizeof r->sampled);
  archive_buffer(a, r->bound, sizeof r->bound);
  ARCHIVE(a, r->leaves_buffering);
  ARCHIVE(a, r->leaves_rounds);
  ARCHIVE(a, r->leaves_flags);
  ARCHIVE(a, r->meets_freed);
  ARCHIVE(a, r->asks_clocks);
  ARCHIVE(a, r->nkept_loops);
  if (r->nkept_loops > MAX_KEPT_LOOPS)
    archive_fail(a, "there are too many loops");
  for (uint32_t i = 0; i < r->nkept_loops && !a->failed; i++) {
    ARCHIVE(a, r->kept_loops[i].site);
    ARCHIVE(a, r->kept_loops[i].because_of);
    unsigned why = r->kept_loops[i].why;
    ARCHIVE(a, why);
    r->kept_loops[i].why = (enum kept_why)why;
  }
  ARCHIVE(a, r->left_waiting);
  ARCHIVE(a, r->nleft_at);
  if (r->nleft_at > MAX_LEFT_AT)
    archive_fail(a, "too many threads wait");
  for (uint32_t i = 0; i < r->nleft_at && !a->failed; i++)
    ARCHIVE(a, r->left_at[i]);
}

// Steps from `same` on; the others are those of the path before.
static void steps(struct archive *a, path_steps *path, uint32_t same) {
  uint32_t len = archive_length(a, path->len - same);
  if (!a->out && !a->failed)
    (void)array_extend(path, len);
  for (uint32_t i = same; i < path->len && !a->failed; i++) {
    struct path_step *s = &path->at[i];
    ARCHIVE(a, s->kind);
    ARCHIVE(a, s->option);
    ARCHIVE(a, s->siblings);
    ARCHIVE(a, s->rank);
  }
}

static void finding(struct archive *a, struct frontier *f,
                    struct frontier_finding *k) {
  struct finding *x = &k->finding;
  unsigned kind = x->kind;
  ARCHIVE(a, kind);
  if (kind >= FIND_COUNT)
    archive_fail(a, "there is no such finding");
  x->kind = (enum finding_kind)kind;
  ARCHIVE(a, x->is_warning);
  ARCHIVE(a, x->site);
  ARCHIVE(a, x->other_site);
  archive_shared(a, &x->flag, &f->texts);
  ARCHIVE(a, k->place.core);
  steps(a, &k->place.path, 0);
}

static void justification(struct archive *a, struct justification *how) {
  ARCHIVE_ARRAY(a, &how->edges, i) {
    ARCHIVE(a, how->edges.at[i].from_thread);
    ARCHIVE(a, how->edges.at[i].from_index);
    ARCHIVE(a, how->edges.at[i].to_thread);
    ARCHIVE(a, how->edges.at[i].to_index);
  }
  ARCHIVE_ARRAY(a, &how->changed, i) {
    ARCHIVE(a, how->changed.at[i].thread);
    ARCHIVE(a, how->changed.at[i].index);
    ARCHIVE(a, how->changed.at[i].value);
  }
  ARCHIVE_ARRAY(a, &how->threads, i)
  ARCHIVE(a, how->threads.at[i]);
}

static void core(struct archive *a, struct core *c) {
  archive_tag(a, "core");
  ARCHIVE(a, c->number);
  ARCHIVE_ARRAY(a, &c->steps, i) {
    struct core_step *s = &c->steps.at[i];
    ARCHIVE(a, s->kind);
    ARCHIVE(a, s->thread);
    ARCHIVE(a, s->rf_thread);
    ARCHIVE(a, s->rf_index);
    ARCHIVE(a, s->place);
    ARCHIVE(a, s->value);
  }
  justification(a, &c->how);
}

static struct core *core_of_number(struct archive *a, const struct frontier *f,
                                   uint32_t number) {
  struct core *c = cores_find(&f->cores, number);
  if (!a->failed && number && !c)
    archive_fail(a, "there is no such core");
  return c;
}

static uint32_t common_steps(const path_steps *x, const path_steps *y) {
  uint32_t n = 0;
  while (n < x->len && n < y->len && x->at[n].kind == y->at[n].kind &&
         x->at[n].option == y->at[n].option &&
         x->at[n].siblings == y->at[n].siblings &&
         x->at[n].rank == y->at[n].rank)
    n++;
  return n;
}

static void task(struct archive *a, struct frontier *f, struct explore_task *t,
                 const struct explore_task *before) {
  uint32_t same = a->out && before ? common_steps(&t->path, &before->path) : 0;
  uint32_t number = t->core ? t->core->number : 0;
  archive_tag(a, "task");
  ARCHIVE(a, number);
  if (!a->out)
    t->core = core_share(core_of_number(a, f, number));
  ARCHIVE(a, t->kind);
  ARCHIVE(a, t->rank);
  ARCHIVE(a, same);
  if (same > (before ? before->path.len : 0))
    archive_fail(a, "a path has no beginning");
  for (uint32_t i = 0; !a->out && !a->failed && i < same; i++)
    array_push(&t->path, before->path.at[i]);
  steps(a, &t->path, same);
  ARCHIVE_ARRAY(a, &t->options, i)
  ARCHIVE(a, t->options.at[i]);
}

static void all(struct archive *a, struct frontier *f) {
  uint32_t format = FORMAT;
  archive_tag(a, head);
  ARCHIVE(a, format);
  if (format != FORMAT)
    archive_fail(a, "its format is of another version");
  about(a, f);
  assumptions(a, "assumed", &f->assumed, &f->texts);
  archive_tag(a, "explorers");
  ARCHIVE_ARRAY(a, &f->learned, i)
  assumptions(a, "learned", &f->learned.at[i], &f->texts);
  counts(a, f);
  archive_tag(a, "cores");
  ARCHIVE_ARRAY(a, &f->cores, i) {
    if (!a->out)
      f->cores.at[i] = core_new();
    core(a, f->cores.at[i]);
  }
  archive_tag(a, "findings");
  ARCHIVE_ARRAY(a, &f->found, i)
  finding(a, f, &f->found.at[i]);
  archive_tag(a, "tasks");
  ARCHIVE_ARRAY(a, &f->tasks, i) {
    if (!a->out)
      f->tasks.at[i] = xcalloc(1, sizeof *f->tasks.at[i]);
    task(a, f, f->tasks.at[i], i ? f->tasks.at[i - 1] : NULL);
  }
}

// ---- files

enum { END = sizeof last - 1 + 16 + 1 };

// What comes behind a text: its sum.
static void write_end(const char *text, size_t length, char ret[END + 1]) {
  uint64_t sum = hash_bytes(text, length);
  snprintf(ret, END + 1, "%s%016llx\n", last, (unsigned long long)sum);
}

void frontier_write(const struct frontier *f, struct str *out) {
  struct archive a = {.out = out};
  char end[END + 1];
  check(!HEDDLE_SLOW_CHECKS || frontier_is_disjoint(f));
  all(&a, (struct frontier *)f); // it is only read
  write_end(out->at, out->len, end);
  str_add(out, "%s", end);
}

bool frontier_read(struct frontier *f, const char *name, char *text,
                   size_t length, struct diag *why) {
  struct archive a = {.name = name, .at = text, .line = 1, .why = why};
  char end[END + 1] = "";
  *f = (struct frontier){0};
  if (length < sizeof head || memcmp(text, head, sizeof head - 1) != 0) {
    archive_fail(&a, "it does not begin like one");
    return false;
  }
  if (length >= END)
    write_end(text, length - END, end);
  if (length < END || memcmp(text + length - END, end, END) != 0) {
    archive_fail(&a, "it is damaged, or not whole");
    return false;
  }
  a.end = text + length - END;
  all(&a, f);
  if (a.failed)
    frontier_done(f);
  return !a.failed;
}

const char *frontier_difference(const struct frontier_about *a,
                                const struct frontier_about *b) {
  return a->build != b->build       ? "another version of heddle"
         : a->program != b->program ? "another version of the program"
         : a->model != b->model     ? "another model"
         : a->options != b->options ? "other options"
                                    : "";
}
