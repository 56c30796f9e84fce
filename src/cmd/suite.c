// SPDX-License-Identifier: MIT
// Running a suite. Each test is a child process: a program that eats all memory
// or breaks Heddle takes only its own test with it. What the child prints goes
// to a file, its outcome through a pipe; rows are printed in the order of the
// tests, as soon as all before them are known.
//
// Signals are blocked here and waited for together with the ends of children,
// so that none is missed. One that would end Heddle ends the tests that run,
// starts no other, and leaves a summary of what is known. However Heddle ends,
// its children do not outlive it.
//
// The time of --max-wall is shared out as tests start: each has an equal part
// of what is left then, so what one does not need is there for the others. The
// memory of --max-memory is shared by those that run at a time.
#include "cmd/suite.h"
#include "cmd/known.h"
#include "cmd/run.h"

#include "report/json_writer.h"
#include "report/junit.h"
#include "report/report.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

// What a child says, through its pipe.
struct told {
  struct check_outcome outcome;
  struct known_key key; // if has_key
  bool has_key, is_known;
};

struct job {
  pid_t pid;  // 0: not started, -1: over
  int pipe;   // to read the outcome from
  FILE *text; // what it prints
  enum exit_code code;
  struct check_outcome outcome;
  bool is_known; // it passed before, and nothing has changed
  enum case_status status;
  struct str report; // once it is over
  struct str why;    // it did not pass
};

struct running {
  struct suite *suite;
  const struct options *options;
  struct job *jobs; // by test
  uint32_t next;    // the first that was not started
  uint32_t shown;   // rows that are out
  unsigned active;
  sigset_t stop, usual; // signals that stop the suite; the mask of before
  int signal;           // that has done so, or 0
  double start;         // by the clock
  struct str out;
  bool is_plain; // the table is what the report is
};

// -- time

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static unsigned at_a_time(const struct options *o) {
  uint64_t n = o->jobs ? o->jobs : (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
  return n < 256 ? (unsigned)n : 256;
}

// What the next test may take, 0: as long as it wants. It is never nothing: a
// test that is over before it began would not say so.
static double share_of_next(const struct running *r) {
  static const double least = 0.01;
  double own = r->suite->tests.at[r->next].options.max_wall;
  if (r->options->max_wall <= 0)
    return own;
  unsigned left = r->suite->tests.len - r->next, most = at_a_time(r->options);
  double share = (r->start + r->options->max_wall - now()) *
                 (most < left ? most : left) / left;
  if (own > 0 && own < share)
    share = own;
  return share > least ? share : least;
}

// Of the memory of all, in MiB; 0: it is not limited.
static uint64_t memory_of_next(const struct running *r) {
  uint64_t own = r->suite->tests.at[r->next].options.max_memory;
  uint64_t all = r->options->max_memory;
  unsigned most = at_a_time(r->options);
  if (!all)
    return own;
  if (most > r->suite->tests.len)
    most = r->suite->tests.len;
  uint64_t share = all > most ? all / most : 1;
  return own && own < share ? own : share;
}

// -- children

static bool is_as_expected(const struct expectation *e,
                           const struct check_outcome *o) {
  return o->verdict == e->verdict &&
         (e->kind == FIND_COUNT || o->errors[e->kind]) &&
         (!e->has_count || o->executions == e->executions);
}

// Checks, unless it is known that what is expected comes out.
static enum exit_code check_test(const struct running *r,
                                 const struct suite_test *t, struct told *ret) {
  struct options o = t->options;
  ret->has_key = r->options->changed && known_key_of(&o, &ret->key);
  ret->is_known = ret->has_key && known_find(ret->key, &ret->outcome) &&
                  is_as_expected(&t->expected, &ret->outcome);
  if (ret->is_known)
    return exit_code_of(ret->outcome.verdict);
  ret->outcome = (struct check_outcome){.is_of_suite = true};
  o.max_wall = share_of_next(r);
  o.max_memory = memory_of_next(r);
  return check_program(&o, &ret->outcome);
}

static void be_the_child(const struct running *r, const struct suite_test *t,
                         struct job *j, pid_t parent, int out) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) // it ended before that
    _exit(EXIT_INTERNAL);
  sigprocmask(SIG_SETMASK, &r->usual, NULL);
  dup2(fileno(j->text), STDOUT_FILENO);
  dup2(fileno(j->text), STDERR_FILENO);
  struct told told = {0};
  enum exit_code code = check_test(r, t, &told);
  fflush(NULL);
  bool ok = write(out, &told, sizeof told) == (ssize_t)sizeof told;
  _exit(ok ? (int)code : EXIT_INTERNAL);
}

