#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What commands print with --json is as docs/schema says.

    tests/cli/test_schema.py build/heddle [WORD]
"""
import json
import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap
from heddle import EMPTY_MAIN, MP, heddle, write
from schema import FOLDER, fits
from tap import test

ROOT = Path(__file__).resolve().parent.parent.parent
EXAMPLES = ROOT / "examples"
LOOP = """\
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
static void *f(void *p) {
  while (!atomic_load(&x))
    ;
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  return atomic_load(&y);
}
"""
# With one store each, 24! executions, more than 64 bits hold. With ADDS nearly
# all options of a step lead nowhere: a sweep meets no execution.
MANY = """\
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
static void *store(void *n) {
  atomic_store_explicit(&x, (long)n, memory_order_relaxed);
  for (int i = 0; i < ADDS; i++)
    atomic_fetch_add(&x, 1 + (long)n);
  return n;
}
int main(void) {
  pthread_t t;
  for (long i = 0; i < 24; i++)
    pthread_create(&t, 0, store, (void *)i);
  return 0;
}
"""


def printed(*args, code=None):
    return json.loads(heddle(args[0], "--json", *args[1:], code=code).stdout)


def example(name):
    return str(EXAMPLES / name)


@test
def of_check():
    mp = write("mp.c", MP)
    fits(printed("check", mp, code=1), "check")
    fits(printed("check", "--stats", "--all-errors", mp, code=1), "check")
    fits(printed("check", "--model", "armv8", mp, code=1), "check")
    fits(printed("check", "--model", "xmm", "--stats", mp, code=1), "check")
    fits(printed("check", "--note-non-sc", write("e.c", EMPTY_MAIN), code=0),
         "check")
    fits(printed("check", write("w.c", LOOP)), "check")
    for name in ("lock-order.c", "use-after-free.c", "dekker-acquire.c",
                 "spin-lock-relaxed.c", "double-checked.c"):
        fits(printed("check", "--warn", "leak", example(name)), "check")


@test
def of_check_with_limits_and_retries():
    fits(printed("check", "--max-executions", "1", "--disable", "assertion",
                 write("mp.c", MP), code=3), "check")
    fits(printed("check", "--stats", example("treiber-stack.c")), "check")


@test
def of_a_long_check_and_of_estimate():
    many = (str(ROOT / "tests/programs/counts/writers.c"), "--", "-DREADER=0")
    right = 87178291200  # 14!
    long = printed("check", "--max-wall", "2.5", *many, "-DW=14", code=3)
    fits(long, "check")
    assert abs(long["estimate"]["executions"] / right - 1) < 0.01, long
    guess = printed("estimate", "--max-wall", "2", *many, "-DW=14", code=0)
    fits(guess, "estimate")
    assert abs(guess["executions"] / right - 1) < 0.01, guess
    assert not guess["is_exact"] and guess["seconds"] > 60, guess
    path = write("many.c", MANY)
    guess = printed("estimate", "--max-wall", "2", path, "--", "-DADDS=0",
                    code=0)
    fits(guess, "estimate")
    assert abs(guess["executions"] / math.factorial(24) - 1) < 0.01, guess
    none = printed("estimate", "--max-wall", "3", path, "--", "-DADDS=700",
                   code=0)
    fits(none, "estimate")
    assert none["executions"] is None and none["seconds"] is None, none
    text = heddle("estimate", "--max-wall", "3", path, "--", "-DADDS=700",
                  code=0).stdout
    assert "Nothing can be said yet" in text, text
    exact = printed("estimate", *many, "-DW=4", code=0)
    fits(exact, "estimate")
    assert exact["is_exact"] and exact["executions"] == 24, exact
    assert printed("estimate", write("mp.c", MP), code=0)["has_error"]


@test
def of_a_sample():
    ainc = (str(ROOT / "tests/programs/counts/ainc.c"), "--")
    fits(printed("check", "--sample", "100", *ainc, "-DN=7", code=3), "check")


@test
def of_test():
    path = write("t.c", "// heddle: expect error\n// heddle: -DX nope.c\n" + MP)
    report = printed("test", path)
    fits(report, "test")
    assert {t["verdict"] for t in report["tests"]} == {"error", None}, report


@test
def of_explore():
    fits(printed("explore", write("mp.c", MP)), "explore")
    fits(printed("explore", write("w.c", LOOP)), "explore")
    report = printed("explore", "--reads", write("mp.c", MP))
    fits(report, "explore")
    flag, data = report["reads"]
    assert [v["from"] and v["from"]["line"] for v in data["values"]] == [
        8, None], data
    assert (flag["line"], data["line"], data["order"]) == (16, 17, "rlx")


@test
def of_compare():
    fits(printed("compare", write("mp.c", MP)), "compare")


@test
def of_why():
    text = MP.replace("assert(", "(void)(")
    path = write("why.c", text)
    fits(printed("why", "data == 0", path), "why")
    report = printed("why", "--model", "sc", "r == 1 && s == 0",
                     write("o.c", OBSERVED))
    fits(report, "why")
    assert report["answer"] == "no" and report["cycle"], report


OBSERVED = MP.replace("if (atomic_load_explicit(&flag, memory_order_relaxed))",
                      "int r = atomic_load_explicit(&flag, "
                      "memory_order_relaxed);\n  int s = "
                      "atomic_load_explicit(&data, memory_order_relaxed);\n"
                      "  heddle_observe(r); heddle_observe(s);\n  if (0)")
OBSERVED = "#include <heddle.h>\n" + OBSERVED


@test
def of_optimize():
    fits(printed("optimize", example("mp-ok.c")), "optimize")
    fits(printed("optimize", "--check-only", example("mp-ok.c")), "optimize")
    fits(printed("optimize", "--repair", example("mp-relaxed.c")), "optimize")
    wrong = printed("optimize", example("mp-relaxed.c"))
    fits(wrong, "optimize")
    assert "failure" in wrong, wrong


@test
def of_litmus():
    lines = heddle("litmus", "--json", "--why", str(EXAMPLES / "litmus"),
                   write("bad.litmus", "AArch64 bad\n{ oops")).stdout
    answers = [json.loads(line) for line in lines.splitlines()]
    assert len(answers) == 5, lines
    for answer in answers:
        fits(answer, "litmus")
    assert any("cycle" in a for a in answers), lines
    assert any("error" in a for a in answers), lines


@test
def a_schema_notices():
    """What is missing, of another type or not described."""
    report = printed("check", write("e.c", EMPTY_MAIN), code=0)
    for change in ({"executions": "1"}, {"verdict": "fine"}, {"new": 1},
                   {"errors": [{}]}, {"limit": 3}):
        try:
            fits({**report, **change}, "check")
        except AssertionError:
            continue
        raise AssertionError(f"{change} was not noticed")


@test
def each_schema_is_used():
    text = Path(__file__).read_text()
    for path in FOLDER.glob("*.schema.json"):
        assert f'"{path.name.split(".")[0]}")' in text, path


if __name__ == "__main__":
    tap.main(sys.argv[2:])
