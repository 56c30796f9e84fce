#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the smallest check costs, with slack for a busy machine.

The goals are 40 ms of CPU when clang has to run, 4 ms when the bitcode is
cached, 20 MB resident, and 50 ms beyond the compile for a thread of 4,000
loads. Each is measured as the best of several runs and printed; a test fails
only when the best is twice the goal.

    tests/cli/test_floors.py build/heddle
"""
import json
import os
import resource
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap
from heddle import HEDDLE, MP, WORK, write
from tap import test

SLACK = 2.0
CACHE = {**os.environ, "HEDDLE_CACHE": str(WORK / "cache")}
LOADS = """\
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

static void *thread(void *unused) {
  for (int i = 0; i < 4000; i++)
    atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t id;
  return pthread_create(&id, 0, thread, 0);
}
"""


def cpu_seconds(command):
    """CPU time of a command and its children, and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = subprocess.run(command, capture_output=True, text=True, env=CACHE)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert result.returncode in (0, 1), result.stderr
    return (after.ru_utime - before.ru_utime + after.ru_stime
            - before.ru_stime), json.loads(result.stdout)


def best(command, runs):
    return min(cpu_seconds(command)[0] for _ in range(runs))


def floor(what, measured, goal, unit):
    print(f"# {what}: {measured:.1f} {unit}, goal {goal} {unit}")
    assert measured <= goal * SLACK, f"{measured:.1f} {unit} > {goal} {unit}"


@test
def cold_check():
    command = [HEDDLE, "check", "--json", "--no-cache", write("mp.c", MP)]
    floor("litmus test, cold", 1000 * best(command, 10), 40, "ms")


@test
def warm_check():
    command = [HEDDLE, "check", "--json", write("mp.c", MP)]
    best(command, 1)
    floor("litmus test, warm", 1000 * best(command, 30), 4, "ms")


@test
def resident_memory():
    command = [HEDDLE, "check", "--json", write("mp.c", MP)]
    used = min(cpu_seconds(command)[1]["max_rss_kb"] for _ in range(3))
    floor("litmus test, resident", used / 1024, 20, "MB")


@test
def long_thread():
    command = [HEDDLE, "check", "--json", write("loads.c", LOADS)]
    answer = cpu_seconds(command)[1]
    assert answer["executions"] == 1, answer
    floor("4,000 loads, warm", 1000 * best(command, 10), 50, "ms")


tap.main()
