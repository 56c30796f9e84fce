#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`mpirun heddle check --mpi`: the answer of one process, from any number of
ranks, and whatever happens to them.

    tests/parallel/test_mpi.py build/heddle [WORD...]
"""
import os
import random
import select
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS))
sys.path.insert(0, str(TESTS / "parallel"))
import mpi
import searches
import tap
from searches import answer_of, key, name, words

HEDDLE = str(Path(sys.argv[1]).resolve())
DAY = tap.day()
# Ranks are dealt out in turn.
COUNTS = [
    *searches.COUNTS,
    ("counts/writers.c", "-DREADER=1 -DW=6", ""),
    ("counts/ring.c", "-DLB -DN=8", "--model=ra"),
]
ERRORS = [
    ("errors/weak_bug.c", "-DTAKE=rlx -DSEND=rlx", ""),
    ("errors/late.c", "-DN=8 -DEVERY=4999", ""),
    *searches.ERRORS,
]
SAVES = tempfile.TemporaryDirectory(prefix="heddle-mpi-")
BIG = ("counts/ainc.c", "-DN=8", "")


def check(row, *more):
    return words(row, HEDDLE, "check", *more)


def plain(row):
    run = subprocess.run(check(row, "--json", "--stats"), capture_output=True,
                         text=True, timeout=300)
    assert run.returncode in (0, 1, 3), run.stderr
    return run.returncode, answer_of(run.stdout)


def shared(row, ranks, *more, code=None):
    run = subprocess.run(
        mpi.command(ranks, *check(row, "--json", "--stats", "--mpi", *more)),
        capture_output=True, text=True, timeout=300, env=mpi.environment())
    assert run.returncode in ((0, 1, 3) if code is None else (code,)), (
        run.returncode, run.stdout, run.stderr)
    return run.returncode, answer_of(run.stdout)


def same_counts(row, ranks, jobs):
    _, expected = plain(row)
    code, got = shared(row, ranks, f"-j{jobs}")
    assert code == 0, (code, got)
    assert key(got) == key(expected), (key(got), key(expected))


def same_errors(row, ranks):
    _, expected = plain(row)
    code, got = shared(row, ranks)
    assert code == 1 and got["events"], got
    assert key(got)[-1] == key(expected)[-1], (got["errors"],
                                               expected["errors"])
    if not row[2]:
        assert got["replay"] == expected["replay"], (got, expected)


def number(process):
    """Of a rank, as its launcher has told it."""
    try:
        env = Path(f"/proc/{process}/environ").read_bytes().split(b"\0")
    except OSError:
        return None
    for word in env:
        if word.startswith(b"OMPI_COMM_WORLD_RANK="):
            return int(word.split(b"=")[1])
    return None


def ranks_of(launcher):
    """The processes of the ranks that a launcher has started, by number."""
    found = {}
    for task in Path(f"/proc/{launcher}/task").glob("*/children"):
        for child in task.read_text().split():
            n = number(child)
            try:
                if n is not None and os.readlink(f"/proc/{child}/exe") == HEDDLE:
                    found[n] = int(child)
            except FileNotFoundError:  # it has ended meanwhile
                pass
    return found


def child_of(process):
    """The mpirun that a script has started last, or 0."""
    children = Path(f"/proc/{process}/task/{process}/children")
    pids = children.read_text().split() if children.exists() else []
    return int(pids[-1]) if pids else 0


def start(row, ranks, *more, grace=0, first=()):
    run = subprocess.Popen(
        mpi.command(ranks, *first,
                    *check(row, "--json", "--stats", "--mpi", *more)),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=mpi.environment(grace))
    for _ in range(600):
        if len(ranks_of(run.pid)) == ranks or run.poll() is not None:
            break
        time.sleep(0.02)
    return run


def wait_for_save(file, run):
    """Until the run writes its checkpoint again, or is over."""
    def written():
        return os.stat(file).st_mtime_ns if os.path.exists(file) else 0
    before = written()
    while written() == before and run.poll() is None:
        time.sleep(0.002)


def start_searching(row, ranks, *more, **how):
    """Until all ranks have stood still twice, so that each has explored."""
    file = f"{SAVES.name}/{time.monotonic_ns()}"
    run = start(row, ranks, f"--checkpoint={file}", "--checkpoint-every=0.1",
                *more, **how)
    wait_for_save(file, run)
    wait_for_save(file, run)
    assert run.poll() is None, run.communicate()
    return run


LONG = ("counts/ainc.c", "-DN=11", "")


def a_lost_rank_is_no_verdict(which):
    """Nothing can be claimed then, by whoever is left."""
    run = start_searching(LONG, 3, grace=1)
    os.kill(ranks_of(run.pid)[which], signal.SIGKILL)
    out, err = run.communicate(timeout=120)
    # mpirun tells the signal or, by chance, what a rank ended with.
    assert run.returncode in (3, 128 + signal.SIGKILL), (
        run.returncode, out, err)
    assert '"verdict": "ok"' not in out.replace('":"', '": "'), out
    # (That of Open MPI 5 gives the others half a second.)
    if which and (out or not mpi.is_hasty()):
        answer = answer_of(out)
        assert answer["verdict"] == "incomplete", answer
        assert "does not answer" in answer["limit"], answer
        assert answer["executions"], answer


def with_a_rank_that_hangs(which, row, *more):
    """MPI does not notice it; those who wait for it do."""
    run = start_searching(row, 3, "--mpi-patience=1", *more)
    os.kill(ranks_of(run.pid)[which], signal.SIGSTOP)
    try:
        out, err = run.communicate(timeout=120)
    finally:
        for rank in ranks_of(run.pid).values():  # if it was not noticed
            os.kill(rank, signal.SIGKILL)
    return run.returncode, out, err


def a_rank_that_hangs_is_lost(which):
    code, out, err = with_a_rank_that_hangs(which, LONG)
    assert code == 3, (code, out, err)
    if which:
        answer = answer_of(out)
        assert answer["verdict"] == "incomplete", answer
        assert answer["limit"] == f"rank {which} does not answer", answer
        assert answer["executions"], answer
    else:
        assert "rank 0 does not answer" in err, (out, err)
        # When mpirun ends it, it may wake up for a moment.
        assert not out or answer_of(out)["verdict"] == "incomplete", out


def same_after_losses(row, ranks, which):
    """Ranks are killed, and others go on from the checkpoint."""
    dice = random.Random(f"{row}{DAY}")
    _, expected = plain(row)
    killed = 0
    with tempfile.TemporaryDirectory(prefix="heddle-mpi-") as at:
        file = f"{at}/checkpoint"
        more = [f"--checkpoint={file}", "--checkpoint-every=0.02"]
        for _ in range(4):
            resume = [f"--resume={file}"] if os.path.exists(file) else []
            run = start(row, ranks, *more, *resume, grace=which % 2)
            wait_for_save(file, run)
            time.sleep(dice.uniform(0, 0.1))
            victim = ranks_of(run.pid).get(which)
            if victim:
                os.kill(victim, signal.SIGKILL)
            out, _ = run.communicate(timeout=120)
            killed += run.returncode != 0
            if run.returncode == 0:  # it was too late
                assert key(answer_of(out)) == key(expected), out
                os.unlink(file)
        assert killed, "no rank was killed in time"
        resume = [f"--resume={file}"] if os.path.exists(file) else []
        _, got = shared(row, ranks, *more, *resume, code=0)
        assert key(got) == key(expected), (key(got), key(expected))
        # A checkpoint is that of any search.
        again = subprocess.run([HEDDLE, "run", "--json", file],
                               capture_output=True, text=True, timeout=300)
        assert answer_of(again.stdout)["executions"] == \
            expected["executions"], again.stdout


why_not = mpi.missing(HEDDLE)
if why_not:
    print(f"1..0 # SKIP {why_not}")
    sys.exit(0)

for i, row in enumerate(COUNTS):
    tap.add("same counts: " + name(row),
            lambda row=row, i=i: same_counts(row, 2 + i % 4, 1 + i % 2))
tap.add("same counts: eight ranks", lambda: same_counts(BIG, 8, 1))
tap.add("same counts: one rank", lambda: same_counts(COUNTS[0], 1, 1))
for i, row in enumerate(ERRORS):
    tap.add("same errors: " + name(row),
            lambda row=row, i=i: same_errors(row, 2 + i % 3))
for which in (1, 2, 0):
    tap.add(f"rank {which} of 3 is killed",
            lambda which=which: a_lost_rank_is_no_verdict(which))
@tap.test
def an_error_is_told_although_a_rank_is_lost():
    with tempfile.TemporaryDirectory(prefix="heddle-mpi-") as at:
        program = Path(at) / "some.c"
        program.write_text("""\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define N 11
