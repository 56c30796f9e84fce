#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What it costs to compute between two accesses, in instructions for a round of
a loop. (clang -O0 takes 9 for the first of these and 12 for the second.)
Skipped without valgrind.

    tests/cli/test_computing_cost.py build/heddle [WORD...]
"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap
from counted import instructions
from tap import test

COUNT = """int main(void) {
  unsigned sum = 0;
  for (unsigned i = 0; i < N; i++)
    sum += i;
  return sum == 1;
}
"""
MIX = """int main(void) {
  int a[64] = {0};
  for (int i = 0; i < N; i++)
    a[i & 63] ^= i;
  return a[3] == 1;
}
"""


def of_a_round(text):
    few, many = (instructions(text, f"-DN={n}")
                 for n in (50_000, 150_000))
    print(f"# {(many - few) / 1e5:.0f} instructions a round")
    return (many - few) / 1e5


@test
def a_loop_that_counts():
    assert of_a_round(COUNT) < 100  # once 390


@test
def a_loop_over_an_array():
    assert of_a_round(MIX) < 330


tap.main()
