#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Forms of litmus tests that public collections have: instructions beyond the
usual ones, and old ways to write a test. Each says how often its outcome is
seen.

    tests/cli/test_litmus_forms.py build/heddle [WORD]
"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap
from heddle import heddle, write
from litmus_rows import asm, c, check_rows
from tap import test


def a64(init, question, *threads):
    return asm("AArch64", init, question, *threads)


@test
def addresses_that_move_their_base():
    v = "int64_t v[3]={7,8,9}; 0:X1=v;"
    check_rows({
        "load-after": (a64(v, "exists (0:X0=7 /\\ 0:X2=8)",
                           "LDR X0,[X1],#8; LDR X2,[X1]"), "Always"),
        "load-before": (a64(v, "exists (0:X0=9 /\\ 0:X2=9)",
                            "LDR X0,[X1,#16]!; LDR X2,[X1]"), "Always"),
        "store-after": (a64(v, "exists (v={5,6,9} /\\ 0:X1=v[1])",
                            "MOV X0,#5; STR X0,[X1],#8; MOV X0,#6; "
                            "STR X0,[X1]"), "Always"),
        "its-own-base": (a64("0:X1=x; uint64_t x;", "exists (x=x)",
                             "STR X1,[X1],#8"), "Always"),
        "arm": (asm("ARM", "0:R1=x", "exists (x=3)", "MOV R0,#3; STR R0,[R1]"),
                "Always"),
    })
    # The base depends on nothing that was loaded.
    moved = ("0:X1=x; 0:X3=y; 1:X1=x; 1:X3=y;",
             "exists (1:X0=1 /\\ 1:X4=0)",
             "MOV W0,#1; STR W0,[X1]; DMB SY; STR W0,[X3]")
    check_rows({
        "free": (a64(*moved, "LDR W0,[X3],#4; LDR W4,[X1]"), "Sometimes"),
        "by-address": (a64(*moved, "LDR W0,[X3]; EOR W2,W0,W0; ADD X1,X1,X2; "
                           "LDR W4,[X1],#4"), "Never"),
    })
    said = heddle("litmus", write("cas.litmus", a64(
        "0:X1=x", "exists (x=0)", "CAS W0,W2,[X1,#8]!")), code=2).stdout
    assert "'cas' takes other operands" in said, said


@test
def two_registers_at_once():
    two = "int64_t v[2]; 0:X1=v; 1:X1=v; int64_t 1:X0; int64_t 1:X2;"
    mp = "MOV X0,#1; MOV X2,#2; {}"
    check_rows({
        "plain": (a64(two, "exists (1:X2=2 /\\ 1:X0=0)",
                      mp.format("STP X0,X2,[X1]"), "LDP X0,X2,[X1]"),
                  "Sometimes"),
        "ordered": (a64(two, "exists (1:X2=2 /\\ 1:X0=0)",
                        mp.format("STILP X0,X2,[X1]"),
                        "LDR X2,[X1,#8]; DMB LD; LDR X0,[X1]"), "Never"),
        "ordered-upwards": (a64(two, "exists (1:X0=1 /\\ 1:X2=0)",
                                mp.format("STILP X0,X2,[X1]"),
                                "LDR X0,[X1]; DMB LD; LDR X2,[X1,#8]"),
                            "Sometimes"),
        "ordered-downwards": (a64(two, "exists (1:X0=1 /\\ 1:X2=0)",
                                  "ADD X1,X1,#16; MOV X0,#1; MOV X2,#2; "
                                  "STILP X0,X2,[X1,#-16]!",
                                  "LDR X0,[X1]; DMB LD; LDR X2,[X1,#8]"),
                              "Never"),
        "acquired": (a64(two, "exists (1:X0=1 /\\ 1:X2=0)",
                         "MOV X0,#1; MOV X2,#2; STR X2,[X1,#8]; DMB ST; "
                         "STR X0,[X1]", "LDIAPP X0,X2,[X1]"), "Never"),
        "signed": (a64("int32_t v[2]={-3,5}; 0:X1=v; int64_t 0:X0; "
                       "int64_t 0:X2;", "exists (0:X0=-3 /\\ 0:X2=5)",
                       "LDPSW X0,X2,[X1]"), "Always"),
        "moves": (a64("int64_t v[2]={1,2}; 0:X1=v; int64_t 0:X0;",
                      "exists (0:X0=1 /\\ 0:X1=v[1])",
                      "LDP X0,X2,[X1],#16; SUB X1,X1,#8"), "Always"),
        "not-temporal": (a64(two, "exists (1:X0=1 /\\ 1:X2=2)",
                             mp.format("STNP X0,X2,[X1]"), "LDNP X0,X2,[X1]"),
                         "Sometimes"),
    })
    said = heddle("litmus", write("ldnp.litmus", a64(
        "0:X1=x; 0:X3=x", "exists (x=0)", "LDR X0,[X1]; ADD X3,X3,X0; "
        "LDNP X4,X5,[X3]")), code=2).stdout
    assert "ldnp.litmus:6: 'ldnp' of an address that is computed" in said, said


