#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random programs whose loads may be buffered: relaxed accesses that lead from
thread to thread, through values, branches, and loops that wait or try again.

    tests/random/buffered.py SEED     prints one

Counters beside them make executions many, so that there is something to share.
"""
import random
import sys

HEAD = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#define relaxed memory_order_relaxed
static atomic_int x, y, z, counter, other;
static int seen[4][3];
"""
VARIABLES = "xyz"


def load(v, order="relaxed"):
    return f"atomic_load_explicit(&{v}, {order})"


def store(v, value, order="relaxed"):
    return f"atomic_store_explicit(&{v}, {value}, {order});"


def step(dice, registers):
    """A statement; may add to the registers that are set."""
    v = dice.choice(VARIABLES)
    kind = dice.choice(["load"] * 3 + ["store"] * 3 + [
        "pass", "branch", "both", "update", "wait", "try", "fence"])
    if kind == "load" and len(registers) < 3:
        registers.append(f"r{len(registers)}")
        return f"{registers[-1]} = {load(v)};"
    value = str(dice.choice([1, 1, 2]))
    if kind == "pass" and registers:
        return store(v, dice.choice(registers))
    if kind == "branch" and registers:
        return f"if ({dice.choice(registers)}) " + store(v, value)
    if kind == "both" and registers:  # the branch decides nothing
        return (f"if ({dice.choice(registers)}) {store(v, value)} "
                f"else {store(v, value)}")
    if kind == "update":
        order = dice.choice(["relaxed", "memory_order_acq_rel"])
        return f"atomic_fetch_add_explicit(&{v}, 1, {order});"
    if kind == "wait" and dice.random() < 0.5:
        return f"for (int i = 0; i < 2 && !{load(v)}; i++);"
    if kind == "try":
        return ("for (int old = 0; !atomic_compare_exchange_strong_explicit("
                "&other, &old, old + 1, relaxed, relaxed);) ;")
    if kind == "fence" and dice.random() < 0.5:
        return "atomic_thread_fence(memory_order_release);"
    return store(v, value)


def thread(dice, n):
    registers = []
    lines = [step(dice, registers) for _ in range(dice.randrange(2, 5))]
    for _ in range(dice.choice([0, 1, 1, 2])):
        lines.insert(dice.randrange(len(lines) + 1),
                     "atomic_fetch_add_explicit(&counter, "
                     f"{1 << n}, relaxed);")
    lines += [f"seen[{n}][{i}] = {r};" for i, r in enumerate(registers)]
    declared = f"  int {', '.join(r + ' = 0' for r in registers)};\n" \
        if registers else ""
    return (f"static void *t{n}(void *arg) {{\n{declared}  " +
            "\n  ".join(lines) + "\n  return arg;\n}\n"), len(registers)


def generate(seed):
    dice = random.Random(seed)
    n = dice.choice([2, 3, 3, 4])
    threads = [thread(dice, k) for k in range(n)]
    wrong = [f"seen[{k}][{i}] == {dice.choice([0, 1, 1, 2])}"
             for k, (_, registers) in enumerate(threads)
             for i in range(registers)]
    dice.shuffle(wrong)
    claim = " && ".join(wrong[:dice.choice([1, 2, 3])])
    main = ["pthread_t t[4];"]
    main += [f"pthread_create(&t[{k}], NULL, t{k}, NULL);" for k in range(n)]
    main += [f"pthread_join(t[{k}], NULL);" for k in range(n)]
    if claim and dice.random() < 0.4:
        main.append(f"assert(!({claim}));")
    return (HEAD + "".join(text for text, _ in threads) +
            "int main(void) {\n  " + "\n  ".join(main) + "\n}\n")


if __name__ == "__main__":
    print(generate(int(sys.argv[1])), end="")
