#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What `heddle optimize` finds, against trying everything. Of a small random
program and an outcome that seq_cst forbids and relaxed allows, `heddle litmus`
answers every assignment of memory orders. The cheapest that `optimize` finds
must be one without the outcome, and none may be cheaper; `--all` must find all
minimal ones, `--repair` of the relaxed program the cheapest ones above the
written orders, `--check-only` the weakest order of each operation alone. With
`--diff` applied the program must be right and cost that. Prints TAP; each
failure has its seed.

    orders.py HEDDLE [--seeds N] [--first SEED] [--daily N] [--work FOLDER]
"""
import itertools
import json
import os
import random
import subprocess

import small_programs
import texts
from texts import tap

MODELS = ["tso", "pso", "ra", "rc11", "imm", "armv8", "armv7", "power",
          "riscv"]
# The orders of each kind of operation, as sets of what they have.
ACQ, REL, ALL = {"acq"}, {"rel"}, {"acq", "rel"}
HAS = {"none": set(), "rlx": set(), "acq": ACQ, "rel": REL, "acq_rel": ALL,
       "sc": ALL | {"sc"}}
ORDERS = {"load": ["rlx", "acq", "sc"], "store": ["rlx", "rel", "sc"],
          "update": ["rlx", "acq", "rel", "acq_rel", "sc"],
          "fence": ["none", "acq", "rel", "acq_rel", "sc"]}
SHORT = {"relaxed": "rlx", "acquire": "acq", "release": "rel",
         "acq_rel": "acq_rel", "seq_cst": "sc", "none": "none"}
MOST = 1000  # assignments
TRIES = 40  # programs, until orders forbid something


def cost(kind, order):
    if order == "sc":
        return 16 if kind == "fence" else 6
    return len(HAS[order]) * (3 if kind == "fence" else 1)


def sites_of(body):
    """The operations, as they come in the text."""
    for s in body:
        if s[0] == "if":
            yield from sites_of(s[3])
        else:
            yield {"add": "update", "xchg": "update"}.get(s[0], s[0])


def with_orders(body, orders):
    """The same with these orders, an iterator."""
    out = []
    for s in body:
        if s[0] == "if":
            out.append((*s[:3], with_orders(s[3], orders)))
            continue
        order = next(orders)
        if s[0] == "fence":
            if order != "none":
                out.append(("fence", order))
        elif s[0] in ("add", "xchg"):
            out.append((*s[:3], order, s[4]))
        else:
            out.append((*s[:-1], order))
    return out


def assign(program, orders):
    each = iter(orders)
    return [small_programs.Record(body=with_orders(t.body, each),
                            registers=t.registers) for t in program]


def registers_of(program):
    return [f"{t}:{r}" for t, p in enumerate(program) for r in p.registers]


def answers(options, model, tests, work):
    """What `heddle litmus` says of each of these texts."""
    for i, text in enumerate(tests):
        (work / f"{i}.litmus").write_text(text)
    (work / "all").write_text("".join(f"{work}/{i}.litmus\n"
                                      for i in range(len(tests))))
    done = texts.run([options.heddle, "litmus", "--json", "--model", model,
                      f"@{work}/all"])
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(said) == len(tests), done.stderr
    return said


def c_text(program, condition):
    """The program, which asserts that the outcome is not there, and the line of
    each operation."""
    out = ["#include <assert.h>", "#include <pthread.h>",
           "#include <stdatomic.h>", "atomic_int vx, vy;", "#define x (&vx)",
           "#define y (&vy)"]
    out += [f"int g{r.replace(':', '')};" for r in registers_of(program)]
    for i, t in enumerate(program):
        out.append(f"static void *thread{i}(void *unused) {{")
        out += small_programs.body_text(t).splitlines()
        out += [f"  g{i}{r} = {r};" for r in t.registers]
        out += ["  return unused;", "}"]
    n = len(program)
    out += ["int main(void) {", f"  pthread_t t[{n}];"]
    out += [f"  pthread_create(&t[{i}], 0, thread{i}, 0);" for i in range(n)]
    out += [f"  pthread_join(t[{i}], 0);" for i in range(n)]
    held = " && ".join(f"g{r.replace(':', '')} == {v}"
                       for r, v in condition.items())
    out += [f"  assert(!({held}));", "}"]
    lines = [i + 1 for i, text in enumerate(out) if "memory_order_" in text]
    return "\n".join(out) + "\n", lines


def is_below(a, b):
    return all(HAS[x] <= HAS[y] for x, y in zip(a, b))


class Case:
    """A program with an outcome, and which assignments forbid it."""

    def __init__(self, options, r, work):
        self.options, self.work = options, work
        self.model = r.choice(MODELS)
        for _ in range(TRIES):
            forbidden = self.draw(r)
            if forbidden:
                break
        else:
            raise texts.Refused("nothing is forbidden")
        self.condition = dict(r.choice(sorted(forbidden)))
        tried = list(itertools.product(*(ORDERS[k] for k in self.kinds)))
        condition = " /\\ ".join(f"{k}={v}" for k, v in self.condition.items())
        self.good = {a for a, said in zip(tried, self.ask(tried, condition))
                     if said["observation"] == "Never"}
        self.tried = tried

    def draw(self, r):
        """Draws a program; the outcomes that orders forbid."""
        self.program = small_programs.draw_program(r, ("na", "cas"))
        self.kinds = [k for t in self.program for k in sites_of(t.body)]
        size = 1
        for k in self.kinds:
            size *= len(ORDERS[k])
        shown = registers_of(self.program)
        if size > MOST or len(shown) < 2:
            return set()
        self.strong = ["sc"] * len(self.kinds)
        weak = ["none" if k == "fence" else "rlx" for k in self.kinds]
        weak, strong = ({tuple(s.items()) for s in a["states"]}
                        for a in self.ask([weak, self.strong], f"{shown[0]}=9"))
        return weak - strong

    def ask(self, assignments, condition):
        shown = registers_of(self.program)
        return answers(self.options, self.model,
                       [small_programs.litmus_text(assign(self.program, a), shown,
                                          condition) for a in assignments],
                       self.work)

    def cost(self, a):
        return sum(cost(k, o) for k, o in zip(self.kinds, a))

    def optimize(self, orders, *more):
        text, lines = c_text(assign(self.program, orders), self.condition)
        (self.work / "program.c").write_text(text)
        done = self.run("optimize", "--json", *more)
        if done.returncode not in (0, 1):
            raise AssertionError(f"exit code {done.returncode}: {done.stderr}")
        return json.loads(done.stdout), lines

    def run(self, command, *more):
        return subprocess.run([self.options.heddle, command, "--model",
                               self.model, *more, "program.c"], timeout=60,
                              capture_output=True, text=True, cwd=self.work)

    def wrong_diff(self):
        """The program of the last answer, with the diff applied."""
        diff = self.run("optimize", "--diff").stdout
        if "@@" not in diff:
            return None
        # (Inside of a repository, git would leave out what is not in it.)
        outside = {**os.environ, "GIT_CEILING_DIRECTORIES":
                   str(self.work.resolve().parent)}
        subprocess.run(["git", "apply", "-p1", "-"], input=diff, text=True,
                       check=True, cwd=self.work, env=outside)
        if self.run("check").returncode != 0:
            return f"--diff: wrong when applied\n{diff}"
        said = json.loads(self.run("optimize", "--json").stdout)
        cost = said["solutions"][0]["cost"]
        return None if said["written_cost"] == cost else (
            f"--diff: costs {said['written_cost']}, not {cost}\n{diff}")

    def assignment(self, sites, lines, orders):
        """The orders of a solution; operations that are not in it have the
        written ones, and fences that were not written none."""
        at = {s["line"]: SHORT[s["to"]] for s in sites}
        line = iter(lines)
        return tuple(o if o == "none" else at.get(next(line), o)
                     for o in orders)

    def wrong_cheapest(self, start, more, allowed):
        said, lines = self.optimize(start, *more)
        good = [a for a in self.good if allowed(a)]
        if not good:
            return (f"{more}: finds {said['solutions']}, there is none"
                    if said["solutions"] else None)
        if not said["solutions"]:
            return f"{more}: finds nothing, there are {good}"
        found = said["solutions"][0]
        a = self.assignment(found["sites"], lines, start)
        if a not in self.good:
            return f"{more}: {a} is wrong"
        least = min(map(self.cost, good))
        if self.cost(a) != least or found["cost"] != least:
            return f"{more}: {a} costs {found['cost']}, not {least}"
        return None

    def wrong_all(self):
        minimal = {a for a in self.good
                   if not any(b != a and is_below(b, a) for b in self.good)}
        said, lines = self.optimize(self.strong, "--all")
        found = {self.assignment(s["sites"], lines, self.strong)
                 for s in said["solutions"]}
        return None if found == minimal else (
            f"--all: lost {minimal - found}, has {found - minimal}")

    def wrong_alone(self, start):
        said, lines = self.optimize(start, "--check-only")
        at = {s["line"]: SHORT[s["weakest"]] for s in said["sites"]}
        line = iter(lines)
        for i, written in enumerate(start):
            if written == "none":
                continue
            found = at[next(line)]
            fits = [o for o in ORDERS[self.kinds[i]]
                    if HAS[o] <= HAS[written]
                    and (*start[:i], o, *start[i + 1:]) in self.good]
            least = min(cost(self.kinds[i], o) for o in fits)
            if found not in fits or cost(self.kinds[i], found) != least:
                return f"--check-only: {found} at {i} of {start}, not {fits}"
        return None

    def wrong(self, r):
        for a in self.good:  # a stronger one must be good too
            for i, o in enumerate(a):
                for p in ORDERS[self.kinds[i]]:
                    b = (*a[:i], p, *a[i + 1:])
                    if HAS[o] <= HAS[p] and b not in self.good:
                        return f"litmus: {a} is right and {b} wrong"
        start = r.choice(sorted(self.good))
        weak = r.choice(sorted(set(self.tried) - self.good))
        return (self.wrong_cheapest(self.strong, (), lambda a: True)
                or self.wrong_diff()
                or self.wrong_cheapest(start, (), lambda a: is_below(a, start))
                # What is not written cannot be repaired.
                or self.wrong_cheapest(
                    weak, ("--repair",),
                    lambda a: is_below(weak, a) and all(
                        o == "none" for o, w in zip(a, weak) if w == "none"))
                or self.wrong_all() or self.wrong_alone(start))


def compare(options, seed, work):
    r = random.Random(seed)
    try:
        case = Case(options, r, work)
        return f"{case.model}: {len(case.tried)} assignments", case.wrong(r)
    except (texts.Refused, subprocess.TimeoutExpired) as why:
        return str(why), None
    except AssertionError as why:
        return "optimize", str(why)


if __name__ == "__main__":
    tap.campaign_script(__doc__, compare)
