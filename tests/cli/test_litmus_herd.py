#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Corners of litmus tests: what is written there means what it means to herd,
or it is refused; nothing is passed over.

    tests/cli/test_litmus_herd.py build/heddle [WORD]
"""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap
from heddle import heddle, write
from litmus_rows import asm, c, check_rows
from tap import test


def refused(text, line, words):
    said = heddle("litmus", write("no.litmus", text), code=2).stdout
    assert f"no.litmus:{line}: " in said and words in said, said


@test
def loops_over_barriers_are_refused():
    words = "a loop that only has barriers in it"
    refused(asm("AArch64", "0:X1=x;", "exists (x=0)",
                "L: ; DMB SY; ISB; B L"), 6, words)
    # One execution of two goes there.
    wait = ("int r = atomic_load(y);\nwhile (r == 0)\n"
            "  atomic_thread_fence(memory_order_seq_cst);")
    refused(c("exists (x=0)", wait, "atomic_store(y, 1);"), 5, words)
    # Rounds that count, or that look, end.
    check_rows({
        "counts": (asm("AArch64", "", "exists (0:X0=2)",
                       "L: ADD W0,W0,#1; DMB SY; CMP W0,#2; B.NE L"), "Always"),
        "looks": (asm("AArch64", "0:X1=x; 1:X1=x;", "exists (0:X0=1)",
                      "L: LDR W0,[X1]; DMB SY; CBZ W0,L",
                      "MOV W0,#1; STR W0,[X1]"), "Always"),
    })


def states(text, code=0):
    out = heddle("litmus", write("states.litmus", text), code=code).stdout
    lines = out.splitlines()
    return lines[2:2 + int(lines[1].split()[1])]


@test
def a_location_is_as_large_as_its_type():
    exists = "exists (x=0x100000002)"
    halves = "MOV W0,#1; STR W0,[X1,#4]; MOV W0,#2; STR W0,[X1]"
    check_rows({
        "halves": (asm("AArch64", "uint64_t x; 0:X1=x;", exists, halves),
                   "Always"),
        "half-of-an-array": (
            asm("AArch64", "uint64_t x[2]; 0:X1=x;",
                "exists (x[1]=0x100000007)",
                "MOV W0,#1; STR W0,[X1,#12]; MOV W0,#7; STR W0,[X1,#8]"),
            "Always"),
        "upper": (asm("AArch64", "uint64_t x=5; 0:X1=x;",
                      "exists (x=0x100000005)", "MOV W0,#1; STR W0,[X1,#4]"),
                  "Always"),
        "riscv": (asm("RISCV", "uint64_t x; 0:x6=x;", exists,
                      "li x5,1; sw x5,4(x6); li x5,2; sw x5,0(x6)"), "Always"),
        "bytes": (asm("AArch64", "uint32_t x=0x01020304; 0:X1=x;",
                      "exists (x=0x01ff0304)", "MOV W0,#255; STRB W0,[X1,#2]"),
                  "Always"),
    })


@test
def a_store_fills_all_that_it_covers():
    """Several elements of an array, or a part of a location without a type."""
    init = "uint16_t t[4]={1,2,3,4}; uint32_t 0:X0=0x70006; 0:X1=t; 0:X2=x;"
    for code, wanted in (
            ("STR W0,[X1,#4]", "t={1,2,6,7}; [x]=0;"),
            ("STR X0,[X1]", "t={6,7,0,0}; [x]=0;"),
            ("STRH W0,[X1,#4]; STRH W0,[X2,#2]", "t={1,2,6,4}; [x]=393216;"),
            ("STRB W0,[X2,#3]; STR W0,[X1]", "t={6,7,3,4}; [x]=100663296;")):
        assert states(asm("AArch64", init, "locations [t; x;] exists (true)",
                          code)) == [wanted], code
    x86 = "int8_t t[4]={1,2,3,4};"
    assert states(asm("X86_64", x86, "locations [t;] exists (true)",
                      "movw $0x605,(t)")) == ["t={5,6,3,4};"]


@test
def elements_of_arrays_are_words():
    """Where a location is a cell that may hold an address, too."""
    init, asks = "int t[3]={1,-2,3}; ", "locations [t;] exists (true)"
    for arch, more, code, wanted in (
            ("ARM", "0:R0=t;", "LDR R1,[R0,#4]; ADD R1,R1,#9; STR R1,[R0]",
             "t={7,-2,3};"),
            ("ARM", "0:R0=t;", "L: LDREX R1,[R0]; ADD R1,R1,#9; "
             "STREX R2,R1,[R0]; CMP R2,#0; BNE L", "t={10,-2,3};"),
            ("PPC", "0:r2=t;", "lwz r1,4(r2); addi r1,r1,9; stw r1,8(r2)",
             "t={1,-2,7};"),
            ("X86", "0:EBX=t;", "MOV EAX,$5; XCHG [EBX],EAX", "t={5,-2,3};")):
        assert states(asm(arch, init + more, asks, code)) == [wanted], arch
    mp = ("STR R2,[R0]; DMB; STR R2,[R0,#4]", "LDR R1,[R0,#4]; DMB; LDR R2,[R0]")
    check_rows({"mp": (asm("ARM", "int t[2]; 0:R0=t; 1:R0=t; 0:R2=1;",
                           "exists (1:R1=1 /\\ 1:R2=0)", *mp), "Never"),
                "mp-po": (asm("ARM", "int t[2]; 0:R0=t; 1:R0=t; 0:R2=1;",
                              "exists (1:R1=1 /\\ 1:R2=0)",
                              *(code.replace("DMB", "NOP") for code in mp)),
                          "Sometimes")})
    refused(asm("PPC", "int8_t t[2]; 0:r2=t;", "exists (true)", "nop"), 3,
            "elements of other sizes than 4 bytes")
    refused(asm("PPC", "int t[2]; p=t; 0:r2=p;", "exists (true)", "nop"), 3,
            "beside addresses in memory")
    refused(asm("PPC", "int t[2]; 0:r2=t;", "exists (true)", "ld r1,0(r2)"), 4,
            "'ld' beside an array of words")


@test
def numbers_are_cut_to_their_types():
    check_rows({
        "memory": (asm("AArch64", "int8_t x=257; 0:X1=x;",
                       "exists (x=1 /\\ 0:X0=1)", "LDRB W0,[X1]"), "Always"),
        "sign": (asm("AArch64", "int8_t x=255;", "exists (x=-1)", "NOP"),
                 "Always"),
        "register": (asm("AArch64", "uint8_t 0:X1=258;", "exists (0:X0=2)",
                         "MOV X0,X1"), "Always"),
        "arm": (asm("ARM", "int8_t x=257; 0:R1=x;", "exists (0:R0=1)",
                    "LDR R0,[R1]"), "Always"),
        # A question about 64 bits is about all of them.
        "wide": (asm("AArch64", "uint64_t 0:X0;", "exists (0:X0=-1)",
                     "MOV W0,#-1"), "Never"),
    })


@test
def values_are_printed_by_their_types():
    minus = "MOV X0,#-2"
    for init, value in [("", "-2"), ("uint64_t 0:X0;", "18446744073709551614"),
                        ("int64_t 0:X0;", "-2"), ("uint8_t 0:X0;", "254"),
                        ("unsigned char 0:X0;", "254"),
                        ("int16_t 0:X0=3;", "-2")]:
        said = states(asm("AArch64", init, "exists (0:X0=0)", minus))
        assert said == [f"0:X0={value};"], (init, said)
    said = states(asm("AArch64", "uint16_t x; 0:X1=x;", "exists (x=0)",
                      "MOV W0,#-2; STRH W0,[X1]"))
    assert said == ["[x]=65534;"], said


@test
def symbolic_registers_have_their_first_contents():
    writer = "MOV R0,#1; STR R0,[%x0]; DMB; STR R0,[%y0]"
    reader = "LDR R0,[%y1]; DMB; LDR R1,[%x1]"
    init = "%x0=x; %y0=y; %y1=y; %x1=x;"
    question = "exists (1:R0=1 /\\ 1:R1=0)"
    check_rows({
        "mp": (asm("ARM", init, question, writer, reader), "Never"),
        "mp-weak": (asm("ARM", init, question, writer,
                        reader.replace("DMB; ", "")), "Sometimes"),
        "one-name": (asm("ARM", "%x=x;", "exists (1:R0=1)",
                         "MOV R0,#1; STR R0,[%x]", "LDR R0,[%x]"), "Sometimes"),
        "typed": (asm("AArch64", "uint64_t %p=x; x=7;", "exists (0:X1=7)",
                      "MOV X0,%p; LDR W1,[X0]"), "Always"),
        "half": (asm("AArch64", "%p=x; x=7;", "exists (%v=0xffffffff)",
                     "MOV W%v,#-1; STR W%v,[X%p]"), "Always"),
        "number": (asm("AArch64", "uint8_t %p=258;", "exists (%p=3)",
                       "ADD %p,%p,#1"), "Always"),
        "asked-for": (asm("PPC", "%a=x; x=3;", "exists (%v=3 /\\ 0:%v=3)",
                          "lwz %v,0(%a)"), "Always"),
    })
    refused(asm("ARM", "%x=x;", "exists (%x=1)", "MOV R0,%x", "MOV R0,%x"), 5,
            "a register of one thread only")


@test
def names_of_registers():
    check_rows({
        "ip": (asm("ARM", "0:IP=x; x=5;", "exists (0:R0=5)", "LDR R0,[R12]"),
               "Always"),
        "lr": (asm("ARM", "", "exists (0:R14=5 /\\ 0:SP=6)",
                   "MOV LR,#5; MOV R13,#6"), "Always"),
        "typed-in-lower-case": (
            asm("AArch64", "uint64_t 0:x0;", "exists (0:X0=-1)",
                "MOV W0,#-1"), "Never"),
    })
    refused(asm("ARM", "0:R1=x;", "exists (0:R0=0)", "NOP; LDR R0,[PC,#8]"), 5,
            "the program counter is no register for data")
    refused(asm("ARM", "0:R1=x;", "exists (0:R0=0)", "NOP; LDR R0,[x]"), 5,
            "'x' is not a register of ARM")
    refused(asm("AArch64", "", "exists (0:X0=0)", "NOP; ADR X0,L; L: NOP"), 5,
            "addresses of code are not supported")


@test
def a_compare_exchange_whose_result_nobody_gets():
    """It reads 0 and writes 2, so the other thread's 1 comes before or after
    it; the message is behind the release that it reads."""
    init = "y=1; 0:X1=x; 0:X3=y; 1:X1=x; 1:X3=y;"
    writer = "MOV W0,#1; STR W0,[X1]; STLR WZR,[X3]"
    question = "exists (y=2 /\\ 1:X6=0)"
    rows = {}
    for name, regs, barrier, want in [
            ("CASA", "W5,W4", "NOP", "Never"),
            ("CASA", "WZR,W4", "NOP", "Sometimes"),
            ("CASA", "XZR,X4", "NOP", "Sometimes"),
            ("CAS", "W5,W4", "DMB LD", "Never"),
            ("CAS", "WZR,W4", "DMB LD", "Sometimes"),
            ("CAS", "WZR,W4", "DMB SY", "Never"),
            ("CASAL", "WZR,W4", "NOP", "Sometimes")]:
        rows[f"{name}-{regs[:3]}-{barrier}"] = (
            asm("AArch64", init, question,
                writer.replace("WZR", "XZR") if "X" in regs[:1] else writer,
                f"MOV W4,#2; {name} {regs},[X3]; {barrier}; LDR W6,[X1]"), want)
    check_rows(rows)
    # The same when the model is read from its file.
    path = str(Path(__file__).resolve().parents[2] / "models" / "armv8.cat")
    for name, (text, want) in rows.items():
        out = heddle("litmus", "--model", path, write("text.litmus", text),
                     code=0).stdout
        assert f"Observation test {want} " in out, (name, out)


@test
def witnesses_speak_for_what_is_asked():
    code = ("AArch64", "0:X1=x; 1:X1=x;")
    threads = ("MOV W0,#1; STR W0,[X1]", "LDR W0,[X1]; LDR W2,[X1]")
    for question, witnesses, seen in [
            ("exists (1:X0=1)", "Positive: 1 Negative: 2", "Sometimes 1 2"),
            ("~exists (1:X0=1)", "Positive: 2 Negative: 1", "Sometimes 1 2"),
            ("forall (1:X0=1)", "Positive: 1 Negative: 2", "Sometimes 1 2")]:
        out = heddle("litmus", write("w.litmus", asm(*code, question, *threads)),
                     code=0).stdout
        assert f"\n{witnesses}\n" in out, out
        assert f"Observation test {seen}\n" in out, out


@test
def arrays_are_printed_as_arrays():
    init = "int v[2]={3,4}; 0:X1=v; 0:X2=y;"
    code = "MOV W0,#2; STR W0,[X1]; STR W0,[X2]"

    def said(question):
        return states(asm("AArch64", init, question, code))
    assert said("exists (v[0]=2)") == ["v[0]=2;"]
    assert said("locations [v; y;] exists (0:X0=2)") == [
        "0:X0=2; v={2,4}; [y]=2;"]
    assert said("exists (v={2,4})") == ["v={2,4};"]
    check_rows({
        "whole": (asm("AArch64", init, "exists (v={2,4} /\\ y=2)", code),
                  "Always"),
        "other": (asm("AArch64", init, "exists (v={4,2})", code), "Never"),
        "not": (asm("AArch64", init, "exists (v!={2,3})", code), "Always"),
        # of what is no array, one of the values
        "one-of": (asm("AArch64", init, "exists (y={4,2})", code), "Always"),
    })
    path = write("whole.litmus", asm("AArch64", init, "exists (v={2,4})", code))
    assert "Condition exists (v={2,4})\n" in heddle("litmus", path,
                                                    code=0).stdout
    answer = json.loads(heddle("litmus", "--json", path, code=0).stdout)
    assert answer["states"] == [{"v": [2, 4]}], answer
    path = write("element.litmus", asm("AArch64", init,
                                       "locations [v;] exists (v[0]=2)", code))
    assert "Condition exists (v[0]=2)\n" in heddle("litmus", path,
                                                   code=0).stdout
    for values in "{2}", "{2,4,5}":
        refused(asm("AArch64", init, f"exists (v={values})", "NOP"), 5,
                "2 values expected, one for each element")


@test
def a_successful_store_conditional_is_depended_on():
    """RISC-V's manual names its result as something that dependencies begin
    with; the other architectures do not."""
    init = "0:x6=x; 0:x7=y; 1:x6=x; 1:x7=y;"
    pair = "li x5,1; lr.w x8,(x6); sc.w x9,x5,(x6)"
    mp = "exists (x=1 /\\ 1:x11=1 /\\ 1:x12=0)"
    reader = "lw x11,0(x7); fence rw,rw; lw x12,0(x6)"
    sb = "exists (x=1 /\\ 0:x11=0 /\\ 1:x11=0)"
    writer = "li x5,1; sw x5,0(x7); fence rw,rw; lw x11,0(x6)"
    rows = {
        "data": (asm("RISCV", init, mp, pair + "; xor x10,x9,x9; ori x10,x10,1;"
                     " sw x10,0(x7)", reader), "Never"),
        "addr": (asm("RISCV", init, sb, pair + "; xor x10,x9,x9; "
                     "add x7,x7,x10; lw x11,0(x7)", writer), "Never"),
        "ctrl": (asm("RISCV", init, mp, pair + "; bnez x9,L; sw x5,0(x7); L:",
                     reader), "Never"),
        "ctrl-load": (asm("RISCV", init, sb, pair + "; bnez x9,L; "
                          "lw x11,0(x7); L:", writer), "Sometimes"),
        "none": (asm("RISCV", init, mp, pair + "; sw x5,0(x7)", reader),
                 "Sometimes"),
        "aarch64": (asm("AArch64", "0:X6=x; 0:X7=y; 1:X6=x; 1:X7=y;",
                        "exists (x=1 /\\ 1:X1=1 /\\ 1:X2=0)",
                        "MOV W5,#1; LDXR W8,[X6]; STXR W9,W5,[X6]; "
                        "EOR W10,W9,W9; ORR W10,W10,W5; STR W10,[X7]",
                        "LDR W1,[X7]; DMB SY; LDR W2,[X6]"), "Sometimes"),
    }
    check_rows(rows)
    said = heddle("litmus", "--why", write("why.litmus", rows["addr"][0]),
                  code=0).stdout
    assert "riscv forbids it" in said and "addr" in said, said


@test
def instructions_that_move_bits():
    ppc = {
        "lis r0,2": 0x20000, "lis r0,-1": -0x10000,
        "lis r1,-1; clrldi r0,r1,32": 0xffff0000,
        "li r1,-1; clrldi r0,r1,60": 15,
        "lis r1,16384; add r1,r1,r1; extsw r0,r1": -0x80000000,
        "li r1,6; rlwinm r0,r1,4,0,31": 96,
        "li r1,255; rlwinm r0,r1,0,28,29": 12,
        "li r1,3; rlwinm r0,r1,31,0,31": 0x80000001,
        "li r1,-1; rlwinm r0,r1,0,30,1": 0xc0000003,
        "li r1,-1; rlwinm r0,r1,0,31,31": 1,
        "lis r1,16384; add r1,r1,r1; stw r1,0(r2); lwa r0,0(r2)": -0x80000000,
    }
    riscv = {
        "lui x5,1": 4096, "lui x5,0x80000": -0x80000000,
        "li x6,0x180000000; sext.w x5,x6": -0x80000000,
        "li x6,0x100000005; sext.w x5,x6": 5,
    }
    rows = {f"ppc{i}": (asm("PPC", "0:r2=x; int64_t 0:r0;",
                            f"exists (0:r0={value})", code), "Always")
            for i, (code, value) in enumerate(ppc.items())}
    rows |= {f"riscv{i}": (asm("RISCV", "int64_t 0:x5;",
                               f"exists (0:x5={value})", code), "Always")
             for i, (code, value) in enumerate(riscv.items())}
    # Memory comes first or last, as AT&T and herd have it.
    for name, operands in [("last", "%ebx,(x)"), ("first", "(x),%ebx")]:
        rows[name] = (asm("X86_64", "x=3;", "exists (x=5 /\\ 0:rax=3)",
                          f"movl $3,%eax; movl $5,%ebx; lock cmpxchgl {operands}"),
                      "Always")
    check_rows(rows)


@test
def instructions_that_compute():
    """By what the manuals say, of numbers for which it makes a difference."""
    rows = {
        ("AArch64", "uint64_t 0:X{0}; 0:X1=0x80000005; 0:X2=3; 0:X3=1;", "X0"): [
            ("LSLV W0,W2,W3", 6), ("LSRV W0,W1,W3", 0x40000002),
            ("ASRV W0,W1,W3", 0xc0000002), ("RORV W0,W2,W3", 0x80000001),
            ("EXTR W0,W2,W1,#4", 0x38000000), ("EXTR W0,W2,W1,#0", 0x80000005),
            ("MNEG W0,W2,W3", 0xfffffffd), ("UMULL X0,W1,W2", 0x18000000f),
            ("SMULL X0,W1,W2", -0x7ffffffb * 3),
            ("SMADDL X0,W2,W2,X1", 0x8000000e),
            ("UMSUBL X0,W2,W2,X1", 0x7ffffffc),
            ("CMP W2,W3; ADC W0,W2,W3", 5), ("CMP W3,W2; ADC W0,W2,W3", 4),
            ("CMP W3,W2; SBC W0,W2,W3", 1), ("CMP W2,W3; NGC W0,W3",
                                             0xffffffff),
            ("NEGS W0,W3; CSET W0,LO", 1), ("CLZ W0,W2", 30), ("CTZ X0,X1", 0),
            ("CNT X0,X1", 3), ("ABS W0,W1", 0x7ffffffb),
            ("SMAX W0,W1,W2", 3), ("UMAX W0,W1,W2", 0x80000005),
            ("UMIN W0,W1,#7", 7), ("SMIN X0,X1,X2", 3),
            ("UBFIZ W0,W1,#4,#3", 0x50), ("SBFIZ W0,W1,#4,#3", 0xffffffd0),
            ("MOV W0,#255; BFI W0,W3,#4,#3", 0x9f),
            ("MOV W0,#255; BFXIL W0,W1,#1,#3", 0xfa),
            ("MOV W0,#255; BFM W0,W3,#28,#2", 0x9f),
            ("MOV W0,#255; BFM W0,W1,#1,#3", 0xfa),
            ("LDTR W0,[X4]; HINT #0", 7), ("STTRB W3,[X4]; LDTRSB W0,[X4]", 1)],
        ("PPC", "int64_t 0:r{0}; 0:r1=0x80000005; 0:r2=3; 0:r3=1;", "r0"): [
            ("oris r0,r2,1", 0x10003), ("xoris r0,r2,1", 0x10003),
            ("mulli r0,r2,5", 15), ("nor r0,r2,r3", -4), ("nand r0,r2,r3", -2),
            ("andc r0,r2,r3", 2), ("orc r0,r3,r2", -3), ("eqv r0,r2,r3", -3),
            ("not r0,r2", -4), ("neg r0,r2", -3), ("extsb r0,r1", 5),
            ("extsh r0,r1", 5), ("slw r0,r1,r3", 10), ("slwi r0,r1,31",
                                                        0x80000000),
            ("li r0,40; slw r0,r1,r0", 0), ("srw r0,r1,r3", 0x40000002),
            ("srawi r0,r1,1", -0x3ffffffe), ("li r0,40; sraw r0,r1,r0", -1),
            ("sldi r0,r1,4", 0x800000050), ("srdi r0,r1,4", 0x8000000),
            ("clrlwi r0,r1,16", 5),
            ("li r0,1; cmpld r1,r2; bng L; li r0,2; L: nop", 2),
            ("li r0,1; cmpw r3,r2; bnl- L; li r0,2; L: nop", 2),
            ("stb r2,0(r4); lbz r0,0(r4)", 3),
            ("li r5,-1; sthx r5,r6,r4; lha r0,0(r4)", -1),
            ("li r5,-1; sth r5,0(r4); lhzx r0,r6,r4", 0xffff)],
        ("ARM", "int 0:R{0}; 0:R1=0x80000005; 0:R2=3; 0:R3=1;", "R0"): [
            ("RSB R0,R2,#1", -2), ("BIC R0,R2,R3", 2), ("MVN R0,R2", -4),
            ("XOR R0,R2,R3", 2), ("LSL R0,R2,#31", -0x80000000),
            ("LSR R0,R1,R3", 0x40000002), ("ASR R0,R1,#1", -0x3ffffffe),
            ("LSR R0,R1,#33", 0), ("ADD R0,R2,R3,LSL #2", 7),
            ("MOV R0,R2,LSL #1", 6), ("MUL R0,R2,R2", 9),
            ("MOV R0,#1; TST R2,#4; BEQ L; MOV R0,#2; L: NOP", 1),
            ("MOV R0,#1; TEQ R2,R3; BEQ L; MOV R0,#2; L: NOP", 2),
            ("MOV R0,#1; CMN R3,#-1; BEQ L; MOV R0,#2; L: NOP", 1),
            ("STRB R2,[R4]; LDRB R0,[R4]", 3),
            ("STRH R1,[R4]; LDRH R0,[R4]", 5)],
        ("RISCV", "int64_t 0:x{0}; 0:x1=0x80000005; 0:x2=3; 0:x3=1;", "x5"): [
            ("not x5,x2", -4), ("neg x5,x2", -3), ("negw x5,x1", 0x7ffffffb),
            ("sext.b x5,x1", 5), ("sext.h x5,x1", 5), ("zext.w x5,x1",
                                                       0x80000005),
            ("zext.h x5,x1", 5), ("seqz x5,x2", 0), ("snez x5,x2", 1),
            ("sltz x5,x2", 0), ("sgtz x5,x2", 1), ("andn x5,x2,x3", 2),
            ("orn x5,x3,x2", -3), ("xnor x5,x2,x3", -3), ("min x5,x2,x3", 1),
            ("neg x6,x2; maxu x5,x6,x3", -3), ("neg x6,x2; max x5,x6,x3", 1),
            ("li x5,1; bgtu x1,x2,L; li x5,2; L: nop", 1),
            ("li x5,1; bleu x1,x2,L; li x5,2; L: nop", 2)],
        ("X86_64", "int64_t 0:rax; 0:rbx=0x80000005; 0:rcx=3; x=7;", "rax"): [
            ("leaq 4(%rbx,%rcx,2),%rax", 0x8000000f),
            ("leal 4(%rbx,%rcx),%eax", 0x8000000c),
            ("movzx %bl,%eax", 5), ("notq %rcx; movsx %cl,%eax", 0xfffffffc),
            ("lock notl (x); movl (x),%eax", 0xfffffff8),
            ("movl $1,%eax; cmpl $2,%ecx; jgt L; movl $2,%eax; L: pause", 1),
            ("movl $1,%eax; cmpl $2,%ecx; jlt L; movl $2,%eax; L: nop", 2)],
    }
    tests = {}
    for (arch, init, to), cases in rows.items():
        where = {"AArch64": "0:X4=x; x=7;", "PPC": "0:r4=x;",
                 "ARM": "0:R4=x;"}.get(arch, "")
        for n, (code, value) in enumerate(cases):
            question = f"forall (0:{to}={value})"
            tests[f"{arch}-{n}"] = (
                asm(arch, init.replace("{0}", to[1:]) + where, question, code),
                "Always")
    check_rows(tests)


@test
def what_is_added_to_an_address_counts_elements():
    """Also in parentheses, behind a cast and on the left."""
    init = "int x[6]={1,2,3,4,5,6}; int *p;"
    question = "exists (0:r0={} /\\ p={})"

    def reads(address, value, stored, element):
        body = (f"int r0 = READ_ONCE(*({address})); "
                f"WRITE_ONCE(*p, {stored});")
        return ("C test\n{ " + init + " }\nP0 (int *x, int **p) { " + body +
                " }\n" + question.format(value, element) + "\n", "Always")
    check_rows({
        "left": reads("(x + 1) + 2", 4, "x", "x"),
        "right": reads("2 + (x + 1)", 4, "x", "x"),
        "twice": reads("((x + 1) + 1) - 1", 2, "(x + 4) - 2", "x[2]"),
        "cast": reads("(int *)x + 1", 2, "&x[1] + 2", "x[3]"),
        "numbers": reads("x + (2 + 1)", 4, "x + (x == x)", "x[1]"),
    })
    text = reads("x", 1, "(x + 1) - (x + 0)", "x[0]")[0]
    refused(text, 3, "differences of addresses are not supported")


@test
def registers_that_no_operand_names_have_first_contents():
    check_rows({
        "cmpxchg": (asm("X86_64", "x=1; 0:rax=1; 0:rbx=7;", "exists (x=7)",
                        "lock cmpxchgl (x),%ebx"), "Always"),
        "strd": (asm("ARM", "int x[2]={1,2}; 0:R1=x; 0:R2=3; 0:R3=4;",
                     "exists (x={3,4})", "STRD R2,[R1]"), "Always")})


@test
def conditional_instructions_of_arm():
    code = ("MOV R0,#3; CMP R0,#3; ADDEQ R2,R0,#4; ADDNE R3,R0,#4; "
            "SUBGE R4,R0,#1; MOVLT R5,#9; LDREQ R6,[R8,#4]; LDREQ R7,[R8],#4; "
            "STRNE R0,[R1]; MVNEQ R9,R0; LSLAL R10,R0,#1; STRHIB R0,[R1]")
    init = "0:R1=x; 0:R8=v; x=5; int v[2]={3,4};"
    text = asm("ARM", init, "exists (0:R2=7 /\\ 0:R3=0 /\\ 0:R4=2 /\\ 0:R5=0 "
               "/\\ 0:R6=4 /\\ 0:R7=3 /\\ 0:R9=-4 /\\ 0:R10=6 /\\ x=5)", code)
    refused(text, 15, "unsupported instruction 'strhib'")
    out = heddle("litmus", write("conditional.litmus", text.replace(
        "STRHIB", "STRBHI")), code=0).stdout
    assert "Always 1 0" in out, out
    refused(asm("ARM", "0:R1=x;", "exists (x=0)", "LDMEQ R1,{R2,R3}"), 4,
            "unsupported instruction")
    flags = ("MOV R0,#3; CMP R0,#3; CMPEQ R0,#4; MOVEQ R2,#1; CMPEQ R0,#3;"
             "MOVNE R3,#1; ADDSNE R4,R0,#-3; MOVEQ R5,#1; TSTMI R0,R0;"
             "MOVEQ R6,#1; TEQEQ R0,#3; MOVEQ R7,#1; SUBSLT R0,R0,#3")
    lock = ("LDREX R5,[R8]; TEQ R5,#0; STREXEQ R6,R9,[R8]; TEQEQ R6,#0; BNE END;"
            "LDR R5,[R1]; ADD R5,R5,#1; STR R5,[R1]; MOV R7,#1; END:")
    init = "{0}:R1=x; {0}:R8=l; {0}:R9=1;"
    both = f"{init.format(0)} {init.format(1)}"
    check_rows({
        "flags": (asm("ARM", "", "exists (0:R2=0 /\\ 0:R3=1 /\\ 0:R4=0 /\\ "
                      "0:R5=1 /\\ 0:R6=1 /\\ 0:R7=1 /\\ 0:R0=3)", flags),
                  "Always"),
        # A lock that nobody gives back.
        "both": (asm("ARM", both, "exists (0:R7=1 /\\ 1:R7=1)", lock, lock),
                 "Never"),
        "one": (asm("ARM", both, "exists (0:R7=0 /\\ 1:R7=1 /\\ x=1)", lock,
                    lock), "Sometimes"),
        # The store is behind what its condition is about.
        "lb": (asm("ARM", both, "exists (0:R5=1 /\\ 1:R5=1)",
                   "LDR R5,[R1]; LDREX R6,[R8]; CMP R5,#1; STREXEQ R7,R9,[R8]",
                   "LDR R5,[R8]; DMB; STR R9,[R1]"), "Never")})


@test
def parts_of_words_are_where_the_architecture_has_them():
    for arch, init, code, value in (
            ("PPC", "0:r1=x;", "li r2,3; stb r2,1(r1); lwz r3,0(r1)", 0x30000),
            ("PPC", "0:r1=x;", "li r2,-2; sth r2,0(r1); lwz r3,0(r1)",
             -0x20000),
            ("PPC", "uint8_t x; 0:r1=x;", "li r2,3; stb r2,0(r1); lbz r3,0(r1)",
             3),
            ("PPC", "0:r1=x;", "li r2,3; stb r2,0(r1); lbz r3,0(r1)", 3),
            ("ARM", "0:R1=x;", "MOV R2,#3; STRB R2,[R1,#1]; LDR R3,[R1]",
             0x300)):
        register = code.split()[-1].split(",")[0]
        text = asm(arch, init, f"exists (x={value} /\\ 0:{register}={value})",
                   code)
        out = heddle("litmus", write("part.litmus", text), code=0).stdout
        assert "\nOk\n" in out, (code, out)
    refused(asm("PPC", "0:r1=x;", "exists (x=0)",
                "stb r2,0(r1); lhz r3,0(r1); ld r3,0(r1)"), 6,
            "'ld' beside bytes and halves is not supported")


@test
def a_test_whose_loop_has_no_bound_says_what_ends_it():
    code = "L: LDR W0,[X1]; ADD W2,W2,#1; STR W2,[X3]; CBZ W0,L"
    count = write("count.litmus", asm(
        "AArch64", "0:X1=x; 1:X1=x; 0:X3=y;", "exists (y=3)", "NOP; " + code,
        "MOV W0,#1; STR W0,[X1]"))
    out = heddle("litmus", "--max-events", "90", count, code=3).stdout
    assert "(the loop in line 5 has no bound: --unroll N ends it" in out, out
    out = heddle("litmus", "--unroll", "3", count, code=0).stdout
    assert "\nLoop Ok\n" in out and "Sometimes 1 " in out, out
    # A test without a loop says nothing of the kind.
    step = "atomic_inc(x); " * 4
    out = heddle("litmus", "--max-executions", "9", write("straight.litmus", c(
        "exists (x=16)", step, step, step)), code=3).stdout
    assert "not finished: " in out and "loop" not in out, out


@test
def barriers_have_the_operands_that_they_have():
    init = "0:r1=x; 0:r2=y; 1:r1=x; 1:r2=y;"
    sb = "li r3,1; stw r3,0(r{}); {}; lwz r4,0(r{})"
    check_rows({sync: (asm("PPC", init, "exists (0:r4=0 /\\ 1:r4=0)",
                           sb.format(1, sync, 2), sb.format(2, sync, 1)), want)
                for sync, want in [("sync 0", "Never"), ("sync 1", "Sometimes"),
                                   ("hwsync", "Never"), ("sync", "Never")]})
    for arch, code in [
            ("PPC", "sync 2"), ("PPC", "sync r1"), ("PPC", "lwsync 1"),
            ("PPC", "isync r1"), ("PPC", "eieio 0"), ("PPC", "nop r1"),
            ("AArch64", "DMB SY,SY"), ("AArch64", "ISB X1"),
            ("AArch64", "ISB LD"), ("AArch64", "NOP X1"), ("ARM", "DMB R1"),
            ("ARM", "DMB FOOST"), ("ARM", "ISB R1"), ("ARM", "ISB ISH"),
            ("ARM", "NOP R1"), ("RISCV", "fence.tso x1"), ("RISCV", "nop x1"),
            ("RISCV", "fence.i x1"), ("X86", "MFENCE [x]"),
            ("X86_64", "lfence $1"), ("X86_64", "sfence %eax")]:
        refused(asm(arch, "", "exists (x=0)", code), 4, code.split()[0].lower())
    for arch, code in [("AArch64", "ISB SY"), ("ARM", "ISB SY"),
                       ("ARM", "DMB NSHST"), ("ARM", "DSB ST"),
                       ("AArch64", "DSB"), ("RISCV", "fence")]:
        heddle("litmus", write("good.litmus", asm(arch, "", "exists (x=0)",
                                                  code)), code=0)


@test
def not_is_an_instruction_and_a_word_of_questions():
    for question in ("not exists (0:r0=1)", "~exists (0:r0=1)",
                     "forall (not (0:r0=1))"):
        out = heddle("litmus", write("not.litmus", asm(
            "PPC", "0:r1=-2;", question, "not r0,r1; not r0,r0")), code=0).stdout
        assert "\nOk\n" in out, out


@test
def one_long_test_does_not_stop_the_others():
    step = "atomic_inc(x); " * 4
    long = write("long.litmus", c("exists (x=16)", step, step, step, step))
    short = write("short.litmus", asm("AArch64", "", "exists (0:X0=1)",
                                      "MOV W0,#1"))
    out = heddle("litmus", "--summary", "--timeout", "0.2", long, short,
                 code=3).stdout
    assert "long.litmus: not finished: " in out, out
    assert "Ok    Always    test 1 0\n" in out, out
    assert out.endswith("2 tests: 1 Ok, 0 No, 0 Undef, 0 errors, "
                        "1 not finished\n"), out
    lines = heddle("litmus", "--json", "--timeout", "0.2", "--jobs", "2", long,
                   short, code=3).stdout.splitlines()
    assert json.loads(lines[0])["verdict"] == "incomplete", lines
    assert json.loads(lines[1])["verdict"] == "Ok", lines


@test
def loops_of_load_linked_say_what_is_left_out():
    loop = "L: ; LDXR W0,[X1]; ADD W0,W0,#1; STXR W2,W0,[X1]; CBNZ W2,L"
    once = "LDXR W0,[X1]; ADD W0,W0,#1; STXR W2,W0,[X1]"
    for code, words in ((loop, True), (once, False)):
        path = write("loop.litmus", asm("AArch64", "0:X1=x; 1:X1=x;",
                                        "exists (x=2)", code, code))
        text = heddle("litmus", path, code=0).stdout
        assert ("Loop without bound: " in text) == words, text
        answer = json.loads(heddle("litmus", "--json", path, code=0).stdout)
        assert answer.get("loop_without_bound", False) == words, answer
        line = heddle("litmus", "--summary", path, code=0).stdout
        assert ("loop without bound" in line) == words, line


@test
def accesses_in_an_expression_have_no_order():
    def sums(expression, *bodies, init=""):
        text = f"C sums\n{{ {init} }}\n"
        for i, body in enumerate((f"int r0 = {expression};", *bodies)):
            text += f"P{i}(int *x, int *y, int *z) {{ {body} }}\n"
        path = write("sums.litmus", text + "exists (0:r0=0)\n")
        answer = json.loads(heddle("litmus", "--json", path, code=0).stdout)
        return sorted(s["0:r0"] for s in answer["states"])
    one = "WRITE_ONCE(*x, 1);"
    assert sums("READ_ONCE(*x) + 2 * READ_ONCE(*x)", one) == [0, 1, 2, 3]
    # In one order only: what another thread writes in between.
    both = "WRITE_ONCE(*x, 1); smp_mb(); WRITE_ONCE(*y, 1);"
    assert sums("READ_ONCE(*x) + 2 * READ_ONCE(*y)", both) == [0, 1, 2, 3]
    assert sums("READ_ONCE(*x) - 5 + 1", one) == [-4, -3]
    # An update of its own; three operands; parentheses; a right operand that
    # is subtracted.
    assert sums("READ_ONCE(*x) + 10 * xchg(x, 2)", init="x=1;") == [11, 12]
    assert sums("READ_ONCE(*x) + 10 * xchg(x, 2) + 100 * xchg(x, 3)",
                init="x=1;") == sorted({
                    1 + 10 * 1 + 100 * 2,   # as it is written; the read first
                    1 + 10 * 3 + 100 * 1,   # the read, then the last
                    2 + 10 * 1 + 100 * 2,   # between them,
                    3 + 10 * 3 + 100 * 1,   # with these the other way round
                    3 + 10 * 1 + 100 * 2,   # after them,
                    2 + 10 * 3 + 100 * 1})  # and the other way round
    assert sums("9 - (xchg(x, 2) - READ_ONCE(*x))", init="x=1;") == [9, 10]
    assert sums("READ_ONCE(*x) > READ_ONCE(*x)", one) == [0, 1]
    many = " + ".join(["READ_ONCE(*x)"] * 4)
    nested = "READ_ONCE(*x)"
    for _ in range(20):
        nested = f"({nested} + READ_ONCE(*x))"
    for expression in (many, nested):
        text = (f"C many\n{{ }}\nP0(int *x) {{ int r0 = {expression}; }}\n"
                "exists (0:r0=0)\n")
        refused(text, 3, "too many accesses in one expression")


@test
def an_atomic_t_is_an_unsigned_word():
    text = ("C n\n{ atomic_t v = ATOMIC_INIT(0); int w = -1; }\n"
            "P0(atomic_t *v, int *w) { int r0 = atomic_sub_return(3, v); }\n"
            "locations [v; w; 0:r0]\nexists (v=-3)\n")
    assert states(text) == ["0:r0=-3; [v]=4294967293; [w]=-1;"], states(text)


tap.main()