def value(init, code, wanted):
    return (a64(f"uint64_t 0:X0; {init}", f"exists (0:X0={wanted})", code),
            "Always")


@test
def bits_of_aarch64():
    x = "uint64_t 0:X1=0x1234567890abcdef;"
    check_rows({
        "ubfm": value(x, "UBFM X0,X1,#8,#23", "0xabcd"),
        "ubfm-round": value(x, "UBFM X0,X1,#56,#7", "0xef00"),
        "sbfm": value(x, "SBFM X0,X1,#0,#7", "0xffffffffffffffef"),
        "sbfm-word": value(x, "SBFM W0,W1,#0,#7", "0xffffffef"),
        "ubfx": value(x, "UBFX X0,X1,#4,#8", "0xde"),
        "ror": value(x, "ROR X0,X1,#8", "0xef1234567890abcd"),
        "ror-word": value(x, "ROR W0,W1,#4", "0xf90abcde"),
        "ror-operand": value(x, "ORR W0,WZR,W1,ROR #16", "0xcdef90ab"),
        "rbit": value("0:X1=5;", "RBIT W0,W1", "0xa0000000"),
        "rev": value(x, "REV X0,X1", "0xefcdab9078563412"),
        "rev-word": value(x, "REV W0,W1", "0xefcdab90"),
        "rev16": value(x, "REV16 W0,W1", "0xab90efcd"),
        "rev32": value(x, "REV32 X0,X1", "0x78563412efcdab90"),
        "movk": value(x, "MOV X0,X1; MOVK X0,#7,LSL #16", "0x123456780007cdef"),
        "movn": value("", "MOVN W0,#1", "0xfffffffe"),
        "mvn": value("0:X1=5;", "MVN W0,W1", "0xfffffffa"),
        "neg": value("0:X1=5;", "NEG W0,W1", "0xfffffffb"),
        "madd": value("0:X1=5; 0:X2=6; 0:X3=7;", "MADD X0,X1,X2,X3", "37"),
        "msub": value("0:X1=5; 0:X2=6; 0:X3=37;", "MSUB X0,X1,X2,X3", "7"),
        "uxtb": value(x, "ADD X0,XZR,W1,UXTB", "0xef"),
        "sxth": value(x, "ADD X0,XZR,W1,SXTH", "0xffffffffffffcdef"),
        "csetm": value("", "CMP W1,W1; CSETM W0,EQ", "0xffffffff"),
        "csetm-not": value("", "CMP W1,W1; CSETM W0,NE", "0"),
        "cinc": value("0:X1=5;", "CMP W1,W1; CINC X0,X1,EQ", "6"),
        "cinc-not": value("0:X1=5;", "CMP W1,W1; CINC X0,X1,NE", "5"),
        "cneg": value("0:X1=5;", "CMP W1,W1; CNEG W0,W1,EQ", "0xfffffffb"),
        "cinv": value("0:X1=5;", "CMP W1,W1; CINV W0,W1,EQ", "0xfffffffa"),
    })


def x86(init, question, *threads):
    return asm("X86_64", init, question, *threads)


