#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random model files in the cat language, on small random programs, against an
enumerator that shares no code with Heddle: it makes every candidate execution
(the values of reads, their sources, the orders of writes), evaluates the text
from scratch, and keeps those that it allows. `heddle litmus` must count the
same final states and executions, and so must `heddle check` and `heddle
explore` of the same program in C. Prints TAP; each failure has its seed.

    texts.py HEDDLE [--seeds N] [--first SEED] [--daily N] [--work FOLDER]
"""
import json
import pathlib
import random
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import tap  # noqa: E402
from models import Drawer, allows, holds, print_model, union  # noqa: E402
from small_programs import (TooMany, c_text, candidates, draw_program,  # noqa: E402
                      litmus_text, possible_values)

PROGRAMS = 4  # of each model


class Refused(Exception):
    pass


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    if done.returncode == 2 and "cannot explore" in done.stderr + done.stdout:
        raise Refused("no model for C")
    if done.returncode == 3:
        detail = re.search(r'"(detail|limit)": "(.+)"', done.stdout)
        if detail and detail[2] == "vacuous":
            return done
        raise Refused("incomplete: " + (detail[2] if detail else
                                        done.stdout[:300] + done.stderr))
    if done.returncode == 2:
        raise Refused(re.sub(r"\S*\.cat\S*|\d+", "", done.stderr)[:80])
    return done


def added_axiom(heddle, cat):
    """What Heddle says that it adds to the text."""
    said = run([heddle, "models", cat]).stdout
    if "Heddle does not explore" in said:
        raise Refused("own writes")
    if "adds that axiom" in said:
        return ["addr", "data", "rf"]
    if "adds the axiom that dependencies" in said:
        return ["addr", "data", "ctrl", "rf"]
    return []


def counted(states):
    counts = {}
    for state in states:
        key = tuple(sorted(state.items()))
        counts[key] = counts.get(key, 0) + 1
    return counts


def allowed_states(program, model, added, joins):
    out = []
    for world, state in candidates(program, possible_values(program), joins):
        if added and not holds("acyclic", union(*(world[x] for x in added))):
            continue
        if allows(model, world):
            out.append(state)
    return out


def wrong_litmus(options, r, program, model, added, cat, work):
    states = allowed_states(program, model, added, False)
    shown = ["x", "y"] + [f"{t}:{x}" for t, p in enumerate(program)
                          for x in p.registers]
    at = r.choice(shown)
    value = r.randrange(3)
    key = at if ":" in at else f"[{at}]"
    test = work / "test.litmus"
    test.write_text(litmus_text(program, shown, f"{at}={value}"))
    done = run([options.heddle, "litmus", "--json", "--model", cat, str(test)])
    if done.returncode not in (0, 1):
        return f"litmus: exit code {done.returncode}: {done.stderr}"
    said = json.loads(done.stdout)
    got = {tuple(sorted(s.items())) for s in said["states"]}
    want = set(counted(states))
    positive = sum(s[key] == value for s in states)
    if got != want:
        return f"litmus: lost {want - got}, has too many {got - want}"
    has = (said["positive"], said["negative"])
    if has != (positive, len(states) - positive):
        return f"litmus: {has}, not {positive} {len(states) - positive}"
    return None


def wrong_c(options, program, model, added, cat, work):
    states = allowed_states(program, model, added, True)
    source = work / "program.c"
    source.write_text(c_text(program))
    common = ["--model", cat, "--json", "--races", "off", str(source)]
    done = run([options.heddle, "check", *common])
    if done.returncode and (states or done.returncode != 3):
        return f"check: exit code {done.returncode}: {done.stderr}"
    said = json.loads(done.stdout)
    if said["executions"] != len(states):
        return f"check: {said['executions']}, not {len(states)}"
    if not states:
        return None
    said = json.loads(run([options.heddle, "explore", *common]).stdout)
    got = {tuple(o["state"].get(v, "0") for v in ("vx", "vy")): o["executions"]
           for o in said["outcomes"]}
    want = counted({"x": s["[x]"], "y": s["[y]"]} for s in states)
    want = {tuple(str(v) for _, v in k): n for k, n in want.items()}
    return None if got == want else f"explore: {got}, not {want}"


def compare_program(options, r, program, model, added, cat, work):
    """What was done, and what is wrong."""
    try:
        wrong = wrong_litmus(options, r, program, model, added, cat, work)
        if wrong:
            return "litmus", wrong
        return "both", wrong_c(options, program, model, added, cat, work)
    except TooMany:
        return "too many candidates", None
    except Refused as why:
        return str(why), None
    except subprocess.TimeoutExpired:
        return "takes too long", None


def compare(options, seed, work):
    r = random.Random(seed)
    model = Drawer(r).model()
    cat = work / "model.cat"
    cat.write_text(print_model(model))
    try:
        added = added_axiom(options.heddle, str(cat))
    except Refused as why:
        return str(why), None
    all_said = []
    for _ in range(PROGRAMS):
        program = draw_program(r)
        said, wrong = compare_program(options, r, program, model, added,
                                      str(cat), work)
        all_said.append(said)
        if wrong:
            return said, wrong
    return "; ".join(all_said), None


if __name__ == "__main__":
    tap.campaign_script(__doc__, compare)
