#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Corners of instructions in litmus tests: parts of registers, registers that
are numbers, results that are compared.

    tests/cli/test_litmus_corners.py build/heddle [WORD]
"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap
from heddle import heddle, write
from litmus_rows import asm, check_rows
from tap import test


@test
def register_0_of_power_is_no_base():
    message = "li r1,1; stw r1,0(r3); sync; stw r1,0(r2)"
    init = "0:r2=x; 0:r3=y; 1:r2=x; 1:r3=y;"
    check_rows({f"MP-{r}": (asm("PPC", init, "exists (1:r1=1 /\\ 1:r4=0)",
                                message, f"lwz r1,0(r2); xor r{r},r1,r1; "
                                f"lwzx r4,r{r},r3"), want)
                for r, want in [(0, "Sometimes"), (5, "Never")]})
    check_rows({name: (asm("PPC", "0:r0=8; 0:r2=x; x=3;",
                           f"exists (0:r5={want})", code), "Always")
                for name, code, want in [
                    ("addi", "addi r5,r0,2", 2), ("subi", "subi r5,r0,2", -2),
                    ("addis", "addis r5,r0,1", 65536),
                    ("add", "add r5,r0,r0", 16), ("ori", "ori r5,r0,1", 9),
                    ("lwzx", "lwzx r5,r0,r2", 3),
                    ("lwarx", "lwarx r5,r0,r2", 3),
                    ("stwx", "stwx r0,r0,r2; lwz r5,0(r2)", 8),
                    ("index", "li r0,0; lwzx r5,r2,r0", 3)]})


@test
def always_is_a_condition():
    check_rows({code: (asm(arch, "", f"exists (0:{r}=2)", code), "Always")
                for arch, r, code in [
                    ("AArch64", "X0", "MOV W0,#2; B.AL L; MOV W0,#1; L:"),
                    ("AArch64", "X0", "MOV W1,#2; CSEL W0,W1,WZR,AL"),
                    ("AArch64", "X0", "MOV W1,#1; CCMP W1,#1,#0,AL; "
                     "CINC W0,W1,EQ"),
                    ("ARM", "R0", "MOV R0,#2; BAL L; MOV R0,#1; L:")]})
    said = heddle("litmus", write("bal.litmus", asm(
        "PPC", "", "exists (x=0)", "bal L; L:")), code=2).stdout
    assert "bal.litmus:4: unsupported instruction 'bal'" in said, said


@test
def power_compares_results():
    exists = "exists (0:r3=1)"
    rows = {}
    for code, value, holds in [
            ("rlwinm. r2,r1,0,31,31", 4, "beq"), ("rlwinm. r2,r1,0,31,31", 5,
                                                  "bgt"),
            ("extsw. r2,r1", -4, "blt"), ("mr. r2,r1", -4, "blt"),
            ("srawi. r2,r1,2", 3, "beq"), ("neg. r2,r1", 3, "blt"),
            ("clrldi. r2,r1,63", 2, "beq")]:
        for name in ("beq", "blt", "bgt"):
            rows[f"{code}-{name}"] = (asm(
                "PPC", f"0:r1={value};", exists,
                f"li r3,1; {code}; {name} L; li r3,0; L:"),
                "Always" if name == holds else "Never")
    check_rows(rows)
    depends = "lwz r1,0(r5); {}; beq L; L: li r2,1; stw r2,0(r6)"
    check_rows({code: (asm("PPC", "0:r5=x; 0:r6=y; 1:r5=y; 1:r6=x;",
                           "exists (0:r1=1)", depends.format(code),
                           "lwz r1,0(r5); stw r1,0(r6)"), "Never")
                for code in ("rlwinm. r3,r1,0,1,0", "mr. r3,r1")})