@test
def instructions_of_x86():
    check_rows({
        "index": (x86("int64_t v[3]={7,8,9}; 0:rax=v; 0:rbx=1; int64_t 0:rcx;",
                      "exists (0:rcx=9)", "movq 8(%rax,%rbx,8),%rcx"),
                  "Always"),
        "padding": (x86("", "exists (0:rax=0)",
                        "endbr64; nopl 0(%rax,%eax,0); nopw %cs:0(%rax)"),
                    "Always"),
        "ret": (x86("", "exists (0:rax=1)", "movl $1,%eax; ret; movl $2,%eax"),
                "Always"),
        "shl": (x86("0:rax=3", "exists (0:rax=12)", "shl $2,%eax"), "Always"),
        "sar": (x86("int 0:rax=-8", "exists (0:rax=-2)", "sarl $2,%eax"),
                "Always"),
        "shr": (x86("int 0:rax=-8", "exists (0:rax=0x3ffffffe)",
                    "shrl $2,%eax"), "Always"),
        "carry": (x86("0:rax=6", "exists (0:rbx=5)", "shrl $2,%eax; movl $5,%ebx;"
                      "jc end; movl $7,%ebx; end:"), "Always"),
        "no-carry": (x86("0:rax=5", "exists (0:rbx=7)", "shrl $2,%eax; "
                         "movl $5,%ebx; jc end; movl $7,%ebx; end:"), "Always"),
        "test": (x86("0:rax=5", "exists (0:rbx=1)",
                     "test $2,%eax; sete %bl"), "Always"),
        "not": (x86("int 0:rax=5", "exists (0:rax=-6)", "notl %eax"), "Always"),
        "neg": (x86("int 0:rax=5", "exists (0:rax=-5)", "negl %eax"), "Always"),
        "cmov": (x86("0:rax=5; 0:rbx=6", "exists (0:rax=6)",
                     "cmp $9,%eax; cmovbl %ebx,%eax"), "Always"),
        "cmov-not": (x86("0:rax=5; 0:rbx=6", "exists (0:rax=5)",
                         "cmp $9,%eax; cmovae %ebx,%eax"), "Always"),
        **{f"{op}-{value}": (
            x86("int16_t x[2]={1,-2}; 0:rbx=x; int64_t 0:rax; int64_t 0:rcx;",
                f"exists (0:rcx={value})", f"movw 2(%rbx),%ax; {op} {operands}"),
            "Always")
           for op, operands, value in (
               ("movswl", "2(%rbx),%ecx", 0xfffffffe),
               ("movzwl", "2(%rbx),%ecx", 0xfffe),
               ("movswq", "%ax,%rcx", -2), ("movzbl", "%al,%ecx", 0xfe),
               ("movsbq", "%al,%rcx", -2))},
        "intel": (asm("X86", "0:EAX=-8", "exists (0:EAX=0x7ffffffc)",
                      "SHR EAX,1"), "Always"),
    })


@test
def instructions_of_others():
    ppc = "cmplw r1,r2; blt L; li r3,1; L:"
    check_rows({
        "addis": (asm("PPC", "0:r1=3", "exists (0:r2=131075)", "addis r2,r1,2"),
                  "Always"),
        "below": (asm("PPC", "0:r1=1; 0:r2=-1", "exists (0:r3=0)", ppc),
                  "Always"),
        "above": (asm("PPC", "0:r1=-1; 0:r2=1", "exists (0:r3=1)", ppc),
                  "Always"),
        "movt": (asm("ARM", "0:R1=0x12345", "exists (0:R1=0x72345)",
                     "MOVT R1,#7"), "Always"),
        "ret": (a64("", "exists (0:X0=1)", "MOV W0,#1; RET; MOV W0,#2"),
                "Always"),
    })


@test
def several_words_of_arm():
    def arm(init, question, *threads):
        return asm("ARM", f"int v[4]={{1,2,3,4}}; {init}", question, *threads)

    both = ("0:R0=v; 1:R0=v; 0:R1=5; 0:R2=5;",)
    check_rows({
        "ldrd": (arm("0:R0=v;", "exists (0:R2=2 /\\ 0:R3=3)",
                     "LDRD R2,R3,[R0,#4]"), "Always"),
        "next": (arm("0:R0=v;", "exists (0:R2=1 /\\ 0:R3=2 /\\ 0:R4=3)",
                     "LDRD R2,[R0],#8; LDR R4,[R0]"), "Always"),
        "strd": (arm("0:R0=v; 0:R2=8; 0:R3=9;",
                     "exists (v={1,2,8,9} /\\ 0:R4=8)",
                     "STRD R2,R3,[R0,#8]!; LDR R4,[R0]"), "Always"),
        # the base is among what is loaded
        "ldm": (arm("0:R0=v;", "exists (0:R0=1 /\\ 0:R1=2 /\\ 0:R7=3)",
                    "LDM R0,{R0,R1,R7}"), "Always"),
        "ldmib": (arm("0:R0=v;", "exists (0:R1=2 /\\ 0:R2=3)",
                      "LDMIB R0,{R1,R2}"), "Always"),
        # one instruction has no order in itself
        "first": (arm(*both, "exists (1:R3=5 /\\ 1:R4=2)", "STM R0,{R1,R2}",
                      "LDM R0,{R3,R4}"), "Sometimes"),
        "second": (arm(*both, "exists (1:R3=1 /\\ 1:R4=5)", "STM R0,{R1,R2}",
                       "LDM R0,{R3,R4}"), "Sometimes"),
        "order": (arm("0:R0=v;", "exists (x=0)", "LDM R0,{R2,R1}"),
                  "registers in ascending order expected"),
        "open": (arm("0:R0=v;", "exists (x=0)", "LDM R0,{R1,R2"),
                 "'}' expected behind registers"),
    })


