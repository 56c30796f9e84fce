#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Litmus tests of MIPS: what its instructions compute and order, and what is
refused.

    tests/cli/test_litmus_mips.py build/heddle [WORD]
"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap
from heddle import check_source, heddle, says, write
from litmus_rows import asm, check_rows
from tap import test

ALONE = "0:$4=x; 0:$5=y;"
AT = ALONE + " 1:$4=x; 1:$5=y;"
SEEN = "exists (1:$2=1 /\\ 1:$3=0)"


def computed(code, result, init=""):
    return (asm("MIPS", f"int64_t 0:$2; {init}", f"exists (0:$2={result})",
                code), "Always")


def store(base, value=1):
    return f"li $7,{value}; sw $7,0({base})"


@test
def instructions_compute():
    check_rows({
        "names": computed("li v0,3; addu $t0,$v0,v0; move $2,$8", 6),
        "zero": computed("li $2,3; li $0,7; addu $2,$2,$zero", 3),
        "sums": computed("li $2,5; daddiu $2,$2,65535; subiu $2,$2,-3", 7),
        "bits": computed("li $2,12; ori $2,$2,3; andi $2,$2,10;"
                         "xori $2,$2,1", 11),
        "bits-of-16": computed("li $3,0; ori $2,$3,-1", 65535),
        "nor": computed("li $2,5; nor $2,$2,$0", -6),
        "lui": computed("lui $2,32768", -2147483648),
        "words": computed("li $3,1; sll $2,$3,31; sra $2,$2,30", -2),
        "word-unsigned": computed("li $3,-1; srl $2,$3,28", 15),
        "doubleword": computed("li $3,1; dsll $2,$3,40; dsrl $2,$2,38", 4),
        "by-register": computed("li $3,33; li $2,1; sllv $2,$2,$3", 2),
        "field": computed("li $3,54321; dext $2,$3,4,8", 0x43),
        "less": computed("li $3,-1; slti $2,$3,0; sltiu $3,$3,4;"
                         "addu $2,$2,$3", 1),
        "less-unsigned": computed("li $3,4; sltiu $2,$3,-1", 1),
        "taken": computed("li $2,1; li $3,1; beq $2,$3,L; li $2,9;"
                          "L: addiu $2,$2,1", 2),
        "not-taken": computed("li $2,1; bne $2,$2,L; li $2,9; L:", 9),
        "below-zero": computed("li $2,-4; bltz $2,L; li $2,9; L:", -4),
        "above-zero": computed("li $2,-4; bgtz $2,L; li $2,9; L:", 9),
        "zero-or-less": computed("blez $2,L; li $2,9; L:", 0),
        "zero-or-more": computed("li $2,-1; bgez $2,L; li $2,9; L:", 9),
        "jump": computed("b L; li $2,9; L: addiu $2,$2,3", 3),
        "return": computed("li $2,3; jr $31; li $2,4", 3),
        "memory": computed("li $3,-3; sw $3,0($4); lw $2,0($4)", -3,
                           "0:$4=x;"),
        "unsigned": computed("lwu $2,($4)", 0xffffffff, "int x=-1; 0:$4=x;"),
        "elements": computed("ld $2,8($4); ld $3,($4); subu $2,$2,$3", 3,
                             "int64_t a[2]={4,7}; 0:$4=a;"),
        "pointer": computed("ld $3,0($4); lw $2,0($3)", 7,
                            "int64_t x=y; y=7; 0:$4=x;"),
        "symbolic": computed("lw $2,0(%x0)", 5, "%x0=x; x=5;"),
    })


