// SPDX-License-Identifier: MIT
// The report for people: each finding with its source line, the execution
// that shows the first error, and the verdict as the last line.
#include "base/options.h"
#include "base/source.h"
#include "report/report.h"
#include "report/sentence.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const char bold[] = "1", red[] = "31;1", green[] = "32;1",
                  yellow[] = "33;1";

const char *verdict_name(enum verdict v) {
  static const char *const name[] = {"ok", "error", "incomplete"};
  ONE_FOR_EACH(name, VERDICT_INCOMPLETE + 1);
  check(v < LENGTH(name));
  return name[v];
}

static unsigned terminal_width(int fd) {
  enum { DEFAULT = 100, LEAST = 40, MOST = 1000 };
  const char *columns = getenv("COLUMNS");
  long n = columns ? strtol(columns, NULL, 10) : 0;
  struct winsize w;
  if (n <= 0 && isatty(fd) && ioctl(fd, TIOCGWINSZ, &w) == 0)
    n = w.ws_col;
  if (n <= 0)
    n = DEFAULT;
  return (unsigned)(n < LEAST ? LEAST : n > MOST ? MOST : n);
}

struct text_style text_style_of(int fd, unsigned color) {
  const char *off = getenv("NO_COLOR");
  bool is_plain = (off && *off) || !isatty(fd);
  return (struct text_style){
      .color = color == COLOR_ALWAYS || (color == COLOR_AUTO && !is_plain),
      .width = terminal_width(fd),
  };
}

static void add_colored(struct str *out, struct text_style style,
                        const char *code, const char *text) {
  if (style.color)
    str_add(out, "\033[%sm%s\033[0m", code, text);
  else
    str_add(out, "%s", text);
}

// -- findings

bool place_source_line(struct place p, struct str *out) {
  FILE *f = p.line ? fopen(source_path(p.file), "r") : NULL;
  if (!f)
    return false;
  char *line = NULL;
  size_t cap = 0;
  ssize_t len = 0;
  for (unsigned n = 0; n < p.line && len >= 0; n++)
    len = getline(&line, &cap, f);
  for (ssize_t i = 0; i < len && line[i] != '\n' && line[i] != '\r'; i++)
    str_add(out, "%c", line[i] == '\t' || line[i] == 0 ? ' ' : line[i]);
  free(line);
  fclose(f);
  return len > 0;
}

static void add_source_line(struct place p, struct text_style style,
                            struct str *out) {
  enum { LONGEST = 500 };
  struct str line = {0};
  if (place_source_line(p, &line) && line.len <= LONGEST) {
    str_add(out, "%6u | %s\n", p.line, str_text(&line));
    if (p.column && p.column <= line.len) {
      str_add(out, "%6s | %*s", "", (int)p.column - 1, "");
      add_colored(out, style, red, "^");
      str_add(out, "\n");
    }
  }
  str_done(&line);
}

static void add_position(const char *intro, struct place p, thread_id thread,
                         const char *accessed, struct text_style style,
                         struct str *out) {
  str_add(out, "  %s %s:%u", intro, p.file, p.line);
  if (*p.func)
    str_add(out, " in %s", p.func);
  str_add(out, ", thread T%u", thread);
  if (*accessed)
    str_add(out, ", accessing %s", accessed);
  str_add(out, "\n");
  add_source_line(p, style, out);
}

// Of a deadlock: where the other threads wait, and for what.
static void add_others(const struct view *v, const struct finding *f,
                       struct place at, struct text_style style,
                       struct str *out) {
  for (uint32_t i = 0; i < v->threads.len; i++) {
    const struct view_thread *th = &v->threads.at[i];
    bool waits = th->end == END_LOCK || th->end == END_SPIN;
    if (!waits || th->id == f->thread || !th->at.line)
      continue;
    str_add(out, "  and %s:%u", th->at.file, th->at.line);
    if (*th->at.func)
      str_add(out, " in %s", th->at.func);
    str_add(out, ", thread T%u, which %s\n", th->id, th->end_text);
    if (th->at.line != at.line || strcmp(th->at.file, at.file) != 0)
      add_source_line(th->at, style, out);
  }
}