@test
def more_of_power():
    def ppc(init, question, *threads):
        return asm("PPC", init, question, *threads)

    mp = ("0:r1=x; 0:r2=y; 0:r3=1; 1:r1=x; 1:r2=y;",
          "exists (1:r4=1 /\\ 1:r5=0)", "stw r3,0(r1); sync; stw r3,0(r2)")
    check_rows({
        "lwzu": (ppc("int v[3]={1,2,3}; 0:r1=v;",
                     "exists (0:r2=2 /\\ 0:r3=3 /\\ v={1,4,3})",
                     "lwzu r2,4(r1); lwz r3,4(r1); li r4,4; stwu r4,0(r1)"),
                 "Always"),
        "stwux": (ppc("0:r1=x; 0:r2=0; 0:r3=5;", "exists (x=5 /\\ 0:r1=x)",
                      "stwux r3,r1,r2"), "Always"),
        # what moves the base is not what was loaded
        "free": (ppc(*mp, "lwzu r4,0(r2); xor r6,r2,r2; lwzx r5,r6,r1"),
                 "Sometimes"),
        "loaded": (ppc(*mp, "lwzu r4,0(r2); xor r6,r4,r4; lwzx r5,r6,r1"),
                   "Never"),
        "own": (ppc("0:r1=x;", "exists (x=0)", "lwzu r1,0(r1)"),
                "'lwzu' cannot move r1"),
        "lwax": (ppc("int x=-3; 0:r1=x; 0:r2=0; int64_t 0:r3;",
                     "exists (0:r3=-3)", "lwax r3,r2,r1"), "Always"),
        "rlwimi": (ppc("int64_t 0:r1=0x1122334455667788; int64_t 0:r2=-1;",
                       "exists (0:r1=0x112233445566ff88)",
                       "rlwimi r1,r2,8,16,23"), "Always"),
    })


@test
def addresses_as_compilers_make_them():
    """A page begins with each location; the linker has filled the table."""
    check_rows({
        "page": (a64("int x=3", "exists (0:X1=3 /\\ 0:X3=3 /\\ 0:X4=x)",
                     "ADRP X0,x; ADD X4,X0,:lo12:x; LDR W1,[X4]; ADRP X2,x;"
                     "LDR W3,[X2,#:lo12:x]"), "Always"),
        "table": (a64("int x=3", "exists (0:X0=x /\\ 0:X1=3)",
                      "ADRP X0,:got:x; LDR X0,[X0,:got_lo12:x]; LDR W1,[X0]"),
                  "Always"),
        "near": (a64("int x=3; int y=-2; int64_t 0:X1",
                     "exists (0:X0=3 /\\ 0:X1=-2)",
                     "LDR W0,x; LDRSW X1,y"), "Always"),
        "stored": (a64("int x", "exists (x=4)",
                       "MOV W1,#4; ADRP X0,x; STR W1,[X0,:lo12:x]"), "Always"),
        # A load from nearby orders as others do, and so does what it read.
        "mp": (a64("0:X1=x; 0:X3=y;", "exists (1:X0=1 /\\ 1:X2=0)",
                   "MOV W0,#1; STR W0,[X1]; STLR W0,[X3]",
                   "LDR W0,y; LDR W2,x"), "Sometimes"),
        "mp-address": (a64("0:X1=x; 0:X3=y;", "exists (1:X0=1 /\\ 1:X2=0)",
                           "MOV W0,#1; STR W0,[X1]; STLR W0,[X3]",
                           "LDR W0,y; EOR W4,W0,W0; ADRP X5,x;"
                           "LDR W2,[X5,W4,SXTW]"), "Never"),
    })
    for code, words in (("LDRB W0,x", "takes other operands"),
                        ("LDAR W0,x", "takes other operands"),
                        ("LDR W0,[X1,:got_lo12:x]", "fills a register"),
                        ("STR X0,[X1,:got_lo12:x]", "only 'ldr' reads"),
                        ("L: LDR X0,L", "code as data"),
                        ("L: ADRP X0,L", "addresses of code"),
                        ("ADR X0,#4", "takes other operands"),
                        ("LDR X0,[X1,:tprel:x]", "an operand expected")):
        out = heddle("litmus", write("no.litmus", a64("", "exists (x=1)", code)),
                     code=2).stdout
        assert "no.litmus:4: " in out and words in out, out


