#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`--bound` on the command line: verdicts, ranges, and that jobs, parts and
checkpoints change nothing. (tests/prop/test_bounds.c has the numbers.)

    tests/parallel/test_bounds.py build/heddle [WORD...]
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS))
import tap

HEDDLE = sys.argv[1]
RING = TESTS / "programs/counts/ring.c"
SB = ("-DSB", "-DN=4")  # four threads: store, then load what the next one stores
COUNTS = ("executions", "blocked", "bound_cuts")


def heddle(*words, cwd=None):
    return subprocess.run([HEDDLE, *map(str, words)], capture_output=True,
                          text=True, timeout=300, cwd=cwd)


def check(program, *options, flags=()):
    result = heddle("check", "--json", *options, program, "--", *flags)
    assert result.returncode in (0, 1, 3), result.stderr
    return result.returncode, json.loads(result.stdout)


@tap.test
def what_is_left_out_is_named():
    code, answer = check(RING, "--model=tso", "--bound=reorderings:0", flags=SB)
    assert code == 3 and answer["limit"] == "--bound reorderings:0", answer
    assert answer["executions"] == 15 and answer["bound_cuts"] == 1, answer
    code, answer = check(RING, "--model=tso", "--bound=reorderings:1", flags=SB)
    assert code == 0 and answer["executions"] == 16, answer
    assert answer["limit"] is None and answer["bound_cuts"] == 0, answer


@tap.test
def a_lost_update_needs_a_preemption_under_sc():
    """Two threads that load and store a counter: one after the other, or the
    first is preempted. Under tso the load may be old for nothing."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "lost.c")
        program.write_text("""
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *add(void *p) { atomic_store(&x, atomic_load(&x) + 1); return p; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
}
""")
        code, answer = check(program, "--model=sc", "--bound=preemptions:0")
        assert code == 3 and answer["executions"] == 2, answer
        code, answer = check(program, "--model=sc", "--bound=preemptions:0..")
        assert code == 1 and answer["errors"][0]["kind"] == "assertion", answer
        code, answer = check(program, "--model=sc", "--bound=reorderings:0")
        assert code == 1, answer


@tap.test
def ranges_end_when_nothing_is_left_out():
    code, answer = check(RING, "--model=tso", "--bound=reorderings:0..",
                         flags=SB)
    assert code == 0 and answer["executions"] == 16, answer
    code, answer = check(RING, "--model=tso", "--bound=reorderings:0..0",
                         flags=SB)
    assert code == 3 and answer["limit"] == "--bound reorderings:0", answer


@tap.test
def both_bounds_hold():
    """All loads 1 need a preemption, all loads 0 a reordering."""
    _, one = check(RING, "--model=tso", "--bound=preemptions:0", flags=SB)
    _, both = check(RING, "--model=tso", "--bound=preemptions:0",
                    "--bound=reorderings:0", flags=SB)
    assert both["executions"] == 14 < one["executions"] == 15, (one, both)
    assert both["limit"] == "--bound preemptions:0, --bound reorderings:0", both


@tap.test
def jobs_and_checkpoints_change_nothing():
    words = ("--model=rc11", "--bound=preemptions:1", "--bound=reorderings:2")
    flags = ("-DM=2", "-DN=4")
    program = TESTS / "programs/counts/incs.c"
    _, one = check(program, *words, flags=flags)
    assert one["executions"], one
    for jobs in (2, 3):
        _, several = check(program, *words, f"--jobs={jobs}", flags=flags)
        assert [one[k] for k in COUNTS] == [several[k] for k in COUNTS], several
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "a.ckpt")
        stopped = heddle("check", *words, "--checkpoint", file,
                         "--max-time=0.01", program, "--", *flags)
        assert stopped.returncode in (0, 3), stopped.stderr
        resumed = heddle("check", "--json", *words, "--resume", file, program,
                         "--", *flags)
        again = json.loads(resumed.stdout)
        assert [one[k] for k in COUNTS] == [again[k] for k in COUNTS], again
        other = heddle("check", "--resume", file, program, "--", *flags)
        assert other.returncode == 2 and "options" in other.stderr, other.stderr


@tap.test
def wrong_bounds_are_refused():
    for bad in ("x", "preemptions", "preemptions:", "preemptions:x",
                "preemptions:3..2", "preemptions:1.", "preemptions:-1",
                "reorderings:99999999999"):
        result = heddle("check", f"--bound={bad}", RING, "--", *SB)
        assert result.returncode == 2 and "--bound" in result.stderr, bad
    for words in (["--bound=preemptions:1", "--bound=preemptions:2"],
                  ["--bound=preemptions:0..", "--bound=reorderings:0.."],
                  ["--bound=preemptions:0..", "--sample=9"],
                  ["--bound=preemptions:0..", "--checkpoint=no.ckpt"],
                  ["--bound=preemptions:0", "--equivalence=rf"]):
        result = heddle("check", *words, RING, "--", *SB)
        assert result.returncode == 2 and "--bound" in result.stderr, words


if __name__ == "__main__":
    tap.main()
