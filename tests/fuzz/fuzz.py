#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Heddle on damaged input: it must answer, whatever it is given. TAP.

    tests/fuzz/fuzz.py build/heddle [--runs N | --seconds S] [--seed K]
                       [--kind ll,bc,c,options,litmus,cat,why] [--work FOLDER]

An answer is exit code 0, 1, 2 or 3 in time: no crash, no internal error (70),
no hang. First come the inputs of corpus/, each of which ended badly once; then
random ones, made from real programs (mutate.py). A random input is named by its
seed, its kind and its number, and one that ends badly is kept in the work
folder; once it is fixed, it belongs into the corpus, made as small as possible.
"""
import argparse
import concurrent.futures
import os
import random
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent))
import mutate
import tap
from clang import CLANG

# How many of 27 runs are of a kind.
SHARE = {"ll": 10, "bc": 5, "c": 2, "options": 3, "litmus": 4, "cat": 2,
         "why": 1}
LIMITS = ["--max-executions", "30", "--max-events", "2000", "--max-time", "2"]
TIMEOUT = 60  # seconds, on a busy machine
SOURCES = ["tests/lowering/programs", "tests/programs/language",
           "tests/programs/library", "tests/programs/errors", "examples"]
# What debug information, phi nodes and library calls look like.
STYLES = [["-O0", "-g"], ["-O1"], ["-O2", "-g", "-fno-vectorize",
                                   "-fno-slp-vectorize"]]
INCLUDES = [f"-I{ROOT / folder}" for folder in ["tests/programs", *SOURCES]]
MODELS = ["rc11", "sc", "imm", "armv8", "ra", "tso", "pso"]
# Conditions of `heddle why`, and a program that they are about.
CONDITIONS = ["x == 1 && y != 0", "!(a[1] == -1) || p->next != 0 && f > 2",
              "f:r == 0x10 && (x + y) - 3 < 1 || \"f\" == x"]
ASKED = """#include <pthread.h>
struct s { int v; struct s *next; } one;
struct s *p = &one;
_Atomic int x, y;
int a[3];
void *f(void *unused) { int r = x; y = r + 1; return unused; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  x = 1;
  pthread_join(t, 0);
}
"""


class Wrong(Exception):
    pass


def run_heddle(heddle, words, cwd):
    """Raises Wrong when the answer is none."""
    shown = shlex.join(["heddle", *words])
    try:
        result = subprocess.run([heddle, *words], capture_output=True, cwd=cwd,
                                timeout=TIMEOUT, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        raise Wrong(f"no answer in {TIMEOUT} s: {shown}") from None
    said = result.stderr.decode(errors="replace")
    if result.returncode not in (0, 1, 2, 3) or "internal error" in said:
        raise Wrong(f"exit code {result.returncode}: {shown}\n{said[-3000:]}")
    # `heddle litmus` says what is wrong with a test where its answer would be.
    told = result.stdout.startswith(b"Error ") and words[0] == "litmus"
    if result.returncode == 2 and not (told or said.startswith("heddle: ")):
        raise Wrong(f"no message of its own: {shown}\n{said[-3000:]}")


def check_words(rng, path):
    if path.endswith(".litmus"):
        model = rng.choice([[], [], ["--model", rng.choice(MODELS)]])
        return ["litmus", *LIMITS, *model, path]
    if path.endswith(".cat"):
        return ["litmus", *LIMITS, "--model", path,
                str(ROOT / "examples/litmus")]
    command = rng.choice(["check"] * 7 + ["dump"])
    if command == "dump":
        return ["dump", *INCLUDES, str(path)]
    more = rng.choice([[], [], ["--all-errors"], ["--disable", "race"]])
    return ["check", "--model", rng.choice(MODELS), *LIMITS, *more, *INCLUDES,
            str(path)]


class Seeds:
    """The programs that inputs are made from, compiled when they are needed."""

    def __init__(self, work):
        self.work = work
        self.sources = sorted(p for folder in SOURCES
                              for p in (ROOT / folder).rglob("*.c")
                              if p.stat().st_size < 6000)

    def source(self, rng):
        return rng.choice(self.sources)

    def c(self, rng):
        return self.source(rng).read_text()

    def text(self, rng, kind):
        """A litmus test or a model."""
        folders = {"litmus": ["tests/litmus", "examples"],
                   "cat": ["models", "tests/fuzz/cat"]}[kind]
        found = sorted(p for folder in folders
                       for p in (ROOT / folder).rglob(f"*.{kind}"))
        return rng.choice(found).read_text(errors="replace")

    def compiled(self, rng, kind):
        """Bytes of a .bc or .ll file, or None when clang refuses."""
        source, style = self.source(rng), rng.randrange(len(STYLES))
        name = f"{source.parent.name}-{source.stem}-{style}.{kind}"
        path = self.work / "seeds" / name
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            half = path.with_suffix(f".{os.getpid()}.{rng.random()}")
            subprocess.run(
                [CLANG, "-w", "-std=gnu17", "-fno-stack-protector",
                 "-fno-discard-value-names", "-nostdinc", "-isystem",
                 str(ROOT / "include/heddle"), *STYLES[style], "-Xclang",
                 "-disable-O0-optnone", "-emit-llvm",
                 "-S" if kind == "ll" else "-c", str(source), "-o", str(half)],
                capture_output=True)
            if not half.exists():
                half.write_bytes(b"")
            half.rename(path)
        return path.read_bytes() or None


def make_input(rng, kind, seeds):
    """(contents, suffix) of a damaged file."""
    if kind in ("litmus", "cat"):
        text = mutate.change_tokens(rng, seeds.text(rng, kind),
                                    seeds.text(rng, kind))
        return text.encode(), f".{kind}"
    if kind == "c":
        return mutate.change_c(rng, seeds.c(rng),
                               [seeds.c(rng)]).encode(), ".c"
    data = None
    while data is None:
        data = seeds.compiled(rng, kind)
    if kind == "bc":
        return mutate.change_bytes(rng, data), ".bc"
    other = seeds.compiled(rng, kind) or data
    text = mutate.change_ll(rng, data.decode(), [other.decode()])
    return text.encode(), ".ll"


def option_table(heddle):
    """(name, takes an argument) of every option, as the program lists them."""
    text = subprocess.run([heddle, "doc", "options"], capture_output=True,
                          text=True, check=True).stdout
    found = re.findall(r"^\| `((?:-\w, )?)(--[\w-]+)( [^`]+)?`", text, re.M)
    assert found, "no option in `heddle doc options`"
    table = [(name, bool(argument)) for _, name, argument in found]
    return table + [(key[:2], bool(argument)) for key, _, argument in found
                    if key]


def run_one(options, seeds, table, kind, number):
    """None, or what is wrong with this input."""
    rng = random.Random(f"{options.seed} {kind} {number}")
    folder = options.work / f"{kind}-{options.seed}-{number}"
    folder.mkdir(parents=True, exist_ok=True)
    if kind == "options":
        (folder / "a.c").write_text("int main(void) { return 0; }\n")
        words = mutate.command_line(rng, table, ["a.c", "a.c", "none.c", "b.ll",
                                                 ".", "a.c/", ""])
    elif kind == "why":
        (folder / "a.c").write_text(ASKED)
        asked = mutate.change_tokens(rng, rng.choice(CONDITIONS),
                                     rng.choice(CONDITIONS))
        words = ["why", *LIMITS, asked, "a.c"]
    else:
        data, suffix = make_input(rng, kind, seeds)
        (folder / f"input{suffix}").write_bytes(data)
        words = check_words(rng, f"input{suffix}")
    try:
        run_heddle(options.heddle, words, folder)
    except Wrong as e:
        return f"{e}\nkept in {folder}"
    for file in folder.rglob("*"):
        file.unlink(missing_ok=True)
    folder.rmdir()
    return None


def plan(kinds, count):
    """`count` pairs of a kind and a number (endless when None)."""
    kinds = [kind for kind in SHARE for _ in range(SHARE[kind])
             if kind in kinds]
    number = 0
    while count is None or number < count:
        yield kinds[number % len(kinds)], number
        number += 1


def replay(options):
    """The corpus: names and what is wrong."""
    for path in sorted((HERE / "corpus").iterdir()):
        if path.suffix == ".args":
            words = shlex.split(path.read_text())
        else:
            words = ["check", *LIMITS, str(path)]
        try:
            run_heddle(options.heddle, words, options.work)
            yield path.name, None
        except Wrong as e:
            yield path.name, e


def search(options):
    """Random inputs; yields what is wrong with the bad ones, and the count."""
    seeds, table = Seeds(options.work), option_table(options.heddle)
    end = time.monotonic() + options.seconds if options.seconds else None
    done = 0

    def one(job):
        if end and time.monotonic() > end:
            return None
        return run_one(options, seeds, table, *job)

    jobs = plan(options.kind.split(","), None if end else options.runs)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        while not (end and time.monotonic() > end):
            batch = [job for _, job in zip(range(100), jobs)]
            if not batch:
                break
            for job, wrong in zip(batch, pool.map(one, batch)):
                done += 1
                if wrong:
                    yield f"{job[0]} {job[1]}", wrong
            if end:
                print(f"# {done} inputs", flush=True)
    yield None, done


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("heddle", type=lambda p: str(Path(p).resolve()))
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--kind", default=",".join(SHARE))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--work", type=Path, default="/tmp/heddle-fuzz")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    options.work = options.work.resolve()
    number = failed = 0
    for name, wrong in replay(options):
        number += 1
        failed += wrong is not None
        tap.report(number, f"corpus {name}", error=wrong)
    for name, wrong in search(options):
        number += 1
        failed += name is not None
        if name is None:
            tap.report(number, f"{wrong} random inputs, seed {options.seed}")
        else:
            tap.report(number, name, error=wrong)
    print(f"1..{number}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
