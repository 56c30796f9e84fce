#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Do the tests notice wrong changes? Makes each change of mutations.txt, one at
a time, in a copy of the tree, and runs tests until one fails: first those near
to the change, then all.

    tools/mutate.py [--only WORD]... [--near] [--seeds N] [--keep FOLDER]
    tools/mutate.py --open      # those that docs/mutations.md has no answer for
    tools/mutate.py --check     # is the text of each change there? (a test)

A change that no test notices is a gap in the tests, or code that makes no
difference. A change whose text is not in the code any more is an error here:
mend the list. The answers are written into the table of docs/mutations.md, and
the last line is `N noticed, N not noticed, N stale`; exit code 1 unless all
were noticed. All of them take hours: this is not part of CI.
"""
import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIST = Path(__file__).resolve().parent / "mutations.txt"
ANSWERS = ROOT / "docs" / "mutations.md"
BUILDS = {"build": ["--buildtype=debugoptimized"],
          "build-slow": ["--buildtype=debugoptimized", "-Dchecks=slow"]}
HEDDLE = "heddle", "rt/rt.a", "src/front/watch.so"  # what it reads, too
LATE = 300  # seconds, of a test
FEW_SEEDS = 200
MORE_SEEDS = {"prop/test_litmus": 10}  # its programs are small
SUITES = ["unit", "litmus", "cli", "parallel", "distinct", "optimise", "random",
          "lowering", "prop"]
# Which tests are near to a change, by the first word of its name. What is a
# script takes a heddle; `programs/` is a folder of programs with expectations.
NEAR = {
    "await lockword net own silence stale unroll wait":
        "programs/awaits prop/test_explore prop/test_lock_words "
        "prop/test_own_rounds prop/test_retry",
    "assume parallel": "unit/test_assume unit/test_parallel "
                       "parallel/test_checkpoint.py",
    "armv8 buffers imm rc11 sc":
        "unit/test_model unit/test_model_deps prop/test_explore",
    "blocked inspect leak life livelock misuse race":
        "prop/test_findings programs/errors",
    "active bounded cat facts judge prove same":
        "unit/test_cat unit/test_prove unit/test_same prop/test_models "
        "cli/test_models.py unit/test_monotone unit/test_declared "
        "prop/test_hardware prop/test_incoherent",
    "c11 jam21": "unit/test_jam21 prop/test_languages unit/test_sequences",
    "alone blind bound buffering chains circles foresee forward growth guess "
    "hope justify pause rings steps xmm":
        "prop/test_xmm prop/test_xmm_reexec prop/test_xmm_bounds "
        "programs/loadbuffering",
    "bpf": "cli/test_litmus_bpf.py random/bpf_axioms.py",
    "mips": "cli/test_litmus_mips.py",
    "cause": "cli/test_planted.py",
    "cells mixed":
        "prop/test_mixed prop/test_mixed_armv8 cli/test_mixed_size.py "
        "programs/language random/mixed_words.py",
    "coarse witness":
        "unit/test_witness prop/test_coarse prop/test_coarse_equal "
        "cli/test_equivalence.py",
    "round": "programs/awaits programs/loadbuffering programs/kernel "
             "cli/test_models.py programs/library",
    "clock weak": "programs/library programs/awaits",
    "crossbeam": "programs/rust",
    "forced": "programs/cpp",
    "dead": "unit/test_dead",
    "graph hb undo": "unit/test_graph prop/test_explore",
    "idle": "unit/test_idle programs/awaits",
    "litmus": "cli/test_litmus_herd.py cli/test_litmus_java.py",
    "scope": "cli/test_front.py",
    "optimise": "unit/test_hit optimise/test_sites.py "
                "optimise/test_optimise.py optimise/test_choices.py "
                "optimise/test_fences.py optimise/test_kernel.py",
    "picks": "prop/test_picks prop/test_litmus random/selects.py "
             "cli/test_buffering.py",
    "thin": "prop/test_branches programs/kernel",
    "promise": "programs/dependencies prop/test_explore prop/test_litmus",
    "fixed retry":
        "prop/test_retry prop/test_first_look programs/awaits "
        "programs/loadbuffering cli/test_retries.py cli/test_own_locks.py "
        "prop/test_explore",
    "elements": "prop/test_elements prop/test_equal_locks cli/test_symmetry.py "
                "cli/test_own_locks.py",
    "barrier": "programs/library",
    "symmetry": "prop/test_symmetry cli/test_symmetry.py",
    "choice end leaf read schedule tail value":
        "programs/verdicts cli/test_verdicts.py cli/test_counts.py "
        "prop/test_findings prop/test_explore",
    "cas deps flags rcu": "programs/kernel prop/test_explore",
    "promote": "programs/language",
    "freeze quick watch":
        "unit/test_random unit/test_idle programs/language",
    "patience": "cli/test_verdicts.py",
    "switch": "unit/test_vm",
    "undone": "prop/test_undone programs/locks",
    "unknown": "unit/test_unknown",
    "vm": "unit/test_vm unit/test_deps unit/test_deps_memory prop/test_explore",
    "": "prop/test_explore prop/test_findings",
}
ENTRY = re.compile(r"^@ (\S+) (\S+) (.*)\n((?:-.*\n)+)((?:\+.*\n)*)", re.M)


def read_list(text):
    """(name, file, what, old text, new text) of each change."""
    changes = []
    for name, file, what, old, new in ENTRY.findall(text):
        lines = [re.sub(r"^[-+] ?", "", l) for l in old.splitlines()]
        news = [re.sub(r"^[-+] ?", "", l) for l in new.splitlines()]
        changes.append((name, file, what, "\n".join(lines), "\n".join(news)))
    return changes


def stale_changes(tree, text):
    """What is wrong with the list, as lines."""
    changes, wrong = read_list(text), []
    if len(changes) != len(re.findall(r"^@", text, re.M)):
        wrong.append("an entry is not `@ NAME FILE what`, `-` lines, `+` lines")
    names = [c[0] for c in changes]
    wrong += [f"{n}: the name is there twice"
              for n in sorted(set(names)) if names.count(n) > 1]
    for name, file, _, old, new in changes:
        path = tree / file
        found = path.read_text().count(old) if path.exists() else 0
        if found != 1:
            wrong.append(f"{name}: its text is {found} times in {file}")
        elif old == new:
            wrong.append(f"{name}: changes nothing")
    return wrong


def row_of(name, file, what):
    """How the row of a change begins in docs/mutations.md."""
    what = what.replace("|", "\\|")
    return f"| {name} | `{file.removeprefix('src/')}` | {what} | "


def stale_answers(text, answers):
    """Rows of docs/mutations.md about changes that are not in the list, or
    are another change there, as lines."""
    begins = {name: row_of(name, file, what)
              for name, file, what, _, _ in read_list(text)}
    rows = answers[answers.index("| change |"):].split("\n\n")[0].splitlines()
    return [f"{row.split('|')[1].strip()}: not as in tools/mutations.txt"
            for row in rows[2:]
            if not row.startswith(begins.get(row.split("|")[1].strip(), "-"))]


def first_failure(command, folder, seconds, **more):
    """What a test that speaks TAP says first of what fails; None: nothing. A
    hang is a failure too."""
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True,
                          start_new_session=True, **more) as process:
        alarm = threading.Timer(seconds, kill, [process])
        alarm.start()
        failure = None
        for line in process.stdout:
            if line.startswith("not ok"):
                failure = re.sub(r"^not ok \d+ - ", "", line).strip()
                kill(process)
                break
        code = process.wait()
        is_late = not alarm.is_alive()
        alarm.cancel()
    if failure or not code:
        return failure
    return "takes too long" if is_late else f"ends with {code}"


def kill(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


class DoesNotBuild(Exception):
    pass


class Tree:
    """A copy of the tree that is built with one change at a time."""

    def __init__(self, folder, seeds):
        self.path = Path(folder) / "tree"
        self.seeds = seeds
        if self.path.exists():
            for command in ["fetch", "-q"], ["reset", "-q", "--hard", "@{u}"]:
                subprocess.run(["git", *command], cwd=self.path, check=True)
            return
        subprocess.run(["git", "clone", "-q", ROOT, self.path], check=True)
        for build, options in BUILDS.items():
            subprocess.run(["meson", "setup", build, *options], cwd=self.path,
                           check=True, stdout=subprocess.DEVNULL)

    def make(self, *targets, build="build"):
        return subprocess.run(["ninja", "-C", build, *targets], cwd=self.path,
                              capture_output=True).returncode == 0

    def program(self, test, seeds, build="build"):
        """One test: what fails in it, or None."""
        if test.startswith("programs"):
            return self.programs(test)
        is_script = test.endswith(".py")
        if not self.make(*(HEDDLE if is_script else [f"tests/{test}"]),
                         build=build):
            raise DoesNotBuild
        seeds *= MORE_SEEDS.get(test, 1)
        environment = {**os.environ, "HEDDLE_SEEDS": str(seeds)}
        command = ([sys.executable, f"tests/{test}", f"{build}/heddle"]
                   if is_script else [self.path / build / "tests" / test])
        failure = first_failure(command, self.path, LATE, env=environment)
        where = "slow checks, " if build == "build-slow" else ""
        return failure and f"{where}`{test}`: {failure}"

    def programs(self, folder="programs"):
        """C programs under tests/."""
        if not self.make(*HEDDLE):
            raise DoesNotBuild
        failure = first_failure(
            [sys.executable, "tests/run.py", "build/heddle", "--small",
             "--jobs", "1", f"tests/{folder}"], self.path, 1800,
            env={**os.environ, "HEDDLE_CACHE": str(ROOT / "build/test-cache")})
        return failure and f"programs: {failure}"

    def suite(self, suite):
        self.make()
        log = self.path / "build" / "meson-logs" / "testlog.json"
        subprocess.run(["meson", "test", "-C", "build", "--no-rebuild",
                        "--maxfail", "1", "--num-processes", "1", "--suite",
                        suite], cwd=self.path, capture_output=True,
                       env={**os.environ, "HEDDLE_SEEDS": str(self.seeds)})
        for record in map(json.loads, log.read_text().splitlines()):
            if record["result"] not in ("OK", "INTERRUPT"):
                return record["name"].replace("heddle:", "")
        return None

    def who_notices(self, name, near_only):
        """What notices the change that was made; None: nothing."""
        word = name.split("-")[0]
        near = next((tests for words, tests in NEAR.items()
                     if word in words.split()), NEAR[""]).split()
        stages = [lambda t=t: self.program(t, FEW_SEEDS) for t in near]
        if not near_only:
            stages.append(self.programs)
            stages += [lambda t=t: self.program(t, self.seeds) for t in near
                       if t.startswith("prop/")]
            stages += [lambda t=t: self.program(t, FEW_SEEDS, "build-slow")
                       for t in near if t.startswith("prop/")]
            stages += [lambda s=s: self.suite(s) for s in SUITES]
        return next((found for found in (s() for s in stages) if found), None)


def write_answer(name, file, what, answer):
    """The row of a change in docs/mutations.md, with the day of the answer."""
    lines = ANSWERS.read_text().splitlines()
    row = (row_of(name, file, what)
           + f"{answer or '**no**'} | {time.strftime('%Y-%m-%d')} |")
    names = [line.split("|")[1].strip() if line.startswith("|") else ""
             for line in lines]
    if name in names:
        lines[names.index(name)] = row
    else:
        start = names.index("change")
        end = next(i for i in range(start, len(lines)) if not names[i])
        lines.insert(end, row)
    ANSWERS.write_text("\n".join(lines) + "\n")


def has_answer(name):
    return any(line.startswith(f"| {name} |") and "**no**" not in line
               for line in ANSWERS.read_text().splitlines())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", action="append", default=[],
                        help="names that contain this")
    parser.add_argument("--open", action="store_true",
                        help="those without an answer so far")
    parser.add_argument("--near", action="store_true",
                        help="only the tests near to the change: a first look")
    parser.add_argument("--seeds", type=int, default=2000)
    parser.add_argument("--keep", metavar="FOLDER",
                        help="where the copy is, or is to stay: the next call "
                             "need not build all of it")
    parser.add_argument("--check", action="store_true",
                        help="only look whether the list fits the code (TAP)")
    arguments = parser.parse_args()
    if arguments.check:
        wrong = stale_changes(ROOT, LIST.read_text())
        for line in wrong:
            print(f"# tools/mutations.txt: {line}")
        print(f"{'not ' if wrong else ''}ok 1 - wrong changes fit the code")
        old = stale_answers(LIST.read_text(), ANSWERS.read_text())
        for line in old:
            print(f"# docs/mutations.md: {line}")
        print(f"{'not ' if old else ''}ok 2 - answers are about these changes")
        print("1..2")
        sys.exit(1 if wrong or old else 0)
    counts = {"noticed": 0, "not noticed": 0, "stale": 0}
    with tempfile.TemporaryDirectory() as folder:
        tree = Tree(arguments.keep or folder, arguments.seeds)
        if not tree.make():
            sys.exit("the tree does not build as it is")
        for name, file, what, old, new in read_list(LIST.read_text()):
            if (arguments.only and not any(o in name for o in arguments.only)
                    or arguments.open and has_answer(name)):
                continue
            start = time.monotonic()
            path = tree.path / file
            text = path.read_text() if path.exists() else ""
            if text.count(old) != 1:
                result, answer = "stale", f"{text.count(old)} times there"
            else:
                path.write_text(text.replace(old, new))
                try:
                    answer = tree.who_notices(name, arguments.near)
                    result = "noticed" if answer else "not noticed"
                except DoesNotBuild:
                    result, answer = "stale", "does not build"
                path.write_text(text)
                if result != "stale" and (answer or not arguments.near):
                    write_answer(name, file, what, answer)
            counts[result] += 1
            print(f"{name:24} {result:12} {answer or ''} "
                  f"({time.monotonic() - start:.0f} s)", flush=True)
    print(", ".join(f"{n} {what}" for what, n in counts.items()))
    sys.exit(0 if counts["noticed"] == sum(counts.values()) else 1)


if __name__ == "__main__":
    main()
