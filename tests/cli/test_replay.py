#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""--replay: every report names its execution, and by that name it is shown
again, and nothing else. Speaks TAP."""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
import tap
from tap import test

HEDDLE = str(Path(sys.argv[1]).resolve())
FOLDER = tempfile.TemporaryDirectory(prefix="heddle-replay-")
PROGRAM = Path(FOLDER.name) / "sb.c"
PROGRAM.write_text("""#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y, sum;
void *left(void *p) { atomic_store_explicit(&x, 1, memory_order_relaxed);
  sum += atomic_load_explicit(&y, memory_order_relaxed); return p; }
void *right(void *p) { atomic_store_explicit(&y, 1, memory_order_relaxed);
  sum += atomic_load_explicit(&x, memory_order_relaxed); return p; }
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, left, 0); pthread_create(&t, 0, right, 0);
  pthread_join(s, 0); pthread_join(t, 0);
#ifdef LEAST
  assert(sum >= LEAST);
#endif
}
""")


def check(*args, code=0, flags=()):
    result = subprocess.run([HEDDLE, "check", *args, str(PROGRAM), "--", *flags],
                            capture_output=True, text=True, timeout=60)
    assert result.returncode == code, (result.returncode, result.stderr)
    return result.stdout + result.stderr


def executions(*args):
    """Names of all executions, and what was printed of each."""
    parts = re.split(r"^Execution \d+(?: \(blocked\))?, --replay (\w{16}-\w{8}):\n",
                     check("--print-executions", *args), flags=re.M)
    return {name: text.split("\n\n")[0] for name, text
            in zip(parts[1::2], parts[2::2])}


@test
def each_execution_has_a_name_of_its_own_and_comes_again():
    for model in ("rc11", "c11", "jam21"):
        known = executions("--model", model)
        assert len(known) == len(set(known.values())) >= 8, known
        for name, text in known.items():
            again = check("--model", model, "--replay", name)
            head, _, body = again.partition("\n")
            assert head == f"Execution {name[:16]}, which has no error:", head
            assert body.strip() == text.strip(), (body, text)


@test
def names_do_not_depend_on_jobs():
    assert set(executions()) == set(executions("--jobs", "2"))


@test
def an_error_comes_again():
    flags = ["-DLEAST=1"]
    for args in ([], ["--all-errors"], ["--model", "c11"]):
        first = check(*args, code=1, flags=flags)
        name = re.search(r"--replay (\w{16}-\w{8})\n", first).group(1)
        again = check(*args, "--replay", name, code=1, flags=flags)
        strip = lambda text: re.sub(r"(?m)^\d+ error.*", "", text)
        assert strip(first) == strip(again), (first, again)


GOES_ON = """\
#include <pthread.h>
#include <stdatomic.h>
static int data;
static atomic_int x;
static void *one(void *unused) {
  data = 1;
  x = 1;
  return unused;
}
static void *two(void *unused) {
  data = x;
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, one, NULL);
  pthread_create(&b, NULL, two, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
"""


@test
def an_execution_that_goes_on_after_an_error():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "on.c"
        path.write_text(GOES_ON)

        def run(*args):
            done = subprocess.run([HEDDLE, "check", "--json", *args, str(path)],
                                  capture_output=True, text=True, timeout=60)
            assert done.returncode == 1, done.stdout + done.stderr
            return json.loads(done.stdout)
        for args in (["--shortest"], ["--all-errors"]):
            first = run(*args)
            again = run("--replay", first["replay"])
            assert again["execution"] == first["execution"], args
            assert again["events"] == first["events"], args
            assert again["errors"][0] == first["errors"][0], args


@test
def json_names_it():
    flags = ["-DLEAST=1"]
    report = json.loads(check("--json", code=1, flags=flags))
    name = report["execution"]
    assert report["replay"].startswith(name + "-"), report["replay"]
    for given in (name, report["replay"]):
        again = json.loads(check("--json", "--replay", given, code=1,
                                 flags=flags))
        assert again["execution"] == name and len(again["errors"]) == 1, again


@test
def a_name_that_is_none():
    text = check("--replay", "0123456789abcdef", code=2)
    assert "no execution has the name 0123456789abcdef" in text, text
    for name in ("12", "0123456789abcdeg", "-123456789abcdef", "",
                 "0123456789abcdef-", "0123456789abcdef-1234567x",
                 "0123456789abcdef123456789"):
        assert "not the name of an execution" in check("--replay", name, code=2), name
    text = check("--replay", "0123456789abcdef", "--shortest", code=2)
    assert "--replay shows one execution" in text, text


@test
def a_name_from_elsewhere():
    """Another program, model or options: it says so, whether it finds an
    execution of that name or not."""
    first = check(code=1, flags=["-DLEAST=1"])
    name = re.search(r"--replay (\S+)", first).group(1)
    program, model, options = ("of another version of the program",
                               "under another model", "with other options")
    same = check("--replay", name, "--jobs", "2", "--max-time", "99", code=1,
                 flags=["-DLEAST=1"])
    assert "was given" not in same, same
    for args, flags, differ in (
            (["--model", "tso"], ["-DLEAST=1"], [model]),
            (["--all-errors"], ["-DLEAST=1"], [options]),
            (["--model", "c11"], ["-DLEAST=0"], [model, options]),
            (["--unroll", "5"], ["-DLEAST=1"], [options])):
        text = subprocess.run(
            [HEDDLE, "check", "--replay", name, *args, str(PROGRAM), "--",
             *flags], capture_output=True, text=True, timeout=60).stderr
        for words in (program, model, options):
            assert (words in text) == (words in differ), (args, text)
    old = PROGRAM.read_text()
    try:
        PROGRAM.write_text("// a comment\n" + old)
        text = check("--replay", name, code=1, flags=["-DLEAST=1"])
        assert f"note: the name {name} was given {program};" in text, text
        PROGRAM.write_text(old.replace("atomic_store_explicit(&x",
                                       "atomic_store_explicit(&y"))
        text = check("--replay", name, code=2, flags=["-DLEAST=1"])
        assert f"no execution has the name {name}: it was given {program}" \
            in text, text
    finally:
        PROGRAM.write_text(old)


@test
def options_of_other_models():
    text = check("--final-writes", code=2)
    assert "it belongs to --model jam21" in text, text
    text = check("--sc-rule", "c11", "--model", "imm", code=2)
    assert "it belongs to --model rc11 and --model c11" in text, text


tap.main()
