#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Heddle on random programs (gen.py), in TAP.

    tests/random/run.py build/heddle [--against OTHER] [--seeds N] [--first K]
                        [--daily N] [--batch N]

Each seed is one program under one model. Heddle must have an answer (exit code
0, 1 or 3: no crash, no internal error, no refusal) in time, and it must be a
possible one: a program without errors has none under a stronger model either,
and not more executions. With --against, a second binary (such as one with
sanitizers) must say exactly the same. A failing program is kept; its path is in
the output.

With --batch, one process checks many programs, and verdicts and numbers are
compared. That is for long campaigns: starting a process with sanitizers takes
longer than most programs do. What is not as expected is checked on its own.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import gen
import tap

# Each model with one that allows less.
STRONGER = {"rc11": "sc", "tso": "sc", "pso": "tso", "ra": "rc11", "sc": None,
            "imm": "rc11", "armv8": "sc"}
LIMITS = ["--max-executions", "400", "--max-events", "5000"]
ANSWERS = {0: "ok", 1: "error", 3: "incomplete"}
# Nothing stands for anything else.
ALL = ["--explore-retries", "--symmetry", "off"]
VARYING = ["seconds", "max_rss_kb"]  # differ between runs
TIMEOUT = 60  # seconds, for programs that take some milliseconds


class Wrong(Exception):
    pass


