#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Litmus tests of BPF: what its instructions compute and order, and what is
refused.

    tests/cli/test_litmus_bpf.py build/heddle [WORD]
"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap
from heddle import check_source, heddle, says, write
from litmus_rows import asm, check_rows
from tap import test

AT = "0:r1=x; 0:r2=y; 0:r10=z; 1:r1=x; 1:r2=y; 1:r10=m;"
FULL = "r9 = atomic_fetch_add((u64 *)(r10 + 0), r9)"


def store(base, value=1):
    return f"*(u32 *)({base} + 0) = {value}"


def load(to, base):
    return f"{to} = *(u32 *)({base} + 0)"


def computed(code, result, init=""):
    return asm("BPF", init, f"exists (0:r0={result})", code), "Always"


@test
def instructions_compute():
    check_rows({
        "sum": computed("r0 = 5; r1 = -2; r0 += r1; r0 *= 7", 21),
        "bits": computed("r0 = 12; r0 |= 3; r0 &= 10; r0 ^= 1", 11),
        "shifts": computed("r0 = 1; r0 <<= 4; r0 -= 20; r0 s>>= 1", -2),
        "unsigned-shift": computed("r0 = -1; r0 >>= 63", 1),
        "negated": computed("r1 = 4; r0 = -r1", -4),
        "taken": computed("r0 = 1; if r0 == 1 goto L; r0 = 9; L: r0 += 1", 2),
        "unsigned": computed("r1 = -1; if r1 > 4 goto L; r0 = 9; L:", 0),
        "signed": computed("r1 = -1; if r1 s> 4 goto L; r0 = 9; L:", 9),
        "mask": computed("r1 = 6; if r1 & 2 goto L; r0 = 9; L:", 0),
        "jump": computed("goto L; r0 = 9; L: r0 += 3", 3),
        "exit": computed("r0 = 3; exit; r0 = 4", 3),
        "memory": computed("r2 = 3; *(u64 *)(r1 + 0) = r2; r0 = *(u32 *)(r1 + 0)",
                           3, "0:r1=x;"),
        "elements": computed("r0 = *(u32 *)(r1 + 8); r2 = *(u32 *)(r1+0);"
                             "r0 -= r2", 3, "int64_t a[2]={4,7}; 0:r1=a;"),
        "pointer": computed("r2 = *(u64 *)(r1 + 0); r0 = *(u32 *)(r2 + 0)", 7,
                            "x=y; y=7; 0:r1=x;"),
        "fetch": computed("r0 = 2; r0 = atomic_fetch_add((u32 *)(r1 + 0), r0);"
                          "r2 = *(u32 *)(r1 + 0); r0 *= r2", 15,
                          "x=3; 0:r1=x;"),
        "exchange": computed("r0 = 2; r0 = xchg_64(r1 + 0, r0);"
                             "r2 = *(u32 *)(r1 + 0); r0 -= r2", 1,
                             "x=3; 0:r1=x;"),
        "compared": computed("r0 = 3; r2 = 5; r0 = cmpxchg_64(r1 + 0, r0, r2);"
                             "r2 = *(u32 *)(r1 + 0); r0 += r2", 8,
                             "x=3; 0:r1=x;"),
        "not-compared": computed("r0 = 4; r2 = 5;"
                                 "r0 = cmpxchg32_32(r1 + 0, r0, r2);"
                                 "r2 = *(u32 *)(r1 + 0); r0 += r2", 6,
                                 "x=3; 0:r1=x;"),
        "lock": computed("r2 = 6; lock *(u32 *)(r1 + 0) ^= r2;"
                         "lock *(u32 *)(r1 + 0) |= r2; r0 = *(u32 *)(r1 + 0)",
                         7, "x=5; 0:r1=x;"),
    })


