#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the instructions, calls and conditions of litmus tests mean: each test
below says how often its outcome is seen; and what is not a litmus test, with
the line and what is wrong.

    tests/cli/test_litmus_code.py build/heddle [WORD]
"""
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap
from heddle import heddle, write
from litmus_rows import asm, c, check_rows
from tap import test


@test
def conditions_with_sets_of_values():
    one = "MOV W0,#1"
    check_rows({
        "in": (asm("AArch64", "", "exists (0:X0={1,2})", one), "Always"),
        "not-in": (asm("AArch64", "", "exists (0:X0!={1,2})", one), "Never"),
        "not-in-others": (asm("AArch64", "", "exists (0:X0 <> {2,3})", one),
                          "Always"),
    })


@test
def and_binds_more_tightly_than_or():
    check_rows({
        "or-and": (c("exists (0:r=1)", "int r = 1 || 0 && 0;"), "Always"),
        "and-or": (c("exists (0:r=1)", "int r = 0 && 0 || 2;"), "Always"),
        "parens": (c("exists (0:r=1)", "int r = (1 || 0) && 0;"), "Never"),
        "other-numbers": (c("exists (0:r=1)", "int r = 2 && 4;"), "Always"),
        "bits-first": (c("exists (0:r=1)", "int r = 2 & 4 || 0;"), "Never"),
    })
    for name in "&&", "||":
        path = write("right.litmus", c("exists (0:r=1)", f"int r = 0;\n r = r "
                                       f"{name} atomic_load(x);"))
        said = heddle("litmus", path, code=2).stdout
        assert re.search(rf"right\.litmus:4: an access on the right of "
                         rf"'{re.escape(name)}' .* as an if", said), said


@test
def operators_of_c():
    values = {"7 / 2": 3, "-7 / 2": -3, "-7 % 3": -1, "1 << 4": 16, "-8 >> 1": -4,
              "6 ^ 3": 5, "6 | 1": 7, "6 & 3": 2, "~5": -6, "!5": 0, "!0": 1,
              "+5": 5, "3 > 2": 1, "3 >= 4": 0, "2 < 2": 0, "2 <= 2": 1,
              "2 == 2": 1, "2 != 2": 0, "2 - 3 - 4": -5, "2 + 3 * 4": 14,
              "(int) 3": 3, "(unsigned long) (4)": 4, "NULL": 0,
              "1 + 1 == 2 & 1": 1}
    check_rows({f"v{i}": (c(f"exists (0:r={value})", f"int r = {text};"),
                          "Always")
                for i, (text, value) in enumerate(values.items())})


@test
def statements_of_c():
    exists = "exists (0:r=3)"
    check_rows({
        "while": (c(exists, "int r = 0; while (r < 3) { r = r + 1; }"),
                  "Always"),
        "do": (c(exists, "int r = 0; do r = r + 1; while (r < 3);"), "Always"),
        "else": (c(exists, "int r; if (0) r = 1; else { ; r = 3; }"), "Always"),
        "several": (c(exists, "int q = 1, r = q + 2;"), "Always"),
        "undeclared": (c(exists, "r = 3;"), "Always"),
        "type-name": (c(exists, "struct thing *p; r = 3;"), "Always"),
        "array": (c("exists (0:r=3 /\\ a[1]=3)", "a[1] = 3; int r = a[0+1];",
                    init="int a[2] = {5, 6};"), "Always"),
        "address": (c("exists (0:r=3)", "*(&a[1]) = 3; int r = *((a + 1));",
                      init="int a[2];"), "Always"),
    })


@test
def compare_exchanges_of_c():
    strong = "atomic_compare_exchange_strong(x, &e, 5)"
    fails = "int e = 1; int r = " + strong + ";"
    check_rows({
        "succeeds": (c("exists (0:r=1 /\\ 0:e=0 /\\ x=5)",
                       "int e = 0; int r = " + strong + ";"), "Always"),
        "fails": (c("exists (0:r=0 /\\ 0:e=7 /\\ x=7)", fails, init="x=7;"),
                  "Always"),
        "expected-in-memory": (
            c("exists (0:r=0 /\\ y=7 /\\ x=7)",
              "int r = atomic_compare_exchange_strong_explicit(x, y, 5, "
              "memory_order_seq_cst, memory_order_relaxed);", init="x=7;"),
            "Always"),
        "expected-is-a-number": (
            c("exists (0:r=1 /\\ x=5)",
              "int r = atomic_compare_exchange_strong(x, 0, 5);"), "Always"),
        "weak": (c("exists (0:r=0 /\\ 0:e=0 /\\ x=0)",
                   "int e = 0; int r = atomic_compare_exchange_weak(x, &e, 5);"),
                 "Sometimes"),
        "weak-never-half": (
            c("exists (0:r=0 /\\ x=5 \\/ 0:r=1 /\\ x=0)",
              "int e = 0; int r = atomic_compare_exchange_weak(x, &e, 5);"),
            "Never"),
    })


@test
def updates_of_the_kernel():
    calls = {"atomic_add_return(3, x)": (9, 9), "atomic_sub_return(3, x)": (3, 3),
             "atomic_inc_return(x)": (7, 7), "atomic_dec_return(x)": (5, 5),
             "atomic_fetch_inc(x)": (6, 7), "atomic_fetch_dec(x)": (6, 5),
             "atomic_fetch_or(1, x)": (6, 7), "atomic_fetch_and(3, x)": (6, 2),
             "atomic_fetch_xor(5, x)": (6, 3), "atomic_fetch_sub(1, x)": (6, 5),
             "atomic_sub_and_test(6, x)": (1, 0),
             "atomic_dec_and_test(x)": (0, 5), "atomic_inc_and_test(x)": (0, 7),
             "atomic_add_negative(-7, x)": (1, -1), "xchg(x, 2)": (6, 2),
             "cmpxchg(x, 6, 2)": (6, 2), "cmpxchg(x, 5, 2)": (6, 6),
             "atomic_add_unless(x, 2, 6)": (0, 6),
             "atomic_add_unless(x, 2, 5)": (1, 8),
             "atomic_inc_not_zero(x)": (1, 7), "atomic_read(x)": (6, 6)}
    rows = {f"call{i}": (c(f"exists (0:r={value} /\\ x={after})",
                           f"smp_mb(); int r = {call};", init="x=6;"),
                         "Always")
            for i, (call, (value, after)) in enumerate(calls.items())}
    nothing = {"atomic_add(3, x)": 9, "atomic_sub(3, x)": 3, "atomic_inc(x)": 7,
               "atomic_dec(x)": 5, "atomic_and(3, x)": 2, "atomic_or(1, x)": 7,
               "atomic_xor(5, x)": 3, "atomic_set(x, 4)": 4,
               "smp_store_mb(*x, 4)": 4}
    rows |= {f"nothing{i}": (c(f"exists (x={after})", f"{call};", init="x=6;"),
                             "Always")
             for i, (call, after) in enumerate(nothing.items())}
    check_rows(rows)


# What computes, and the value that is in X0, r3, ... then.
AARCH64 = {
    "MOV W1,#-8; ASR W0,W1,#1": "0xfffffffc",
    "MOV W1,#-8; MOV W2,#0; ADD W0,W2,W1,ASR #1": "0xfffffffc",
    "MOV W1,#-8; MOV W2,#0; ADD W0,W2,W1,LSR #1": "0x7ffffffc",
    "MOV X1,#3; MOV X2,#1; ADD X0,X2,X1,LSL #2": 13,
    "MOV W1,#-1; MOV X2,#1; ADD X0,X2,W1,SXTW": 0,
    "MOV W1,#-1; MOV X2,#1; ADD X0,X2,W1,UXTW #1": "0x1ffffffff",
    "MOV W1,#12; MOV W2,#10; BIC W0,W1,W2": 4,
    "MOV W1,#12; MOV W2,#-2; ORN W0,W1,W2": 13,
    "MOV W1,#12; MOV W2,#12; EON W0,W1,W2": "0xffffffff",
    "MOV W1,#6; MOV W2,#7; MUL W0,W1,W2": 42,
    "MOV X0,#5,LSL #16": "0x50000",
    "MOV W1,#-1; SXTW X0,W1": -1,
    "MOV W1,#-1; UXTB W0,W1": 255,
    "MOV W1,#-1; UXTH W0,W1": 65535,
    "MOV W1,#0x180; SXTB W0,W1": "0xffffff80",
    "MOV W1,#0x18000; SXTH W0,W1": "0xffff8000",
    "MOV W1,#1; CMP W1,#2; CSEL W0,W1,WZR,LT": 1,
    "MOV W1,#1; CMP W1,#2; CSINC W0,W1,W1,GE": 2,
    "MOV W1,#1; CMP W1,#2; CSINV W0,W1,W1,GE": "0xfffffffe",
    "MOV W1,#1; CMP W1,#2; CSNEG W0,W1,W1,GE": "0xffffffff",
    "MOV W1,#-1; CMP W1,#2; CSET W0,LO": 0,
    "MOV W1,#-1; CMP W1,#2; CSET W0,LT": 1,
    "MOV W1,#-1; CMP W1,#2; CSET W0,HI": 1,
    "MOV W1,#-1; CMP W1,#2; CSET W0,LS": 0,
    "MOV W1,#-1; CMN W1,#1; CSET W0,EQ": 1,
    "MOV W1,#6; TST W1,#9; CSET W0,EQ": 1,
    "MOV W1,#6; ANDS W2,W1,#2; CSET W0,NE": 1,
    "MOV W1,#1; SUBS W2,W1,#2; CSET W0,CC": 1,
    "MOV W1,#6; TBZ W1,#1,L; MOV W0,#1; L:": 1,
    "MOV W1,#6; TBNZ W1,#0,L; MOV W0,#1; L:": 1,
    "MOV W1,#1; CMP W1,#1; B.NE L; MOV W0,#1; L:": 1,
    "MOV W1,#1; CMP W1,#1; BEQ L; MOV W0,#1; L:": 0,
    "MOV W0,#1; B L; MOV W0,#2; L: NOP": 1,
}
# What is in x after an update by -1, when 12 was there.
UPDATES = {"LDADD": 11, "LDSET": -1, "LDCLR": 0, "LDEOR": -13, "LDSMAX": 12,
           "LDSMIN": -1, "LDUMAX": -1, "LDUMIN": 12, "SWP": -1}


@test
def computations_of_aarch64():
    rows = {f"a{i}": (asm("AArch64", "", f"exists (0:X0={value})", code),
                      "Always")
            for i, (code, value) in enumerate(AARCH64.items())}
    for name, after in UPDATES.items():
        rows[name] = (asm("AArch64", "x=12; 0:X1=x;",
                          f"exists (0:X0=12 /\\ x={after})",
                          f"MOV W2,#-1; {name} W2,W0,[X1]"), "Always")
    for size, mask in ("B", 0xff), ("H", 0xffff):
        rows["load" + size] = (
            asm("AArch64", "x=-2; 0:X1=x;", f"exists (0:X0={mask - 1})",
                f"LDR{size} W0,[X1]"), "Always")
        rows["signed" + size] = (
            asm("AArch64", "x=-2; 0:X1=x;", "exists (0:X0=-2)",
                f"LDRS{size} X0,[X1]"), "Always")
    check_rows(rows)


@test
def what_is_stored_says_nothing_about_acquiring():
    # A compare-exchange to zero acquires as others do.
    mp = "0:X1=x; 0:X3=y; 1:X1=x; 1:X3=y; y=0; "
    writer = "MOV W0,#1; STR W0,[X1]; STLR W0,[X3]"
    question = "exists (1:X5=1 /\\ 1:X6=0)"
    rows = {name: (asm("AArch64", mp, question, writer,
                       f"MOV W5,#1; {name} {regs},[X3]; LDR W6,[X1]"), want)
            for name, regs, want in [
                ("CASA", "W5,WZR", "Never"), ("CAS", "W5,WZR", "Sometimes"),
                ("SWPA", "W0,W5", "Never"), ("SWP", "W0,W5", "Sometimes")]}
    check_rows(rows)


@test
def barriers_for_loads_do_not_see_what_no_register_gets():
    init = "0:X1=x; 0:X3=y; 1:X1=x; 1:X3=y;"
    writer = "MOV W0,#1; STR W0,[X1]; DMB SY; STR W0,[X3]"
    rows = {}
    for name, update, barrier, want in [
            ("st", "STADD W0,[X3]", "DMB LD", "Sometimes"),
            ("zero", "LDADD W0,WZR,[X3]", "DMB ISHLD", "Sometimes"),
            ("zero-acquire", "LDADDA W0,WZR,[X3]", "NOP", "Sometimes"),
            ("full", "STADD W0,[X3]", "DMB SY", "Never"),
            ("register", "LDADD W0,W5,[X3]", "DMB LD", "Never"),
            ("register-acquire", "LDADDA W0,W5,[X3]", "NOP", "Never")]:
        rows[name] = (asm("AArch64", init, "exists (y=2 /\\ 1:X2=0)", writer,
                          f"MOV W0,#1; {update}; {barrier}; LDR W2,[X1]"), want)
    check_rows(rows)
    # The same when the model is read from its file.
    path = str(Path(__file__).resolve().parents[2] / "models" / "armv8.cat")
    for name, (text, want) in rows.items():
        out = heddle("litmus", "--model", path, write(f"{name}.litmus", text),
                     code=0).stdout
        assert f"Observation test {want} " in out, (name, out)


@test
def flags_are_clear_before_something_sets_them():
    taken = "; L: NOP"
    codes = {f"CSET W0,{name}": ("AArch64", "X0", holds) for name, holds in
             conditions_after(0, 0, 0, 0).items()}
    codes |= {f"set{name} %al": ("X86_64", "rax", holds) for name, holds in
              [("e", 0), ("ne", 1), ("b", 0), ("ae", 1), ("be", 0), ("a", 1),
               ("l", 0), ("ge", 1), ("le", 0), ("g", 1), ("s", 0)]}
    codes |= {f"MOV R0,#1; B{name} L; MOV R0,#0" + taken: ("ARM", "R0", holds)
              for name, holds in conditions_after(0, 0, 0, 0).items()}
    codes |= {f"li r0,1; b{name} L; li r0,0" + taken: ("PPC", "r0", holds)
              for name, holds in [("eq", 0), ("ne", 1), ("lt", 0), ("ge", 1)]}
    check_rows({f"flag{i}": (asm(arch, "", f"exists (0:{register}={+holds})",
                                 code), "Always")
                for i, (code, (arch, register, holds))
                in enumerate(codes.items())})


@test
def cleared_flags_depend_on_what_cleared_them():
    init = "0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x;"
    other = "LDR W0,[X1]; STR W0,[X3]"
    check_rows({name: (
        asm("AArch64", init, "exists (0:X0=1)",
            f"LDR W0,[X1]; {flags}; MOV W2,#1; {branch} L; L: STR W2,[X3]",
            other), want) for name, flags, branch, want in [
                ("none", "NOP", "B.CS", "Sometimes"),
                ("zero", "ANDS W4,W0,#1", "B.EQ", "Never"),
                ("carry", "ANDS W4,W0,#1", "B.CS", "Never"),
                ("overflow", "TST W0,#1", "B.VS", "Never"),
                ("overflow-of-others", "TST W2,#1", "B.VS", "Sometimes")]})


WIDTH = 32
EDGES = [0, 1, 2, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff]


def is_negative(value):
    return value >> (WIDTH - 1) & 1


def flags_after(op, a, b):
    """Negative, zero, carry (no borrow) and overflow, by their definitions."""
    mask = (1 << WIDTH) - 1
    if op == "and":
        result = a & b
        return is_negative(result), result == 0, 0, 0
    exact = a + (mask ^ b) + 1 if op == "sub" else a + b
    sign = is_negative(b) ^ (op == "sub")
    result = exact & mask
    overflow = is_negative(a) == sign != is_negative(result)
    return is_negative(result), result == 0, exact >> WIDTH & 1, overflow


def conditions_after(n, z, c, v):
    return {"EQ": z, "NE": not z, "MI": n, "PL": not n, "VS": v, "VC": not v,
            "CS": c, "CC": not c, "HS": c, "LO": not c, "HI": c and not z,
            "LS": not c or z, "LT": n != v, "GE": n == v,
            "GT": not z and n == v, "LE": z or n != v}


@test
def every_condition_of_aarch64_after_everything_that_sets_flags():
    rows = {}
    for code, op in [("CMP W1,W2", "sub"), ("CMN W1,W2", "add"),
                     ("SUBS W3,W1,W2", "sub"), ("ADDS W3,W1,W2", "add"),
                     ("TST W1,W2", "and"), ("ANDS W3,W1,W2", "and")]:
        for a in EDGES:
            for b in EDGES:
                hold = conditions_after(*flags_after(op, a, b))
                text = f"MOV W1,#{a}; MOV W2,#{b}; {code}"
                for i, name in enumerate(hold):
                    text += f"; CSET W4,{name}; ADD X0,X0,X4,LSL #{i}"
                want = sum(bool(h) << i for i, h in enumerate(hold.values()))
                rows[f"{code.split()[0]}-{a}-{b}"] = (
                    asm("AArch64", "", f"exists (0:X0={want})", text), "Always")
    check_rows(rows)


@test
def every_condition_of_x86_after_everything_that_sets_flags():
    names = {"je": "EQ", "jne": "NE", "js": "MI", "jns": "PL", "jb": "LO",
             "jae": "HS", "ja": "HI", "jbe": "LS", "jl": "LT", "jge": "GE",
             "jg": "GT", "jle": "LE"}
    rows = {}
    for code, op in [("cmpl", "sub"), ("subl", "sub"), ("addl", "add"),
                     ("andl", "and"), ("incl", "add")]:
        for a in EDGES:
            for b in EDGES if code != "incl" else [1]:
                n, z, c, v = flags_after(op, a, b)
                # Its carry is the borrow; inc leaves it, here from a sub.
                c = 1 if code == "incl" else c if op == "sub" else not c
                hold = conditions_after(n, z, c, v)
                done = "incl %ecx" if code == "incl" else f"{code} %edx,%ecx"
                text, want = "movl $0,%eax", 0
                for i, (jump, name) in enumerate(names.items()):
                    text += (f"; movl ${a},%ecx; movl ${b},%edx; cmpl $0,%edx; "
                             f"{done}; {jump} L{i}; jmp M{i}; "
                             f"L{i}: orl ${1 << i},%eax; M{i}:")
                    want |= bool(hold[name]) << i
                rows[f"{code}-{a}-{b}"] = (
                    asm("X86_64", "", f"exists (0:rax={want})", text), "Always")
    check_rows(rows)


@test
def conditional_comparisons():
    # What they compute: each condition decides, by flags from a comparison
    # before, whether two numbers are compared or the flags are given.
    rows, names = {}, list(conditions_after(0, 0, 0, 0))
    for code, op in [("CCMP", "sub"), ("CCMN", "add")]:
        for before in [(0, 1), (1, 1), (0x80000000, 1)]:
            holds = conditions_after(*flags_after("sub", *before))
            for a in EDGES:
                for b in (0, 1, 31):
                    name = names[(a + b + before[0]) % len(names)]
                    given = (a * 7 + b) % 16
                    n, z, c, v = (flags_after(op, a, b) if holds[name] else
                                  [given >> i & 1 for i in (3, 2, 1, 0)])
                    text = (f"MOV W1,#{before[0]}; MOV W3,#{a}; CMP W1,"
                            f"#{before[1]}; {code} W3,#{b},#{given},{name}")
                    for i, flag in enumerate(["MI", "EQ", "CS", "VS"]):
                        text += f"; CSET W4,{flag}; ADD X0,X0,X4,LSL #{i}"
                    want = n | z << 1 | c << 2 | v << 3
                    rows[f"{code}-{before[0]}-{a}-{b}"] = (asm(
                        "AArch64", "", f"exists (0:X0={want})", text), "Always")
    check_rows(rows)
    # What they depend on: by data on what is compared, by pick on the flags.
    message = "MOV W0,#1; STR W0,[X3]; DMB ST; STR W0,[X1]"
    check_rows({name: (
        asm("AArch64", "0:X1=x; 0:X3=y; 1:X1=x; 1:X3=y;",
            "exists (1:X0=1 /\\ 1:X2=0)", message,
            f"LDR W0,[X1]; {flags}; ADC W4,WZR,WZR; AND W4,W4,#0; "
            "LDR W2,[X3,W4,SXTW]"), want) for name, flags, want in [
                ("compared", "CMP W5,#0; CCMP W0,#1,#0,EQ", "Never"),
                ("picked", "CMP W0,#1; CCMP W5,#0,#0,EQ", "Sometimes"),
                ("neither", "CMP W5,#0; CCMN W5,#0,#0,EQ", "Sometimes")]})
    check_rows({name: (
        asm("AArch64", "0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x;", "exists (0:X0=1)",
            f"LDR W0,[X1]; {flags}; MOV W2,#1; {use}",
            "LDR W0,[X1]; STR W0,[X3]"), want) for name, flags, use, want in [
                ("branch", "CMP W0,#1; CCMP W5,#0,#0,EQ",
                 "B.EQ L; L: STR W2,[X3]", "Never"),
                ("data", "CMP W0,#1; CCMP W5,#0,#0,EQ",
                 "CSINC W2,W2,WZR,EQ; STR W2,[X3]", "Never"),
                ("none", "CMP W5,#1; CCMP W5,#0,#0,EQ",
                 "B.EQ L; L: STR W2,[X3]", "Sometimes")]})
    for code in ("CCMP W0,#32,#0,EQ", "CCMP W0,#1,#16,EQ", "CCMP W0,#1,#0,XX",
                 "CCMP W0,#1,EQ"):
        said = heddle("litmus", write("no.litmus", asm(
            "AArch64", "", "exists (x=0)", code)), code=2).stdout
        assert "no.litmus:4: " in said and "ccmp" in said or "XX" in said, said


@test
def flags_of_other_machines():
    exists = "exists (0:%s=1)"
    rows = {}
    for name, code, want in [
            ("subs", "MOV R1,#1; SUBS R2,R1,#2; BHS L; MOV R0,#1; L:", "Always"),
            ("subs-lt", "MOV R1,#1; SUBS R2,R1,#2; BGE L; MOV R0,#1; L:",
             "Always"),
            ("adds-mi", "MOV R1,#0x7fffffff; ADDS R2,R1,#1; BPL L; MOV R0,#1; "
             "L:", "Always"),
            ("movt-lt", "MOVW R1,#0; MOVT R1,#0x8000; CMP R1,#0; BGE L; "
             "MOV R0,#1; L:", "Always"),
            ("cbz", "MOV R1,#-1; ADD R1,R1,#1; CBNZ R1,L; MOV R0,#1; L:",
             "Always"),
            ("cbz-wraps", "MOVW R1,#0xffff; MOVT R1,#0xffff; ADD R1,R1,#1; "
             "CBNZ R1,L; MOV R0,#1; L:", "Always"),
            ("ands", "MOV R1,#6; ANDS R2,R1,#1; BNE L; MOV R0,#1; L:", "Always"),
            ("cbnz", "MOV R1,#6; CBNZ R1,L; MOV R0,#1; L:", "Never")]:
        rows["arm-" + name] = (asm("ARM", "", exists % "R0", code), want)
    for name, code, want in [
            ("sub-jb", "MOV EBX,$1; SUB EBX,$2; JAE L; MOV EAX,$1; L:",
             "Always"),
            ("sub-jl", "MOV EBX,$1; SUB EBX,$2; JGE L; MOV EAX,$1; L:",
             "Always"),
            ("sub-js", "MOV EBX,$0x80000000; SUB EBX,$1; JS L; "
             "MOV EAX,$1; L:", "Always"),
            ("add-js", "MOV EBX,$0x7fffffff; ADD EBX,$1; JNS L; MOV EAX,$1; "
             "L:", "Always"),
            ("sub-jae", "MOV EBX,$-1; CMP EBX,$0xffffffff; JNE L; MOV EAX,$1; "
             "L:", "Always"),
            ("dec", "MOV EBX,$1; DEC EBX; JNE L; MOV EAX,$1; L:", "Always"),
            ("inc-memory", "LOCK INC [x]; MOV EAX,[x]", "Always"),
            ("and", "MOV EBX,$6; AND EBX,$1; JNZ L; MOV EAX,$1; L:", "Always"),
            ("xadd", "MOV EBX,$-1; MOV [x],$1; CMP EBX,$0; LOCK XADD [x],EBX; JNE L; "
             "MOV EAX,EBX; L:", "Always"),
            ("cmpxchg", "MOV EBX,$5; MOV EAX,$3; LOCK CMPXCHG [x],EBX; JE L; "
             "ADD EAX,$1; L:", "Always"),
            ("xchg-registers", "MOV EBX,$1; XCHG EAX,EBX", "Always")]:
        rows["x86-" + name] = (asm("X86", "", exists % "EAX", code), want)
    for name, code, value in [
            ("movb", "movl $0x1234,%eax; movb $0,%al", 0x1200),
            ("movw", "movl $0x12345,%eax; movw $7,%ax", 0x10007),
            ("movl", "movq $-1,%rax; movl $7,%eax", 7),
            ("xaddb", "movl $0x1201,%eax; movb $5,x; lock xaddb %al,x",
             0x1205),
            ("cmpxchgb", "movl $0x1201,%eax; movb $5,x; movl $9,%ecx; "
             "lock cmpxchgb %cl,x", 0x1205)]:
        rows["x86_64-" + name] = (
            asm("X86_64", "", f"exists (0:rax={value})",
                code), "Always")
    for name, code, want in [
            ("sltiu", "li x6,-1; sltiu x5,x6,1", "Never"),
            ("slti", "li x6,-1; slti x5,x6,1", "Always"),
            ("sltu", "li x6,-1; sltu x5,x0,x6", "Always"),
            ("sraiw", "li x6,-8; sraiw x5,x6,1; addi x5,x5,5", "Always"),
            ("srliw", "li x6,-8; srliw x5,x6,31", "Always"),
            ("bltu", "li x6,-1; bltu x6,x0,L; li x5,1; L:", "Always"),
            ("blez", "li x6,-1; blez x6,L; li x5,1; L:", "Never"),
            ("amomaxu", "la x7,x; li x6,-1; amomaxu.w x5,x6,(x7); "
             "lw x5,0(x7); addi x5,x5,2", "Always")]:
        rows["riscv-" + name] = (asm("RISCV", "", exists % "x5", code), want)
    for name, code, want in [
            ("cmpw", "li r1,-1; cmpw r1,r2; bge L; li r0,1; L:", "Always"),
            ("cr0", "li r1,1; cmpwi cr0,r1,1; beq cr0,L; li r0,1; L:", "Never"),
            ("subf", "li r1,1; li r2,2; subf. r0,r1,r2; bgt L; li r0,5; L:",
             "Always")]:
        rows["ppc-" + name] = (asm("PPC", "", exists % "r0", code), want)
    check_rows(rows)


@test
def sections_of_rcu_are_judged_by_texts():
    path = write("rcu.litmus", """\
