#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs programs that carry their expectation and speaks TAP.

    tests/run.py build/heddle [--small] [--two-models] [--only WORD] PATH...

A PATH is a C or C++ file, a folder of them, or a list of litmus shapes (a .txt, see
litmus/shapes.py). What a C file must say about itself, in comments:

    // expect: sc ok 3; rc11,tso ok 4      MODELS VERDICT [KIND] [COUNT]
    // run: flags=-DN=4 all ok 24          a run of its own, with clang flags
    // run: big args=--disable=race ...    options of heddle; big: release only
    // run: before=16 ...                  with libstdc++ before 16; or since=16
    // args: --disable race                options for every run of the file
    // flags: -DN=3                        clang flags for every run
    // files: other.c                      more source files (marked part-of)
    // part-of: main.c                     no program of its own

MODELS are names with commas between, or `all`. A model that this heddle does
not have yet is left out, so that the counts of later models can be written
down now. VERDICT is ok, error or incomplete; an error names its KIND. COUNT is
the number of complete executions, N+B if B blocked ones are expected. When lines of the file end in the comment
`// BUG`, an error must be reported at one of them. A file without expectation
fails, and so does a run of this script that finds nothing to do.
"""
import argparse
import concurrent.futures
import dataclasses
import functools
import itertools
import json
import os
import re
import shlex
import subprocess
import sys
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "litmus"))
import shapes
import tap
from clang import CLANG

MODELS = ["sc", "tso", "pso", "ra", "rc11", "imm", "armv8", "armv7", "power",
          "riscv", "c11", "jam21", "lkmm", "xmm"]
ALL = ["sc", "tso", "ra", "rc11", "imm"]  # those with published counts
EXIT_CODE = {"ok": 0, "error": 1, "incomplete": 3}
DIRECTIVE = re.compile(
    r"^// (expect|run|args|flags|files|part-of): *(.*?) *$", re.M)
ENTRY = re.compile(r"([\w,]+) (ok|error|incomplete)(?: ([a-z-]+))?(?: (\d+)(?:\+(\d+))?)?")
REDUCE = ""  # --reduce of each call
TIMEOUT = 300  # seconds; a hang must not stop the suite


class BadExpectation(Exception):
    pass


@dataclasses.dataclass
class Case:
    """One call of heddle and what it must say."""
    path: Path
    title: str
    model: str
    verdict: str
    kind: str
    count: int  # or None
    blocked: int  # or None
    args: list
    flags: list
    files: list
    bug_lines: set
    is_big: bool


def parse_entries(text):
    """`sc ok 3; rc11,tso error race` as (model, verdict, kind,
    count, blocked)."""
    for part in text.split(";"):
        match = ENTRY.fullmatch(part.strip())
        if not match:
            raise BadExpectation(f"cannot read `{part.strip()}`")
        names, verdict, kind, count, blocked = match.groups()
        if (verdict == "error") != bool(kind):
            raise BadExpectation(f"`{part.strip()}`: an error has a kind, and "
                                 "nothing else has")
        for model in ALL if names == "all" else names.split(","):
            if model not in MODELS:
                raise BadExpectation(f"unknown model `{model}`")
            yield (model, verdict, kind, count and int(count),
                   blocked and int(blocked))


@functools.cache
def libstdcxx():
    """Its version, 0 if it is not there."""
    macros = subprocess.run([CLANG, "-x", "c++", "-dM", "-E", "-include",
                             "cstddef", os.devnull], capture_output=True,
                            text=True).stdout
    match = re.search(r"_GLIBCXX_RELEASE (\d+)", macros)
    return int(match[1]) if match else 0


def parse_run(text):
    """A `run:` line as (is_big, args, flags, entries)."""
    is_big, is_here, args, flags = False, True, [], []
    words = shlex.split(text)
    while words and (words[0] == "big" or "=" in words[0]):
        word = words.pop(0)
        if word == "big":
            is_big = True
        elif word.startswith("args="):
            args.append(word[len("args="):])
        elif word.startswith("flags="):
            flags.append(word[len("flags="):])
        elif word.startswith("before="):
            is_here &= libstdcxx() < int(word[len("before="):])
        elif word.startswith("since="):
            is_here &= libstdcxx() >= int(word[len("since="):])
        else:
            raise BadExpectation(f"cannot read `{word}`")
    entries = list(parse_entries(" ".join(words)))
    return is_big, args, flags, entries if is_here else []


def read_cases(path, title):
    """The cases of one C file; none when it is only a part of a program."""
    text = path.read_text()
    found = DIRECTIVE.findall(text)
    common = {"args": [], "flags": [], "files": []}
    runs = []
    for key, value in found:
        if key in common:
            common[key] += shlex.split(value)
        elif key == "expect":
            runs.append((False, [], [], parse_entries(value)))
        elif key == "run":
            runs.append(parse_run(value))
    if not runs and any(key == "part-of" for key, _ in found):
        return
    if not runs:
        raise BadExpectation("no `// expect:` or `// run:` line")
    bug_lines = {number for number, line in enumerate(text.splitlines(), 1)
                 if line.endswith("// BUG")}
    for is_big, args, flags, entries in runs:
        label = " ".join([title] + args + flags)
        for model, verdict, kind, count, blocked in entries:
            yield Case(path, label, model, verdict, kind, count, blocked,
                       common["args"] + args, common["flags"] + flags,
                       [str(path.parent / f) for f in common["files"]],
                       bug_lines, is_big)


def complain(case, result, answer):
    """What is wrong with the answer to a case, or None."""
    if result.returncode != EXIT_CODE[case.verdict]:
        return (f"exit code {result.returncode}, expected "
                f"{EXIT_CODE[case.verdict]} ({case.verdict})")
    model = answer["model"].split(" (")[0]  # behind that, its variants
    if answer["verdict"] != case.verdict or model != case.model:
        return f"verdict {answer['verdict']} under {answer['model']}"
    if case.kind:
        error = answer["errors"][0]
        if error["kind"] != case.kind:
            return f"error {error['kind']}, expected {case.kind}"
        if case.bug_lines and error["line"] not in case.bug_lines:
            return (f"{case.kind} reported at line {error['line']}, expected "
                    f"one of {sorted(case.bug_lines)}")
    if case.count is not None and answer["stands_for"] != case.count:
        return f"{answer['stands_for']} executions, expected {case.count}"
    if case.blocked is not None and answer["blocked"] != case.blocked:
        return f"{answer['blocked']} blocked, expected {case.blocked}"
    return None


def run(command, seconds):
    return subprocess.run(command, capture_output=True, text=True,
                          timeout=seconds)


def command_of(heddle, case):
    command = [heddle, "check", "--json", "--model", case.model, *case.args,
               str(case.path), *case.files, "--", *case.flags]
    if case.blocked is not None:  # all of them are counted
        command[2:2] = ["--symmetry", "off"]
    elif REDUCE:
        command[2:2] = ["--reduce", REDUCE]
    return command


def run_case(heddle, case, seconds):
    """Checks one case; an error text, or None when all is as expected."""
    command = command_of(heddle, case)
    try:
        result = run(command, seconds)
    except subprocess.TimeoutExpired:
        return f"no answer in {seconds} s\n{shlex.join(command)}"
    try:
        complaint = complain(case, result, json.loads(result.stdout or "{}"))
    except (ValueError, KeyError, IndexError, TypeError) as e:
        complaint = f"bad JSON: {e!r}"
    if complaint is None:
        return None
    return "\n".join([complaint, shlex.join(command), result.stderr[-3000:],
                      result.stdout[:600]])


def answer_of(command, seconds):
    """What counts of an answer: the same under a model and under its file."""
    try:
        result = run(command, seconds)
        answer = json.loads(result.stdout or "{}")
    except subprocess.TimeoutExpired:
        return f"no answer in {seconds} s"
    except ValueError as e:
        return f"bad JSON: {e!r}"
    kept = {"exit code": result.returncode, "verdict": answer.get("verdict")}
    kept["errors"] = [(e["kind"], e["line"]) for e in answer.get("errors", [])]
    if answer.get("verdict") == "ok":
        # (Which blocked ones are met depends on what is left out on the way:
        # ends of threads under fast code, and not under a text.)
        for name in ("executions", "stands_for"):
            kept[name] = answer[name]
    return kept


def compare_case(heddle, case, folder, seconds):
    """A difference between the model by name and by file, or None."""
    file = dataclasses.replace(case, model=f"{folder}/{case.model}.cat")
    by_name = answer_of(command_of(heddle, case), seconds)
    by_file = answer_of(command_of(heddle, file), seconds)
    if by_name == by_file:
        return None
    return "\n".join([shlex.join(command_of(heddle, file)),
                      f"by name: {by_name}", f"by file: {by_file}"])


def expand(paths, work):
    """The C files behind the paths of the command line, with their titles."""
    for path in map(Path, paths):
        if path.suffix == ".txt":
            for name, source in shapes.read(path):
                work.mkdir(parents=True, exist_ok=True)
                file = work / (shapes.file_name(name) + ".c")
                if not file.exists() or file.read_text() != source:
                    file.write_text(source)
                yield file, name
        elif path.is_dir():
            for file in sorted(f for f in path.rglob("*")
                               if f.suffix in (".c", ".cpp")):
                yield file, str(file.relative_to(path))
        else:
            yield path, path.name


def uses_model_options(case):
    """Does the case choose what only a built-in model can do?"""
    return any(arg.startswith(("--release-sequences", "--arm-", "--sc-rule",
                               "--final-writes", "--equivalence"))
               for arg in case.args)


def is_about_reductions(case):
    """Does the case say itself what is left out?"""
    return case.blocked is not None or any(
        arg.startswith(("--symmetry", "--equivalence", "--net-effect",
                        "--definition"))
        for arg in case.args)


def in_share(case, share):
    """Is its program one of so many? Others each day, and of each folder
    some."""
    return (zlib.crc32(case.title.encode()) + tap.day()) % share == 0


def in_models(group, k):
    """Of the cases of one program, which are of different models, the share of
    the day (tap.share_of_day), at least one."""
    which, share = tap.share_of_day()
    return ([case for i, case in enumerate(group)
             if (i + k) % share == which]
            or [group[(k + which) % len(group)]])


def write_own(folder, work):
    """Texts that include those of the folder, and an axiom that nothing
    breaks. Yields where they are."""
    own = work / "own"
    own.mkdir(parents=True, exist_ok=True)
    for file in Path(folder).resolve().glob("*.cat"):
        (own / file.name).write_text(f'include "{file}"\nirreflexive po as own\n')
    return own


def known_models(heddle):
    out = subprocess.run([heddle, "models"], capture_output=True, text=True,
                         check=True).stdout
    return {line.split()[0] for line in out.splitlines() if line.split()}


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("heddle")
    options.add_argument("paths", nargs="+")
    options.add_argument("--small", action="store_true",
                         default=int(os.environ.get("HEDDLE_PROGRAMS", 1)) > 1,
                         help="leave out the runs marked big")
    options.add_argument("--two-models", action="store_true",
                         help="each program under two of its models, in turn")
    options.add_argument("--only", default="", metavar="WORD",
                         help="only cases whose name contains WORD")
    options.add_argument("--work", default="/tmp/heddle-litmus", type=Path,
                         help="folder for generated programs")
    options.add_argument("--cat", metavar="DIR",
                         help="take each model from its file in DIR")
    options.add_argument("--own", action="store_true",
                         help="with --cat: they say one thing more, which is "
                         "always true, so Heddle does not know them")
    options.add_argument("--beside", metavar="DIR",
                         help="compare each model with its file in DIR, "
                         "instead of with what is expected")
    options.add_argument("--reduce", default="", metavar="NAME,...",
                         help="switch these reductions on, where that changes "
                         "nothing that is expected")
    options.add_argument("--share", type=int, metavar="N",
                         default=int(os.environ.get("HEDDLE_PROGRAMS", 1)),
                         help="only one of N programs (default: "
                         "HEDDLE_PROGRAMS), others each day")
    options.add_argument("--timeout", type=int, default=TIMEOUT, metavar="S",
                         help="seconds for each call")
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    chosen = options.parse_args()
    if "HEDDLE_NIGHTLY" in os.environ:
        chosen.share = 1
    global REDUCE
    REDUCE = chosen.reduce

    def run_group(group):
        if chosen.beside:
            return [compare_case(chosen.heddle, case, chosen.beside,
                                 chosen.timeout) for case in group]
        return [run_case(chosen.heddle, case, chosen.timeout)
                for case in group]

    models = known_models(chosen.heddle)
    cases, number, failed, pending = [], 0, 0, 0
    for file, title in expand(chosen.paths, chosen.work):
        try:
            cases += read_cases(file, title)
        except BadExpectation as e:
            number, failed = number + 1, failed + 1
            tap.report(number, title, error=e)
    if chosen.small:
        cases = [case for case in cases if not case.is_big]
    pending = sum(case.model not in models for case in cases)
    cases = [case for case in cases
             if case.model in models and chosen.only in case.title]
    cases = [case for case in cases if in_share(case, chosen.share)]
    if chosen.reduce:
        cases = [case for case in cases if not is_about_reductions(case)]
    if chosen.own:
        chosen.cat = write_own(chosen.cat, chosen.work)
    if chosen.cat or chosen.beside:
        cases = [case for case in cases if not uses_model_options(case)
                 and Path(chosen.cat or chosen.beside,
                          f"{case.model}.cat").exists()]
    if chosen.cat:
        cases = [dataclasses.replace(case, model=f"{chosen.cat}/{case.model}.cat")
                 for case in cases]
    # One after the other what compiles to the same bitcode: only the first of
    # them needs clang, the others find it in the cache.
    groups = [list(group) for _, group in itertools.groupby(
        cases, key=lambda case: (case.path, case.flags))]
    if chosen.two_models:
        groups = [[group[i] for i in {k % len(group),
                                      (k + len(group) // 2) % len(group)}]
                  for k, group in enumerate(groups)]
    groups = [in_models(group, k) for k, group in enumerate(groups)]
    with concurrent.futures.ThreadPoolExecutor(chosen.jobs) as pool:
        for group, errors in zip(groups, pool.map(run_group, groups)):
            for case, error in zip(group, errors):
                number, failed = number + 1, failed + bool(error)
                tap.report(number, f"{case.title} [{case.model}]", error=error)
    if chosen.share > 1 or tap.share_of_day()[1] > 1:
        print(f"# a share, that of HEDDLE_DAY={tap.day()}")
    if pending:
        print(f"# {pending} expectations wait for a model that is not there")
    print(f"1..{number}")
    sys.exit(1 if failed or not number else 0)


if __name__ == "__main__":
    main()