static bool start(struct running *r, struct diag *why) {
  struct job *j = &r->jobs[r->next];
  int ends[2];
  j->text = tmpfile();
  if (!j->text || pipe2(ends, O_CLOEXEC) != 0)
    return diag_set(why, NULL, 0, "cannot start a test: %s", strerror(errno));
  fflush(NULL);
  pid_t parent = getpid();
  j->pid = fork();
  if (j->pid < 0)
    return diag_set(why, NULL, 0, "cannot start a test: %s", strerror(errno));
  if (j->pid == 0)
    be_the_child(r, &r->suite->tests.at[r->next], j, parent, ends[1]);
  close(ends[1]);
  j->pipe = ends[0];
  r->next++;
  r->active++;
  return true;
}

static void read_report(struct job *j) {
  char part[4096];
  rewind(j->text);
  for (size_t n; (n = fread(part, 1, sizeof part, j->text)) > 0;)
    str_add_bytes(&j->report, part, n);
  fclose(j->text);
}

// -- verdicts

static const char *found_kinds(const struct check_outcome *o, struct str *out) {
  for (unsigned k = 0; k < FIND_COUNT; k++)
    if (o->errors[k])
      str_add(out, " %s", finding_name((enum finding_kind)k));
  return str_text(out);
}

// No verdict, because a signal came before it: not even an expected one, that
// it is incomplete.
static bool is_cut_short(const struct running *r, const struct job *j) {
  return j->outcome.has_verdict ? j->outcome.is_interrupted &&
                                      j->outcome.verdict == VERDICT_INCOMPLETE
                                : r->signal != 0;
}

static void cut_short(const struct running *r, struct job *j) {
  j->outcome.has_verdict = false;
  j->status = CASE_SKIPPED;
  str_add(&j->why, "not finished: interrupted%s%s", r->signal ? " by SIG" : "",
          r->signal ? sigabbrev_np(r->signal) : "");
}

static void judge(const struct suite_test *t, struct job *j) {
  struct str kinds = {0};
  if (!j->outcome.has_verdict) {
    j->status = CASE_ERROR;
    str_add(&j->why, j->code == EXIT_BAD_INPUT    ? "it cannot be checked"
                     : j->code == EXIT_INCOMPLETE ? "out of memory"
                     : j->code == EXIT_FINDING ? "out of memory, after an error"
                                               : "the check broke off");
  } else if (is_as_expected(&t->expected, &j->outcome)) {
    j->status = CASE_PASSED;
  } else {
    bool is_cut = j->outcome.verdict == VERDICT_INCOMPLETE;
    j->status = is_cut ? CASE_ERROR : CASE_FAILED;
    str_add(&j->why, "expected ");
    expectation_text(&t->expected, &j->why);
    str_add(&j->why, ", but %s%s", verdict_name(j->outcome.verdict),
            found_kinds(&j->outcome, &kinds));
    if (t->expected.has_count)
      str_add(&j->why, " with %llu executions",
              (unsigned long long)j->outcome.executions);
    if (j->outcome.message[0])
      str_add(&j->why, ": %s", j->outcome.message);
  }
  str_done(&kinds);
}

static void finish(struct running *r, uint32_t test, int status) {
  struct job *j = &r->jobs[test];
  struct told told = {0};
  bool is_whole = read(j->pipe, &told, sizeof told) == sizeof told;
  close(j->pipe);
  j->outcome = told.outcome;
  j->is_known = is_whole && told.is_known;
  j->pid = -1;
  j->code =
      WIFEXITED(status) ? (enum exit_code)WEXITSTATUS(status) : EXIT_INTERNAL;
  j->outcome.has_verdict &= is_whole;
  read_report(j);
  if (is_cut_short(r, j))
    cut_short(r, j);
  else
    judge(&r->suite->tests.at[test], j);
  if (is_whole && told.has_key && !told.is_known && j->status == CASE_PASSED)
    known_keep(told.key, &j->outcome);
  r->active--;
}

// -- waiting

static void kill_children(const struct running *r, int sig) {
  for (uint32_t i = 0; i < r->next; i++)
    if (r->jobs[i].pid > 0)
      kill(r->jobs[i].pid, sig);
}

static void watch_signals(struct running *r) {
  sigset_t all;
  struct sigaction usual = {.sa_handler = SIG_DFL};
  sigaction(SIGCHLD, &usual, NULL); // our parent may ignore it
  run_stop_signals(&r->stop);
  all = r->stop;
  sigaddset(&all, SIGCHLD);
  sigprocmask(SIG_BLOCK, &all, &r->usual);
}