@test
def exclusive_bytes_and_halves():
    arm = ("LDREXB R2,[R1]; ADD R2,R2,#2; STREXB R3,R2,[R1]",
           "MOV R2,#1; STR R2,[R1]")
    power = ("addi r5,r1,3; lbarx r2,r0,r5; addi r2,r2,2; stbcx. r2,r0,r5;"
             "li r6,0; bne L; li r6,1; L: nop", "li r2,256; stw r2,0(r1)")
    half = "lharx r2,r0,r1; addi r2,r2,1; sthcx. r2,r0,r1"
    first = "uint32_t x; 0:{0}1=x; 1:{0}1=x"

    def of_arm(question):
        return asm("ARM", first.format("R"), question, *arm)

    def of_power(question):
        return asm("PPC", first.format("r"), question, *power)

    check_rows({
        # It does not succeed if another thread's word is in between.
        "arm-between": (of_arm("exists (0:R3=0 /\\ x=2)"), "Never"),
        "arm-before": (of_arm("exists (0:R3=0 /\\ x=3)"), "Sometimes"),
        "arm-after": (of_arm("exists (0:R3=0 /\\ x=1)"), "Sometimes"),
        "power-between": (of_power("exists (0:r6=1 /\\ x=2)"), "Never"),
        # The last byte is the lowest.
        "power-before": (of_power("exists (0:r6=1 /\\ x=258)"), "Sometimes"),
        "power-fails": (of_power("exists (0:r6=0 /\\ x=256)"), "Sometimes"),
        "halves": (asm("PPC", "0:r1=x; 1:r1=x", "exists (x=2)", half, half),
                   "Sometimes"),
        "halves-lost": (asm("PPC", "0:r1=x; 1:r1=x", "exists (x=3)", half, half),
                        "Never"),
        "condition": (asm("ARM", "0:R1=x", "exists (0:R2=1)",
                          "LDREXH R2,[R1]; STREXH R2,R1,[R1]"), "Sometimes"),
    })


@test
def two_words_at_once():
    """Pairs of words that AArch64 reserves, or compares and exchanges, are one
    access of eight bytes."""
    init = "uint32_t x[2]={1,2}; 0:X6=x; 1:X6=x;"
    cas = "MOV W0,#1; MOV W1,#%d; MOV W2,#3; MOV W3,#4; CASP W0,W1,W2,W3,[X6]"
    other = "MOV W5,#9; STR W5,[X6,#4]"
    add = ("LDXP W0,W1,[X6]; ADD W0,W0,#1; ADD W1,W1,#2; "
           "STXP W3,W0,W1,[X6]")

    def mp(update):
        return a64("uint32_t f[2]; 0:X1=x; 0:X3=f; 1:X6=f; 1:X9=x;",
                   "exists (1:X0=1 /\\ 1:X7=0)",
                   "MOV W0,#1; STR W0,[X1]; DMB SY; STR W0,[X3]",
                   f"MOV W0,#1; {update}; LDR W7,[X9]")

    check_rows({
        "succeeds": (a64(init, "exists (0:X0=1 /\\ 0:X1=2 /\\ x={3,4})",
                         cas % 2, "NOP"), "Always"),
        # Both halves are compared.
        "fails": (a64(init, "exists (0:X0=1 /\\ 0:X1=2 /\\ x={1,2})",
                      cas % 7, "NOP"), "Always"),
        "whole": (a64(init, "exists (1:X0=0x200000003 \\/ 1:X0=0x400000001)",
                      cas % 2, "LDR X0,[X6]"), "Never"),
        "between": (a64(init, "exists (0:X1=2 /\\ x={3,9})", cas % 2, other),
                    "Sometimes"),
        "both-add": (a64(init, "exists (0:X3=0 /\\ 1:X3=0 /\\ x={3,6})",
                         add, add), "Sometimes"),
        "none-lost": (a64(init, "exists (0:X3=0 /\\ 1:X3=0 /\\ ~x={3,6})",
                          add, add), "Never"),
        "reserved": (a64(init, "exists (0:X3=0 /\\ 0:X1=2 /\\ x={2,9})",
                         add.replace("ADD W1,W1,#2", "NOP"), other),
                     "Sometimes"),
        "broken": (a64(init, "exists (0:X3=0 /\\ 0:X1=2 /\\ x={2,2})",
                       add.replace("ADD W1,W1,#2", "NOP"), other), "Never"),
        "mp": (mp("CASP W0,W1,W2,W3,[X6]"), "Sometimes"),
        "mp-acquire": (mp("CASPA W0,W1,W2,W3,[X6]"), "Never"),
        "mp-reserve": (mp("LDXP W0,W1,[X6]"), "Sometimes"),
        "mp-reserve-acquire": (mp("LDAXP W0,W1,[X6]"), "Never"),
    })
    for code, words in (("CASP X0,X1,X2,X3,[X6]", "of doublewords"),
                        ("LDXP X0,X1,[X6]", "of doublewords"),
                        ("CASP W1,W2,W4,W5,[X6]", "pairs such as W2,W3"),
                        ("CASP W0,W1,W2,W4,[X6]", "pairs such as W2,W3"),
                        ("STXP W0,W1,[X6]", "takes other operands")):
        text = a64(init, "exists (x=1)", code, "NOP")
        out = heddle("litmus", write("no.litmus", text), code=2).stdout
        assert "no.litmus:4: " in out and words in out, out


