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
    return report["executions"], report["stats"]


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


@tap.test
def a_stronger_load_is_named():
    executions, numbers = stats(["-DLINK=", "-DLOAD=memory_order_acquire"])
    (loop,) = numbers["retries_explored"]
    assert executions > 6, executions
    assert loop["why"] == "order", loop
    assert loop["because_of"]["line"] == line_of("LOAD"), loop


@tap.test
def all_rounds_are_explored_on_request():
    executions, numbers = stats(["-DLINK=", RELAXED], "--explore-retries")
    assert executions == 48, executions
    assert numbers["retries_left_out"] == 0


if __name__ == "__main__":
    tap.main(sys.argv[2:])
