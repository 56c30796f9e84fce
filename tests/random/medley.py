#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random programs of many small features together (loops that wait in odd
shapes, locks of the program's own making in loops, calls through tables,
recursion, nodes that are allocated and freed, threads that create threads,
results of threads as data, timed and tried locks, condition variables,
semaphores, once, thread-specific data, choices and assumptions, words that are
not atomic), against an enumerator of interleavings.

Under sc `heddle explore` must find the same final states, no error that there
is none of, and an error where there is one, or threads can get stuck. If all
atomics are seq_cst, the other models must find the same, too; if not, at least
those, the same by default, with other reductions and by the definition of the
model, and what a few rounds of each loop, written one after the other, lead to.
With limits the answer may be incomplete, but never less. `heddle check`, with
symmetry and whatever else there is, must find that an assertion fails which
says that one of the states is none.
Prints TAP; each failure has its seed.

    medley.py HEDDLE [--seeds N] [--first SEED] [--daily N] [--work FOLDER]
"""
import json
import random
import subprocess

from medley_c import Writer
from medley_machine import Machine, TooMany
from medley_programs import draw_program, kinds_of
from texts import tap

MODELS = ["tso", "pso", "ra", "rc11", "c11", "imm", "armv8", "armv7", "power",
          "riscv", "xmm", "jam21", "lkmm"]
STUCK = {"deadlock", "hang", "livelock"}
MEMORY = {"null-pointer", "use-after-free", "double-free", "free-race",
          "alloc-race", "wild-pointer", "race", "uninitialized"}
KINDS = {"null": {"null-pointer"}, "freed": MEMORY,
         "endless-loop": {"endless-loop", "hang"}}
WAYS = [["--without", "all"], ["--jobs", "2"], ["--definition"],
        ["--without", "retry"], ["--without", "hand-over"],
        ["--without", "dominated"], ["--without", "no-writers"],
        ["--without", "tail,leaf"], ["--net-effect-awaits"],
        ["--max-executions", "3"], ["--max-events", "40"],
        ["--read-bound", "1"], ["--unroll", "2"],
        ["--yield-bound", "1"], ["--max-steps", "40"],
        ["--max-calls", "3"], ["--explore-retries", "--unroll", "3"]]
COARSE = [["--reduce", "symmetry"], ["--equivalence", "rf"], ["--jobs", "2"],
          ["--reduce", "symmetry", "--equivalence", "rf"],
          ["--reduce", "symmetry", "--jobs", "2"], ["--bound", "preemptions:2"],
          ["--bound", "reorderings:1"], ["--max-executions", "4"],
          ["--read-bound", "1", "--reduce", "symmetry"], ["--without", "all"],
          ["--without", "awaits"], ["--max-events", "60"], ["--shortest"],
          ["--note-non-sc"], ["--definition"], ["--checkpoint", "saved"]]
RF = {"sc", "tso", "pso", "ra", "rc11", "xmm"}
# What synchronises less than all that is seq_cst.
LOOSE = {"try", "timed", "cwait", "ctimed", "swait", "stry", "stimed", "free",
         "specific", "once", "exit", "take"}


def number(text):
    return -1000 if text == "uninitialized" else int(text)


def explore(options, model, way, source):
    words = [options.heddle, "explore", "--json", "--model", model, *way,
             "--all-errors", "--disable", "overflow", "--max-events", "400",
             "--max-time", "2", str(source), "--", "-w"]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        return "takes too long", set(), set()
    if done.returncode not in (0, 1, 3):
        raise AssertionError(f"{' '.join(words)}: {done.returncode}\n"
                             f"{done.stdout[:300]}{done.stderr[:2000]}")
    if done.returncode == 3 and not done.stdout:  # in the middle of a step
        return "incomplete", set(), set()
    said = json.loads(done.stdout)
    states = {tuple(number(o["state"].get(f"out{i}", "0")) for i in range(4))
              for o in said["outcomes"]}
    errors = set(said["errors"]) - {"leak"}
    incomplete = said["limit"] or done.returncode == 3
    return "incomplete" if incomplete else "complete", states, errors


def asserted(options, r, program, model, states, work):
    """An assertion that one of the states is none must fail."""
    state = r.choice(sorted(states))
    if -1000 in state:
        return "", []
    source = work / "asserted.c"
    source.write_text(Writer(program).text(state))
    way = r.choice(COARSE)
    if "rf" in way and model not in RF:
        way = []
    if "--checkpoint" in way and model in ("xmm", "lkmm"):
        way = []
    words = [options.heddle, "check", "--model", model, *way,
             "--all-errors", "--max-events", "400", "--mend", "off",
             "--max-time", "2", str(source), "--", "-w"]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=60,
                              cwd=work)
    except subprocess.TimeoutExpired:
        return "takes too long", []
    wrong = []
    if done.returncode not in (1, 3) or \
            done.returncode == 1 and "[assertion]" not in done.stdout and \
            "ncomplete" not in done.stdout:
        wrong = [f"{' '.join(words)}: {done.returncode}, not {state}\n"
                 f"{done.stdout[-1000:]}{done.stderr[:1000]}"]
    return f"{' '.join(way)} {done.returncode}", wrong


def against(machine, said, is_exact):
    """What is wrong with the answer `said`, as the interleavings are."""
    end, states, errors = said
    wrong = []
    if "race" in machine.errors:  # which is all there is to say
        if end == "complete" and "race" not in errors:
            wrong.append(f"no race: {errors}")
        return wrong
    memory = MEMORY if machine.has_nodes else set()
    if is_exact == "states":  # but threads may know less of each other
        memory = memory | {"race"}
    if is_exact and states - machine.finals:
        wrong.append(f"too many: {sorted(states - machine.finals)[:5]}")
    if is_exact and not machine.errors:
        if errors & {"deadlock", "hang"} and not machine.stuck:
            wrong.append(f"nothing is stuck: {errors}")
        if errors - STUCK - memory:
            wrong.append(f"no such error: {errors}")
    if end != "complete":
        return wrong
    if machine.finals - states:
        wrong.append(f"lost: {sorted(machine.finals - states)[:5]}")
    for kind in machine.errors:
        if not KINDS.get(kind, {kind}) & errors:
            wrong.append(f"lost {kind}: {errors}")
    if machine.stuck and not errors:
        wrong.append("stuck, and no error")
    return wrong


def draw(r):
    """A program, mostly one of which something can be said, and its machine, or
    None if that has too many states."""
    for _ in range(20):
        program = draw_program(r)
        machine = Machine(program)
        try:
            machine.run()
            if len(machine.finals) > r.randint(1, 4):
                break
        except TooMany:
            machine = None
            if r.random() < 0.1:
                break
    return program, machine


class Comparison:
    def __init__(self, options, seed, work):
        self.options, self.work, self.r = options, work, random.Random(seed)
        self.program, self.machine = draw(self.r)
        self.source = work / "program.c"
        self.source.write_text(Writer(self.program).text())
        self.said, self.wrong = [], []

    def ask(self, model, way, source):
        answer = explore(self.options, model, way, source)
        self.said.append(f"{' '.join([model, *way])} {answer[0]}")
        return answer

    def check(self, model):
        loose = self.program["orders"] != "seq_cst" or \
            kinds_of(self.program) & LOOSE
        exact = model == "sc" or not (loose or model == "ra")
        if loose and exact:
            exact = "states"
        first = self.ask(model, [], self.source)
        if first[0] != "complete" and not self.machine:
            return
        way = self.r.choice(WAYS)
        second = self.ask(model, way, self.source)
        for answer in (first, second) if self.machine else ():
            self.wrong += [f"{self.said[-1]}: {w}"
                           for w in against(self.machine, answer, exact)]
        is_other = first[1] != second[1] or bool(first[2]) != bool(second[2])
        if first[0] == second[0] == "complete" and is_other and \
                "--net-effect-awaits" not in way:
            self.wrong.append(f"{model} {way}: {first} {second}")
        if model != "sc" and not (self.machine and exact):
            self.unroll(model, first)
        states = first[1]
        if self.machine and "race" not in self.machine.errors:
            states = states | self.machine.finals
        if states:
            about, wrong = asserted(self.options, self.r, self.program, model,
                                    states, self.work)
            self.said.append(about)
            self.wrong += wrong

    def unroll(self, model, answer):
        """A few rounds of each loop lead nowhere else."""
        source = self.work / "unrolled.c"
        rounds = self.r.choice([1, 2, 2, 3])
        source.write_text(Writer(self.program, rounds).text())
        few = self.ask(model, ["--without", "all"], source)
        if answer[0] != "complete":
            return
        if few[1] - answer[1]:
            self.wrong.append(f"{model}: {few[1] - answer[1]} unrolled")
        if few[2] - STUCK and not answer[2] - STUCK:
            self.wrong.append(f"{model}: {few[2]} unrolled")


def compare(options, seed, work):
    c = Comparison(options, seed, work)
    try:
        for model in ["sc", *c.r.sample(MODELS, 2)]:
            c.check(model)
    except AssertionError as why:
        c.wrong.append(str(why))
    about = "too many states, "
    if c.machine:
        errors = sorted(c.machine.errors) + ["stuck"] * c.machine.stuck
        about = f"{len(c.machine.finals)} states, {' '.join(errors)} "
    return about + ", ".join(c.said), "\n".join(c.wrong) or None


if __name__ == "__main__":
    tap.campaign_script(__doc__, compare)