def check(heddle, model, path, *options):
    """The report of heddle, without what differs between runs."""
    words = path.read_text().split("\n", 1)[0].split()[2:]  # // run: ...
    end = words.index("--")
    command = [heddle, "check", "--json", "--model", model, *LIMITS,
               *options, *words[:end], str(path), *words[end:]]
    try:
        result = subprocess.run(command, capture_output=True, text=True,
                                timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        raise Wrong(f"no answer in {TIMEOUT} s: "
                    f"{shlex.join(command)}") from None
    verdict = ANSWERS.get(result.returncode)
    if verdict is None:
        raise Wrong(f"exit code {result.returncode}: {shlex.join(command)}\n"
                    + result.stderr[-3000:])
    report = json.loads(result.stdout)
    if report["verdict"] != verdict:
        raise Wrong(f"verdict {report['verdict']} with exit code "
                    f"{result.returncode}: {shlex.join(command)}")
    for member in VARYING:
        report.pop(member, None)
    return report


def summary(report):
    kinds = [error["kind"] for error in report["errors"]]
    return " ".join([report["model"], report["verdict"], *kinds,
                     str(report["executions"]), str(report["blocked"])])


def has_more(heddle, path, less, report):
    """Has a stronger model more executions? What is left out, since others
    stand for it, depends on the model; so all are counted in case of doubt."""
    if less["executions"] <= report["executions"]:
        return False
    all_less = check(heddle, less["model"], path, *ALL)
    all_more = check(heddle, report["model"], path, *ALL)
    return (all_more["verdict"] == "ok"
            and all_less["executions"] > all_more["executions"])


def compare(heddle, other, model, path):
    """Checks one program in every way; a summary of the answer."""
    report = check(heddle, model, path)
    if other:
        its = check(other, model, path)
        if its != report:
            raise Wrong(f"{summary(report)}, but {other}: {summary(its)}\n"
                        f"{path}")
    stronger = STRONGER[model]
    if report["verdict"] == "ok" and stronger:
        less = check(heddle, stronger, path)
        # Every execution of the stronger model may be blocked.
        if ((less["verdict"] != "ok" and less["limit"] != "vacuous")
                or has_more(heddle, path, less, report)):
            raise Wrong(f"{summary(report)}, but {summary(less)}\n{path}")
    return summary(report)


def model_of(seed):
    return list(STRONGER)[seed % len(STRONGER)]


def run_seed(heddle, other, seed, work):
    """(summary, None) or (model, error) for one seed."""
    model = model_of(seed)
    path = work / f"{seed}.c"
    path.write_text(gen.generate(seed))
    try:
        said = compare(heddle, other, model, path)
    except (Wrong, ValueError, KeyError) as e:
        return model, e
    path.unlink()
    return said, None


# -- many programs in one process

def check_many(heddle, model, words, paths):
    """What heddle says of each program, by path; nothing if it says nothing."""
    end = words.index("--")
    command = [heddle, "check", "--separately", "--json", "--model", model,
               *LIMITS, *words[:end], *paths, *words[end:]]
    try:
        result = subprocess.run(command, capture_output=True, text=True,
                                timeout=TIMEOUT + 2 * len(paths))
        tests = json.loads(result.stdout)["tests"]
    except (subprocess.TimeoutExpired, ValueError, KeyError):
        return {}
    return {t["file"]: [t["verdict"], *t["kinds"], t["executions"],
                        t["blocked"]] for t in tests}


def is_possible(row, less):
    """Can a stronger model say `less` where a program has no error?"""
    return less and less[0] == "ok" and less[-2] <= row[-2]


def run_batch(heddle, other, model, words, seeds, work):
    """(seed, (summary, error)) for each seed."""
    paths = {seed: str(work / f"{seed}.c") for seed in seeds}
    rows = check_many(heddle, model, words, [*paths.values()])
    its = check_many(other, model, words, [*paths.values()]) if other else rows
    stronger, less = STRONGER[model], {}
    right = [p for p in paths.values()
             if stronger and rows.get(p, [""])[0] == "ok"]
    if right:
        less = check_many(heddle, stronger, words, right)
    results = []
    for seed, path in paths.items():
        row = rows.get(path)
        if (row and row[0] in ANSWERS.values() and its.get(path) == row and
                (path not in right or is_possible(row, less.get(path)))):
            Path(path).unlink()
            said = " ".join(map(str, [model, *row]))
            results.append((seed, (said, None)))
        else:
            results.append((seed, run_seed(heddle, other, seed, work)))
    return results


def batches(seeds, size, work):
    """(model, options, seeds) of programs that one process can check."""
    open_ones = collections.defaultdict(list)
    for seed in seeds:
        text = gen.generate(seed)
        (work / f"{seed}.c").write_text(text)
        key = model_of(seed), text.split("\n", 1)[0]
        open_ones[key].append(seed)
        if len(open_ones[key]) == size:
            yield key[0], key[1].split()[2:], open_ones.pop(key)
    for (model, line), rest in open_ones.items():
        yield model, line.split()[2:], rest


def results_of(chosen, seeds):
    with concurrent.futures.ThreadPoolExecutor(chosen.jobs) as pool:
        if not chosen.batch:
            yield from zip(seeds, pool.map(lambda seed: run_seed(
                chosen.heddle, chosen.against, seed, chosen.work), seeds))
            return
        at_once = 4 * chosen.jobs  # programs are made as they are needed
        waiting = collections.deque()
        for model, words, some in batches(seeds, chosen.batch, chosen.work):
            waiting.append(pool.submit(run_batch, chosen.heddle,
                                       chosen.against, model, words, some,
                                       chosen.work))
            if len(waiting) == at_once:
                yield from waiting.popleft().result()
        for left in waiting:
            yield from left.result()


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("heddle")
    options.add_argument("--against", metavar="OTHER",
                         help="a second binary that must say the same")
    options.add_argument("--seeds", type=int, default=100, metavar="N")
    options.add_argument("--first", type=int, default=0, metavar="K")
    options.add_argument("--daily", type=int, default=0, metavar="N",
                         help="N seeds more that differ from day to day")
    options.add_argument("--work", type=Path, default="/tmp/heddle-random",
                         help="folder for the programs")
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    options.add_argument("--batch", type=int, default=0, metavar="N",
                         help="check N programs with one process")
    chosen = options.parse_args()
    if chosen.against and not Path(chosen.against).exists():
        tap.report(1, "all seeds", skip=f"no {chosen.against} to compare with")
        print("1..1")
        return
    chosen.work.mkdir(parents=True, exist_ok=True)
    seeds = tap.seeds(chosen.first, chosen.seeds, chosen.daily, 1000)
    failed = 0
    for number, (seed, (said, error)) in enumerate(results_of(chosen, seeds),
                                                   1):
        failed += error is not None
        tap.report(number, f"seed {seed}: {said}", error=error)
    print(f"1..{len(seeds)}")
    sys.exit(1 if failed or not seeds else 0)


if __name__ == "__main__":
    main()