@test
def accesses_of_arm_that_acquire_and_release():
    """They came with ARMv8, whose model is that of AArch64."""
    init = "0:R1=x; 0:R3=y; 1:R1=y; 1:R3=x; "

    def sb(store, load):
        code = f"MOV R0,#1; {store} R0,[R1]; {load} R2,[R3]"
        return asm("ARM", init, "exists (0:R2=0 /\\ 1:R2=0)", code, code)

    def mp(store, load, more=""):
        return asm("ARM", init.replace("1:R1=y; 1:R3=x", "1:R1=x; 1:R3=y"),
                   f"exists (1:R0=1 /\\ 1:R2=0{more})",
                   f"MOV R0,#1; STR R0,[R1]; {store}",
                   f"{load} R0,[R3]; LDR R2,[R1]")

    readers = [f"{load} R0,[R1]; DMB; LDR R2,[R3]" for load in ("LDA", "LDAEX")]
    iriw = asm("ARM", "0:R1=x; 1:R1=x; 1:R3=y; 2:R1=y; 3:R1=y; 3:R3=x;",
               "exists (1:R0=1 /\\ 1:R2=0 /\\ 3:R0=1 /\\ 3:R2=0)",
               "MOV R0,#1; STR R0,[R1]", readers[0].replace("DMB; ", ""),
               "MOV R0,#1; STR R0,[R1]", readers[1].replace("DMB; ", ""))
    update = "LDREX R4,[R3]; STLEX R5,R0,[R3]"
    check_rows({
        "sb": (sb("STL", "LDA"), "Never"),
        "sb-load": (sb("STL", "LDR"), "Sometimes"),
        "mp": (mp("STL R0,[R3]", "LDA"), "Never"),
        "mp-store": (mp("STL R0,[R3]", "LDR"), "Sometimes"),
        "mp-load": (mp("STR R0,[R3]", "LDA"), "Sometimes"),
        "mp-bytes": (mp("STLB R0,[R3]", "LDAB"), "Never"),
        "mp-halves": (mp("STLH R0,[R3]", "LDAEXH"), "Never"),
        "mp-exclusive": (mp(update, "LDAEX", " /\\ 0:R5=0"), "Never"),
        "mp-exclusive-plain": (mp(update.replace("STL", "STR"), "LDAEX",
                                  " /\\ 0:R5=0"), "Sometimes"),
        "iriw": (iriw, "Never"),
    })
    out = heddle("litmus", "--summary", write("v8.litmus", sb("STL", "LDA")),
                 code=0).stdout
    assert "Under armv8: 1 (it has instructions of ARMv8)" in out, out


