#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of the Linux kernel in LISA mean what the same tests in C mean, and
what is not known of the language is refused.

    tests/cli/test_litmus_lisa.py build/heddle [WORD]
"""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap
from heddle import heddle, write
from litmus_rows import asm
from tap import test


def answer(name, text, *options):
    out = heddle("litmus", "--json", *options, write(name, text)).stdout
    return json.loads(out)


def same(question, init, lisa, c, flags=()):
    """Both have the same states, as often, and the same flags."""
    of_lisa = answer("l.litmus", asm("LISA", init, question, *lisa),
                     "--model", "lkmm")
    bodies = "".join(f"P{i}(int *x, int *y, int *z) {{ {body} }}\n"
                     for i, body in enumerate(c))
    of_c = answer("c.litmus", f"C c\n{{ {init} }}\n{bodies}{question}\n",
                  "--model", "lkmm")
    for member in ("model", "observation", "states", "positive", "negative",
                   "flags"):
        assert of_lisa.get(member) == of_c.get(member), (member, of_lisa, of_c)
    assert of_lisa["flags"] == list(flags), of_lisa
    return of_lisa["observation"]


@test
def accesses_and_fences_mean_what_they_do_in_c():
    mp = "exists (1:r1=1 /\\ 1:r2=0)"
    read = "int r1 = {}; {}; int r2 = READ_ONCE(*x);"
    for first, second, in_c, verdict in (
            ("", "", ("", ""), "Sometimes"),
            ("f[mb];", "f[mb];", ("smp_mb();", "smp_mb()"), "Never"),
            ("f[wmb];", "f[rmb];", ("smp_wmb();", "smp_rmb()"), "Never"),
            ("f[wmb];", "f[rb_dep];", ("smp_wmb();", ""), "Sometimes"),
            ("f[rmb];", "f[wmb];", ("smp_rmb();", "smp_wmb()"), "Sometimes")):
        assert same(mp, "x=0; y=0;",
                    (f"w[once] x 1; {first} w[once] y 1",
                     f"r[once] r1 y; {second} r[once] r2 x"),
                    (f"WRITE_ONCE(*x, 1); {in_c[0]} WRITE_ONCE(*y, 1);",
                     read.format("READ_ONCE(*y)", in_c[1]))) == verdict
    assert same(mp, "", ("w[once] x 1; w[release] y 1",
                         "r[acquire] r1 y; r[once] r2 x"),
                ("WRITE_ONCE(*x, 1); smp_store_release(y, 1);",
                 read.format("smp_load_acquire(y)", ""))) == "Never"
    # Plain accesses race.
    assert same(mp, "", ("w[] x 1; w[] y 1", "r[] r1 y; r[] r2 x"),
                ("*x = 1; *y = 1;", "int r1 = *y; int r2 = *x;"),
                ["data-race"]) == "Sometimes"


@test
def sections_and_updates_mean_what_they_do_in_c():
    rcu = "exists (0:r1=1 /\\ 0:r2=0)"
    for sync, in_c, verdict in (("f[sync]", "synchronize_rcu();", "Never"),
                                ("", "", "Sometimes")):
        assert same(rcu, "", ("f[lock]; r[once] r1 x; r[once] r2 y; f[unlock]",
                              f"w[once] y 1; {sync}; w[once] x 1"),
                    ("rcu_read_lock(); int r1 = READ_ONCE(*x); int r2 = "
                     "READ_ONCE(*y); rcu_read_unlock();",
                     f"WRITE_ONCE(*y, 1); {in_c} WRITE_ONCE(*x, 1);")) == verdict
    sb = "exists (0:r2=0 /\\ 1:r2=0)"
    for kind, call, verdict in (("mb", "xchg", "Never"),
                                ("once", "xchg_relaxed", "Sometimes")):
        assert same(sb, "", (f"rmw[{kind}] r1 1 x; r[once] r2 y",
                             f"rmw[{kind}] r1 1 y; r[once] r2 x"),
                    (f"int r1 = {call}(x, 1); int r2 = READ_ONCE(*y);",
                     f"int r1 = {call}(y, 1); int r2 = READ_ONCE(*x);")) \
            == verdict
    two = asm("LISA", "x=5;", "exists (x=8 /\\ 0:r1=7)",
              "rmw[once] r1 (add r1 1) x", "rmw[once] r1 (add r1 2) x")
    assert answer("two.litmus", two)["observation"] == "Sometimes"


@test
def addresses_branches_and_arithmetic():
    # The pointer leads to what was written before it.
    text = asm("LISA", "y=z; 0:r5=x;", "exists (1:r1=x /\\ 1:r2=0)",
               "w[once] x 7; w[assign] y r5", "r[deref] r1 y; r[once] r2 r1")
    found = answer("deref.litmus", text)
    assert (found["observation"], found["model"]) == ("Never", "lkmm")
    # A branch orders what follows it, behind its label too.
    for code, verdict in (("b[] r4 L; w[once] x 1; L:", "Never"),
                          ("b[] r4 L; L: ; w[once] x 1", "Never"),
                          ("w[once] x 1", "Sometimes")):
        text = asm("LISA", "0:r4=0;", "exists (0:r1=1 /\\ 1:r1=1)",
                   f"r[once] r1 y; mov r4 (neq r1 1); {code}",
                   "r[once] r1 x; f[mb]; w[once] y 1")
        assert answer("branch.litmus", text)["observation"] == verdict, code
    text = asm("LISA", "int a[2]={3,4};", "exists (0:r1=6 /\\ 0:r2=0 /\\ 0:r3=1)",
               "mov r1 (xor 5 3); mov r2 (and r1 1); mov r3 (eq r2 0);"
               "b[] END; mov r1 0; END:")
    assert answer("sums.litmus", text)["observation"] == "Always"


@test
def what_is_not_known_is_refused():
    for code, words in (("r[twice] r1 x", "'twice' is no annotation of a read"),
                        ("f[isb]", "'isb' is no annotation of a fence"),
                        ("w[once] x", "a register, a number or a location"),
                        ("call[srcu] x", "unsupported instruction 'call'"),
                        ("mov r1 (mul 2 3)", "an operation expected"),
                        ("r[once] x r1", "a register expected"),
                        ("rmw[once] r1 (add r2 1) x", "computes from what it"),
                        ("w[once] x 1 2", "'2' is too much"),
                        ("b[] r1 NOWHERE", "NOWHERE")):
        out = heddle("litmus", write("no.litmus", asm(
            "LISA", "", "exists (x=1)", "NOP" if not code else code)),
            code=2).stdout
        assert "no.litmus:4: " in out and words in out, out


@test
def add_unless_yields_what_was_there():
    def observed(call):
        text = (f"C u\n{{ x=3; }}\nP0(atomic_t *x) {{ int r0 = {call}; }}\n"
                "exists (0:r0=3 /\\ x=4)\n")
        return answer("u.litmus", text)["observation"]
    assert observed("__atomic_add_unless(x, 1, 0)") == "Always"
    assert observed("__atomic_add_unless(x, 1, 3)") == "Never"
    assert observed("atomic_fetch_add_unless(x, 1, 0)") == "Always"
    # Whether it was done, not what was there.
    assert observed("atomic_add_unless(x, 1, 0)") == "Never"


tap.main()