static void add_calls(const struct view *v, struct str *out) {
  for (uint32_t i = 0; v && i < v->calls.len; i++)
    if (v->calls.at[i].line)
      str_add(out, "  called from %s:%u in %s\n", v->calls.at[i].file,
              v->calls.at[i].line, v->calls.at[i].func);
}

const struct view *report_view_of(const struct report *r,
                                  const struct finding *f) {
  for (uint32_t i = 0; i < r->nall; i++)
    if (finding_is_same(&r->all[i].finding, f))
      return r->all[i].view;
  return NULL;
}

const char *finding_message(const struct finding *f) {
  return *f->message ? f->message : finding_meaning(f->kind);
}

static bool is_volatile_access(const struct prog *p, site_id site) {
  if (site == NO_SITE)
    return false;
  const struct insn *in = &p->code.at[site];
  struct imm_access how = imm_access_of(in->imm);
  return (in->op == OP_load || in->op == OP_store) && how.is_volatile &&
         how.order == ORD_NA; // not with --volatile relaxed
}

// Is the place in a function such as assume_abort_if_not?
static bool is_assumption(const struct prog *p, site_id site) {
  return site != NO_SITE &&
         strncmp(prog_text(p, p->source.at[site].func), "assume", 6) == 0;
}

static bool is_of_kernel(enum fence_kind k) {
  return k >= FENCE_RMB && k <= FENCE_SYNC_SRCU && k != FENCE_BARRIER;
}

// Has the program barriers or sections that only the kernel's model knows?
static bool needs_lkmm(const struct report *r) {
  bool knows = strstr(r->model, ".cat") || strncmp(r->model, "lkmm", 4) == 0;
  for (uint32_t i = 0; !knows && i < r->prog->code.len; i++) {
    const struct insn *in = &r->prog->code.at[i];
    if ((in->op == OP_fence || in->op == OP_fence_at) &&
        is_of_kernel((enum fence_kind)imm_access_of(in->imm).fence))
      return true;
  }
  return false;
}

// Is the access plain, of the program itself, and of a size that an atomic one
// could have?
static bool is_plain_access(const struct prog *p, site_id site) {
  if (site == NO_SITE || p->source.at[site].header != NO_HEADER)
    return false;
  const struct insn *in = &p->code.at[site];
  struct imm_access how = imm_access_of(in->imm);
  return (in->op == OP_load || in->op == OP_store) && how.order == ORD_NA &&
         how.size <= 8;
}

// The pattern of --assume-atomic that means an access: in a header, where
// names are those of parameters, its file; else what it accesses.
static const char *pattern_of(const struct prog *p, site_id site) {
  const struct source *s = &p->source.at[site];
  const char *file = prog_text(p, s->file), *slash = strrchr(file, '/');
  const char *base = slash ? slash + 1 : file;
  size_t n = strlen(base);
  bool is_header = n > 2 && strcmp(base + n - 2, ".h") == 0;
  return is_header ? base : prog_text(p, s->text);
}

// Under a model of a machine, whose order could count instead of C11's: by
// which rule is it an error, and which option takes the other one? (With that
// option the message itself says so.)
static void add_rule(const struct report *r, struct str *out) {
  if (r->has_race_order && !r->races_by_model)
    str_add(out,
            "  hint: this is by the rule of C11, whatever %s orders; with "
            "--races model that counts too\n",
            r->model);
}

// Which option takes the accesses for what the machine makes of them?
static void add_patterns(const struct report *r, const struct finding *f,
                         struct str *out) {
  const site_id sites[] = {f->site, f->other_site};
  const char *patterns[2] = {"", ""};
  if (r->is_language)
    return;
  for (unsigned i = 0; i < 2; i++)
    if (is_plain_access(r->prog, sites[i]))
      patterns[i] = pattern_of(r->prog, sites[i]);
  if (strcmp(patterns[0], patterns[1]) == 0)
    patterns[1] = "";
  if (!*patterns[0] && !*patterns[1])
    return;
  str_add(out, "  hint:");
  for (unsigned i = 0; i < 2; i++)
    if (*patterns[i])
      str_add(out, " --assume-atomic '%s'", patterns[i]);
  str_add(out, " takes such accesses as relaxed atomics\n");
}