@test
def macros_of_herd_are_primitives_of_the_kernel():
    def mp(store, load):
        return c("exists (1:r0=1 /\\ 1:r1=0)",
                 f"__store{{once}}(*x, 1); {store}",
                 f"int r0; int r1; {load}; r1 = __load{{ONCE}}(*x);")

    def sb(between):
        body = (f"int r0; WRITE_ONCE(*{{}}, 1); {between};"
                "r0 = __load{{once}}(*{});")
        return c("exists (0:r0=0 /\\ 1:r0=0)", body.format("x", "y"),
                 body.format("y", "x"))

    load, store = "r0 = __load{acquire}(*y)", "__store{release}(*y, 1);"
    check_rows({
        "mp": (mp(store, load), "Never"),
        "mp-once": (mp(store, load.replace("acquire", "once")), "Sometimes"),
        "mp-store": (mp(store.replace("release", "once"), load), "Sometimes"),
        "mp-fences": (mp("__fence{wmb}; __store{once}(*y, 1);",
                         "r0 = __load{once}(*y); __fence{rmb}"), "Never"),
        "mp-update": (mp("int r = __xchg{release}(y, 1);",
                         "r0 = __cmpxchg{acquire}(y, 1, 2)"), "Never"),
        "mp-update-once": (mp("int r = __xchg{once}(y, 1);",
                              "r0 = __cmpxchg{acquire}(y, 1, 2)"),
                           "Sometimes"),
        "sb": (sb("__fence{{MB}}"), "Never"),
        "sb-atomic": (sb("__fence{{before-atomic}}"), "Sometimes"),
        "rcu": (c("exists (0:r0=1 /\\ 0:r1=0)",
                  "int r0; int r1; __fence{rcu-lock}; r0 = READ_ONCE(*y);"
                  "r1 = READ_ONCE(*x); __fence{rcu-unlock};",
                  "WRITE_ONCE(*x, 1); __fence{sync-rcu}; WRITE_ONCE(*y, 1);"),
                "Never"),
        "srcu": (c("exists (0:r0=1 /\\ 0:r1=0)",
                   "int r0; int r1; int i; i = __srcu{srcu-lock}(x);"
                   "r0 = READ_ONCE(*y); r1 = READ_ONCE(*z);"
                   "__srcu{srcu-unlock}(x, i);",
                   "WRITE_ONCE(*z, 1); __srcu{sync-srcu}(x);"
                   "WRITE_ONCE(*y, 1);").replace(
                       "int* x, int* y",
                       "struct srcu_struct *x, int* y, int *z"), "Never"),
        # It says whether it added.
        "unless": (c("exists (0:r0=0 /\\ 0:r1=1 /\\ x=10)",
                     "int r0; int r1; r0 = __atomic_add_unless{mb}(x, 10, 0);"
                     "r1 = __atomic_add_unless{mb}(x, 10, 10);"), "Always"),
        "lock": (c("exists (x=1 /\\ 0:r0=0 /\\ 1:r0=0)",
                   *["int r0; __lock(y); r0 = __load{once}(*x);"
                     "__store{once}(*x, 1); __unlock(y);"] * 2).replace(
                         "int* y", "spinlock_t *y"), "Never"),
    })
    out = heddle("litmus", write("no.litmus", mp("__fence{nothing};", load)),
                 code=2).stdout
    assert "no.litmus:3" in out, out


@test
def a_text_that_is_not_closed_ends_with_its_line():
    text = asm("ARM", "0:R1=x", "exists (x=1)", "MOV R0,#1; STR R0,[R1]")
    first, rest = text.split("\n", 1)
    check_rows({"open": (f'{first}\n"about {{ x\nCom=Rf\n{rest}', "Always"),
                "closed": (f'{first}\n"about {{ x\n of it"\n{rest}', "Always")})


@test
def nothing_is_behind_a_word():
    """A cell has room for an address, but an int has four bytes."""
    behind = "not supported: a byte or half behind the word of x"
    check_rows({
        "within": (asm("X86", "x=-1;", "exists (0:EAX=0x1ffffff)",
                       "MOVB [x+3],$1; MOV EAX,[x]"), "Always"),
        "behind": (asm("X86", "x=-1;", "exists (0:EAX=-1)",
                       "MOVB [x+4],$1; MOV EAX,[x]"), behind),
        "wide": (asm("X86", "uint64_t x;", "exists (x=0x100000000)",
                     "MOVB [x+4],$1"), "Always"),
        "half": (asm("ARM", "0:R0=x;", "exists (x=1)",
                     "MOV R1,#1; STRH R1,[R0,#4]"), behind),
        "upper-half": (asm("PPC", "0:r1=x;", "exists (x=0x10000)",
                           "li r2,1; sth r2,2(r1)"), "Always"),
    })


@test
def numbers_of_32_bits_go_round():
    def x86_32(init, question, code):
        return asm("X86", init, question, code)

    many = "; ".join(f"MOV [l{i}],$1" for i in range(46))
    check_rows({
        "register": (x86_32("", "exists (0:EAX=0)",
                            "MOV EAX,$0xffffffff; ADD EAX,$1"), "Always"),
        "memory": (x86_32("x=0x7fffffff;", "exists (x=0)",
                          "INC [x]; LOCK ADD [x],$0x80000000"), "Always"),
        "compared": (x86_32("x=0x7fffffff;", "exists (x=5)",
                            "MOV EBX,$5; INC [x]; MOV EAX,[x]; "
                            "LOCK CMPXCHG [x],EBX"), "Always"),
        "arm": (asm("ARM", "0:R1=0xffffffff; 0:R5=x;",
                    "exists (0:R2=0 /\\ 0:R3=0 /\\ x=0)",
                    "ADD R2,R1,#1; MVN R3,R1; STR R2,[R5]"), "Always"),
        "byte": (x86_32("x=-1;", "exists (x=0x1ffffff)", "MOVB [x+3],$1"),
                 "Always"),
        "byte-of-arm": (asm("ARM", "x=-1; 0:R1=x; 0:R2=1;",
                            "exists (x=0x1ffffff)", "STRB R2,[R1,#3]"),
                        "Always"),
        "byte-of-power": (asm("PPC", "x=-1; 0:r1=x; 0:r2=1;",
                              "exists (x=0x1ffffff)", "stb r2,3(r1)"),
                          "Always"),
        # addresses are no negative numbers
        "many": (x86_32("", "exists (l0=1)", many),
                 "more than 45 locations are not supported for X86"),
    })


