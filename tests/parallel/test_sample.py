#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`--sample`: executions drawn at random.

    tests/parallel/test_sample.py build/heddle [WORD...]
"""
import json
import re
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS))
import tap

HEDDLE = sys.argv[1]


def check(program, flags, *options):
    words = [HEDDLE, "check", "--json", *options,
             str(TESTS / "programs" / program), "--", *flags.split()]
    result = subprocess.run(words, capture_output=True, text=True, timeout=300)
    return result.returncode, json.loads(result.stdout)


# Programs whose executions are known: how many, and options.
KNOWN = [("counts/ainc.c", "-DN=7", 5040, "rc11"),
         ("counts/writers.c", "-DREADER=1 -DW=7", 40320, "rc11"),
         ("counts/fib.c", "-DN=4", 34205, "rc11"),
         ("counts/casw.c", "-DN=4", 1200, "imm"),
         ("counts/ring.c", "-DSB -DN=12", 4096, "tso"),
         ("counts/incs.c", "-DM=2 -DN=4", 576, "sc")]


@tap.test
def shares_are_estimated():
    for program, flags, right, model in KNOWN:
        code, answer = check(program, flags, "--model", model,
                             f"--sample={right // 2}")
        drawn = answer["sample"]
        assert code == 3 and answer["limit"] == "--sample", answer
        assert right // 2 <= drawn["executions"], answer
        assert drawn["different"] <= min(right, drawn["executions"]), answer
        assert drawn["different"] > right // 8, answer
        guess = answer["estimate"]["executions"]
        assert right / 3 < guess < 3 * right, (program, answer)


@tap.test
def few_executions_say_how_many_there_are():
    """Most of these estimates are within three times, and a sweep that would
    draw more than is left is not lost."""
    right, good = 5040, 0
    for seed in range(1, 21):
        _, answer = check("counts/ainc.c", "-DN=7", "--sample=100",
                          f"--seed={seed}", "--jobs=1")
        assert 100 <= answer["sample"]["executions"] <= 200, answer
        good += right / 3 < answer["estimate"]["executions"] < 3 * right
    assert good >= 11, good


@tap.test
def all_are_drawn_in_the_end():
    """When nothing is left out, each execution was met, and none is counted
    twice."""
    for program, flags, right, model in KNOWN:
        if right > 5040:
            continue
        _, answer = check(program, flags, "--model", model, "--sample=60s")
        assert answer["sample"]["different"] == right, (program, answer)
        assert answer["estimate"]["executions"] == right, (program, answer)


@tap.test
def seeds_decide():
    def drawn(seed):
        _, answer = check("counts/ainc.c", "-DN=9", "--sample=500",
                          f"--seed={seed}")
        return answer["sample"], answer["estimate"], answer["max_rss_kb"] > 0
    assert drawn(7) == drawn(7)
    assert len({str(drawn(seed)) for seed in range(1, 6)}) > 1


@tap.test
def errors_are_errors():
    for jobs in (1, 3):
        code, answer = check("errors/late.c", "-DN=7 -DEVERY=499",
                             "--sample=60s", f"--jobs={jobs}")
        assert code == 1 and answer["limit"] is None, answer
        assert answer["errors"][0]["kind"] == "assertion", answer
    code, answer = check("errors/late.c", "-DN=7 -DEVERY=499",
                         f"--replay={answer['replay']}")
    assert code == 1, answer


@tap.test
def reports_are_text_too():
    """What would mend the error is asked of all executions."""
    def text(program, flags, *options):
        result = subprocess.run([HEDDLE, "check", *options,
                                 str(TESTS / "programs" / program), "--",
                                 *flags.split()], capture_output=True,
                                text=True, timeout=300)
        return result.returncode, result.stdout
    code, said = text("errors/race.c", "-DTAKE=rlx -DSEND=rlx", "--sample=100")
    assert code == 1 and "the error is gone" in said, said
    code, said = text("counts/ainc.c", "-DN=4", "--sample=100")
    assert code == 3 and "24 of them are different: all that" in said, said
    # Of what other executions justify none is drawn.
    for model in ("xmm", "lkmm"):
        code, said = text("loadbuffering/ring.c", "-DN=2", "--sample=100",
                          "--model", model)
        assert code == 3 and "without load buffering;" in said, said


@tap.test
def what_it_excludes():
    for words in (["--sample=x"], ["--sample=0"], ["--sample=1s2"],
                  ["--sample=9", "--max-executions=3"],
                  ["--sample=9", "--checkpoint=no.ckpt"]):
        result = subprocess.run(
            [HEDDLE, "check", *words,
             str(TESTS / "programs/counts/ainc.c"), "--", "-DN=3"],
            capture_output=True, text=True)
        assert result.returncode == 2, (words, result.stderr)
        assert re.search("--sample", result.stderr), result.stderr


tap.main()
