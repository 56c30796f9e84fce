#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the last line, the exit code and the JSON report say about how much was
explored: never more than was.

    tests/cli/test_verdicts.py build/heddle [WORD]
"""
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap
from heddle import HEDDLE, check_json, check_source, heddle, says, write
from tap import test


LOOP = """\
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
atomic_int x, y;
static void *count(void *unused) {
  for (int i = 0; i < 5; i++)
    atomic_fetch_add(&x, 1);
  return unused;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, NULL, count, NULL);
  pthread_join(id, NULL);
  return 0;
}
"""


@test
def vacuous_is_incomplete():
    text = ("#include <heddle.h>\nint main(void) {\n"
            "  heddle_assume(0);\n  return 0;\n}\n")
    assert "Incomplete (vacuous)" in check_source(text, code=3).stdout
    assert check_json(text)["limit"] == "vacuous"


@test
def an_error_is_not_vacuous():
    text = "#include <assert.h>\nint main(void) { assert(0); }\n"
    answer = check_json(text, code=1)
    assert answer["verdict"] == "error" and answer["limit"] is None, answer


@test
def cut_loops_are_incomplete():
    answer = check_json(LOOP, "--unroll", "2", code=3)
    assert answer["limit"] == "--unroll" and answer["cuts"] == 1, answer
    check_source(LOOP, "--unroll", "5", code=0)
    # exit() by another thread does not hide the cut.
    text = LOOP.replace("pthread_join(id, NULL)", "exit(0)").replace(
        "#include <stddef.h>", "#include <stdlib.h>")
    check_source(text, "--unroll", "2", code=3)
    check_source(text, "--unroll", "2", "--jobs", "3", code=3)


@test
def read_bound_is_named_in_json():
    text = ("#include <pthread.h>\n#include <stdatomic.h>\n"
            "#include <stddef.h>\natomic_int f;\n"
            "static void *wait(void *p) {\n  int n = 0;\n"
            "  while (!atomic_load(&f)) n++;\n  return n < 9 ? p : &f;\n}\n"
            "int main(void) {\n  pthread_t t;\n"
            "  pthread_create(&t, NULL, wait, NULL);\n"
            "  atomic_store(&f, 1);\n  pthread_join(t, NULL);\n}\n")
    answer = check_json(text, "--read-bound", "2", code=3)
    assert answer["limit"] == "--read-bound", answer


PROMISE = r"""
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
#define LOAD(v) atomic_load_explicit(&v, memory_order_relaxed)
#define STORE(v, n) atomic_store_explicit(&v, n, memory_order_relaxed)
static void *other(void *arg) {
  if (REAL)
    STORE(x, LOAD(y) * 7);
  else if (LOAD(y) && LOAD(x) == 5)
    STORE(x, 7);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, other, NULL);
  int r = LOAD(x);
  int sum = r + (INT_MAX - 6);
  (void)sum;
  if (!REAL)
    STORE(x, 5);
  STORE(y, 1);
  pthread_join(t, NULL);
  return 0;
}
"""


@test
def values_that_were_only_tried_warn_of_nothing():
    # 7 comes after 5, which comes after the load; or it is promised to it.
    for model in ("imm", "armv8"):
        for is_real in (False, True):
            answer = check_json(f"#define REAL {int(is_real)}\n" + PROMISE,
                                "--model", model, code=0)
            assert len(answer["warnings"]) == is_real, (model, answer)


@test
def limits_are_named_with_their_option():
    text = ("static int f(int n) { return n ? f(n - 1) + 1 : 0; }\n"
            "int main(void) { return f(2000) != 2000; }\n")
    check_source(text, code=0)  # that many calls are ordinary
    answer = check_json(text, "--max-calls", "1900", code=3)
    assert answer["limit"].startswith("--max-calls"), answer
    assert not answer["errors"], answer
    check_source(text, "--max-calls", "2100", code=0)
    # A call takes 16 bytes of the stack, and there is main.
    answer = check_json(text, "--max-stack", "31", code=3)
    assert answer["limit"].startswith("--max-stack"), answer
    check_source(text, "--max-stack", "32", code=0)


@test
def time_is_up_whatever_a_step_costs():
    # One step of minutes; and many steps, most of which the models judge slowly.
    # (What is computed is needed, or the loop would only pass the time.)
    spin = ("int main(void) {\n  unsigned long i = 0;\n"
            "  while (i != 1ul << 40)\n    i++;\n  return i == 0;\n}\n")
    loads = ("#include <pthread.h>\n#include <stdatomic.h>\n"
             "#include <stddef.h>\natomic_int x;\n"
             "static void *f(void *p) {\n  for (int i = 0; i < 300; i++)\n"
             "    x++;\n  return p;\n}\nint main(void) {\n  pthread_t t;\n"
             "  for (int i = 0; i < 4; i++)\n"
             "    pthread_create(&t, NULL, f, NULL);\n  return 0;\n}\n")
    for text, model in ((spin, "rc11"), (loads, "imm")):
        path = write("long.c", text)
        for limit in ("--max-wall", "--max-time"):
            start = time.monotonic()
            heddle("check", "--model", model, "--max-steps", "0", limit, "0.3",
                   path, code=3)
            assert time.monotonic() - start < 5, (model, limit)
        process = subprocess.Popen(
            [HEDDLE, "check", "--model", model, "--max-steps", "0", path],
            stdout=subprocess.PIPE, text=True)
        time.sleep(1)
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=30)
        assert process.returncode == 3 and "ncomplete" in out, out
        assert time.monotonic() - start < 3, model


@test
def limits_hold_in_the_middle_of_a_step():
    # At the end lkmm asks on which reads a sum depends. Sets of them share what
    # they begin with; sums that go backwards have none of that in common.
    text = """#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *work(void *arg) {
  int seen[N];
  long sum = 0;
  for (int i = 0; i < N; i++)
    seen[i] = atomic_load_explicit(&x, memory_order_acquire);
  for (int i = 0; i < N; i++)
    sum += seen[BACKWARDS ? N - 1 - i : i];
  return (void *)sum;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  atomic_store(&x, 1);
  return pthread_join(t, 0);
}
"""
    path = write("readers.c", text)
    for args, flags, signals, limit in (
            (["--max-time", "0.5"], ["-DN=64000", "-DBACKWARDS=0"], False,
             "time"),
            (["--max-memory", "150"], ["-DN=16000", "-DBACKWARDS=1"], False,
             "memory"),
            ([], ["-DN=64000", "-DBACKWARDS=0"], True, "interrupted")):
        process = subprocess.Popen(
            [HEDDLE, "check", "--json", "--model", "lkmm", *args, path, "--",
             *flags], text=True, stdout=subprocess.PIPE)
        if signals:
            time.sleep(4)
            process.send_signal(signal.SIGTERM)
        out = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = usage.ru_utime + usage.ru_stime
        answer = json.loads(out)
        print(f"# {answer['limit']}, {seconds:.1f} s, "
              f"{answer['max_rss_kb'] >> 10} MiB")
        assert process.returncode == 3 and answer["limit"] == limit, out
        # (Without, minutes, and more than 2 GiB.)
        assert signals or seconds < 8, seconds


@test
def what_main_returns_is_known_although_its_end_is_not_added():
    source = Path(__file__).parent.parent / "programs/verdicts/tail.c"
    for result, failures in (1, 0), (2, 1):  # of 99 and two executions
        answer = json.loads(heddle("check", "--json", str(source), "--",
                                   f"-DP={result}", code=0).stdout)
        assert answer["executions"] == 101, answer
        assert answer["failures"] == failures, answer


@test
def max_steps_names_the_line():
    text = ("int main(void) {\n  unsigned sum = 0;\n"
            "  for (unsigned i = 0; i < 1000000; i++)\n    sum += i;\n"
            "  return sum == 3;\n}\n")
    path = write("count.c", text)
    result = heddle("check", "--max-steps", "5000", path, code=3)
    said = result.stdout + result.stderr
    assert "count.c:3: bound the loop" in said or (
        "count.c:4: bound the loop" in said), said
    # Some million rounds of an honest loop are within the limit.
    heddle("check", write("long.c", text.replace("1000000", "30000000")),
           code=0)


tap.main()
