#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Options, files and answers that are seldom asked for, and what is said when
they are wrong.

    tests/cli/test_seldom.py build/heddle [WORD]
"""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap
from heddle import MP, WORK, check_json, check_source, heddle, says, write
from tap import test

LINKED = """\
AArch64 inc
{ 0:X1=x; 1:X1=x; }
P0 | P1 ;
LDXR W0,[X1] | LDXR W0,[X1] ;
ADD W0,W0,#1 | ADD W0,W0,#1 ;
STXR W2,W0,[X1] | STXR W2,W0,[X1] ;
exists (0:X2=0 /\\ 1:X2=0 /\\ x=1)
"""
FLAGS = """\
acyclic po | rf | co | fr as sc
flag ~empty [W]; co; [W] as overwritten
flag empty F as unfenced
"""
TWO_WRITES = """\
C two
{}
P0(atomic_int *x) { atomic_store(x, 1); }
P1(atomic_int *x) { atomic_store(x, 2); }
exists (x=1)
"""


@test
def store_conditionals_in_models_of_languages():
    path = write("linked.litmus", LINKED)
    for model in "c11", "jam21", "xmm", "lkmm", "sc":
        out = heddle("litmus", "--model", model, path, code=0).stdout
        assert "Observation inc Never 0 7\n" in out, (model, out)
    for model in "ra", "rc11", "imm":
        out = heddle("litmus", "--model", model, path, code=2).stdout
        assert f"model '{model}' has no load-linked" in out, out
        assert "without --model, a test gets the model of its" in out, out


@test
def flags_of_texts():
    model = write("flags.cat", FLAGS)
    report = check_json("""\
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
static void *t(void *u) { x = 1; return u; }
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, t, 0);
  pthread_join(a, 0);
  x = 2;
}
""", "--model", model, "--all-errors", code=1)
    assert [(e["kind"], e["message"], e["line"]) for e in report["errors"]] == [
        ("flag", "the model raises its flag 'overwritten'", 4),
        ("flag", "the model raises its flag 'unfenced'", 10)], report["errors"]
    path = write("two.litmus", TWO_WRITES)
    out = heddle("litmus", "--model", model, path, code=0).stdout
    assert "\nFlag overwritten\nFlag unfenced\n" in out, out
    out = heddle("litmus", "--json", "--model", model, path, code=0).stdout
    assert json.loads(out)["flags"] == ["overwritten", "unfenced"], out


@test
def expectations_by_name_and_by_file():
    write("linked.litmus", LINKED)
    path = write("a-name.litmus", TWO_WRITES)
    for line, code in [("two Allowed", 0), ("two,Forbidden", 1),
                       ("a-name.litmus Ok", 0), ("x/a-name.litmus No", 1),
                       ("two Sometimes", 0), ("two Never", 1),
                       ("Observation two Sometimes 1 1", 0)]:
        expect = write("expected", line + "\n")
        heddle("litmus", "--expect", expect, path, code=code)
    says(heddle("litmus", "--expect", write("expected", "nothing\n"), path,
                code=2), "expected", "no expectation in this file", "Never")
    says(heddle("litmus", "--expect", str(WORK / "nowhere"), path, code=2),
         "nowhere", "cannot read")


@test
def wrong_words():
    says(heddle("doc", "poem", code=2),
         "'heddle doc' prints one of man, options")
    says(heddle("help", "poem", code=2), "unknown command 'poem'", "--help")
    says(heddle("models", "--show", "xmm", code=2),
         "'xmm' has no definition in cat", "docs/manual/xmm.md")
    path = write("mp.c", MP)
    for rounds in "f:0", ":3", "x", "99999999999":
        says(heddle("check", "--unroll", rounds, path, code=2), "--unroll",
             rounds)
    says(heddle("check", "--unroll", "nobody:5", path, code=2), "--unroll",
         "never calls a function 'nobody'")


@test
def bounds_of_functions_come_first():
    text = """\