OLD = """X86 {}
"as tests were written before herd"
{{ x=0; y=0 }};
 P0          | P1          ;
 MOV [x],$1  | MOV [y],$1  ;
 MOV EAX,[y] | MOV EAX,[x] ;
{}
"""


@test
def functions_return():
    """Code of compilers ends before the code that is not often run."""
    for arch, init, code in (
            ("ARM", "0:R0=x;", "MOV R1,#1; BX LR; STR R1,[R0]"),
            ("PPC", "0:r2=x;", "li r1,1; blr; stw r1,0(r2)"),
            ("RISCV", "0:x6=x;", "li x5,1; ret; sw x5,0(x6)"),
            ("AArch64", "0:X0=x;", "MOV W1,#1; RET; STR W1,[X0]")):
        check_rows({"end": (asm(arch, init, "exists (x=0)", code), "Always")})


@test
def old_ways_to_ask():
    both = "(0:EAX=0 /\\ 1:EAX=0)"
    check_rows({
        "final": (OLD.format("SB", f"final {both}"), "Sometimes"),
        "cond": (OLD.format("SB", f"cond {both};"), "Sometimes"),
        "settings": (OLD.format("SB", f"exists {both}\n<<\nshow all\n>>"),
                     "Sometimes"),
        "settings-first": (OLD.format("SB", f"<<\nshow all\n>>\n~exists {both}"),
                           "Sometimes"),
        "nothing": (OLD.format("SB", both), "Sometimes"),
        "with": (OLD.format("SB", f"final {both}\nwith sc: ~exists"),
                 "Sometimes"),
    })
    said = heddle("litmus", "--summary", write("its-file.litmus", OLD.format(
        "--", f"exists {both}"))).stdout
    assert "Sometimes its-file 1 3" in said, said
    said = heddle("litmus", write("not.litmus", OLD.format(
        "SB", f"~final {both}")), code=2).stdout
    assert "not.litmus:7: exists, ~exists, forall" in said, said


@test
def more_of_c():
    check_rows({
        "wide": (c("exists (0:r=0)", "__int128_t r = *x;"), "Always"),
        "small": (c("exists (0:r=3)", "int8_t r = 3;"), "Always"),
        "regions": (c("regions: x:ONE, y:OTHER\nexists (0:r=0)",
                      "int r = *x;"), "Always"),
        # what is added to the name of a location counts its elements
        **{text: (c("exists (0:r=7)", f"int i = 1; int r = *({text});",
                    init="int x[3]={5,6,7};"), "Always")
           for text in ("x+2", "2+x", "x+i+1", "x+3-1", "x+2*i")},
        # and to anything else, it is a number
        "number": (c("exists (0:r=3)", "int *p = 2; int r = p + 1;"), "Always"),
        # what variables and parameters hold at first
        "first": (c("exists (0:r=3)", "int r4; int r = r4;", init="0:r4=3;"),
                  "Always"),
        "undeclared": (c("exists (x=3)", "*x = r4;", init="0:r4=3;"), "Always"),
        "elsewhere": (c("exists (z[1]=9 /\\ 0:r=9)",
                        "*(x + 1) = 9; int r = *y;",
                        init="0:x=z; 0:y=z[1]; int z[2]={7,8};"), "Always"),
        # for those who compile tests
        "prologue": ("C test\n{ x=3; }\n{ // more\n#include \"api.h\"\n"
                     "static int f(void) { return 0; }\n}\n"
                     "P0(int *x) { int r = *x; }\nexists (0:r=3)\n",
                     "Always"),
        "depends": (c("exists (1:r=1 /\\ 1:s=0)",
                      "WRITE_ONCE(*x, 1); smp_wmb(); WRITE_ONCE(*y, 1);",
                      "int r = READ_ONCE(*y); smp_read_barrier_depends(); "
                      "int s = READ_ONCE(*x);"), "Sometimes"),
    })


tap.main()