C rcu
{}
P0(int *x, int *y) { LOCK int r0 = READ_ONCE(*x); UNLOCK int r1 = READ_ONCE(*y); }
P1(int *x, int *y) { WRITE_ONCE(*y, 1); synchronize_rcu(); WRITE_ONCE(*x, 1); }
exists (0:r0=1)
""".replace("UNLOCK", "rcu_read_unlock();").replace("LOCK", "rcu_read_lock();"))
    for axiom, seen in [("empty rcu-rscs & (po; [R]; po) as a", "Never 0 0"),
                        ("empty rcu-rscs & (po; [W]; po) as a",
                         "Sometimes 2 2"),
                        ("empty srcu-rscs as a", "Sometimes 2 2"),
                        # Nothing of P0 comes after its section and is W.
                        ("empty rcu-rscs; po; [W] as a", "Sometimes 2 2"),
                        ("empty rcu-rscs; po; [R] as a", "Never 0 0")]:
        text = write("rcu.cat", "acyclic po | rf as porf\n" + axiom)
        out = heddle("litmus", "--model", text, path, code=0).stdout
        assert f"Observation rcu {seen}\n" in out, (axiom, out)


REFUSED = [
    # what, line, words
    ("C t\n{ int x[2]; }\nP0(int *x) { int r = (x+1) - x; }\nexists (0:r=1)\n",
     3, "differences of addresses"),
    (asm("AArch64", "", "exists (0:X0=1)", "MOV W0,#5,ROR #1"), 4,
     "unsupported shift or extension 'ROR'"),
    (asm("AArch64", "", "exists (0:X0=1)", "ADD W0,W1,W2,MSL #1"), 4,
     "unsupported shift or extension 'MSL'"),
    (asm("AArch64", "", "exists (0:X0=1)", "CMP W1,W2,SXTQ"), 4,
     "unsupported shift or extension 'SXTQ'"),
    (asm("AArch64", "", "exists (0:X0=1)", "NOP; MOV [X1],x"), 5,
     "'mov' takes other operands: a register, a register or number"),
    (asm("AArch64", "", "exists (0:X0=1)", "DMB FOO"), 4,
     "unsupported barrier 'dmb FOO'"),
    (asm("AArch64", "", "exists (0:X0=1)", "CSET W0,NV"), 4,
     "unsupported condition 'NV'"),
    (asm("AArch64", "", "exists (0:X0=1)", "LDR W0,[X1,X2,ROR #1]"), 4, "ROR"),
    (asm("AArch64", "", "exists (0:X0=1)", "LDR W0,[X1,X2,LSL #5]"), 4,
     "at most 4"),
    (asm("AArch64", "", "exists (0:X0=1)", "L: NOP; L: NOP"), 5,
     "label 'L' is there twice"),
    (asm("AArch64", "", "exists (0:X0=1)", "NOP; B Nowhere"), 5,
     "there is no label 'Nowhere' in thread P0"),
    (asm("PPC", "", "exists (0:r0=1)", "cmpeqb r1,r2"), 4,
     "unsupported instruction 'cmpeqb' of PPC"),
    (asm("PPC", "", "exists (0:r0=1)", "cmpw cr1,r1,r2"), 4, "cr0"),
    (asm("PPC", "", "exists (0:r0=1)", "beq cr7,L; L:"), 4, "cr0"),
    (asm("RISCV", "", "exists (0:x5=1)", "fence r"), 4,
     "'fence' takes two of r, w and rw"),
    (asm("RISCV", "", "exists (0:x5=1)", "lw.foo x5,0(x6)"), 4,
     "unsupported instruction 'lw.foo' of RISCV"),
    (asm("ARM", "", "exists (0:R0=1)", "DMB FOO"), 4,
     "unsupported barrier 'dmb FOO'"),
    (asm("X86", "", "exists (0:EAX=1)", "INC EAX,EBX"), 4,
     "'inc' takes one operand"),
    (asm("X86", "", "exists (0:EAX=1)", "XCHG EAX,$1"), 4,
     "'xchg' takes a register"),
    (asm("X86", "", "exists (0:EAX=1)", "LOCK XADD EAX,EBX"), 4,
     "memory and a register"),
    (asm("X86", "", "exists (0:EAX=1)", "MOV [x],[y]"), 4,
     "does not take such operands"),
    (asm("X86", "", "exists (0:EAX=1)", "JFOO L; L:"), 4,
     "unsupported instruction 'jfoo' of X86"),
    (asm("AArch64", "x[3]=1;", "exists (x=1)", "NOP"), 2,
     "element 3 of 'x', which has 1"),
    (asm("AArch64", "int x[2]={1,2,3};", "exists (x[0]=1)", "NOP"), 2,
     "more values than elements"),
    (asm("AArch64", "", "exists (0:X0=[true])", "NOP"), 5,
     "a location or a register expected, not 'true'"),
    (asm("AArch64", "", "locations [false;]", "NOP"), 5,
     "a location or a register expected, not 'false'"),
    (asm("AArch64", "", "exists (x[4]=1)", "NOP"), 5,
     "an element of a location expected"),
    (asm("AArch64", "3:X1=x;", "exists (x=1)", "NOP"), 2,
     "there is no thread P3"),
    (asm("AArch64", "", "exists (1:X1=1)", "NOP"), 5, "there is no thread P1"),
    (asm("AArch64", "", "exists (fault(P0,x))", "NOP"), 5,
     "faults are not supported"),
    (asm("AArch64", "", "exists (0:X0=1) exists (0:X0=2)", "NOP"), 5,
     "the end of the file expected"),
    (asm("AArch64", "", "exists (" + "~" * 300 + "0:X0=1)", "NOP"), 5,
     "too large a proposition"),
    (asm("AArch64", "", "exists (" + "0:X0=1 => " * 300 + "0:X0=1)", "NOP"), 5,
     "too large a proposition"),
    (c("exists (x=1)", "int r = " + "(" * 300 + "1" + ")" * 300 + ";"), 3,
     "too deep an expression"),
    (c("exists (x=1)", "int r = *&" + "(" * 200000 + "x" + ")" * 200000 + ";"),
     3, "too deep an expression"),
    (c("exists (x=1)", "{" * 300 + "}" * 300), 3, "too deeply nested"),
    (c("exists (x=1)", "\n x = 1;"), 4, "'*' before a location expected"),
    (c("exists (x=1)", "\n int 5;"), 4, "the name of a variable expected"),
    (c("exists (x=1)", "\n frobnicate(x);"), 4,
     "a function that litmus tests may call expected, not 'frobnicate'"),
    (c("exists (x=1)", "\n int r = q;"), 4,
     "a variable of the thread or a parameter expected, not 'q'"),
    (c("exists (x=1)", "\n atomic_store_explicit(x, 1, sequential);"), 4,
     "a memory order expected, not 'sequential'"),
    (c("exists (x=1)", "\n int r = 99999999999999999999999;"), 4,
     "a number expected"),
    (c("exists (x=1)", "\n int r = ;"), 4, "an expression expected, not ';'"),
    ("C test\n{}\nP0 (int* x) { atomic_store(x, 1);\nexists (x=1)\n", 5,
     "'}' at the end of a thread expected"),
    ("C test\n{}\nP1 (int* x) { }\nexists (x=1)\n", 3, "P0 expected, not 'P1'"),
    ("C test\n{}\nP0 (int* 5) { }\nexists (x=1)\n", 3,
     "the name of a parameter expected"),
    ("C test\n{}\nP0 (int* x) ;\nexists (x=1)\n", 3, "'{' expected"),
    ("C test\n{}\nexists (x=1)\n", 4, "a test without threads"),
    ("C test\n{ x=1;\n", 3, "'}' after the first contents expected"),
    ("C test\n x=1;\n", 3, "'{' and the first contents expected"),
    ("AArch64 test\n{}\nP0 | P2 ;\n", 3, "the row that names the threads"),
    ("AArch64 test\n{}\nP0 ;\nNOP | NOP ;\nexists (x=1)\n", 4,
     "a row of 2 columns, but there are 1 threads"),
    ("AArch64 test\n{}\nP0 ;\nNOP\n", 5, "';' at the end of a row expected"),
]


@test
def what_is_wrong_is_said_with_its_line():
    wrong = []
    for i, (text, line, words) in enumerate(REFUSED):
        result = heddle("litmus", write(f"bad{i}.litmus", text))
        said = result.stdout.strip()
        if result.returncode != 2 or words not in said or not re.search(
                rf"bad{i}\.litmus:{line}:", said):
            wrong.append(f"{text[:200]}\n-> {result.returncode} {said}\n"
                         f"expected line {line}: {words}")
    assert not wrong, "\n\n".join(wrong)


tap.main()
