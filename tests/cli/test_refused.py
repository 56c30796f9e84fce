#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which axiom forbids an outcome: of model files, and of litmus tests
(heddle why, heddle litmus --why).

    tests/cli/test_refused.py build/heddle [WORD...]
"""
import json
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))
import tap
from heddle import WORK, heddle, says, write
from tap import test

MESSAGE = """\
#include <pthread.h>
#include <stdatomic.h>
atomic_int data, flag;
int r1, r2;
static void *writer(void *unused) {
  atomic_store_explicit(&data, 1, memory_order_relaxed);
  atomic_store_explicit(&flag, 1, memory_order_release);
  return unused;
}
static void *reader(void *unused) {
  r1 = atomic_load_explicit(&flag, memory_order_acquire);
  r2 = atomic_load_explicit(&data, memory_order_relaxed);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, writer, NULL);
  pthread_create(&b, NULL, reader, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
"""
STALE = "r1 == 1 && r2 == 0"


# The axiom and where the file has it.
LINE = next(n for n, line in enumerate(
    (ROOT / "models/riscv.cat").read_text().splitlines(), 1)
    if line.startswith("acyclic co | rfe | fr | ppo"))
MAIN = f"main: acyclic co | rfe | fr | ppo (riscv.cat:{LINE})"


def why(model):
    answer = json.loads(heddle("why", "--json", "--model", model, STALE,
                               write("message.c", MESSAGE), code=0).stdout)
    return answer["axiom"], [(s["relation"], s.get("part_of", ""))
                             for s in answer["cycle"]]


@test
def axioms_of_texts():
    axiom, cycle = why("riscv")
    assert axiom == MAIN, axiom
    assert cycle == [("po", "fence"), ("rfe", ""), ("po", "fence"),
                     ("fr", "")], cycle
    axiom, cycle = why("power")
    assert axiom.startswith("observation: irreflexive fre; prop; hb*"), axiom
    assert ("po", "lwsync") in cycle and ("ii", "ppo") in cycle, cycle
    axiom, cycle = why(str(ROOT / "models/rc11.cat"))
    assert axiom.startswith("coherence: irreflexive hb; eco?"), axiom
    assert cycle == [("po", "hb"), ("rf", "sw"), ("po", "hb"),
                     ("fr", "eco")], cycle


@test
def a_model_of_ones_own():
    path = write("my.cat", '"mine"\nlet kept = po & ((W * W) | (R * R))\n'
                           "acyclic po | rf as porf\n"
                           "acyclic kept | rf | fr | co as message\n")
    axiom, cycle = why(path)
    assert axiom.startswith("message: acyclic kept | rf | co | fr"), axiom
    assert axiom.endswith("my.cat:4)"), axiom
    assert cycle == [("po", "kept"), ("rf", ""), ("po", "kept"), ("fr", "")], \
        cycle


def litmus(name, *args, code=0):
    return heddle("litmus", *args, str(ROOT / f"examples/litmus/{name}.litmus"),
                  code=code).stdout


@test
def a_forbidden_outcome_of_a_litmus_test():
    text = litmus("MP+dmb.sy+addr", "--why")
    for part in ("Observation MP+dmb.sy+addr Never 0 3", "armv8 forbids it",
                 "P0 line 9 ", "po, part of bob: kept in order",
                 "addr, part of dob: address dependency",
                 "external: acyclic obs | lob | (pick; lob; [W]) (armv8.cat:",
                 "... and that is P0 line 9 again", "* is on the cycle"):
        assert part in text, (part, text)
    assert "T0" not in text and "main" not in text, text
    answer = json.loads(litmus("MP+dmb.sy+addr", "--why", "--json"))
    assert [s["relation"] for s in answer["cycle"]] == [
        "po", "po", "rf", "basic-addr", "fr"], answer
    assert [s["thread"] for s in answer["cycle"]] == [0, 0, 0, 1, 1], answer


@test
def witnesses_of_a_litmus_test():
    for option in (["--show"], ["--witness", "1"]):
        text = litmus("MP", *option)
        assert text.count("finished") == 2 and "read data = 0" in text, text
        assert "forbids" not in litmus("MP+dmb.sy+addr", *option)


@test
def an_allowed_outcome_of_a_litmus_test():
    text = litmus("MP", "--why")
    assert "read data = 0" in text and "forbids" not in text, text


RISCV = """\
RISCV MP+fence.rw.rw+po
{ 0:x5=1; 0:x6=x; 0:x8=y; 1:x6=y; 1:x8=x; }
 P0          | P1         ;
 sw x5,0(x6) | lw x5,0(x6);
 fence rw,rw | fence rw,rw;
 sw x5,0(x8) | lw x7,0(x8);
"""


@test
def all_quantifiers():
    for tail in ("exists (1:x5=1 /\\ 1:x7=0)", "~exists (1:x5=1 /\\ 1:x7=0)",
                 "forall (1:x5=0 \\/ 1:x7=1)"):
        text = heddle("litmus", "--why", write("q.litmus", RISCV + tail),
                      code=0).stdout
        assert MAIN in text, text
        assert text.count("po, part of fence: program order") == 4, text
        assert "fence (Fence.rw.rw)" in text, text


@test
def a_question_of_ones_own():
    path = str(ROOT / "examples/litmus/MP.litmus")
    text = heddle("why", "1:X0=1 && 1:X2=0", path, code=0).stdout
    assert "Observation MP Sometimes 1 3" in text, text
    text = heddle("why", "[flag]=0", path, code=0).stdout
    assert "Never" in text and "no axiom to blame" in text, text
    for condition, complaint in (("1:X0=", "a number expected"),
                                 ("1:X0=1 2", "expected"),
                                 ("flaq=1", "no location 'flaq'"),
                                 ("7:X0=1", "no thread P7")):
        result = heddle("why", condition, path, code=2)
        assert complaint in result.stdout + result.stderr, result


@test
def pictures_of_litmus_tests():
    dot = WORK / "all.dot"
    heddle("litmus", "--summary", "--dot", str(dot),
           str(ROOT / "examples/litmus"), code=0)
    text = dot.read_text()
    assert text.count("digraph") == 4 and "penwidth=3" in text, text
    assert 'label="P0"' in text and "main" not in text, text
    if shutil.which("dot"):
        subprocess.run(["dot", "-Tsvg", str(dot), "-o", str(WORK / "all.svg")],
                       check=True, capture_output=True)


@test
def a_picture_of_a_refused_execution():
    dot = WORK / "why.dot"
    heddle("why", STALE, write("message.c", MESSAGE), "--dot", str(dot), code=0)
    text = dot.read_text()
    assert text.count("penwidth=3") == 4 and "forbidden by rc11" in text, text
    heddle("why", STALE, write("message.c", MESSAGE), "--dot", str(dot),
           "--dot-relations", "rf", code=0)
    assert "penwidth=3" not in dot.read_text()


@test
def what_litmus_tests_do_not_have():
    path = str(ROOT / "examples/litmus/MP.litmus")
    for option in ("--sarif", "--junit"):
        says(heddle("check", option, str(WORK / "out"), path, code=2), option)
    for command in ("explore", "compare"):
        says(heddle(command, path, code=2), "heddle litmus")
    says(heddle("litmus", "--dot-relations", "xx", path, code=2), "xx")


@test
def pictures_that_cannot_be_written():
    path = str(ROOT / "examples/litmus/MP.litmus")
    for option in ("--html", "--dot"):
        for command in (["litmus", path],
                        ["why", STALE, write("message.c", MESSAGE)]):
            result = heddle(*command, option, "/nowhere/x", code=2)
            says(result, "/nowhere/x")
            assert result.stdout == "", result.stdout  # before anything is done


@test
def hostile_names_are_text():
    name = '<script>alert(1)</script>"&'
    path = write('<b>"h&.litmus', f"AArch64 {name}\n"
                 "{ 0:X1=x; 1:X1=x; }\n P0 | P1 ;\n MOV W0,#1 | LDR W0,[X1] ;\n"
                 " STR W0,[X1] | ;\nexists (1:X0=1)\n")
    page, dot = WORK / "hostile.html", WORK / "hostile.dot"
    heddle("litmus", "--html", str(page), "--dot", str(dot), path, code=0)
    assert "<script>alert" not in page.read_text()
    if shutil.which("dot"):
        subprocess.run(["dot", "-Tsvg", str(dot), "-o", str(WORK / "h.svg")],
                       check=True, capture_output=True)
    answer = json.loads(heddle("litmus", "--json", "--why", path,
                               code=0).stdout)
    assert answer["name"] == name, answer
    says(heddle("litmus", "--html", path, path, code=2), "overwrite")


@test
def progress_over_many_files():
    result = heddle("litmus", "--progress", "json", "--summary",
                    str(ROOT / "examples/litmus"), code=0)
    assert result.stderr == "", result.stderr  # it is over before


tap.main()
