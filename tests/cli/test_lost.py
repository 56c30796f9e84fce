#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is known is told, whatever ends the run: signals, limits, caps; and
output files are whole or not there (docs/exit-codes.md). Speaks TAP.

    tests/cli/test_lost.py build/heddle [WORD...]
"""
import atexit
import json
import os
import re
import resource
import signal
import stat
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap
from heddle import (EMPTY_MAIN, HEDDLE, MP, WORK, check_json, check_source,
                    heddle, says, write)
from tap import test

# Nobody waits for the last of its executions.
LONG = """\
#include <pthread.h>
#include <stdatomic.h>
atomic_int x[4];
static void *run(void *arg) {
  for (int i = 0; i < 20; i++)
    atomic_fetch_add(&x[(i + (int)(long)arg) % 4], 1 + (int)(long)arg);
  return arg;
}
int main(void) {
  pthread_t id[4];
  for (long i = 0; i < 4; i++)
    pthread_create(&id[i], NULL, run, (void *)i);
  for (int i = 0; i < 4; i++)
    pthread_join(id[i], NULL);
  return 0;
}
"""
# And each of them is wrong.
WRONG = LONG.replace("#include", "#include <assert.h>\n#include", 1).replace(
    "  return 0;\n}\n", "  assert(x[0] == 7);\n  return 0;\n}\n")
STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGXCPU)
for stop in STOPS:  # a signal that is ignored, as by nohup, stays ignored
    signal.signal(stop, signal.SIG_DFL)


def start(*args, **more):
    """It ends with this script at the latest, also when a test has failed."""
    run = subprocess.Popen([HEDDLE, *args], stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True, cwd=WORK, **more)
    atexit.register(run.kill)
    return run


def children_of(pid):
    return [int(p) for p in Path(
        f"/proc/{pid}/task/{pid}/children").read_text().split()]


def is_busy(pid):
    """Does it explore, rather than compile?"""
    try:
        caught = re.search(r"SigCgt:\s*(\w+)",
                           Path(f"/proc/{pid}/status").read_text()).group(1)
    except FileNotFoundError:
        return False
    return bool(int(caught, 16) >> (signal.SIGTERM - 1) & 1)


def wait_until(what):
    for _ in range(3000):
        if what():
            return
        time.sleep(0.01)
    raise AssertionError("it takes too long")


def is_gone(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")")[-1].split()[0]
    except FileNotFoundError:
        return True
    return state in "ZX"


# -- signals

@test
def a_signal_ends_a_check_with_a_report():
    path = write("long.c", LONG)
    for sig in STOPS:
        out = WORK / "check.json"
        out.unlink(missing_ok=True)
        run = start("check", "--json", "-o", str(out), path)
        wait_until(lambda: is_busy(run.pid))
        run.send_signal(sig)
        _, said = run.communicate(timeout=30)
        assert run.returncode == 3, (sig, run.returncode, said)
        report = json.loads(out.read_text())
        assert report["verdict"] == "incomplete", report["verdict"]
        assert report["limit"] == "interrupted", report["limit"]


@test
def a_soft_limit_on_time_leaves_a_report():
    path = write("long.c", LONG)
    run = start("check", path, preexec_fn=lambda: resource.setrlimit(
        resource.RLIMIT_CPU, (2, 30)))
    text, said = run.communicate(timeout=60)
    assert run.returncode == 3 and "Incomplete (interrupted)" in text, said


@test
def nohup_is_obeyed():
    path = write("long.c", LONG)
    run = start("check", "--max-wall", "1", path, preexec_fn=lambda:
                signal.signal(signal.SIGHUP, signal.SIG_IGN))
    wait_until(lambda: is_busy(run.pid))
    run.send_signal(signal.SIGHUP)
    text, _ = run.communicate(timeout=30)
    assert "Incomplete (wall-clock time)" in text, text


def start_suite(*args):
    """A suite of which two tests are known and one runs for ever."""
    folder = WORK / "endless"
    folder.mkdir(exist_ok=True)
    for name, text in (("a", EMPTY_MAIN), ("b", EMPTY_MAIN), ("c", LONG),
                       ("d", EMPTY_MAIN)):
        (folder / f"{name}.c").write_text("// heddle: expect ok\n" + text)
    (folder / "c.c").write_text("// heddle: expect incomplete\n" + LONG)
    files = [str(folder / f"{n}.c") for n in "abcd"]
    is_check = args[0] == "check"
    run = start(*args, *(files if is_check else [str(folder)]))

    def busy():
        return {p for p in children_of(run.pid) if is_busy(p)}

    def is_at_c():
        """The others do not run that long."""
        before = busy()
        time.sleep(0.5)
        return before & busy()
    wait_until(is_at_c)
    return run


@test
def a_signal_ends_a_suite_with_a_summary():
    for sig in STOPS:
        junit, out = WORK / "suite.xml", WORK / "suite.json"
        run = start_suite("test", "--json", "-o", str(out), "--junit",
                          str(junit), "-j1")
        children = children_of(run.pid)
        run.send_signal(sig)
        _, said = run.communicate(timeout=30)
        assert run.returncode == 3, (sig, run.returncode, said)
        assert all(is_gone(p) for p in children), children
        report = json.loads(out.read_text())
        assert report["interrupted"] is True
        assert [t["verdict"] for t in report["tests"]] == \
            ["ok", "ok", None, None], report
        assert [t["passed"] for t in report["tests"]] == \
            [True, True, False, False], report
        assert "SIG" in report["tests"][3]["message"], report
        suite = ElementTree.parse(junit).getroot()[0]
        assert suite.get("skipped") == "2", suite.attrib
        assert [len(case) for case in suite] == [0, 0, 1, 1]


@test
def separate_checks_are_a_suite():
    run = start_suite("check", "--separately", "-j1")
    run.send_signal(signal.SIGTERM)
    text, _ = run.communicate(timeout=30)
    assert run.returncode == 3, text
    assert "4 tests: 2 passed, 0 failed, 2 not finished (interrupted by " \
        "SIGTERM)" in text, text
    assert text.count("\nok ") == 1 and text.startswith("ok "), text


@test
def what_is_wrong_stays_wrong():
    folder = WORK / "endless"
    folder.mkdir(exist_ok=True)
    (folder / "0.c").write_text("// heddle: expect ok\n" + MP)
    run = start_suite("test", "-j1")
    (folder / "0.c").unlink()
    run.send_signal(signal.SIGINT)
    text, _ = run.communicate(timeout=30)
    assert run.returncode == 1 and "2 passed, 1 failed, 2 not" in text, text


@test
def children_do_not_outlive_a_suite():
    run = start_suite("test", "-j1")
    children = children_of(run.pid)
    assert children
    run.kill()
    run.communicate(timeout=30)
    wait_until(lambda: all(is_gone(p) for p in children))


@test
def a_signal_that_comes_with_the_last_result():
    folder = WORK / "last"
    folder.mkdir()
    (folder / "a.c").write_text(
        "// heddle: --max-wall 0.5 expect incomplete\n" + LONG)
    out = WORK / "last.json"
    run = start("test", "--json", "-o", str(out), str(folder))
    wait_until(lambda: any(is_busy(p) for p in children_of(run.pid)))
    child, = children_of(run.pid)
    run.send_signal(signal.SIGSTOP)
    wait_until(lambda: is_gone(child))
    run.terminate()
    run.send_signal(signal.SIGCONT)
    _, said = run.communicate(timeout=30)
    assert run.returncode == 0, (run.returncode, said)
    assert json.loads(out.read_text())["tests"][0]["passed"]


@test
def a_test_that_is_killed_alone():
    """It has no verdict, and the others have theirs."""
    run = start_suite("test", "-j1")
    os.kill(children_of(run.pid)[0], signal.SIGTERM)
    text, _ = run.communicate(timeout=30)
    assert run.returncode == 3, text
    assert "3 passed, 0 failed, 1 not finished\n" in text, text


# -- files

FILES = {"-o": "o.json", "--html": "p.html", "--dot": "d.dot",
         "--sarif": "s.sarif", "--junit": "j.xml"}


@test
def files_are_whole_or_not_there():
    path = write("long.c", LONG)
    args = [word for option, name in FILES.items()
            for word in (option, str(WORK / name))]
    for old in (None, "old\n"):
        for name in FILES.values():
            (WORK / name).unlink(missing_ok=True)
            if old:
                (WORK / name).write_text(old)
        before = set(os.listdir(WORK))
        run = start("check", "--json", *args, path)
        wait_until(lambda: is_busy(run.pid))
        time.sleep(0.1)
        run.kill()
        run.communicate()
        assert set(os.listdir(WORK)) == before
        for name in FILES.values():
            assert not old or (WORK / name).read_text() == old, name
    run = start("check", "--json", *args, path)
    wait_until(lambda: is_busy(run.pid))
    run.terminate()
    run.communicate()
    for name in FILES.values():
        assert (WORK / name).read_text() != old, name
    assert set(os.listdir(WORK)) == before


@test
def a_limit_on_file_sizes_is_an_error_of_the_file():
    path, page = write("long.c", LONG), WORK / "p.html"
    args = ("check", "--max-executions", "1", "--html", str(page), path)
    heddle(*args, code=3)
    page.write_text("old\n")
    before = set(os.listdir(WORK))
    run = start(*args, preexec_fn=lambda: resource.setrlimit(
        resource.RLIMIT_FSIZE, (8192, 8192)))
    out, err = run.communicate()
    assert run.returncode == 2, (run.returncode, out, err)
    assert "Incomplete (executions)" in out, out
    assert "p.html: error: cannot write: File too large" in err, err
    assert page.read_text() == "old\n" and set(os.listdir(WORK)) == before


@test
def links_permissions_and_devices_stay():
    path = write("empty.c", EMPTY_MAIN)
    real, link = WORK / "real.txt", WORK / "link.txt"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    heddle("check", "-o", str(link), path, code=0)
    assert link.is_symlink() and "No errors" in real.read_text()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    (WORK / "deep").mkdir()
    for name, to in (("one.txt", "deep/two.txt"), ("deep/two.txt", "new.txt"),
                     ("far.txt", str(WORK / "deep" / "far.txt"))):
        (WORK / name).symlink_to(to)  # nothing is there yet
    for name, made in (("one.txt", "new.txt"), ("far.txt", "far.txt")):
        heddle("check", "-o", str(WORK / name), path, code=0)
        assert (WORK / name).is_symlink()
        assert "No errors" in (WORK / "deep" / made).read_text()
    (WORK / "circle").symlink_to("circle")
    says(heddle("check", "-o", "circle", path, code=2, cwd=WORK),
         "circle", "cannot write")
    mask = os.umask(0o022)
    try:
        heddle("check", "-o", str(WORK / "new.txt"), path, code=0)
    finally:
        os.umask(mask)
    assert stat.S_IMODE((WORK / "new.txt").stat().st_mode) == 0o644
    with open(WORK / "both.txt", "w") as both:
        both.write("first\n")
        both.flush()
        subprocess.run([HEDDLE, "check", "-o", "/dev/stdout", path],
                       stdout=both, check=True)
    assert re.match(r"first\n|No errors", (WORK / "both.txt").read_text())
    heddle("check", "-o", "/dev/null", path, code=0)
    result = heddle("check", "-o", "/dev/full", path, code=2)
    says(result, "/dev/full", "cannot write")
    for bad in ("nowhere/x", "real.txt/x", "."):
        says(heddle("check", "-o", bad, path, code=2), "cannot write")


@test
def a_file_that_is_a_mount_is_written_in_place():
    real, here = WORK / "elsewhere.txt", WORK / "mounted.txt"
    for f in (real, here):
        f.write_text("old")
    if subprocess.run(["mount", "--bind", str(real), str(here)],
                      capture_output=True).returncode != 0:
        raise tap.Skip("nothing can be mounted here")
    try:
        heddle("check", "-o", str(here), write("empty.c", EMPTY_MAIN), code=0)
    finally:
        subprocess.run(["umount", str(here)], check=True)
    assert "No errors" in real.read_text()
    assert here.read_text() == "old"


# -- caps and limits

@test
def all_warnings_are_told():
    lines = "\n".join(f"  sum += big + {n};" for n in range(1, 131))
    text = ("#include <limits.h>\nint main(void) {\n"
            "  volatile int big = INT_MAX; unsigned sum = 0;\n"
            f"{lines}\n  return sum == 7;\n}}\n")
    report = check_json(text, code=0)
    assert len(report["warnings"]) == 130, len(report["warnings"])
    said = check_source(text, "-q", code=0).stdout
    assert "130 warnings" in said, said[-300:]


@test
def explore_tells_an_error_and_a_limit():
    path = write("wrong.c", WRONG)
    args = ["explore", "--max-executions", "50", path]
    said = heddle(*args, code=1).stdout
    assert "1 error, after" in said, said
    assert "Incomplete (executions): there may be more errors." in said, said
    report = json.loads(heddle(*args, "--json", code=1).stdout)
    assert report["verdict"] == "error" and report["limit"] == "executions"


@test
def an_error_hides_no_limit_from_a_question():
    path = write("wrong.c", WRONG)
    args = ["--max-executions", "50", path]
    said = heddle("why", "x[0] == 1", *args, code=3).stdout
    assert said.startswith("Unknown: a limit was hit (executions)"), said
    report = json.loads(heddle("why", "--json", "x[0] == 1", *args,
                               code=3).stdout)
    assert report["answer"] == "unknown", report
    said = heddle("compare", "--models", "sc,tso", *args, code=1).stdout
    assert "Incomplete under tso (executions): it may allow more." in said
    assert "the same outcomes.\n" not in said, said
    report = json.loads(heddle("compare", "--json", "--models", "sc,tso", *args,
                               code=1).stdout)
    assert [m["limit"] for m in report["models"]] == ["executions"] * 2


@test
def lists_of_options_are_for_each_test():
    folder = WORK / "lists"
    folder.mkdir()
    for name in "ab":
        (folder / f"{name}.c").write_text(
            "// heddle: --args 2 --unroll f:3 -DX expect ok\n"
            "#include <assert.h>\nint y;\nint f(void) { return 0; }\n"
            "int main(int n, char **v) {\n"
            "  assert(n == 3 && v[1][0] == '1' && v[2][0] == '2');\n"
            "  return f() + X - 1;\n}\n")
    heddle("test", "--args", "1", "--unroll", "7", "--assume-atomic", "y",
           "-DY", str(folder), code=0)


# -- threads that main leaves behind

LEFT = """\
#include <pthread.h>
#include <stdatomic.h>
atomic_int go;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *spins(void *p) {
  while (!go)
    ;
  return p;
}
static void *locks(void *p) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_mutex_lock(&m);
#ifdef SPINS
  pthread_create(&t, NULL, spins, NULL);