// What to do about a race that is one only by the letter of the standard, about
// an assumption that is written as an error, and about code of the kernel; and
// what is not in the message of a panic.
static void add_hint(const struct report *r, const struct finding *f,
                     struct str *out) {
  if (f->kind == FIND_ABORT && is_assumption(r->prog, f->site))
    str_add(out, "  hint: if abort() says that this execution does not count, "
                 "--disable abort leaves it at that\n");
  if (!f->is_warning && needs_lkmm(r))
    str_add(out, "  hint: barriers and sections of the Linux kernel have their "
                 "full meaning under --model lkmm alone\n");
  if (f->kind == FIND_LEAK && f->is_warning)
    str_add(out, "  hint: --error leak shows the execution in which it is not "
                 "freed\n");
  if (f->kind == FIND_PANIC && strstr(f->message, "{}"))
    str_add(out, "  hint: {} stands for a value that the program would print; "
                 "the rows show what it has read\n");
  if (f->kind == FIND_RACE || f->kind == FIND_FREE_RACE ||
      f->kind == FIND_ALLOC_RACE)
    add_rule(r, out);
  if (f->kind == FIND_LIVELOCK && !f->is_warning)
    str_add(out, "  hint: if threads cannot stay in step, since they pause for "
                 "different times, --warn livelock goes on after this\n");
  if (f->kind != FIND_RACE)
    return;
  if (is_volatile_access(r->prog, f->site) ||
      is_volatile_access(r->prog, f->other_site))
    str_add(out, "  hint: volatile orders nothing between threads; "
                 "--volatile relaxed takes such accesses as relaxed atomics\n");
  else
    add_patterns(r, f, out);
}

// `v` is the view of this finding, or NULL.
static void add_finding(const struct report *r, const struct finding *f,
                        const struct view *v, struct text_style style,
                        struct str *out) {
  struct place at = place_of_site(r->prog, f->site);
  struct place other = place_of_site(r->prog, f->other_site);
  if (f->is_warning)
    add_colored(out, style, yellow, "Warning");
  else
    add_colored(out, style, red, "Error");
  str_add(out, ": %s [%s]\n", finding_message(f), finding_name(f->kind));
  if (at.line)
    add_position("at", at, f->thread, v ? v->accessed : "", style, out);
  add_calls(v, out);
  if (other.line)
    add_position("and", other, f->other_thread, "", style, out);
  if (v && f->kind == FIND_DEADLOCK)
    add_others(v, f, at, style, out);
  add_hint(r, f, out);
}

// -- the execution

// Adds a part of a line, or begins the next line with it if it does not fit.
static void add_part(const char *part, unsigned width, size_t *used,
                     struct str *out) {
  size_t n = strlen(part);
  if (width && *used + 1 + n > width) {
    str_add(out, "\n     ");
    *used = 5;
  }
  str_add(out, " %s", part);
  *used += 1 + n;
}

static void add_co(const struct view *v, struct text_style style,
                   struct str *out) {
  struct wording words = wording_of(v, /*is_short=*/false);
  if (v->co.len)
    str_add(out, "\nOrder of the writes (co):\n");
  for (uint32_t i = 0; i < v->co.len; i++) {
    const struct view_co *c = &v->co.at[i];
    struct str part = {0};
    size_t used = 1;
    str_add(out, " ");
    str_add(&part, "%s: %s", c->location,
            *c->initial ? c->initial : "uninitialized");
    for (uint32_t k = 0; k < c->count; k++) {
      uint32_t e = v->co_events.at[c->first + k];
      str_add(&part, ",");
      add_part(str_text(&part), style.width, &used, out);
      str_clear(&part);
      str_add(&part, "then %s (", v->events.at[e].value);
      event_reference(&words, v, e, &part);
      str_add(&part, ")");
    }
    add_part(str_text(&part), style.width, &used, out);
    str_add(out, "\n");
    str_done(&part);
  }
  wording_done(&words);
}

