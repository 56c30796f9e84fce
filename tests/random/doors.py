#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Commands that ask the same question must give the same answer. Of a random
program, `explore` lists the outcomes; then `check`, with jobs and reductions,
as text and as JSON, `compare`, `why` with random conditions, `litmus` (of the
same program as a litmus test, also with --compare), parts that are run,
stopped, continued and merged, `estimate`, `--sample` and `--bound` must agree
with it, and so must `check` and `--replay` of a program that asserts that an
outcome is not there. Prints TAP; each failure has its seed.

    doors.py HEDDLE [--seeds N] [--first SEED] [--daily N] [--work FOLDER]
"""
import json
import random
import re
import subprocess

import orders
import small_programs
import texts
from texts import tap

MODELS = ["sc", "tso", "pso", "ra", "rc11", "c11", "imm", "armv8", "armv7",
          "power", "riscv", "xmm", "jam21", "lkmm"]
ALONE = ["xmm", "lkmm"]  # no checkpoints, no samples of load buffering
WAYS = [[], ["--jobs", "2"], ["--without", "all"], ["--reduce", "symmetry"],
        ["--definition"], ["--explore-retries"]]


class Wrong(Exception):
    pass


def expect(condition, what):
    if not condition:
        raise Wrong(what)


class Doors:
    def __init__(self, heddle, r, work):
        self.heddle, self.r, self.work = heddle, r, work
        self.model = r.choice(MODELS)
        while True:
            self.program = small_programs.draw_program(r, ("na",))
            if orders.registers_of(self.program):
                break
        self.names = [f"g{x.replace(':', '')}"
                      for x in orders.registers_of(self.program)]
        text, _ = orders.c_text(self.program, {"0:none": 0})
        self.source = work / "program.c"
        self.source.write_text(re.sub(r" *assert\(.*\n", "", text))

    def run(self, *command, codes=(0,), json_too=True):
        words = [self.heddle, *map(str, command)]
        done = subprocess.run(words, capture_output=True, text=True, timeout=60,
                              cwd=self.work)
        expect(done.returncode in codes,
               f"{words}: exit code {done.returncode}\n{done.stderr}"
               f"{done.stdout[:1000]}")
        self.code = done.returncode
        return (json.loads(done.stdout) if json_too and "--json" in command
                else done.stdout)

    def explore(self, model, *more):
        said = self.run("explore", "--json", "--model", model, *more,
                        self.source)
        return {tuple(sorted(o["state"].items())): o["executions"]
                for o in said["outcomes"]}

    def check(self):
        way = self.r.choice(WAYS)
        said = self.run("check", "--json", "--model", self.model, *way,
                        self.source)
        stands = said.get("executions_represented", said["executions"])
        expect(stands == self.n, f"check {way}: {stands}, not {self.n}")
        text = self.run("check", "--model", self.model, self.source)
        expect(f"No errors: {self.n} execution" in text, f"check: {text}")

    def compare(self):
        other = self.r.choice(MODELS)
        if other == self.model:
            return
        said = self.run("compare", "--json", "--models",
                        f"{self.model},{other}", self.source)
        theirs = self.explore(other)
        for m, outcomes in ((self.model, self.outcomes), (other, theirs)):
            counts = sorted(row["executions"][m] for row in said["rows"]
                            if row["executions"][m])
            expect(counts == sorted(outcomes.values()),
                   f"compare {other}: {m} has {counts}, not {outcomes}")
        differ = sum(row["differs"] for row in said["rows"])
        want = len(set(self.outcomes) ^ set(theirs))
        expect(differ == want, f"compare {other}: {differ} differ, not {want}")
        text = self.run("compare", "--models", f"{self.model},{other}",
                        self.source)
        expect((f"{want} difference" in text) == (want > 0),
               f"compare {other}: {text}")

    def condition(self):
        """A condition in C and what decides it in Python."""
        parts = []
        for _ in range(self.r.randrange(1, 4)):
            sign = self.r.choice(["==", "==", "!=", "<", ">="])
            name = self.r.choice(self.names)
            parts.append(f"{name} {sign} {self.r.randrange(4)}")
        word = self.r.choice(["and", "or"])
        python = f" {word} ".join(parts)
        if self.r.random() < 0.2:
            python = f"not ({python})"
        return (python.replace(" and ", " && ").replace(" or ", " || ")
                .replace("not ", "!"), python)

    def why(self):
        for _ in range(2):
            c, python = self.condition()
            holds = [n for state, n in self.outcomes.items()
                     if eval(python, {"__builtins__": {}}, self.values(state))]
            text = self.run("why", "--model", self.model, c, self.source)
            expect(text.startswith("Yes" if holds else "No"),
                   f"why {c!r}: {text[:200]}, explore: {holds}")
            said = self.run("why", "--json", "--model", self.model, c,
                            self.source)
            expect(said["answer"] == ("yes" if holds else "no"),
                   f"why {c!r}: {said}")

    def values(self, state):
        return {**dict.fromkeys(self.names, 0),
                **{k: int(v) for k, v in state if k in self.names}}

    def litmus(self):
        shown = orders.registers_of(self.program)
        test = self.work / "test.litmus"
        test.write_text(small_programs.litmus_text(self.program, shown,
                                          f"{shown[0]}=1"))
        said = self.run("litmus", "--json", "--model", self.model, test,
                        codes=(0, 1))
        n = said["positive"] + said["negative"]
        expect(n == self.n, f"litmus: {n}, not {self.n}")
        got = {tuple(s[x] for x in shown) for s in said["states"]}
        want = {tuple(self.values(s).values()) for s in self.outcomes}
        expect(got == want, f"litmus: {got}, not {want}")
        other = self.r.choice(MODELS)
        compared = self.run("litmus", "--compare", f"{self.model},{other}",
                            "--json", test, codes=(0, 1))
        theirs = self.run("litmus", "--json", "--model", other, test,
                          codes=(0, 1))
        for mine, its in zip(compared["models"], (said, theirs)):
            for key in ("verdict", "positive", "negative"):
                expect(mine[key] == its[key],
                       f"litmus --compare {other}: {key} {mine}, not {its}")

    def parts(self):
        if self.model in ALONE:
            return
        way = self.r.choice([w for w in WAYS if w != ["--jobs", "2"]])
        said = self.run("split", "--parts", 3, "--into", "part", "--model",
                        self.model, *way, self.source)
        files = sorted(self.work.glob("part.*"))
        if not files:
            expect(f"No errors: {self.n} execution" in said, f"split: {said}")
            return
        for f in files:
            while True:
                limit = self.r.choice([[], ["--max-executions", 2]])
                self.run("run", *limit, f, codes=(0, 3))
                if self.code == 0:
                    break
                self.run("run", f, codes=(0, 3))
                break
        merged = self.run("merge", "--json", *files, codes=(0, 2))
        if self.code == 2:
            return
        stands = merged.get("executions_represented", merged["executions"])
        expect(stands == self.n, f"merge {way}: {stands}, not {self.n}")

    def guess(self):
        said = self.run("estimate", "--max-time", 1, "--model", self.model,
                        self.source, codes=(0, 3))
        expect("execution" in said, f"estimate: {said}")
        if self.model in ALONE:
            return
        self.run("check", "--sample", 20, "--model", self.model, self.source,
                 codes=(0, 3))
        bound = self.r.choice(["preemptions", "reorderings"])
        said = self.run("check", "--json", "--model", self.model, "--bound",
                        f"{bound}:0..", self.source)
        expect(said["executions"] == self.n,
               f"--bound: {said['executions']}, not {self.n}")

    def broken(self):
        """Asserts that an outcome is not there."""
        values = {x: self.r.randrange(3)
                  for x in orders.registers_of(self.program)
                  if self.r.random() < 0.7}
        if not values:
            return
        own = {f"g{x.replace(':', '')}": v for x, v in values.items()}
        there = any(own.items() <= self.values(s).items()
                    for s in self.outcomes)
        text, _ = orders.c_text(self.program, values)
        path = self.work / "broken.c"
        path.write_text(text)
        for way in ([], self.r.choice(WAYS)):
            said = self.run("check", "--json", "--model", self.model, *way,
                            path, codes=(0, 1))
            expect(self.code == int(there), f"broken {way}: {self.code}, {own}")
        self.run("check", "--sample", 500, "--model", self.model, path,
                 codes=(0, 1, 3))
        expect(there or self.code != 1, f"--sample: an error of {own}")
        self.run("test", path, codes=(0, 1, 2, 3))
        if not there:
            return
        said = self.run("check", "--model", self.model, path, codes=(1,))
        name = re.search(r"--replay (\S+)", said)
        expect(name, f"no replay: {said}")
        again = self.run("check", "--model", self.model, "--replay", name[1],
                         path, codes=(1,))
        first = said.split("\n")[:1]
        expect(again.split("\n")[:1] == first, f"--replay: {again}")

    def all(self):
        self.outcomes = self.explore(self.model)
        self.n = sum(self.outcomes.values())
        for door in (self.check, self.compare, self.why, self.litmus,
                     self.parts, self.guess, self.broken):
            door()


def compare(options, seed, work):
    r = random.Random(seed)
    doors = Doors(options.heddle, r, work)
    try:
        doors.all()
    except Wrong as wrong:
        return doors.model, str(wrong)
    except subprocess.TimeoutExpired:
        return f"{doors.model}: takes too long", None
    return f"{doors.model}: {doors.n} executions", None


if __name__ == "__main__":
    tap.campaign_script(__doc__, compare)