#endif
#ifdef LOCKS
  pthread_create(&t, NULL, locks, NULL);
#endif
  return 0;
}
"""


def left(*args, code, flags=("-DSPINS", "-DLOCKS")):
    return heddle(args[0], *args[1:], write("left.c", LEFT), "--", *flags,
                  code=code).stdout


@test
def threads_that_wait_when_main_returns_are_told():
    for model in ("sc", "rc11", "imm"):
        said = left("check", "--model", model, code=0)
        assert "Note: 2 threads were waiting when main returned, at " in said
        assert "left.c:6 and " in said and "left.c:11;" in said, said
    for args in (["check", "--json"], ["check", "--json", "-j2"],
                 ["explore", "--json"]):
        report = json.loads(left(*args, code=0))
        assert report["left_waiting"] == 2, report
        assert sorted(p["line"] for p in report["left_at"]) == [6, 11], report
    assert "2 threads were waiting" in left("explore", code=0)
    said = left("test", code=0)
    assert re.search(r"^ok .*; 2 threads were waiting when main returned",
                     said, re.M), said
    report = json.loads(left("test", "--json", code=0))
    assert "2 threads" in report["tests"][0]["left_waiting"], report
    said = left("check", code=0, flags=["-DSPINS"])
    assert "Note: 1 thread was waiting when main returned, at" in said, said
    said = left("check", code=0, flags=[])
    assert "waiting" not in said, said


@test
def join_all_makes_them_errors():
    for model in ("sc", "rc11", "imm", "xmm"):
        args = ["check", "--json", "--join-all", "--model", model]
        for flag, kind in (("-DSPINS", "hang"), ("-DLOCKS", "deadlock")):
            report = json.loads(left(*args, code=1, flags=[flag]))
            assert [e["kind"] for e in report["errors"]] == [kind], report
            assert report["left_waiting"] == 0, report
        report = json.loads(left(*args, code=0, flags=[]))
        assert report["verdict"] == "ok", report
    left("test", "--join-all", code=1)


@test
def join_all_is_as_if_main_left_early():
    """The same executions as with pthread_exit at the end of main."""
    text = MP.replace("  pthread_join(id, NULL);\n", "").replace(
        "assert(atomic_load_explicit(&data, memory_order_relaxed) == 1)",
        "data = 2")
    early = text.replace("  return 0;\n}", "  pthread_exit(NULL);\n}")
    assert early != text
    count = lambda t, *args: check_json(t, *args, code=0)["executions"]
    assert count(text, "--join-all") == count(early) == count(text)


tap.main()