// What runs is asked to end, and the next signal kills as usual.
static void stop_all(struct running *r, int sig) {
  r->signal = sig;
  kill_children(r, SIGTERM);
  sigprocmask(SIG_UNBLOCK, &r->stop, NULL);
  sigemptyset(&r->stop);
}

// Until a child has ended or a signal wants to stop the suite. A child that was
// asked to end has some time for it.
static void wait_for_signal(struct running *r) {
  static const struct timespec patience = {.tv_sec = 2};
  sigset_t all = r->stop;
  sigaddset(&all, SIGCHLD);
  int sig = sigtimedwait(&all, NULL, r->signal ? &patience : NULL);
  if (sig > 0 && sig != SIGCHLD)
    stop_all(r, sig);
  else if (sig < 0 && errno == EAGAIN)
    kill_children(r, SIGKILL);
}

// From now on a signal is noticed and no more; a second one kills as usual.
static void ignore_signals(const struct running *r) {
  run_catch_signals();
  sigprocmask(SIG_SETMASK, &r->usual, NULL);
}

// Waits for one child and notes what came out.
static bool wait_for_one(struct running *r, struct diag *why) {
  int status;
  pid_t pid;
  while ((pid = waitpid(-1, &status, WNOHANG)) == 0)
    wait_for_signal(r);
  if (pid < 0)
    return diag_set(why, NULL, 0, "a test is lost: %s", strerror(errno));
  for (uint32_t i = 0; i < r->next; i++)
    if (r->jobs[i].pid == pid)
      finish(r, i, status);
  return true;
}

// -- the table

static const char *word_of(const struct job *j) {
  static const char *const words[] = {"ok", "FAIL", "ERROR", "-"};
  ONE_FOR_EACH(words, CASE_STATUSES);
  return words[j->status];
}

static unsigned name_width(const struct suite *s) {
  unsigned most = 0;
  for (uint32_t i = 0; i < s->tests.len; i++) {
    unsigned n = (unsigned)strlen(s->tests.at[i].name);
    most = n > most ? n : most;
  }
  return most;
}

static void show_row(struct running *r, uint32_t test) {
  const struct suite_test *t = &r->suite->tests.at[test];
  const struct job *j = &r->jobs[test];
  if (j->status == CASE_SKIPPED ||
      (r->options->quiet && j->status == CASE_PASSED))
    return;
  str_add(&r->out, "%-5s  %-*s  %-5s  ", word_of(j), (int)name_width(r->suite),
          t->name, t->options.model);
  if (j->status != CASE_PASSED) {
    str_add(&r->out, "%s\n", str_text(&j->why));
    return;
  }
  str_add(&r->out, "%s", verdict_name(j->outcome.verdict));
  if (j->outcome.verdict == VERDICT_ERROR) {
    struct str kinds = {0};
    str_add(&r->out, "%s as expected", found_kinds(&j->outcome, &kinds));
    str_done(&kinds);
  }
  str_add(&r->out, ", %llu execution%s",
          (unsigned long long)j->outcome.executions,
          j->outcome.executions == 1 ? "" : "s");
  if (j->is_known)
    str_add(&r->out, ", unchanged");
  else
    str_add(&r->out, ", %.2f s", j->outcome.seconds);
  str_add(&r->out, "%s%s\n", j->outcome.left_waiting[0] ? "; " : "",
          j->outcome.left_waiting);
}

static void show_rows(struct running *r, FILE *out) {
  for (; r->shown < r->next && r->jobs[r->shown].pid == -1; r->shown++)
    if (r->is_plain)
      show_row(r, r->shown);
  if (out == stdout) {
    fputs(str_text(&r->out), out);
    fflush(out);
    str_clear(&r->out);
  }
}

// -- what needs attention

// The worst first: Heddle broke, a verdict is wrong (an error that is not found
// any more before one that is new: the check itself may have lost its sense),
// it cannot be checked, a limit was hit, it was not finished.
static unsigned rank(const struct running *r, uint32_t test) {
  const struct job *j = &r->jobs[test];
  switch (j->status) {
  case CASE_PASSED:
    return 6;
  case CASE_SKIPPED:
    return 5;
  case CASE_FAILED:
    return r->suite->tests.at[test].expected.verdict == VERDICT_ERROR ? 1 : 2;
  case CASE_ERROR:
  case CASE_STATUSES:
    return j->code == EXIT_BAD_INPUT ? 3 : j->code == EXIT_INCOMPLETE ? 4 : 0;
  }
  return 0;
}