@test
def bytes_and_halves_of_x86():
    """Also where words are 32 bits: parts of registers and of locations."""
    half = "MOV EAX,$0x10203; "
    rows = {
        "al": (half + "MOV AL,$9", 0x10209), "ax": (half + "ADD AX,$1", 0x10204),
        "carry": ("MOV EAX,$0x1ffff; ADD AX,$1", 0x10000),
        "borrow": (half + "MOV EBX,$5; CMP BL,$261; JNE L; MOV EAX,$7; L:", 7),
        "sete": (half + "CMP EBX,EBX; SETE AL", 0x10201),
        "store": (half + "MOV [x],EAX; MOVB [x],$8; MOV EAX,[x]", 0x10208),
        "above": (half + "MOV [x],EAX; MOV [x+1],AL; MOV EAX,[x]", 0x10303),
        "load": (half + "MOV [x],EAX; MOV EAX,$0; MOV AX,[x]", 0x203),
        "xchg": (half + "MOV [x],EAX; MOV EAX,$0; XCHG [x+2],AL; "
                 "ADD EAX,[x]", 0x204)}
    check_rows({name: (asm("X86", "", f"exists (0:EAX={want})", code), "Always")
                for name, (code, want) in rows.items()})
    # What is not written of a word is as it began.
    begin = {"X86": "x=258;", "X86_64": "x=258;", "AArch64": "x=258; 0:X1=x;",
             "RISCV": "x=258; 0:x6=x;"}
    check_rows({arch: (asm(arch, begin[arch], "exists (x=257)", code), "Always")
                for arch, code in [("X86", "MOVB [x],$1"),
                                   ("X86_64", "movb $1,(x)"),
                                   ("AArch64", "MOV W2,#1; STRB W2,[X1]"),
                                   ("RISCV", "li x5,1; sb x5,0(x6)")]})
    # Store buffering: the own byte is forwarded, not those of others.
    check_rows({"parts": (asm("X86", "", "exists (0:EBX=1 /\\ 1:EBX=256)",
                              "MOVB [x],$1; MOV EBX,[x]",
                              "MOVB [x+1],$1; MOV EBX,[x]"), "Sometimes"),
                "fenced": (asm("X86", "", "exists (0:EBX=1 /\\ 1:EBX=256)",
                               "MOVB [x],$1; MFENCE; MOV EBX,[x]",
                               "MOVB [x+1],$1; MFENCE; MOV EBX,[x]"), "Never")})
    said = heddle("litmus", write("ah.litmus", asm(
        "X86_64", "", "exists (x=0)", "movb $1,%ah")), code=2).stdout
    assert "ah.litmus:4: '%ah' is not a register of X86_64" in said, said


@test
def corners_of_x86():
    full, old = "movq $-2,%rax; ", "movl $5,%ecx; movl %ecx,(x); "
    seen = {
        # A register of 32 bits that is written loses the rest; one that is
        # only compared does not.
        "shift-by-none": (full + "shll $0,%eax", 0xfffffffe),
        "shift-word-by-none": (full + "shlw $0,%ax", -2),
        "cmpxchg-ok": ("movl $-2,%ecx; movl %ecx,(x); " + full +
                       "lock cmpxchgl %ecx,(x)", -2),
        "cmpxchg-failed": (old + full + "lock cmpxchgl %ecx,(x)", 5),
        "cmpxchg-bytes": ("movw $-2,(x); " + full + "lock cmpxchgw %cx,(x)",
                          -2)}
    # Shifts by one overflow if they change the sign.
    for code, overflows in [("movb $128,%cl; shlb $1,%cl", 1),
                            ("movb $192,%cl; shlb $1,%cl", 0),
                            ("movl $0x40000000,%ecx; shll $1,%ecx", 1),
                            ("movb $128,%cl; shrb $1,%cl", 1),
                            ("movb $127,%cl; shrb $1,%cl", 0),
                            ("movb $128,%cl; sarb $1,%cl", 0)]:
        seen[code] = (f"{code}; seto %al; setl %bl; sets %cl; "
                      "xorb %bl,%cl; cmpb %al,%cl; sete %cl; addb %cl,%cl; "
                      "orb %cl,%al", overflows + 2)
    check_rows({f"row{i}": (asm("X86_64", "int64_t 0:rax;",
                                f"exists (0:rax={want})", code), "Always")
                for i, (code, want) in enumerate(seen.values())})


tap.main()