static void add_reads(const struct view *v, const uint32_t *reads, uint32_t n,
                      struct str *out) {
  struct wording words = wording_of(v, /*is_short=*/false);
  for (uint32_t i = 0; i < n; i++) {
    const struct view_event *e = &v->events.at[reads[i]];
    str_add(out, "  ");
    event_reference(&words, v, reads[i], out);
    str_add(out, " reads %s = %s from ", e->location, e->value);
    event_reference(&words, v, e->rf, out);
    str_add(out, "\n");
  }
  wording_done(&words);
}

static void add_justification(const struct view *v, struct str *out) {
  struct wording words = wording_of(v, /*is_short=*/false);
  str_add(out, "Another execution justifies it. These reads are committed: "
               "they read the same there.\n");
  add_reads(v, v->justified.at, v->justified.len, out);
  if (v->changed.len)
    str_add(out, "What differs in that execution:\n");
  for (uint32_t i = 0; i < v->changed.len; i++) {
    uint32_t event = v->changed.at[i].event;
    str_add(out, "  ");
    event_reference(&words, v, event, out);
    str_add(out, " reads %s = %s\n", v->events.at[event].location,
            v->changed.at[i].value);
  }
  str_add(out, "Re-executed in the order ");
  for (uint32_t i = 0; i < v->again.len; i++)
    str_add(out, "%sT%u", i ? ", " : "", v->again.at[i]);
  str_add(out, ", each thread reads a write that is there by then or that is "
               "committed, and writes what was committed.\n");
  wording_done(&words);
}

static void add_cycle(const struct view *v, struct str *out) {
  if (!v->circle.len)
    return;
  str_add(out, "Load buffering: program order and these reads form a "
               "cycle.\n");
  add_reads(v, v->circle.at, v->circle.len, out);
  if (v->justified.len)
    add_justification(v, out);
}

// A sentence of two parts, in a line or two.
static void add_mend(const struct report *r, struct text_style style,
                     struct str *out) {
  if (!r->mend || !*r->mend)
    return;
  const char *colon = strchr(r->mend, ':');
  size_t first = colon ? (size_t)(colon - r->mend) + 1 : strlen(r->mend);
  bool fits = !style.width || strlen(r->mend) <= style.width;
  str_add(out, "%.*s%s%s\n\n", (int)first, r->mend, !colon || fits ? "" : "\n",
          r->mend + first + (colon && !fits));
}

// Words, as many in a line as fit.
static void add_filled(const char *words, unsigned width, struct str *out) {
  size_t used = 0;
  for (size_t n; *words; words += n + (words[n] == ' ')) {
    n = strcspn(words, " ");
    bool fits = !width || used + 1 + n <= width;
    str_add(out, "%s%.*s", !used ? "" : fits ? " " : "\n", (int)n, words);
    used = used && fits ? used + 1 + n : n;
  }
}

static void add_advice(const char *advice, struct text_style style,
                       struct str *out) {
  struct str text = {0};
  if (!*advice)
    return;
  str_add(&text, "Advice: %s", advice);
  add_filled(str_text(&text), style.width, out);
  str_add(out, "\n\n");
  str_done(&text);
}

static void add_execution(const struct report *r, const struct view *v,
                          const struct finding *f, struct text_style style,
                          struct str *out) {
  const char *file = view_main_file(v);
  str_add(out, "\n");
  add_colored(out, style, bold, "The execution");
  if (*file)
    str_add(out, " (lines of %s)", file);
  str_add(out, ":\n");
  if (!v->is_interleaving)
    str_add(out, "No interleaving of the threads gives these values: it takes "
                 "weak memory.\n");
  add_cycle(v, out);
  str_add(out, "\n");
  execution_text(v, style, out);
  add_co(v, style, out);
  // A line of 49 characters.
  str_add(out, "\nReproduce with%s--replay %016llx%s%s\n\n",
          style.width < 49 ? "\n  " : " ", (unsigned long long)v->name,
          r->tag ? "-" : "", r->tag ? r->tag : "");
  add_mend(r, style, out);
  add_advice(report_advice(r, f, v), style, out);
}