@test
def barriers_and_dependencies_order():
    sb = "exists (0:r3=0 /\\ 1:r3=0)"
    mp = "exists (1:r3=1 /\\ 1:r4=0)"
    lb = "exists (0:r3=1 /\\ 1:r3=1)"
    wrong = "r0 = 7; r0 = cmpxchg_64(r10 + 0, r0, r9)"
    right = "r0 = 0; r0 = cmpxchg_64(r10 + 0, r0, r9)"

    def sb_with(between):
        return asm("BPF", AT, sb, f"{store('r1')}; {between}; {load('r3', 'r2')}",
                   f"{store('r2')}; {between}; {load('r3', 'r1')}")

    def mp_with(write, between):
        return asm("BPF", AT, mp, f"r5 = 1; {store('r1')}; {write}",
                   f"{load('r3', 'r2')}; {between} {load('r4', 'r1')}")

    def lb_with(between):
        thread = f"{{}}; {between} {{}}"
        return asm("BPF", AT, lb,
                   thread.format(load("r3", "r1"), store("r2")),
                   thread.format(load("r3", "r2"), store("r1")))

    release = "store_release((u32 *)(r2 + 0), r5)"
    address = "r6 = r3; r6 ^= r6; r1 += r6;"
    check_rows({
        "sb": (sb_with("r9 = 0"), "Sometimes"),
        "sb-fetch": (sb_with(FULL), "Never"),
        "sb-lock": (sb_with("lock *(u32 *)(r10 + 0) += r9"), "Sometimes"),
        "sb-exchange": (sb_with("r9 = xchg_64(r10 + 0, r9)"), "Never"),
        "sb-compared": (sb_with(right), "Never"),
        "sb-not-compared": (sb_with(wrong), "Sometimes"),
        "mp": (mp_with(store("r2"), ""), "Sometimes"),
        "mp-release": (mp_with(release, ""), "Sometimes"),
        "mp-release-address": (mp_with(release, address), "Never"),
        "mp-store-address": (mp_with(store("r2"), address), "Sometimes"),
        "mp-release-branch": (mp_with(release, "if r3 == 9 goto L; L:"),
                              "Sometimes"),
        "mp-release-acquire": (asm(
            "BPF", AT, mp, f"r5 = 1; {store('r1')}; {release}",
            f"r3 = load_acquire((u32 *)(r2 + 0)); {load('r4', 'r1')}"), "Never"),
        "lb": (lb_with(""), "Sometimes"),
        "lb-branch": (lb_with("if r3 == 9 goto L; L:"), "Never"),
        "lb-address": (asm("BPF", AT, lb, f"{load('r3', 'r1')}; r6 = r3;"
                           f"r6 -= r6; r2 += r6; {store('r2')}",
                           f"{load('r3', 'r2')}; r6 = r3; r6 -= r6; r1 += r6;"
                           f"{store('r1')}"), "Never"),
    })


@test
def what_is_not_known_is_refused():
    for code, words in (
            ("r1 = *(u8 *)(r2 + 0)", "accesses of u32 or u64 expected"),
            ("r1 /= 2", "an assignment expected"),
            ("r1 = r2 + 3", "'+' is too much"),
            ("r1 = atomic_fetch_add((u32 *)(r2 + 0), r3)",
             "yields into the register of its operand"),
            ("r0 = cmpxchg_64(r2 + 0, r3, r4)", "that it compares"),
            ("lock *(u32 *)(r1 + 0) *= r2", "'lock' does +=, &=, |= and ^="),
            ("if r1 ~ 3 goto L", "a comparison expected"),
            ("if r1 s== 3 goto L", "a comparison expected"),
            ("r11 = 1", "unsupported instruction 'r11' of BPF"),
            ("call 5", "unsupported instruction 'call' of BPF"),
            ("goto", "a label expected"),
            ("*(u32 *)(x + 0) = 1", "a register expected"),
            ("store_release((u32 *)(r1 + 0), 1)", "a register expected")):
        out = heddle("litmus", write("no.litmus", asm(
            "BPF", "", "exists (x=1)", code)), code=2).stdout
        assert "no.litmus:4: " in out and words in out, out


@test
def the_model_is_for_litmus_tests():
    says(check_source("int main(void) { return 0; }", "--model", "bpf", code=2),
         "the model 'bpf' is for litmus tests")
    text = asm("BPF", AT, "exists (0:r3=0 /\\ 1:r3=0)",
               f"{store('r1')}; {FULL}; {load('r3', 'r2')}",
               f"{store('r2')}; {FULL}; {load('r3', 'r1')}")
    out = heddle("litmus", "--why", write("why.litmus", text), code=0).stdout
    assert "bpf forbids it" in out and "propagation" in out, out


tap.main()
