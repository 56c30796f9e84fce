#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Is anything lost? Where no execution of a test ends as it asks, `--why` looks
for one among all coherent ones and asks the definition of the model. One that
the definition allows stops Heddle with an internal error: the search has missed
it. One line of TAP for each model. `why.py HEDDLE FOLDER...`"""
import json
import subprocess
import sys

MODELS = [None, "sc", "tso", "pso", "ra", "rc11", "c11", "jam21", "xmm", "imm",
          "armv8", "armv7", "power", "riscv", "lkmm"]
FEWEST = 5  # tests that a model refuses


def explained(heddle, model, folders):
    """How many tests have an outcome that the model refuses."""
    option = ["--model", model] if model else []
    run = subprocess.run([heddle, "litmus", "--why", "--json", *option,
                          *folders], capture_output=True, text=True,
                         timeout=300)
    if run.returncode not in (0, 1, 2, 3):  # some tests are not for each model
        raise AssertionError(f"exit code {run.returncode}\n{run.stderr}")
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    return sum("axiom" in answer for answer in answers)


def main():
    heddle, *folders = sys.argv[1:]
    failed = False
    for number, model in enumerate(MODELS, 1):
        try:
            n = explained(heddle, model, folders)
            assert n >= FEWEST, f"only {n} tests were explained"
            is_right = True
        except (AssertionError, ValueError) as e:
            print("#", str(e).replace("\n", "\n# "))
            is_right = False
        failed |= not is_right
        print("ok" if is_right else "not ok", number, "-",
              model or "the model of each test")
    print(f"1..{len(MODELS)}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