// -- the verdict

static const char *plural(uint64_t n) {
  return n == 1 ? "" : "s";
}

static void add_counts(const struct report *r, struct str *out) {
  const struct explore_result *x = r->result;
  str_add(out, "%llu execution%s", (unsigned long long)x->executions,
          plural(x->executions));
  if (x->stands_for > x->executions)
    str_add(out, " that stand%s for %s%llu", x->executions == 1 ? "s" : "",
            x->stands_for == UINT64_MAX ? "at least " : "",
            (unsigned long long)x->stands_for);
  if ((r->reductions & REDUCE_RF) && !x->co_counts)
    str_add(out, " up to co");
  str_add(out, " (%llu blocked) under %s in %.2f s, %.0f MB",
          (unsigned long long)x->blocked, r->model, r->seconds,
          (double)r->max_rss_kb / 1024);
}

static void count_findings(const struct explore_result *x, uint32_t *errors,
                           uint32_t *warnings) {
  *errors = *warnings = 0;
  for (uint32_t i = 0; i < x->findings.len; i++)
    ++*(x->findings.at[i].is_warning ? warnings : errors);
}

// "No errors", "2 errors, 1 warning".
static void add_verdict_head(const struct report *r, struct str *head) {
  const struct explore_result *x = r->result;
  uint32_t errors, warnings;
  count_findings(x, &errors, &warnings);
  switch (x->verdict) {
  case VERDICT_OK:
    str_add(head, "No errors");
    break;
  case VERDICT_ERROR:
    str_add(head, "%u error%s", errors, plural(errors));
    break;
  case VERDICT_INCOMPLETE:
    str_add(head, "Incomplete (%s): ", explore_limit(x));
    if (errors)
      str_add(head, "%u error%s so far", errors, plural(errors));
    else
      str_add(head, "no error so far");
    break;
  }
  if (warnings)
    str_add(head, ", %u warning%s", warnings, plural(warnings));
}

static const char *verdict_color(const struct explore_result *x) {
  if (x->verdict == VERDICT_ERROR)
    return red;
  return x->verdict == VERDICT_OK && x->executions ? green : yellow;
}

static const char *verdict_joint(const struct explore_result *x) {
  return x->verdict == VERDICT_ERROR ? ", after " : ": ";
}

void verdict_line(const struct report *r, struct str *out) {
  add_verdict_head(r, out);
  str_add(out, "%s", verdict_joint(r->result));
  add_counts(r, out);
}

static void add_kept_loop(const struct report *r, const struct kept_loop *l,
                          struct str *out) {
  struct place p = place_of_site(r->prog, l->site);
  struct place because_of = place_of_site(r->prog, l->because_of);
  str_add(out, "%s:%u: failed rounds of this loop were explored, since ",
          p.file, p.line);
  switch (l->why) {
  case KEPT_ORDER:
    str_add(out, "the read at %s:%u is stronger than the one that fails.\n",
            because_of.file, because_of.line);
    break;
  case KEPT_TRACE:
    str_add(out,
            "they leave a trace (%s:%u). --unroll N bounds them; if a round "
            "takes back what it did, see --net-effect-awaits.\n",
            because_of.file, because_of.line);
    break;
  case KEPT_PRIVATE:
    str_add(out,
            "each is another one to its thread: what it computes at %s:%u is "
            "needed later. --unroll N or --read-bound N bounds them.\n",
            because_of.file, because_of.line);
    break;
  }
}

static void add_load_buffering(const struct explore_result *x,
                               struct str *out) {
  str_add(out,
          "Load buffering: %llu guesses, %llu descriptors, %llu guided runs "
          "with %llu executions, %llu candidates, %llu cores, %llu extensions, "
          "%llu duplicates.\n",
          (unsigned long long)x->guesses, (unsigned long long)x->descriptors,
          (unsigned long long)x->guided_runs, (unsigned long long)x->guided,
          (unsigned long long)x->candidates, (unsigned long long)x->cores,
          (unsigned long long)x->extensions, (unsigned long long)x->duplicates);
}

