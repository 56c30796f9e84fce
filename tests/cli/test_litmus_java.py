#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests in Java mean what the same tests in C mean under jam21, and what is not
known of the language is refused.

    tests/cli/test_litmus_java.py build/heddle [WORD]
"""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap
from heddle import heddle, write
from tap import test

ORDERS = {"Opaque": "relaxed", "Acquire": "acquire", "Release": "release",
          "Volatile": "seq_cst"}


def java(question, *bodies, init=""):
    handles = "".join(f"{i}:{name}={name.lower()}; "
                      for i in range(len(bodies)) for name in "XY")
    threads = "".join(f"Thread{i} {{ {body} }}\n"
                      for i, body in enumerate(bodies))
    return f"Java test\n{{ {init} {handles} }}\n{threads}{question}\n"


def in_c(question, *bodies, init=""):
    threads = "".join(f"P{i}(atomic_int *x, atomic_int *y) {{ {body} }}\n"
                      for i, body in enumerate(bodies))
    return f"C test\n{{ {init} }}\n{threads}{question}\n"


def answer(name, text, *options):
    return json.loads(heddle("litmus", "--json", *options,
                             write(name, text)).stdout)


def same(question, bodies, bodies_of_c, init=""):
    """Both have the same states, as often. What is seen of the question."""
    of_java = answer("j.litmus", java(question, *bodies, init=init))
    of_c = answer("c.litmus", in_c(question, *bodies_of_c, init=init),
                  "--model", "jam21")
    for member in "model", "observation", "states", "positive", "negative":
        assert of_java[member] == of_c[member], (member, of_java, of_c)
    return of_java["observation"]


def refused(text, line, words):
    out = heddle("litmus", write("bad.litmus", text), code=2).stdout
    assert f"bad.litmus:{line}: " in out and words in out, out


def get(handle, mode):
    return (f"{handle}.get{mode}()", f"atomic_load_explicit({handle.lower()}, "
            f"memory_order_{ORDERS[mode]})")


def put(handle, mode):
    return (f"{handle}.set{mode}(1);", "atomic_store_explicit("
            f"{handle.lower()}, 1, memory_order_{ORDERS[mode]});")


@test
def modes_of_accesses():
    """Store buffering, messages and load buffering, with each mode."""
    verdicts = {}
    for write_mode in "Opaque", "Release", "Volatile":
        for read_mode in "Opaque", "Acquire", "Volatile":
            modes = (write_mode, read_mode)
            (rx, crx), (ry, cry) = (get(h, read_mode) for h in "XY")
            (wx, cwx), (wy, cwy) = (put(h, write_mode) for h in "XY")
            verdicts["SB", *modes] = same(
                "exists (0:r1=0 /\\ 1:r1=0)",
                (f"{wx} int r1 = {ry};", f"{wy} int r1 = {rx};"),
                (f"{cwx} int r1 = {cry};", f"{cwy} int r1 = {crx};"))
            verdicts["MP", *modes] = same(
                "exists (1:r1=1 /\\ 1:r2=0)",
                (f"{wx} {wy}", f"int r1 = {ry}; int r2 = {rx};"),
                (f"{cwx} {cwy}", f"int r1 = {cry}; int r2 = {crx};"))
            verdicts["LB", *modes] = same(
                "exists (0:r1=1 /\\ 1:r1=1)",
                (f"int r1 = {rx}; {wy}", f"int r1 = {ry}; {wx}"),
                (f"int r1 = {crx}; {cwy}", f"int r1 = {cry}; {cwx}"))
    for (shape, first, second), verdict in verdicts.items():
        is_strong = {"SB": first == second == "Volatile", "LB": True,
                     "MP": "Opaque" not in (first, second)}[shape]
        assert verdict == ("Never" if is_strong else "Sometimes"), (
            shape, first, second, verdict)


@test
def fences():
    for fences, shape, verdict in (
            (("fullFence", "fullFence"), "SB", "Never"),
            (("releaseFence", "acquireFence"), "SB", "Sometimes"),
            (("releaseFence", "acquireFence"), "MP", "Never"),
            (("storeStoreFence", "loadLoadFence"), "MP", "Never"),
            (("acquireFence", "releaseFence"), "MP", "Sometimes")):
        first, second = (f"VarHandle.{fences[0]}();", f"{fences[1]}();")
        bodies = {
            "SB": (f"X.setOpaque(1); {first} int r1 = Y.getOpaque(); int r2 = 0;",
                   f"Y.setOpaque(1); {second} int r2 = X.getOpaque(); "
                   "int r1 = r2 + 1;"),
            "MP": (f"X.setOpaque(1); {first} Y.setOpaque(1); int r1 = 0;",
                   f"int r1 = Y.getOpaque(); {second} int r2 = X.getOpaque();"),
        }[shape]
        question = "exists (0:r1=0 /\\ 1:r1=1 /\\ 1:r2=0)"
        seen = answer("f.litmus", java(question, *bodies))["observation"]
        assert seen == verdict, (fences, shape, seen)


@test
def updates():
    """Each of them as C has it."""
    for name, of_c, operand in (("getAndAdd", "fetch_add", 5),
                                ("getAndBitwiseOr", "fetch_or", 6),
                                ("getAndBitwiseAnd", "fetch_and", 2),
                                ("getAndBitwiseXor", "fetch_xor", 7),
                                ("getAndSet", "exchange", 4)):
        for mode, order in (("", "seq_cst"), ("Acquire", "acquire"),
                            ("Release", "release")):
            same("locations [x;] exists (0:r1=3)",
                 (f"int r1 = X.{name}{mode}({operand});",
                  "int r1 = X.getAndAdd(1);"),
                 (f"int r1 = atomic_{of_c}_explicit(x, {operand}, "
                  f"memory_order_{order});",
                  "int r1 = atomic_fetch_add(x, 1);"), init="x=3;")
    # one of two succeeds, and yields what was there; the other one does not
    both = answer("cas.litmus", java(
        "locations [x; 0:r1; 1:r1;] exists (0:r1=1:r1)",
        "int r1 = X.compareAndExchange(0, 1);",
        "int r1 = X.compareAndExchangeAcquire(0, 2);"))
    assert both["states"] == [{"0:r1": 0, "1:r1": 1, "[x]": 1},
                              {"0:r1": 2, "1:r1": 0, "[x]": 2}], both


@test
def an_update_releases_and_acquires_as_its_mode_says():
    for release, acquire, verdict in (("Release", "Acquire", "Never"),
                                      ("", "", "Never"),
                                      ("Acquire", "Acquire", "Sometimes"),
                                      ("Release", "Release", "Sometimes")):
        seen = answer("m.litmus", java(
            "exists (1:r1=1 /\\ 1:r2=0)",
            f"X.setOpaque(1); int r1 = Y.getAndAdd{release}(1);",
            f"int r1 = Y.getAndAdd{acquire}(0); int r2 = X.getOpaque();"))
        assert seen["observation"] == verdict, (release, acquire, seen)


@test
def plain_accesses_must_not_race():
    ordered = java("exists (1:r1=1 /\\ 1:r2=0)", "X.set(1); Y.setRelease(1);",
                   "int r1 = Y.getAcquire(); int r2 = 0; "
                   "if (r1 == 1) { r2 = X.get(); } else { r2 = 7; }")
    assert answer("o.litmus", ordered)["observation"] == "Never"
    race = java("exists (1:r1=1)", "X.set(1);", "int r1 = X.getOpaque();")
    refused(race, 4, "plain accesses of Java that race are not supported")


@test
def what_is_not_known_is_refused():
    for body, words in (
            ("int r1 = W.getOpaque();", "W is the handle of no location"),
            ("int r1 = X.getRelease();", "not 'X.getRelease'"),
            ("X.setAcquire(1);", "not 'X.setAcquire'"),
            ("X.weakCompareAndSet(0, 1);", "not 'X.weakCompareAndSet'"),
            ("getOpaque();", "not 'getOpaque'"),
            ("int r1 = X.getOpaque(1);", "')' expected")):
        refused(java("exists (x=0)", body), 3, words)
    refused("Java p\n{ 0:X=x; }\nP0 { X.setOpaque(1); }\nexists (x=1)\n", 3,
            "Thread0 expected")


tap.main()
