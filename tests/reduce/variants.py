#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
r"""Built-in models, changed at random: a relation or a set in place of another,
a term or an axiom less, an axiom more. What is known of the built-in ones need
not hold of these; the search takes as known what is proved of the text. So on
random programs (tests/reduce/families.c) all sets of reductions must have the
answer of none, and of the text alone. Prints TAP; each failure has its seed.

    HEDDLE_FAMILIES=tests/reduce/families \
    variants.py HEDDLE [--seeds N] [--first SEED] [--daily N] [--work FOLDER]
"""
import os
import random
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))
import tap  # noqa: E402

BASES = ["sc", "tso", "pso", "ra", "rc11", "imm", "c11", "armv8", "power",
         "riscv", "jam21"]
NAMES = ["weak", "chains", "retries", "waits", "circles", "spies", "backs",
            "assertions", "bits"]
RELATIONS = ["po", "rf", "co", "fr", "loc", "ext", "int", "data", "addr",
             "ctrl", "rmw"]
SETS = ["R", "W", "F", "RLX", "ACQ", "REL", "SC"]
TERMS = ["po", "rf", "co", "fr", "rf & ext", "co & ext", "fr & ext", "data",
         "addr", "ctrl", "rmw", "po & loc", "rf & int", "po; [F]; po",
         "[R]; po", "po; [W]", "[R]; po; [W]", "[W]; po; [R]", "rf; po",
         "[ACQ | SC]; po", "po; [REL | SC]", "po; rf", "co; rf", "fr; rf",
         "[F & SC]; po", "rf^-1; co", "po \\ loc", "(po & loc) \\ data"]
PROGRAM = "#include <stdatomic.h>\natomic_int x;\nint main(void) { return x; }\n"


def term(r):
    parts = r.sample(TERMS, r.randrange(1, 4))
    return r.choice([" | ", " | ", "; "]).join(f"({p})" for p in parts)


def axiom(r, n):
    kind = r.choice(["acyclic", "acyclic", "irreflexive", "empty"])
    body = term(r)
    if kind == "empty":
        body = f"({body}) & ({term(r)})"
    return f"{kind} {body} as added{n}"


def swap_word(r, text, words):
    places = [m for m in re.finditer(r"(?<![\w-])(\w+)(?![\w-])", text)
              if m[1] in words]
    if not places:
        return text
    m = r.choice(places)
    new = r.choice([w for w in words if w != m[1]])
    return text[:m.start()] + new + text[m.end():]


def drop_term(r, text):
    places = list(re.finditer(r"\n?\s*[|&] [\w&; \[\]-]+?(?=[|)\n])", text))
    if not places:
        return text
    m = r.choice(places)
    return text[:m.start()] + " " + text[m.end():]


def drop_axiom(r, text):
    lines = list(re.finditer(
        r"^(acyclic|irreflexive|empty) .*(\n  .*)* as [\w-]+$", text, re.M))
    if len(lines) < 2:
        return text
    m = r.choice(lines)
    return text[:m.start()] + text[m.end():]


def weaken(r, text):
    return text.replace("acyclic", "irreflexive", 1)


def change(r, base):
    text = re.sub(r"\(\*.*?\*\)", "", (ROOT / f"models/{base}.cat").read_text(),
                  flags=re.S)
    text = f'"{base}, changed"\n' + text.lstrip()
    for n in range(r.randrange(1, 4)):
        way = r.randrange(10)
        if way < 3:
            text = swap_word(r, text, RELATIONS)
        elif way < 5:
            text = swap_word(r, text, SETS)
        elif way < 6:
            text = drop_term(r, text)
        elif way < 7:
            text = drop_axiom(r, text)
        elif way < 8:
            text = weaken(r, text)
        else:
            text = text.rstrip() + "\n" + axiom(r, n) + "\n"
    return text


def compare(options, seed, folder):
    """What was done, and what is wrong or None."""
    r = random.Random(seed)
    model, program = folder / "changed.cat", folder / "empty.c"
    base = r.choice(BASES)
    model.write_text(change(r, base))
    program.write_text(PROGRAM)
    done = subprocess.run([options.heddle, "check", "--model", model, program],
                          capture_output=True, text=True)
    if done.returncode == 2 and f"{model}:" in done.stderr:
        return f"{base}: no model for the search", None
    if done.returncode not in (0, 1, 3):
        return base, done.stdout + done.stderr
    families = r.sample(NAMES, 2)
    for family in families:
        env = {**os.environ, "HEDDLE_MODEL": str(model), "HEDDLE_TEXT": "1",
               "HEDDLE_FAMILY": family, "HEDDLE_MOST": "60",
               "HEDDLE_FIRST_SEED": str(seed * 100), "HEDDLE_SEEDS": "20"}
        done = subprocess.run([os.environ["HEDDLE_FAMILIES"]],
                              capture_output=True, text=True, env=env)
        if done.returncode:
            return base, (f"HEDDLE_MODEL={model} HEDDLE_TEXT=1 HEDDLE_MOST=60\n"
                          f"{done.stdout[:3000]}{done.stderr[-1000:]}")
    return f"{base}, {' and '.join(families)}", None


if __name__ == "__main__":
    tap.campaign_script(__doc__, compare)
