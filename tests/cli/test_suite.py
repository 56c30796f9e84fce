#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Several programs at once: heddle test, and heddle check --separately.

    tests/cli/test_suite.py build/heddle [WORD...]
"""
import json
import os
import re
import sys
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap
from heddle import EMPTY_MAIN, MP, WORK, heddle, says
from tap import test


def folder(name, **files):
    """A folder of C files; two underscores in a name are a slash."""
    path = WORK / name
    for file, text in files.items():
        target = path / (file.replace("__", "/") + ".c")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    return str(path)


def suite(path, *args, code):
    return json.loads(heddle("test", "--json", *args, path, code=code).stdout)


def rows(report):
    return [(Path(t["file"]).name, t["model"], t["passed"])
            for t in report["tests"]]


@test
def lines_say_what_is_expected():
    path = folder("mixed",
                  a="// heddle: --model rc11 expect error assertion\n"
                    "// heddle: --model sc,tso expect ok\n" + MP,
                  sub__b="  //heddle: expect ok 1\n" + EMPTY_MAIN,
                  part="int helper(void) { return 0; }\n")
    report = suite(path, code=0)
    assert rows(report) == [("a.c", "rc11", True), ("a.c", "sc", True),
                            ("a.c", "tso", True), ("b.c", "rc11", True)]
    first = report["tests"][0]
    assert first["verdict"] == "error" and first["kinds"] == ["assertion"]
    text = heddle("test", path, code=0).stdout
    assert "4 tests: 4 passed, 0 failed" in text, text
    assert "1 file without a '// heddle:' line left out" in text, text


@test
def a_wrong_expectation_fails_and_shows_the_report():
    path = folder("wrong", a="// heddle: expect ok\n" + MP,
                  b="// heddle: expect error race\n" + MP,
                  c="// heddle: expect ok 2\n" + EMPTY_MAIN,
                  d="// heddle: expect error\n" + EMPTY_MAIN,
                  e="// heddle:\n" + EMPTY_MAIN)
    report = suite(path, code=1)
    assert [passed for _, _, passed in rows(report)] == [False] * 4 + [True]
    text = heddle("test", path, code=1).stdout
    for part in ("expected ok, but error assertion: assertion `",
                 "expected error race, but error assertion",
                 "expected ok with 2 executions, but ok with 1 executions",
                 "expected error, but ok", "read data = 0",
                 "5 tests: 1 passed, 4 failed"):
        assert part in text, (part, text)
    quiet = heddle("test", "-q", path, code=1).stdout
    assert "read data = 0" not in quiet and "e.c" not in quiet, quiet


@test
def options_of_lines_and_of_the_command_line():
    path = folder("options",
                  a="// heddle: -DBAD '-DTEXT=\"a b\"' expect error assertion\n"
                    "// heddle: '-DTEXT=\"a b\"' expect ok\n"
                    "#include <assert.h>\n"
                    "#ifdef BAD\n#define GOOD 0\n#else\n#define GOOD 1\n"
                    "#endif\n"
                    "int main(void) { assert(GOOD && sizeof TEXT == 4); }\n")
    suite(path, code=0)
    suite(path, "-DBAD", code=1)


@test
def further_files_stand_beside_the_test():
    path = folder("parts",
                  main="// heddle: helper.c expect error assertion\n"
                       "#include <assert.h>\nint helper(void);\n"
                       "int main(void) { assert(helper()); }\n",
                  helper="int helper(void) { return 0; }\n")
    assert rows(suite(path, code=0)) == [("main.c", "rc11", True)]


@test
def mistakes_in_lines_name_file_and_line():
    for line, words in (
            ("expect good", ["good", "expect ok"]),
            ("expect error raze", ["raze"]),
            ("expect ok many", ["many"]),
            ("expect", ["nothing"]),
            ("--modle sc", ["--modle", "--model"]),
            ("--max-time x", ["--max-time"]),
            ("'-DX expect ok", ["quote"])):
        path = folder("mistakes", a=f"int x;\n// heddle: {line}\n{EMPTY_MAIN}")
        says(heddle("test", path, code=2), "a.c:2:", *words)


@test
def bad_input_is_a_test_without_a_verdict():
    path = folder("bad", a="// heddle: expect ok\nint main(void) { oops; }\n",
                  b="// heddle: --model nope\n" + EMPTY_MAIN,
                  c="// heddle: expect ok\n" + EMPTY_MAIN)
    report = suite(path, code=2)
    assert [passed for _, _, passed in rows(report)] == [False, False, True]
    assert report["tests"][0]["verdict"] is None
    text = heddle("test", path, code=2).stdout
    assert "oops" in text and "2 without a verdict" in text, text


@test
def limits_are_no_verdict_unless_expected():
    loop = ("#include <stdatomic.h>\natomic_int x;\n"
            "int main(void) { for (;;) x++; }\n")
    path = folder("limit", a="// heddle: --max-events 50\n" + loop)
    suite(path, code=3)
    path = folder("limit", a="// heddle: --max-events 50 expect incomplete\n"
                  + loop)
    suite(path, code=0)


@test
def jobs_do_not_change_the_order():
    files = {f"t{i:02}": "// heddle: expect ok\n" + EMPTY_MAIN
             for i in range(12)}
    path = folder("many", **files)
    one, four = suite(path, code=0), suite(path, "-j4", code=0)
    assert rows(one) == rows(four) and len(one["tests"]) == 12


@test
def several_lines_of_a_file_have_several_names():
    path = folder("names", a=("// heddle: expect ok\n"
                              "// heddle: -DBAD --model sc expect ok\n"
                              "// heddle: --model=sc '-DX=a b' expect ok\n"
                              "int main(void) { return 0; }\n"))
    report = WORK / "names.xml"
    text = heddle("test", "--junit", str(report), path, code=0).stdout
    assert "a.c -DBAD " in text and "a.c -DX=a b " in text, text
    names = [c.get("name")
             for c in ElementTree.parse(report).getroot().iter("testcase")]
    assert len(set(names)) == 3 and names[1].endswith("a.c -DBAD"), names
    tests = suite(path, code=0)["tests"]
    assert all(t["file"].endswith("a.c") for t in tests), tests


@test
def junit_has_all_tests():
    path = folder("junit", a="// heddle: expect ok\n" + MP,
                  b="// heddle: expect ok\n" + EMPTY_MAIN,
                  c="// heddle: expect ok\nint main(void) { oops; }\n")
    out = WORK / "suite.xml"
    heddle("test", "--junit", str(out), path, code=1)
    root = ElementTree.parse(out).getroot()
    (tests,) = root
    assert [tests.get(k) for k in ("tests", "failures", "errors")] == list("311")
    assert [len(case) for case in tests] == [1, 0, 1]


@test
def github_annotations_of_failures():
    path = folder("github", a="// heddle: expect ok\n" + MP)
    text = heddle("test", "--format", "github", path, code=1).stdout
    assert "\n::error file=" in text, text


@test
def nothing_to_test():
    path = folder("nothing", a=EMPTY_MAIN)
    says(heddle("test", path, code=2), "no test", "// heddle:")
    says(heddle("test", "/nowhere", code=2), "/nowhere")
    says(heddle("test", code=2), "heddle test")


@test
def a_named_file_needs_no_line():
    path = folder("named", a=EMPTY_MAIN)
    assert rows(suite(path + "/a.c", code=0)) == [("a.c", "rc11", True)]


@test
def separately():
    path = folder("separate", a=MP, b=EMPTY_MAIN)
    names = [f"{path}/a.c", f"{path}/b.c"]
    text = heddle("check", "--separately", *names, code=1).stdout
    assert "2 tests: 1 passed, 1 failed" in text, text
    heddle("check", "--separately", "--model", "sc", *names, code=0)
    says(heddle("check", "--separately", "--html", "x.html", *names, code=2),
         "--html", "--separately")


@test
def folders_of_headers_are_seen_from_the_file():
    path = folder("relative", sub__a="// heddle: -I../include -I inner\n"
                  "// heddle: --include=../include --include inner\n"
                  "// heddle: -DX -- -isystem ../include -iquote inner\n"
                  '#include <far.h>\n#include "near.h"\n'
                  "int main(void) { return NEAR + FAR; }\n")
    for name, text in (("include/far.h", "#define FAR 0\n"),
                       ("sub/inner/near.h", "#define NEAR 0\n")):
        target = Path(path) / name
        target.parent.mkdir(exist_ok=True)
        target.write_text(text)
    assert all(t["passed"] for t in suite(path, code=0)["tests"])
    # Those of the command line are as seen from here.
    b = folder("elsewhere", b='#include "far.h"\nint main(void) { return FAR; }'
               "\n")
    heddle("test", "-I", "relative/include", b + "/b.c", code=0, cwd=WORK)
    heddle("test", "-I", "../relative/include", b + "/b.c", code=2, cwd=WORK)


# More executions than anybody has time for.
ENDLESS = """\
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
static void *f(void *p) {
  for (int i = 0; i < 40; i++)
    atomic_fetch_add(&x, (long)p + i);
  return p;
}
int main(void) {
  pthread_t t;
  for (long i = 0; i < 4; i++)
    pthread_create(&t, NULL, f, (void *)i);
  return 0;
}
"""


@test
def the_time_of_a_suite_is_shared_out():
    line = "// heddle: expect incomplete\n"
    path = folder("timed", a=line + ENDLESS, b="// heddle:\n" + EMPTY_MAIN,
                  c=line + ENDLESS, d=line.replace("expect", "--max-wall 0.1 "
                                                   "expect") + ENDLESS)
    start = time.monotonic()
    tests = suite(path, "--max-wall", "4", code=0)["tests"]
    took = time.monotonic() - start
    a, b, c, d = (t["seconds"] for t in tests)
    # Compiling is not part of it, and other tests run beside this one.
    assert took < 10, took
    assert 0.9 < a < 2.5, tests  # a quarter of four seconds
    assert c < 3 and d < a, tests


@test
def the_memory_of_a_suite_is_shared_out():
    small = "// heddle: --max-memory 4000 expect ok\n"
    path = folder("shared", **{name: small + ENDLESS.replace("< 40", "< 2")
                               for name in "abcd"})
    for limit, jobs in (("4000", "4"), ("200", "1")):
        suite(path, "--max-memory", limit, "--jobs", jobs, code=0)
    # A process of Heddle needs more than 3 MiB (with sanitizers, some 50).
    tests = suite(path, "--max-memory", "12", "--jobs", "4", code=3)["tests"]
    assert [t["verdict"] for t in tests] == ["incomplete"] * 4, tests


@test
def time_that_is_over_leaves_no_test_out():
    line = "// heddle: expect incomplete\n"
    path = folder("late", a=line + ENDLESS, b=line + ENDLESS)
    tests = suite(path, "--max-wall", "0.001", code=0)["tests"]
    assert [t["verdict"] for t in tests] == ["incomplete"] * 2, tests


@test
def only_what_has_changed():
    cache = str(WORK / "cache-of-changed")

    def unchanged(*args, code=0):
        text = heddle("test", "--json", "--changed", *args, path, code=code,
                      HEDDLE_CACHE=cache).stdout
        return [t["unchanged"] for t in json.loads(text)["tests"]]

    path = folder("changed",
                  a='// heddle: --model rc11,sc -I.\n#include "value.h"\n'
                    "int main(void) { return VALUE; }\n",
                  b="// heddle: expect error assertion\n" + MP,
                  c="// heddle: expect ok\n" + MP)
    header = Path(path) / "value.h"
    header.write_text("#define VALUE 0\n")
    assert unchanged(code=1) == [False] * 4
    assert unchanged(code=1) == [True, True, True, False]  # c did not pass
    header.write_text("#define VALUE (1 - 1)\n")
    first = unchanged(code=1)
    header.write_text("#define VALUE 0 + 0\n")
    assert first[2] and unchanged(code=1)[2]
    header.write_text("#define VALUE (*(volatile int *)0)\n")
    assert unchanged(code=1)[:3] == [False, False, True]
    header.write_text("#define VALUE 0\n")
    assert unchanged(code=1) == [True, True, True, False]
    # Other options are other tests, and so is another expectation.
    assert unchanged("--all-errors", code=1) == [False] * 4
    file = Path(path) / "b.c"
    file.write_text("// heddle: expect ok\n" + MP)
    assert unchanged(code=1) == [True, True, False, False]
    # What is damaged is not known.
    for kept in (Path(cache) / "passed").iterdir():
        kept.write_bytes(b"damaged")
    assert unchanged(code=1)[:2] == [False, False]


@test
def what_is_kept_is_of_that_test_alone():
    cache = Path(WORK / "cache-of-others")

    def unchanged(code=0):
        text = heddle("test", "--json", "--changed", path, code=code,
                      HEDDLE_CACHE=str(cache)).stdout
        return [t["unchanged"] for t in json.loads(text)["tests"]]

    path = folder("others", a="// heddle: expect ok\n" + EMPTY_MAIN)
    # A slash makes the name of a model a file's.
    model = Path(path) / "axioms"
    texts = Path(__file__).resolve().parents[2] / "models"
    model.write_text((texts / "sc.cat").read_text())
    file = Path(path) / "b.c"
    file.write_text(f"// heddle: --model {model} expect ok\n" + MP)
    assert unchanged() == [False, False]
    model.write_text((texts / "ra.cat").read_text())
    assert unchanged(code=1) == [True, False]
    file.write_text("// heddle: expect error\n" + MP)
    unchanged()
    assert unchanged() == [True, True]
    # One outcome in the place of the other, then one byte that differs.
    first, second = sorted((cache / "passed").iterdir())
    kept = first.read_bytes(), second.read_bytes()
    first.write_bytes(kept[1])
    second.write_bytes(kept[0])
    assert unchanged() == [False, False]
    assert unchanged() == [True, True]
    for at in (20, 30, 40, 100, 700):
        for entry, text in zip((first, second), kept):
            damaged = bytearray(text)
            damaged[at] ^= 1
            entry.write_bytes(damaged)
        assert unchanged() == [False, False], at
    # What is no file is not waited for.
    first.unlink()
    os.mkfifo(first)
    assert unchanged().count(False) == 1


@test
def a_summary_has_the_worst_first():
    path = folder("ranked", a="// heddle:\n" + EMPTY_MAIN,
                  b="// heddle: --max-executions 1\n" + ENDLESS,
                  c="// heddle:\nint main(void) { oops }\n",
                  d="// heddle: expect ok\n" + MP,
                  e="// heddle: expect error\n" + EMPTY_MAIN)
    text = heddle("test", path, code=1).stdout
    end = text[text.index("What needs attention, the worst first:"):]
    names = re.findall(r"/ranked/(\w)\.c", end)
    assert names == list("edcb"), end
    reports = re.findall(r"^-- .*/ranked/(\w)\.c", text, re.M)
    assert reports == names, reports
    text = heddle("test", path + "/a.c", code=0).stdout
    assert "attention" not in text, text


tap.main()
