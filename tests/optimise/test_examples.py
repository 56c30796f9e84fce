#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Locks and queues that begin with seq_cst everywhere, and published mistakes
that are repaired: tests/optimise/test_examples.py HEDDLE [NAME...]"""
import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE.parent / "cli"))
import ladders
import tap
from heddle import HEDDLE, WORK, heddle

LOCKS = HERE.parent / "programs" / "locks"

# Costs under rc11. Those of ttas, ticket, CLH, MCS and the queued lock are
# also what a prototype found with another checker.
COSTS = {"ttas": 2, "ticket": 2, "CLH": 4, "MCS": 7, "array lock": 4,
         "rw-lock": 4, "seqlock": 6, "Treiber": 3, "Chase-Lev": 32, "MPMC": 4,
         "qspinlock": 5, "qspinlock, no pending": 9, "qspinlock, both": 10}
# Descent explores each client completely once for each order that it can make
# weaker, and once at first: with three or four orders that is not much more
# than the one time that nobody can do without.
FEWER = {"ttas": 3.8, "CLH": 4.5, "array lock": 4,
         "ticket": 4.5}


@tap.test
def the_examples_get_the_cheapest_orders_in_little_time():
    for name, cost in COSTS.items():
        paths = ladders.clients(name, WORK)
        found, seconds = ladders.run(HEDDLE, paths)
        (best,) = found["solutions"]
        assert found["proved"] and best["cost"] == cost, (name, best["cost"])
        assert seconds < (5 if "qspin" in name else 1), (name, seconds)
        descent, _ = ladders.run(HEDDLE, paths, "--algorithm", "descent")
        assert descent["solutions"][0]["cost"] >= cost, name
        times = descent["executions"] / found["executions"]
        assert times >= FEWER.get(name, 5), (name, times)
        for site in best["sites"]:
            needs = site["to"] not in ("relaxed", "none")
            assert bool(site["witness"]) == needs, (name, site)


@tap.test
def the_queued_lock_has_22_operations():
    paths = ladders.clients("qspinlock, both", WORK)
    found, _ = ladders.run(HEDDLE, paths)
    sites = found["solutions"][0]["sites"]
    kinds = [s["operation"] for s in sites]
    failed = kinds.count("failed compare-exchange")
    assert len(kinds) - failed == 22 and failed == 4, kinds
    # No fence is needed, and no seq_cst.
    assert {s["to"] for s in sites if s["operation"] == "fence"} == {"none"}
    assert not any(s["to"] == "seq_cst" for s in sites), sites


# -- published mistakes

def repair(path, *args):
    """The changes of each cheapest repair."""
    answer = json.loads(heddle("optimize", "--json", "--repair", *args,
                               str(path), code=0).stdout)
    assert answer["proved"]
    least = answer["solutions"][0]["cost"]
    return [{(s["line"], s["operation"], s["to"]) for s in x["sites"]
             if s["from"] != s["to"]}
            for x in answer["solutions"] if x["cost"] == least]


def line_of(path, text):
    lines = path.read_text().splitlines()
    (number,) = [i for i, line in enumerate(lines, 1) if text in line]
    return number


@tap.test
def a_queue_lock_that_hangs_gets_release_and_acquire():
    path = LOCKS / "mcs_lost_hang.c"
    link = (line_of(path, "store(&before->next"), "store", "release")
    see = {(n, "load", "acquire") for n in
           [line_of(path, "= load(&me->next, SEE);"),
            line_of(path, "(next = load(&me->next, SEE))")]}
    for model in ["rc11", "imm"]:
        every = repair(path, "--model", model, "--all")
        assert {link, *see} in every, every
    # On Arm an address depends on what is loaded: the release is enough, and
    # an exchange that is one instruction needs not even that.
    llsc = repair(path, "--model", "armv8", "--arm-rmw", "llsc", "--all")
    assert {link} in llsc, llsc
    assert repair(path, "--model", "armv8", "--arm-rmw", "lse") == [set()]


@tap.test
def a_queue_lock_that_loses_an_update_gets_acquire():
    path = LOCKS / "mcs_lost_update.c"
    wait = (line_of(path, "while (load(&me->spin, WAIT))"), "load", "acquire")
    for model in ["rc11", "imm", "armv8"]:
        assert repair(path, "--model", model, "--all") == [{wait}], model


@tap.test
def the_queued_lock_without_its_fence_gets_release_at_the_tail():
    path = HERE / "qspinlock.c"
    args = ["-DLINUX", "-DN=3", "-DNO_PENDING"]
    broken = [*args, "-DWITHOUT_FENCE"]
    tail = line_of(path, "while (!cas(&word, &seen, (seen & BUSY)")
    for model in ["rc11", "imm"]:
        # Even with the fence, two orders of Linux are not enough for C11, in
        # which nothing but an acquire orders what depends on a pointer.
        for change in repair(path, "--model", model, "--all", *args):
            assert len(change) == 2, change
            assert all(to == "acquire" for _, _, to in change), change
            assert (tail, "compare-exchange", "acquire") in change, change
        for change in repair(path, "--model", model, "--all", *broken):
            assert len(change) == 2, change
            assert (tail, "compare-exchange", "acq_rel") in change, change
    for rmw in ["lse", "llsc"]:
        arm = ["--model", "armv8", "--arm-rmw", rmw]
        assert repair(path, *arm, *args) == [set()]  # right as it is
        found = repair(path, *arm, "--all", *broken)
        assert found == [{(tail, "compare-exchange", "release")}], found


if __name__ == "__main__":
    tap.main(sys.argv[2:])