@test
def orders_are_those_of_pso():
    fenced = {kind: asm("MIPS", ALONE if len(threads) == 1 else AT, question,
                        *threads) for kind, question, threads in (
        ("MP+sync+po", SEEN, (f"{store('$4')}; sync; {store('$5')}",
                              "lw $2,0($5); lw $3,0($4)")),
        ("LB", "exists (0:$2=1 /\\ 1:$2=1)",
         (f"lw $2,0($4); {store('$5')}", f"lw $2,0($5); {store('$4')}")),
        ("SB+syncs", "exists (0:$2=0 /\\ 1:$2=0)",
         (f"{store('$4')}; sync; lw $2,0($5)",
          f"{store('$5')}; sync; lw $2,0($4)")),
        ("CoWW", "exists (x=1)",
         (f"{store('$4')}; {store('$4', 2)}",)),
        ("CoRR", "exists (1:$2=1 /\\ 1:$3=0)",
         (store("$4"), "lw $2,0($4); lw $3,0($4)")))}
    free = {kind: asm("MIPS", AT, question, *threads) for
            kind, question, threads in (
        ("MP", SEEN, (f"{store('$4')}; {store('$5')}",
                      "lw $2,0($5); lw $3,0($4)")),
        ("SB", "exists (0:$2=0 /\\ 1:$2=0)",
         (f"{store('$4')}; lw $2,0($5)", f"{store('$5')}; lw $2,0($4)")),
        # Its own thread sees a store early.
        ("SB+rfis", "exists (0:$2=1 /\\ 0:$3=0 /\\ 1:$2=1 /\\ 1:$3=0)",
         (f"{store('$4')}; lw $2,0($4); lw $3,0($5)",
          f"{store('$5')}; lw $2,0($5); lw $3,0($4)")),
        ("2+2W", "exists (x=2 /\\ y=2)",
         (f"{store('$4', 2)}; {store('$5')}",
          f"{store('$5', 2)}; {store('$4')}")))}
    check_rows({name: (text, "Never") for name, text in fenced.items()} |
               {name: (text, "Sometimes") for name, text in free.items()})


@test
def a_conditional_store_is_an_update():
    add = "ll $2,0($4); addiu $3,$2,1; sc $3,0($4)"
    check_rows({
        # Both succeeded: neither lost the other's store.
        "lost": (asm("MIPS", AT, "exists (0:$3=1 /\\ 1:$3=1 /\\ x=1)", add,
                     add), "Never"),
        "both": (asm("MIPS", AT, "exists (0:$3=1 /\\ 1:$3=1 /\\ x=2)", add,
                     add), "Sometimes"),
        "failed": (asm("MIPS", ALONE, "exists (0:$3=0)", add), "Sometimes"),
        "alone": (asm("MIPS", ALONE, "exists (0:$3=1)",
                      "li $3,1; sc $3,0($4)"), "Never"),
        # It is no barrier, as on PSO's machine it would be.
        "SB": (asm("MIPS", AT,
                   "exists (0:$3=1 /\\ 1:$3=1 /\\ 0:$8=0 /\\ 1:$8=0)",
                   f"{add}; lw $8,0($5)",
                   f"{add.replace('$4', '$5')}; lw $8,0($4)"), "Sometimes"),
    })


@test
def what_is_not_supported_is_refused():
    for code, words in (
            ("lwl $2,0($4)", "unsupported instruction 'lwl' of MIPS"),
            ("addu $2,$3,4", "'addu' takes other operands"),
            ("addiu $2,$3,$4", "'addiu' takes other operands"),
            ("jr $4", "addresses of code are not supported"),
            ("dext $2,$3,60,8", "bits that a register does not have"),
            ("lw $2,0($32)", "'$32' is not a register of MIPS")):
        out = heddle("litmus", write("no.litmus", asm(
            "MIPS", "", "exists (x=1)", code)), code=2).stdout
        assert "no.litmus:4: " in out and words in out, out


@test
def the_model_is_for_litmus_tests():
    says(check_source("int main(void) { return 0; }", "--model", "mips",
                      code=2), "the model 'mips' is for litmus tests")
    text = asm("MIPS", AT, "exists (0:$2=1 /\\ 1:$2=1)",
               f"lw $2,0($4); {store('$5')}", f"lw $2,0($5); {store('$4')}")
    out = heddle("litmus", "--why", write("why.litmus", text), code=0).stdout
    assert "mips forbids it" in out and "acyclic ppo" in out, out


tap.main()
