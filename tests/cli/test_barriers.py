#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Barriers (explore/fewer/arrive.c), in C: the order in which threads arrive is not
explored, and nothing else is left out. On random programs in which N threads
meet R times, every outcome is there, and all orders of arrival are (N!)^R times
as many executions. tests/cli/test_barriers.py HEDDLE."""
import json
import math
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
import tap
import threads

HEDDLE = sys.argv[1]
MODELS = "sc", "tso", "pso", "ra", "rc11"
HEAD = """
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
static pthread_barrier_t barrier;
static atomic_int x, y;
static int plain;
#define LOAD(l, o) atomic_load_explicit(&l, memory_order_##o)
#define STORE(l, v, o) atomic_store_explicit(&l, v, memory_order_##o)
#define ADD(l, v, o) atomic_fetch_add_explicit(&l, v, memory_order_##o)
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#ifdef TOLD
#define MEET() told += pthread_barrier_wait(&barrier) != 0
#else
#define MEET() pthread_barrier_wait(&barrier)
#endif
"""


def program(bodies, count=None):
    """Threads with these bodies, and a barrier for all of them."""
    init = f"pthread_barrier_init(&barrier, NULL, {count or len(bodies)});"
    return threads.program(HEAD, bodies, init,
                           "pthread_barrier_destroy(&barrier);",
                           local="int told = 0; (void)told;")


def orders(options):
    """What leaves orders out, unless all of them are asked for."""
    return ([] if "--explore-orders" in options else
            ["--reduce", "barriers,sections,readers"])


def run(command, text, *options, code=0, flags=(), off="race"):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.c"
        path.write_text(text)
        done = subprocess.run(
            [HEDDLE, command, "--json", "--disable", off, *orders(options),
             *options, str(path), "--", *flags], capture_output=True, text=True)
        assert done.returncode == code, done.stdout + done.stderr
        return json.loads(done.stdout)


def executions(text, *options, **how):
    return run("check", text, "--symmetry", "off", *options,
               **how)["executions"]


def outcomes(text, *options):
    answer = run("explore", text, *options)
    return sorted(json.dumps(o["state"], sort_keys=True)
                  for o in answer["outcomes"])


def random_body(dice, me, rounds):
    def access():
        place = dice.choice("xy")
        return dice.choice([
            f"r{me} = 4 * r{me} + LOAD({place}, {dice.choice(['relaxed', 'acquire', 'seq_cst'])});",
            f"STORE({place}, {me + 1}, {dice.choice(['relaxed', 'release', 'seq_cst'])});",
            f"r{me} += ADD({place}, 1, {dice.choice(['relaxed', 'acq_rel'])});",
            "FENCE();"])
    parts = ["".join(access() for _ in range(dice.randrange(2)))
             for _ in range(rounds + 1)]
    return "MEET();".join(parts)


@tap.test
def random_programs_lose_orders_of_arrival_alone():
    first = int(os.environ.get("HEDDLE_FIRST_SEED", "0"))
    for seed in range(first, first + int(os.environ.get("HEDDLE_C_SEEDS", "8"))):
        dice = random.Random(seed)
        n, rounds = dice.choice([(2, 1), (2, 2), (3, 1)])
        text = program([random_body(dice, i, rounds) for i in range(n)])
        orders = math.factorial(n) ** rounds
        model = MODELS[seed % len(MODELS)]
        for options in ["--model", model], ["--model", model, "--jobs", "2"]:
            few = executions(text, *options)
            all_of_them = executions(text, *options, "--explore-orders")
            assert all_of_them == few * orders, (seed, model, few, all_of_them)
        options = ["--model", model]
        assert outcomes(text, *options) == outcomes(
            text, *options, "--explore-orders"), (seed, model)
        told = executions(text, *options, flags=["-DTOLD"])
        assert told == all_of_them, (seed, model, told)


@tap.test
def six_threads_meet_in_one_way():
    bodies = [f"STORE(x, {i}, relaxed); MEET(); MEET();" for i in range(6)]
    text = program(bodies)
    for model in MODELS:
        assert executions(text, "--model", model) == 720, model  # of the writes
    assert executions(text, "--equivalence", "rf") == 1
    # Models with dependencies explore the order.
    assert executions(program(["MEET();"] * 3), "--model", "imm") == 6


@tap.test
def where_it_matters_who_comes_first_all_orders_are_explored():
    crowd = ["MEET();", "MEET();", "MEET();", "MEET();"]
    text = program(crowd, count=2)
    every = executions(text, "--explore-orders")
    # 24 orders of arrival. Rounds are opened one after the other, and whoever
    # waits for the first may see it opened or the second one.
    assert every == 48, every
    for options in [], ["--jobs", "2"]:
        assert executions(text, *options) == every, options
    told = program(["MEET(); r0 = told;", "MEET(); r1 = told;"])
    assert executions(told) == 1
    assert executions(told, flags=["-DTOLD"]) == 2


@tap.test
def a_barrier_that_waits_for_too_many_is_a_deadlock():
    for model in MODELS:
        answer = run("check", program(["MEET();"] * 2, count=3), "--model",
                     model, code=1)
        kinds = {e["kind"] for e in answer["errors"]}
        assert kinds == {"deadlock"}, kinds
        assert "pthread_barrier_wait" in answer["errors"][0]["message"]


@tap.test
def what_comes_behind_a_barrier_knows_of_all_before_it():
    good = program(["plain = 1; MEET();", "MEET(); assert(plain == 1);",
                    "MEET(); assert(plain == 1);"])
    bad = program(["plain = 1; MEET();", "assert(plain == 1); MEET();",
                   "MEET();"])
    for model in MODELS:
        run("check", good, "--model", model, off="leak")
        answer = run("check", bad, "--model", model, code=1)
        assert answer["errors"][0]["kind"] == "assertion"


tap.main()