// The tests that were started and did not pass, the worst first.
static uint32_t *worst_first(const struct running *r, uint32_t *n) {
  uint32_t *order = xcalloc(r->suite->tests.len, sizeof *order);
  *n = 0;
  for (unsigned k = 0; k < 5; k++)
    for (uint32_t i = 0; i < r->suite->tests.len; i++)
      if (rank(r, i) == k)
        order[(*n)++] = i;
  return order;
}

// Their reports, and then the list again, where it is seen.
static void show_failures(struct running *r) {
  uint32_t n, *order = worst_first(r, &n);
  for (uint32_t i = 0; i < n && !r->options->quiet; i++)
    str_add(&r->out, "\n-- %s, %s\n%s", r->suite->tests.at[order[i]].name,
            r->suite->tests.at[order[i]].options.model,
            str_text(&r->jobs[order[i]].report));
  if (n && !r->options->quiet && r->suite->tests.len > 1)
    str_add(&r->out, "\nWhat needs attention, the worst first:\n");
  for (uint32_t i = 0; i < n && !r->options->quiet && r->suite->tests.len > 1;
       i++)
    show_row(r, order[i]);
  free(order);
}

static void count(const struct running *r, uint32_t *ret) {
  memset(ret, 0, CASE_STATUSES * sizeof *ret);
  for (uint32_t i = 0; i < r->suite->tests.len; i++)
    ret[r->jobs[i].status]++;
}

static void show_sum(struct running *r) {
  uint32_t n[CASE_STATUSES];
  count(r, n);
  str_add(&r->out, "\n%u test%s: %u passed, %u failed", r->suite->tests.len,
          r->suite->tests.len == 1 ? "" : "s", n[CASE_PASSED], n[CASE_FAILED]);
  if (n[CASE_ERROR])
    str_add(&r->out, ", %u without a verdict", n[CASE_ERROR]);
  uint32_t known = 0;
  for (uint32_t i = 0; i < r->suite->tests.len; i++)
    known += r->jobs[i].is_known;
  if (known)
    str_add(&r->out, ", %u unchanged", known);
  if (n[CASE_SKIPPED])
    str_add(&r->out, ", %u not finished", n[CASE_SKIPPED]);
  if (r->signal)
    str_add(&r->out, " (interrupted by SIG%s)", sigabbrev_np(r->signal));
  str_add(&r->out, "\n");
  unsigned supposed = 0;
  for (uint32_t i = 0; i < r->suite->tests.len; i++)
    supposed |= r->jobs[i].outcome.supposed;
  supposed_text(supposed, &r->out);
  if (r->suite->without)
    str_add(&r->out, "%u file%s without a '// heddle:' line left out\n",
            r->suite->without, r->suite->without == 1 ? "" : "s");
}

// -- other reports

static void add_json_test(struct json *j, const struct suite_test *t,
                          const struct job *job) {
  struct str expected = {0};
  expectation_text(&t->expected, &expected);
  json_open(j, NULL, '{');
  json_text(j, "file", t->file);
  json_text(j, "name", t->name);
  json_text(j, "model", t->options.model);
  json_bool(j, "passed", job->status == CASE_PASSED);
  json_bool(j, "unchanged", job->is_known);
  json_text(j, "expected", str_text(&expected));
  if (job->outcome.has_verdict)
    json_text(j, "verdict", verdict_name(job->outcome.verdict));
  else
    json_null(j, "verdict");
  json_open(j, "kinds", '[');
  for (unsigned k = 0; k < FIND_COUNT; k++)
    if (job->outcome.errors[k])
      json_text(j, NULL, finding_name((enum finding_kind)k));
  json_close(j, ']');
  json_number(j, "executions", job->outcome.executions);
  json_number(j, "blocked", job->outcome.blocked);
  json_seconds(j, "seconds", job->outcome.seconds);
  json_text(j, "message", str_text(&job->why));
  json_text(j, "left_waiting", job->outcome.left_waiting);
  supposed_json(job->outcome.supposed, j);
  json_close(j, '}');
  str_done(&expected);
}

static void make_json(struct running *r) {
  struct json j = {.out = &r->out};
  json_open(&j, NULL, '{');
  json_text(&j, "version", HEDDLE_VERSION);
  json_bool(&j, "interrupted", r->signal != 0);
  json_open(&j, "tests", '[');
  for (uint32_t i = 0; i < r->suite->tests.len; i++)
    add_json_test(&j, &r->suite->tests.at[i], &r->jobs[i]);
  json_close(&j, ']');
  json_close(&j, '}');
  str_add(&r->out, "\n");
}

