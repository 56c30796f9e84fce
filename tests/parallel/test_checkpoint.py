#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""--checkpoint, --resume, split, run, merge: whatever happens to the processes
on the way, the counts and the error are those of one run that nothing happened
to.

    tests/parallel/test_checkpoint.py build/heddle [WORD...]

HEDDLE_KILLS=n kills that many runs by SIGKILL (default 40).
"""
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS))
sys.path.insert(0, str(TESTS / "parallel"))
import searches
import tap
from searches import ERRORS, answer_of, key, name, words

HEDDLE = str(Path(sys.argv[1]).resolve())
KILLS = int(os.environ.get("HEDDLE_KILLS", "40"))
DAY = int(os.environ.get("HEDDLE_DAY", time.time() // 86400))
PROGRAMS = [
    *searches.COUNTS,
    ("counts/ring.c", "-DSB -DN=8", "--model=tso"),
    ("counts/incs.c", "-DM=2 -DN=4", "--model=sc"),
    ("language/choice.c", "-DCHOICE=heddle_choose(1,9)", ""),
    # What begins with cores, and comes last.
    ("loadbuffering/pairs.c", "-DN=12", "--model=xmm"),
    ("loadbuffering/same.c", "-DTEST=1", "--model=lkmm"),
]


def heddle(*command, **how):
    return subprocess.run([HEDDLE, *command], capture_output=True, text=True,
                          **how)


def answer(result):
    assert result.returncode in (0, 1, 3), (result.returncode, result.stderr)
    return answer_of(result.stdout)


def plain(row):
    return answer(heddle("check", *words(row, "--json", "--stats")))


def folder():
    return tempfile.TemporaryDirectory(prefix="heddle-checkpoint-")


def same_after(row, jobs, end):
    """Runs that `end` ends at any time, each from where the last one was."""
    dice = random.Random(f"{row}{jobs}{DAY}")
    expected = plain(row)
    with folder() as at:
        file = f"{at}/checkpoint"
        more = ["--json", "--stats", f"-j{jobs}", f"--checkpoint={file}",
                "--checkpoint-every=0.01"]
        for _ in range(max(2, KILLS // 20)):
            resume = [f"--resume={file}"] if os.path.exists(file) else []
            run = subprocess.Popen(
                [HEDDLE, "check", *words(row, *more, *resume)],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            time.sleep(dice.uniform(0.02, 0.2))
            run.send_signal(end)
            run.communicate(timeout=120)
        resume = [f"--resume={file}"] if os.path.exists(file) else []
        got = answer(heddle("check", *words(row, *more, *resume)))
        assert key(got) == key(expected), (key(got), key(expected))
        again = answer(heddle("run", "--json", file))
        assert again["executions"] == expected["executions"], again


for row in PROGRAMS:
    tap.add("killed: " + name(row),
            lambda row=row: same_after(row, 1, signal.SIGKILL))
for row in PROGRAMS[::3]:
    tap.add("killed with three jobs: " + name(row),
            lambda row=row: same_after(row, 3, signal.SIGKILL))
    tap.add("interrupted: " + name(row),
            lambda row=row: same_after(row, 2, signal.SIGTERM))


def same_in_parts(row, parts):
    expected = plain(row)
    with folder() as at:
        made = heddle("split", *words(row, f"-n{parts}", "--stats",
                                      f"--into={at}/part"))
        assert made.returncode in (0, 1, 3), made.stderr
        if not os.path.exists(f"{at}/part.1"):
            return  # it was over before
        files = [f"{at}/part.{i + 1}" for i in range(parts)]
        for file in random.Random(DAY).sample(files, parts):
            run = heddle("run", "-q", file)
            assert run.returncode in (0, 1), (run.stdout, run.stderr)
            assert "No errors" not in run.stdout, run.stdout
        got = answer(heddle("merge", "--json", *files))
        if expected["verdict"] == "ok":
            assert key(got) == key(expected), (key(got), key(expected))
        else:
            assert key(got)[-1] == key(expected)[-1], (got, expected)
            assert got["replay"] == expected["replay"], (got, expected)


for row in PROGRAMS:
    tap.add("in parts: " + name(row),
            lambda row=row: same_in_parts(row, 5))
for row in ERRORS:
    tap.add("in parts: " + name(row),
            lambda row=row: same_in_parts(row, 3))


# One load in a thousand decides whether a word is made of bytes: the beginning
# does not know that, and each part finds it out.
LATE = """
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static union { _Atomic unsigned w; _Atomic unsigned char b[4]; } u;
static void *write_all(void *to) {
  for (int i = 1; i <= 6; i++)
    atomic_store_explicit((atomic_int *)to, i, memory_order_relaxed);
  return 0;
}
static int read_all(atomic_int *from) {
  int all = 0;
  for (int i = 0; i < 3; i++)
    all = all * 7 + atomic_load_explicit(from, memory_order_relaxed);
  return all;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, write_all, &x);
  pthread_create(&b, 0, write_all, &y);
  read_all(&x);
  int seen = read_all(&y);
  atomic_store_explicit(&u.w, 1, memory_order_relaxed);
  if (seen == 1 * 49 + 2 * 7 + 3)
    atomic_store_explicit(&u.b[0], 2, memory_order_relaxed);
}
"""


def learn_in_parts(text, *options):
    """Each part would have to begin again, with all of the search."""
    with folder() as at:
        program = f"{at}/late.c"
        Path(program).write_text(text)
        expected = answer(heddle("check", "--json", *options, program))
        learned = []
        for name in ("first", "second"):
            made = heddle("split", "-n2", *options, *learned,
                          f"--into={at}/{name}", program)
            assert made.returncode == 0, made.stderr
            files = [f"{at}/{name}.{i}" for i in (1, 2)]
            for file in files:
                assert heddle("run", "-q", file).returncode == 0
            got = answer(heddle("merge", "--json", *files))
            if not learned:
                assert got["verdict"] == "incomplete", got
                assert "learned" in got["limit"], got
            learned = [f"--learned={file}" for file in files]
        assert got["verdict"] == "ok", got
        assert got["executions"] == expected["executions"], (got, expected)


@tap.test
def parts_that_learn_something_are_not_counted():
    learn_in_parts(LATE)


@tap.test
def parts_may_say_why_threads_are_not_equal():
    text = LATE.replace("x, y;", "v[2];")
    for i, name in enumerate("xy"):
        text = text.replace(f"&{name})", f"&v[{i}])")
    learn_in_parts(text, "--symmetry=on")


@tap.test
def errors_are_shown_again():
    for row in ERRORS:
        expected = plain(row)
        with folder() as at:
            file = f"{at}/checkpoint"
            first = answer(heddle("check", *words(
                row, "--json", "--stats", f"--checkpoint={file}")))
            again = answer(heddle("run", "--json", file))
            assert key(first)[-1] == key(expected)[-1], (first, expected)
            assert again["errors"] == first["errors"], (again, first)
            assert again["replay"] == expected["replay"], (again, expected)


@tap.test
def a_limit_of_time_leaves_a_checkpoint():
    row = ("counts/ainc.c", "-DN=9", "")
    with folder() as at:
        file = f"{at}/checkpoint"
        run = heddle("check", *words(row, "--json", f"--checkpoint={file}",
                                     "--max-time=0.2"))
        before = answer(run)
        assert run.returncode == 3 and before["limit"] == "time", before
        after = answer(heddle("run", "--json", "--max-time=0.2", file))
        assert after["executions"] > before["executions"], (before, after)
        assert after["limit"] == "time", after


# States that are kept take more and more.
GROWING = """\
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
static void *f(void *p) {
  int n[64];
  for (int i = 0; i < 64; i++)
    n[i] = atomic_fetch_add(&x, 1 + i) + i;
  long sum = 0;
  for (int i = 0; i < 64; i++)
    sum += n[i];
  return (void *)sum;
}
int main(void) {
  pthread_t t;
  for (int i = 0; i < 4; i++)
    pthread_create(&t, NULL, f, NULL);
  return 0;
}
"""


@tap.test
def cores_are_looked_for_beside_checkpoints():
    # That takes far longer than the time between two of them, so it is not
    # begun anew for each. If it is interrupted, it is what is left.
    row = ("counts/fib.c", "-DN=4 -DALL_RELAXED -DBOUND=1000", "--model=xmm")
    with folder() as at:
        file = f"{at}/checkpoint"
        more = "--json", "--stats", f"--checkpoint={file}", \
            "--checkpoint-every=0.01"
        run = subprocess.Popen([HEDDLE, "check", *words(row, *more)],
                               stdout=subprocess.PIPE, text=True)
        while not (os.path.exists(file) and
                   "\ntasks 1\ntask 0 0 0 0 0 0\n" in Path(file).read_text()):
            assert run.poll() is None, run.communicate()
            time.sleep(0.01)
        time.sleep(0.05)
        run.send_signal(signal.SIGINT)
        first = answer_of(run.communicate(timeout=120)[0])
        assert run.returncode == 3 and first["limit"] == "interrupted", first
        second = answer(heddle("run", "--json", file))
        assert second["executions"] == first["executions"], (first, second)
        assert second["limit"] and second["limit"] != "interrupted", second


@tap.test
def a_limit_of_memory_leaves_a_checkpoint():
    with folder() as at:
        file, program = f"{at}/checkpoint", Path(at) / "growing.c"
        program.write_text(GROWING)
        for jobs in (1, 2, 5):
            run = heddle("check", "--json", "--max-memory=16", f"-j{jobs}",
                         f"--checkpoint={file}", str(program))
            before = answer(run)
            assert run.returncode == 3, (before, run.stderr)
            assert before["limit"] == "memory", before
            after = answer(heddle("run", "--json", "--max-memory=4000",
                                     "--max-time=0.3", file))
            assert after["limit"] == "time", after
            assert after["executions"] > before["executions"], (before, after)
            os.remove(file)


@tap.test
def lack_of_memory_keeps_the_last_checkpoint():
    with folder() as at:
        file, program = f"{at}/checkpoint", Path(at) / "growing.c"
        program.write_text(GROWING)
        # With so little memory clang does not start: what it makes is kept.
        # (A shell would set $PWD, which is part of what clang is given.)
        heddle("check", "--max-executions=1", str(program))
        limit = 170000 << 10
        # The report itself may find no memory (1 of 30 runs): that is said, too.
        for _ in range(4):
            run = heddle("check", "--json", "-j5", "--max-time=20",
                         f"--checkpoint={file}", "--checkpoint-every=0.001",
                         str(program), preexec_fn=lambda: resource.setrlimit(
                             resource.RLIMIT_AS, (limit, limit)))
            if "AddressSanitizer" in run.stderr:
                raise tap.Skip("the sanitizer needs the address space")
            if run.stdout:
                break
            assert run.returncode == 3 and "out of memory" in run.stderr, run
        before = answer(run)
        assert run.returncode == 3, (before, run.stderr)
        assert before["limit"] == "out of memory", before
        if os.path.exists(file):
            after = answer(heddle("run", "--json", "--max-time=1", file))
            assert after["limit"] == "time" and after["executions"], after


ROW = ("counts/ainc.c", "-DN=7", "")


def refuses(result, *said):
    assert result.returncode == 2, (result.returncode, result.stdout)
    for text in said:
        assert text in result.stderr, result.stderr


@tap.test
def other_searches_are_refused():
    with folder() as at:
        file = f"{at}/checkpoint"
        heddle("check", *words(ROW, f"--checkpoint={file}"))
        others = [(("counts/ainc.c", "-DN=6", ""), "program"),
                  (("counts/ainc.c", "-DN=7", "--model=sc"), "model"),
                  (("counts/ainc.c", "-DN=7", "--all-errors"), "options")]
        for row, what in others:
            refuses(heddle("check", *words(row, f"--resume={file}")), what)
        refuses(heddle("check", *words(ROW, f"--resume={at}/none")), "read")
        refuses(heddle("check", *words(ROW, f"--checkpoint={at}/no/folder")))
        refuses(heddle("check", *words(
            ROW, f"--checkpoint={file}", "--print-executions")))


@tap.test
def damaged_files_are_refused():
    dice = random.Random(DAY)
    with folder() as at:
        file = Path(at) / "part"
        heddle("split", *words(ROW, "-n2", f"--into={file}"))
        whole = Path(f"{file}.1").read_bytes()
        for _ in range(40):
            damaged = bytearray(whole)
            if dice.random() < 0.5:
                damaged = damaged[:dice.randrange(len(damaged))]
            else:
                damaged[dice.randrange(len(damaged))] ^= 1 << dice.randrange(7)
            file.write_bytes(damaged)
            refuses(heddle("run", str(file)), "no part of a search")
        letter = whole.upper()[-17:]  # of the sum, which is in small letters
        for end in (letter, whole[-17:-1] + b"\r", whole[-17:-1] + b"\n\n"):
            file.write_bytes(whole[:-17] + end)
            assert end == whole[-17:] or heddle("run", str(file)).returncode == 2


@tap.test
def parts_must_be_complete():
    with folder() as at:
        for into in ("one", "two"):
            heddle("split", *words(ROW, "-n3", f"--into={at}/{into}"))
        one = [f"{at}/one.{i}" for i in (1, 2, 3)]
        refuses(heddle("merge", *one[:2]), "part 3 of 3 is missing")
        refuses(heddle("merge", *one, one[1]), "part 2, as is")
        refuses(heddle("merge", *one[:2], f"{at}/two.3"), "another search")
        unfinished = answer(heddle("merge", "--json", *one))
        assert unfinished["verdict"] == "incomplete", unfinished


@tap.test
def parts_take_the_options_of_run_and_merge():
    with folder() as at, folder() as here:
        heddle("split", *words(ROW, "-n2", f"--into={at}/part"), cwd=at)
        files = [f"{at}/part.1", f"{at}/part.2"]
        written = ["--html=page.html", "--sarif=found.sarif",
                   "--output=report"]
        reports = [*written, "--mend=off", "--progress=never", "--full",
                   "--color=never", "--stats"]
        for file in files:
            run = heddle("run", *reports, "--checkpoint-every=1",
                         "--max-time=60", "--max-wall=60", "-j1", file,
                         cwd=here)
            assert run.returncode == 0, run.stderr
        both = heddle("merge", *reports, *files, cwd=here)
        assert both.returncode == 0, both.stderr
        # They are where they were asked for.
        assert sorted(os.listdir(here)) == ["found.sarif", "page.html",
                                            "report"], os.listdir(here)
        assert "No errors" in Path(here, "report").read_text()


tap.main()