static atomic_int next;
static int drawn[N];
static void *draw(void *at) {
  *(int *)at = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
  return NULL;
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, draw, &drawn[i]);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  assert(drawn[N - 1] != N - 3);
}
""")
        code, out, err = with_a_rank_that_hangs(1, (str(program), "", ""),
                                                "--all-errors")
    assert code == 1, (code, out, err)
    answer = answer_of(out)
    assert answer["verdict"] == "error", answer
    assert answer["limit"] == "rank 1 does not answer", answer
    assert [e["line"] for e in answer["errors"]] == [17], answer
    assert answer["events"], answer


@tap.test
def a_report_is_read_before_all_ranks_are_ended():
    """Or it has a hole: mpirun mixes up what it reads then."""
    with tempfile.TemporaryDirectory(prefix="heddle-mpi-") as at:
        pipe = f"{at}/pipe"
        os.mkfifo(pipe)
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        os.set_blocking(reader, True)
        to_pipe = '[ "$OMPI_COMM_WORLD_RANK" != 0 ] || exec > "$0"; exec "$@"'
        run = start_searching(LONG, 2, "--mpi-patience=2",
                              first=["sh", "-c", to_pipe, pipe])
        os.kill(ranks_of(run.pid)[1], signal.SIGSTOP)
        assert select.select([reader], [], [], 60)[0], "no report"
        time.sleep(0.5)  # it must not go on while none reads
        assert 0 in ranks_of(run.pid), "rank 0 has not waited"
        with open(reader, encoding="utf-8") as report:
            answer = answer_of(report.read())
        run.communicate(timeout=120)
    assert answer["limit"] == "rank 1 does not answer", answer


for which in (1, 2, 0):
    tap.add(f"rank {which} of 3 hangs",
            lambda which=which: a_rank_that_hangs_is_lost(which))
for i, row in enumerate([("counts/ainc.c", "-DN=9", ""), ("awaits/lock_rounds.c", "-DLOCK=1 -DLOOKERS=2", ""),
                         ("counts/incs.c", "-DM=3 -DN=4", "--model=sc")]):
    tap.add("killed and resumed: " + name(row),
            lambda row=row, i=i: same_after_losses(row, 3, i % 3))


@tap.test
def the_script_goes_on_when_ranks_are_lost():
    row = ("counts/ainc.c", "-DN=9", "")
    with tempfile.TemporaryDirectory(prefix="heddle-mpi-") as at:
        env = {**os.environ,
               "PATH": f"{Path(HEDDLE).parent}:{os.environ['PATH']}",
               "OMPI_MCA_odls_base_sigkill_timeout": "1",
               "MPIRUN_OPTIONS": " ".join(mpi.MPIRUN[1:])}
        run = subprocess.Popen(
            [TESTS.parent / "examples/slurm/mpi.sh", "3", *words(
                row, "--checkpoint-every=0.1", "--json", "--stats")],
            cwd=at, env=env, stderr=subprocess.PIPE, text=True)
        lost = 0
        for which in (1, 0):
            wait_for_save(f"{at}/heddle.ckpt", run)
            victim = ranks_of(child_of(run.pid)).get(which)
            if victim:
                os.kill(victim, signal.SIGKILL)
                lost += 1
        _, err = run.communicate(timeout=240)
        assert lost and run.returncode == 0, (lost, run.returncode, err)
        got = answer_of(Path(at, "heddle.out").read_text())
        assert key(got) == key(plain(row)[1]), (got, err)


@tap.test
def limits_leave_a_checkpoint():
    with tempfile.TemporaryDirectory(prefix="heddle-mpi-") as at:
        file = f"{at}/checkpoint"
        _, before = shared(LONG, 2, f"--checkpoint={file}", "--max-time=0.3",
                           code=3)
        assert before["limit"] == "time" and before["executions"], before
        _, after = shared(LONG, 3, f"--resume={file}", "--max-time=0.3", code=3)
        assert after["executions"] > before["executions"], (before, after)


@tap.test
def ranks_share_the_memory_of_a_machine():
    with tempfile.TemporaryDirectory(prefix="heddle-mpi-") as at:
        file = f"{at}/checkpoint"
        _, one = shared(COUNTS[0], 1, code=0)
        # Enough for one, but not for each of two.
        limit = f"--max-memory={one['max_rss_kb'] * 3 // 2 // 1024}"
        _, got = shared(COUNTS[0], 1, limit, code=0)
        assert got["limit"] is None, got
        _, got = shared(LONG, 2, limit, f"--checkpoint={file}",
                        "--max-time=3", code=3)
        assert got["limit"] == "memory", (limit, got)
        _, after = shared(LONG, 2, f"--resume={file}", "--max-time=0.3",
                          code=3)
        assert after["limit"] == "time", after
        assert after["executions"] > got["executions"], (got, after)


@tap.test
def checkpoints_leave_time_for_the_search():
    with tempfile.TemporaryDirectory(prefix="heddle-mpi-") as at:
        _, got = shared(BIG, 2, f"--checkpoint={at}/checkpoint",
                        "--checkpoint-every=0.00001", code=0)
        assert got["executions"] == 40320, got


@tap.test
def any_error_ends_all_ranks():
    _, answer = shared(ERRORS[-1], 3, "--any-error", code=1)
    assert len(answer["errors"]) == 1, answer


def refused(ranks, *command):
    run = subprocess.run(mpi.command(ranks, *command), capture_output=True,
                         text=True, timeout=120, env=mpi.environment())
    assert run.returncode == 2, (run.returncode, run.stdout, run.stderr)
    said = [line for line in run.stderr.splitlines() if "error:" in line]
    return said


@tap.test
def bad_input_is_told_once():
    said = refused(3, HEDDLE, "check", "--mpi", "/nowhere.c")
    assert len(said) == 1 and "nowhere" in said[0], said
    said = refused(2, *check(("counts/ainc.c", "-DN=4", ""), "--mpi",
                             "--bound=preemptions:0.."))
    assert len(said) == 1 and "--bound" in said[0], said


@tap.test
def ranks_must_explore_the_same():
    # (Open MPI 5.0.7 crashes with `-n 1 true : -n 1 true`.)
    each = 'exec "$@" -DN=$((4 + OMPI_COMM_WORLD_RANK))'
    said = refused(2, "sh", "-c", each, "sh",
                   *check(("counts/ainc.c", "", ""), "--mpi"))
    assert len(said) == 1 and "rank 1" in said[0], said
    assert "program" in said[0], said


tap.main()