static void add_stats(const struct report *r, struct str *out) {
  const struct explore_result *x = r->result;
  const struct vm_stats *s = r->stats;
  double hits = x->events_added ? 100.0 - 100.0 * (double)s->misses /
                                              (double)x->events_added
                                : 0;
  str_add(out,
          "Events added: %llu; revisits: %llu; largest execution: %u events.\n"
          "Thread states: %llu kept, %llu transient, %.1f MB; steps "
          "interpreted: %llu (%.2f %% of the events came from the table).\n",
          (unsigned long long)x->events_added, (unsigned long long)x->revisits,
          x->max_graph, (unsigned long long)s->states,
          (unsigned long long)s->transient, (double)s->bytes / 1048576,
          (unsigned long long)s->misses, hits > 0 ? hits : 0);
  str_add(out, "Failed rounds of loops that try again, left out: %llu.\n",
          (unsigned long long)x->retries);
  if (x->awaits)
    str_add(out,
            "Waits in loops, further rounds of which were left out: %llu.\n",
            (unsigned long long)x->awaits);
  if (x->undone)
    str_add(out,
            "Waits for an update to succeed, instead of rounds that undo what "
            "they tried: %llu.\n",
            (unsigned long long)x->undone);
  if (x->silences)
    str_add(out,
            "Executions that were left, since a thread had stopped with "
            "something old and no thread would write any more: %llu.\n",
            (unsigned long long)x->silences);
  if (x->co_counts)
    str_add(out, "Executions that differ in co are not one: %s.\n",
            x->co_counts);
  else if (r->reductions & REDUCE_RF)
    str_add(out,
            "Orders of the writes (co) that were looked for: %llu. Executions "
            "left out, since they differ in it alone: %s%llu.\n",
            (unsigned long long)x->searches,
            x->witnesses == UINT64_MAX ? "at least " : "",
            (unsigned long long)(x->witnesses - x->stands_for));
  if (x->asymmetry)
    str_add(out, "Equal threads were not: %s.\n", x->asymmetry);
  else
    str_add(out, "Executions left out, since threads are equal: %llu.\n",
            (unsigned long long)(x->stands_for - x->executions));
  if (r->is_justified)
    add_load_buffering(x, out);
  str_add(out, "Reductions: ");
  reduce_print(r->reductions, out);
  str_add(out, ".\n");
  for (uint32_t i = 0; i < x->nkept_loops; i++)
    add_kept_loop(r, &x->kept_loops[i], out);
}

// "file.c:12: error: message [kind]", as compilers do.
static void add_finding_line(const struct report *r, const struct finding *f,
                             struct str *out) {
  struct place p = place_of_site(r->prog, f->site);
  if (p.line)
    str_add(out, "%s:%u: ", p.file, p.line);
  str_add(out, "%s: %s [%s]\n", f->is_warning ? "warning" : "error",
          finding_message(f), finding_name(f->kind));
}

void report_text(const struct report *r, struct text_style style,
                 struct str *out) {
  const struct explore_result *x = r->result;
  bool is_shown = r->is_quiet;
  for (uint32_t i = 0; i < x->findings.len; i++) {
    const struct finding *f = &x->findings.at[i];
    const struct view *v = is_shown || f->is_warning ? NULL : r->shown;
    if (r->is_quiet) {
      add_finding_line(r, f, out);
      continue;
    }
    add_finding(r, f, v, style, out);
    is_shown |= v != NULL;
    if (v)
      add_execution(r, v, f, style, out);
    else
      str_add(out, "\n");
  }
  struct str head = {0};
  add_verdict_head(r, &head);
  add_colored(out, style, verdict_color(x), str_text(&head));
  str_done(&head);
  str_add(out, "%s", verdict_joint(x));
  add_counts(r, out);
  str_add(out, "\n");
  notes_text(r, out);
  if (r->stats)
    add_stats(r, out);
}