#include <stdatomic.h>
atomic_int x;
static void once(void) { for (int i = 0; i < 3; i++) x++; }
static void twice(void) { for (int i = 0; i < 3; i++) x++; }
int main(void) { once(); twice(); return 0; }
"""
    for first in "once:5", "twice:5":
        check_source(text, "--unroll", "2", "--unroll", first, code=3)
    check_source(text, "--unroll", "2", "--unroll", "once:5", "--unroll",
                 "twice:4", code=0)
    check_source(text, "--unroll", "twice:4", "--unroll", "once:5", "--unroll",
                 "1", code=0)
    # The same of a suite: what the line says comes on top.
    (WORK / "suite").mkdir()
    (WORK / "suite" / "loops.c").write_text(
        "// heddle: --unroll twice:4 expect ok\n" + text)
    heddle("test", "--unroll", "once:4", "--unroll", "1", str(WORK / "suite"),
           code=0)
    heddle("test", "--unroll", "1", str(WORK / "suite"), code=3)


ARM = ["madd %w0,%w1,%w1,%w1", "ldr %w0,[%1,#4]!", "ldr %w0,[%1,x2]", "add %w0,%w1", "mov %w0,w31",
       "cmp %w1,#2; csneg %w0,%w0,%w0,hi", "stxr %w0,%w1,[%1]", "ldxr %w0,[%1]",
       "ldr %w0,%w1", "b nowhere", "casal %w0,%w1", "swpq %w0,%w0,[%1]",
       "ldaddl %w0,[%1]", "stxr %w0,[%1]", "cmp %w0", "cbz %w0", "str %w0,[%1]x",
       "1: ldxr %w0,[%1]; cmp %w0,#1; b.lt 1b; stxr %w0,%w0,[%1]",
       "ldxr w2,[%1]; stxr %w0,%w1,[%1]",
       "1: ldxr w2,[%1]; stxr %w0,%w1,[%1]; cbz %w0,1b",
       # What a failed round leaves behind would be seen by the next one.
       "1: add w3,w3,#1; ldxr w2,[%1]; stxr %w0,w2,[%1]; cbnz %w0,1b",
       "1: ldxr w2,[%1]; add w3,w3,#1; stxr %w0,w2,[%1]; cbnz %w0,1b",
       "1: ldr w3,[%1,#4]; ldxr w2,[%1]; stxr %w0,w3,[%1]; cbnz %w0,1b",
       "1: str w3,[%1,#4]; ldxr w2,[%1]; stxr %w0,w2,[%1]; cbnz %w0,1b",
       "1: cbz w3,2f; ldxr w2,[%1]; stxr %w0,w2,[%1]; cbnz %w0,1b; 2:",
       "1: cset w3,eq; cmp w2,#1; ldxr w2,[%1]; stxr %w0,w3,[%1]; cbnz %w0,1b",
       "b 2f; 1: mov w3,#1; 2: ldxr w2,[%1]; stxr %w0,w3,[%1]; cbnz %w0,1b",
       "1: ldaxp x4,x5,[%1]; str x4,[%1]; cmp x4,x6; ccmp x5,x7,#0,eq; b.ne 2f;"
       " stlxp w8,x6,x7,[%1]; cbnz w8,1b; 2:",
       # The store is not of what the load was of.
       "1: ldxr w2,[%1]; stxr %w0,w2,[x3]; cbnz %w0,1b",
       "1: ldxr w2,[x3]; add x3,x3,#4; stxr %w0,w2,[x3]; cbnz %w0,1b",
       "1: ldxr x3,[x3]; stxr %w0,x4,[x3]; cbnz %w0,1b",
       # What is compared or stored is set on the way.
       "1: ldxr w2,[%1]; cmp w2,w3; b.ne 2f; stxr %w0,w2,[%1]; cbnz %w0,1b; 2:",
       "1: ldxr w2,[%1]; eor w4,w2,w3; cbnz w4,2f; stxr %w0,w4,[%1];"
       " cbnz %w0,1b; 2:",
       "1: ldxr w2,[%1]; stxr %w0,[%1]; cbnz %w0,1b"]
X86 = ["hlt", "movl (%1,%1,4), %0", "lea 4(%1), %0", "cmpxchg16b %1", "incl",
       "lock; cmpl $1, (%1)", "xchgl $1, %0", "jmp nowhere", "jo 1f; 1:",
       "cmpxchgl %0, (%1)", "movl %0, $1", "addl %0, %0; setp %b0",
       "{movl|mov} %0, %0", "sete %0, %0", "movw 4(%%rbp), %0"]


@test
def assembly_that_is_not_understood():
    for target, rows in ("aarch64-linux-gnu", ARM), ("x86_64-linux-gnu", X86):
        for code in rows:
            path = write("program.c", f"""\
int v[4];
int main(void) {{
  int r = 0;
  __asm__ volatile("{code}" : "+r"(r) : "r"(v) : "memory", "cc");
  return 0;
}}
""")
            result = heddle("check", path, "--", f"--target={target}")
            assert result.returncode == 2, (code, result.stdout, result.stderr)
            says(result, "program.c:4:", "inline assembly `", "not supported")


tap.main()
