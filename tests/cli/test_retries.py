#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What --stats says about loops that try again: tests/cli/test_retries.py HEDDLE."""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
import tap

HEDDLE = sys.argv[1]

PUSH = """
#include <pthread.h>
#include <stdatomic.h>
static struct node { struct node *LINK next; } nodes[3];
static struct node *_Atomic top;
static void *push(void *arg) {
  struct node *mine = arg;
  struct node *old = atomic_load_explicit(&top, LOAD);
  do
    mine->next = old; // the store
  while (!atomic_compare_exchange_strong_explicit(
      &top, &old, mine, memory_order_release, memory_order_relaxed)); // the end
  return NULL;
}
int main(void) {
  pthread_t ids[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&ids[i], NULL, push, &nodes[i]);
  for (int i = 0; i < 3; i++)
    pthread_join(ids[i], NULL);
}
"""


def line_of(text):
    return next(i for i, line in enumerate(PUSH.split("\n"), 1) if text in line)


def check(flags, *args):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "push.c"
        path.write_text(PUSH)
        done = subprocess.run([HEDDLE, "check", *args, str(path), "--", *flags],
                              capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def stats(flags, *args):
    report = json.loads(check(flags, "--json", "--stats", *args))
    return report["stands_for"], report["stats"]  # the threads are equal


RELAXED = "-DLOAD=memory_order_relaxed"


@tap.test
def failed_rounds_are_left_out_and_counted():
    for jobs in ["1", "2"]:
        executions, numbers = stats(["-DLINK=", RELAXED], "--jobs", jobs)
        assert executions == 6, executions
        assert numbers["retries_left_out"] > 0
        assert numbers["retries_explored"] == []


@tap.test
def a_trace_is_named():
    executions, numbers = stats(["-DLINK=_Atomic", RELAXED])
    (loop,) = numbers["retries_explored"]
    assert executions == 48, executions
    assert loop["why"] == "trace", loop
    assert loop["because_of"]["line"] == line_of("the store"), loop
    text = check(["-DLINK=_Atomic", RELAXED], "--stats")
    assert "they leave a trace (" in text, text


ROOT = Path(__file__).parent.parent.parent


@tap.test
def a_store_that_a_text_lets_others_see_is_a_trace():
    seen = ROOT / "tests/programs/awaits/store_seen.c"
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "no-races.cat"
        model.write_text((ROOT / "models/rc11.cat").read_text() +
                         "\nflag ~empty 0 as data-race\n")
        done = subprocess.run([HEDDLE, "check", "--model", model, seen],
                              capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "[assertion]" in done.stdout, done.stdout


@tap.test
def a_stronger_load_is_named():
    executions, numbers = stats(["-DLINK=", "-DLOAD=memory_order_acquire"])
    (loop,) = numbers["retries_explored"]
    assert executions > 6, executions
    assert loop["why"] == "order", loop
    assert loop["because_of"]["line"] == line_of("LOAD"), loop


WAIT = """
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag, out;
static void *wait(void *unused) {
  int rounds = 0;
  while (!atomic_load(&flag) MORE)
    CHANGE; // the change
  atomic_store(&out, rounds);
  return unused;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, NULL, wait, NULL);
  atomic_store(&flag, 1);
  pthread_join(id, NULL);
}
"""
CHANGED_AT = next(i for i, line in enumerate(WAIT.split("\n"), 1)
                  if "the change" in line)


def wait(change, more, *args, code=0):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "wait.c"
        path.write_text(WAIT)
        done = subprocess.run(
            [HEDDLE, "check", *args, str(path), "--", f"-DCHANGE={change}",
             f"-DMORE={more}"], capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


@tap.test
def a_count_that_is_asked_for_is_named():
    for jobs in ["1", "2"]:
        report = json.loads(wait("rounds++", "&& rounds < 3", "--json",
                                 "--stats", "--jobs", jobs))
        (loop,) = report["stats"]["retries_explored"]
        assert loop["why"] == "private", loop
        assert loop["because_of"]["line"] == CHANGED_AT, loop
    text = wait("rounds++", "&& rounds < 3", "--stats")
    assert f"wait.c:{CHANGED_AT} is needed later. --unroll N" in text, text


@tap.test
def a_loop_that_writes_is_named():
    report = json.loads(wait("out++", "&& out < 2", "--json", "--stats"))
    (loop,) = report["stats"]["retries_explored"]
    assert loop["why"] == "trace", loop
    assert loop["because_of"]["line"] == CHANGED_AT, loop


@tap.test
def a_loop_with_the_rounds_that_it_says_is_not_named():
    report = json.loads(wait("for (int i = 0; i < 3; i++) out = i", "&& 0",
                             "--json", "--stats"))
    assert report["stats"]["retries_explored"] == [], report["stats"]


@tap.test
def a_loop_without_end_is_named_with_what_helps():
    for change, reason in (("rounds++", "changes what its thread knows"),
                           ("out++", "changes something (")):
        text = wait(change, "", "--max-events", "200", code=3)
        assert "which does not only wait" in text and reason in text, text
        assert f"wait.c:{CHANGED_AT - 1}), which does not" in text, text
        assert f":{CHANGED_AT})" in text and "--unroll N" in text, text


# Each round tells others where it is, and takes that back; and its
# compare-exchange may fail for no reason.
HAZARD = """
#include <pthread.h>
#include <stdatomic.h>
static atomic_int hazard, top;
static void *look(void *unused) { return atomic_load(&hazard) ? unused : 0; }
int main(void) {
  pthread_t id;
  pthread_create(&id, NULL, look, NULL);
  for (;;) {
    int old = atomic_load(&top);
    atomic_store(&hazard, old + 1);
    _Bool done = TRY(&top, &old, 7);
    atomic_store(&hazard, 0);
    if (done && END)
      break;
  }
  pthread_join(id, NULL);
}
"""


def hazard(attempt, ends, *args, code):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "hazard.c"
        path.write_text(HAZARD)
        done = subprocess.run(
            [HEDDLE, "check", "--max-events", "200", *args, str(path), "--",
             f"-DTRY=atomic_compare_exchange_{attempt}", f"-DEND={ends}"],
            capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


@tap.test
def options_that_end_a_loop_are_named():
    weak, net = "--weak-cas strong leaves out", "--net-effect-awaits takes it"
    text = hazard("weak", "1", code=3)
    assert weak in text and net in text, text
    assert weak not in hazard("strong", "0", code=3)
    assert "No errors" in hazard("weak", "1", "--weak-cas", "strong", code=0)
    assert "No errors" in hazard("weak", "1", "--net-effect-awaits", code=0)


# What a round does is in a function that it calls, and its store changes
# nothing; but another thread looks.
CALLS = """
#include <pthread.h>
#include <stdatomic.h>
static atomic_uint in, out;
static unsigned take(void) {
  unsigned n = atomic_load(&in) - atomic_load(&out);
  unsigned sizes[2] = {n, n}; // memory of its own: it is no part of the loop
  atomic_store(&out, atomic_load(&out) + n); // the store
  return sizes[n % 2];
}
static void *reader(void *unused) {
  for (unsigned n = 0; n < 1;)
    n += take(); // the call
  return unused;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, NULL, reader, NULL);
  if (atomic_load(&out) == 0)
    atomic_store(&in, 1);
  pthread_join(id, NULL);
}
"""


@tap.test
def a_loop_without_end_that_calls_is_named():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "calls.c"
        path.write_text(CALLS)
        done = subprocess.run([HEDDLE, "check", "--max-events", "300",
                               str(path)],
                              capture_output=True, text=True, check=False)
    assert done.returncode == 3, done.stdout + done.stderr
    lines = {name: i for i, line in enumerate(CALLS.split("\n"), 1)
             for name in ("the call", "the store") if name in line}
    assert f"in a loop ({path}:{lines['the call']})" in done.stdout, done.stdout
    assert f"changes something ({path}:{lines['the store']})" in done.stdout
    assert "--unroll N" in done.stdout and "heddle_assume" in done.stdout


@tap.test
def all_rounds_are_explored_on_request():
    executions, numbers = stats(["-DLINK=", RELAXED], "--explore-retries")
    assert executions == 48, executions
    assert numbers["retries_left_out"] == 0


# The store of a failed round lets another thread go on, which is a race, and
# that one writes what the round compares with. Only from there does the search
# come to a round that begins with 3.
PAUSE = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static volatile int told;
static atomic_int top;
static void *wakes(void *arg) {
  while (!told)
    continue;
  atomic_store_explicit(&top, 7, memory_order_relaxed);
  return arg;
}
static void *tries(void *arg) {
  int old = atomic_load_explicit(&top, memory_order_relaxed);
  do
    told = 1;
  while (!atomic_compare_exchange_strong_explicit(
      &top, &old, old + 10, memory_order_relaxed, memory_order_relaxed));
  assert(old != 3);
  return arg;
}
static void *sets(void *arg) {
  atomic_store_explicit(&top, 3, memory_order_relaxed);
  return arg;
}
int main(void) {
  pthread_t ids[3];
  void *(*all[])(void *) = {wakes, tries, sets};
  for (int i = 0; i < 3; i++)
    pthread_create(&ids[i], NULL, all[i], NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(ids[i], NULL);
}
"""


@tap.test
def a_thread_that_pauses_in_its_round_hides_no_error():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pause.c"
        path.write_text(PAUSE)
        for model in "sc", "rc11":
            done = subprocess.run([HEDDLE, "check", "--json", "--all-errors",
                                   "--model", model, str(path)],
                                  capture_output=True, text=True, check=False)
            kinds = {e["kind"] for e in json.loads(done.stdout)["errors"]}
            assert kinds == {"race", "assertion"}, (model, kinds)


if __name__ == "__main__":
    tap.main(sys.argv[2:])