static bool write_junit(const struct running *r, FILE *out, struct diag *why) {
  uint32_t n = r->suite->tests.len;
  struct test_case *cases = xcalloc(n + 1, sizeof *cases);
  for (uint32_t i = 0; i < n; i++)
    cases[i] = (struct test_case){.name = r->suite->tests.at[i].name,
                                  .suite = r->suite->tests.at[i].options.model,
                                  .status = r->jobs[i].status,
                                  .seconds = r->jobs[i].outcome.seconds,
                                  .message = str_text(&r->jobs[i].why),
                                  .supposed = r->jobs[i].outcome.supposed,
                                  .detail = str_text(&r->jobs[i].report)};
  struct str text = {0};
  report_junit(cases, n, &text);
  bool ok = finish_output(out, r->options->junit, &text, why);
  str_done(&text);
  free(cases);
  return ok;
}

// -- the whole

// A broken Heddle is worst, then a wrong verdict, bad input, a limit.
static enum exit_code code_of(const struct running *r) {
  static const enum exit_code by_rank[] = {
      EXIT_OK, EXIT_INCOMPLETE, EXIT_BAD_INPUT, EXIT_FINDING, EXIT_INTERNAL};
  unsigned worst = 0;
  for (uint32_t i = 0; i < r->suite->tests.len; i++) {
    const struct job *j = &r->jobs[i];
    enum exit_code code = j->status == CASE_PASSED     ? EXIT_OK
                          : j->status == CASE_FAILED   ? EXIT_FINDING
                          : j->status == CASE_SKIPPED  ? EXIT_INCOMPLETE
                          : j->code == EXIT_BAD_INPUT  ? EXIT_BAD_INPUT
                          : j->code == EXIT_INCOMPLETE ? EXIT_INCOMPLETE
                                                       : EXIT_INTERNAL;
    unsigned rank = 0;
    while (by_rank[rank] != code)
      rank++;
    worst = rank > worst ? rank : worst;
  }
  return by_rank[worst];
}

static void leave_out_rest(struct running *r) {
  for (; r->next < r->suite->tests.len; r->next++) {
    r->jobs[r->next].pid = -1;
    cut_short(r, &r->jobs[r->next]);
  }
}

static bool run_all(struct running *r, FILE *out, struct diag *why) {
  unsigned most = at_a_time(r->options);
  while (r->shown < r->suite->tests.len) {
    while (r->next < r->suite->tests.len && r->active < most && !r->signal)
      if (!start(r, why))
        return false;
    if (r->active && !wait_for_one(r, why))
      return false;
    if (r->signal && !r->active)
      leave_out_rest(r);
    show_rows(r, out);
  }
  return true;
}

static void add_summary(struct running *r) {
  bool is_json = r->options->json || r->options->format == FORMAT_JSON;
  if (is_json) {
    make_json(r);
    return;
  }
  show_failures(r);
  show_sum(r);
}

enum exit_code suite_run(struct suite *s, const struct options *o) {
  struct running r = {.suite = s, .options = o};
  struct diag why;
  FILE *out, *junit;
  r.is_plain = !o->json && o->format != FORMAT_JSON;
  if (!s->tests.len) {
    diag_set(&why, NULL, 0, "there is no test in what was given");
    diag_hint(&why, "a test is a C or C++ file with a line such as '// heddle: "
                    "--model rc11 expect ok'");
    return bad_input(&why);
  }
  if (!outputs_spare_sources(o, &why) ||
      (o->junit && !open_output(o->junit, &junit, &why)) ||
      !open_output(o->output, &out, &why))
    return bad_input(&why);
  r.jobs = xcalloc(s->tests.len, sizeof *r.jobs);
  r.start = now();
  watch_signals(&r);
  bool ok = run_all(&r, out, &why);
  if (ok)
    add_summary(&r);
  else
    kill_children(&r, SIGKILL);
  ignore_signals(&r);
  ok = ok && finish_output(out, o->output, &r.out, &why) &&
       (!o->junit || write_junit(&r, junit, &why));
  enum exit_code code = ok ? code_of(&r) : bad_input(&why);
  for (uint32_t i = 0; i < s->tests.len; i++) {
    str_done(&r.jobs[i].report);
    str_done(&r.jobs[i].why);
  }
  free(r.jobs);
  str_done(&r.out);
  return code;
}
