#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""heddle why: conditions on final values, and what refuses them.

    tests/cli/test_why.py build/heddle [WORD...]
"""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap
from heddle import WORK, heddle, says, write
from tap import test


def program(threads, variables="atomic_int x, y, z;\nint r1, r2, r3, r4;"):
    """A C program with these threads; rlx(v), set(v, n) and so on are short
    for accesses of an order."""
    text = "#include <pthread.h>\n#include <stdatomic.h>\n"
    for name, order in (("rlx", "relaxed"), ("acq", "acquire"),
                        ("sc", "seq_cst")):
        text += (f"#define get_{name}(v) "
                 f"atomic_load_explicit(&v, memory_order_{order})\n")
    for name, order in (("rlx", "relaxed"), ("rel", "release"),
                        ("sc", "seq_cst")):
        text += (f"#define set_{name}(v, n) "
                 f"atomic_store_explicit(&v, n, memory_order_{order})\n")
    text += variables + "\n"
    for i, body in enumerate(threads):
        text += f"static void *t{i}(void *arg) {{ {body} return arg; }}\n"
    text += f"int main(void) {{\n  pthread_t id[{len(threads)}];\n"
    for i in range(len(threads)):
        text += f"  pthread_create(&id[{i}], NULL, t{i}, NULL);\n"
    for i in range(len(threads)):
        text += f"  pthread_join(id[{i}], NULL);\n"
    return write("why.c", text + "}\n")


def why(condition, path, *args, code=0):
    return json.loads(heddle("why", "--json", *args, condition, path,
                             code=code).stdout)


def relations(answer):
    return [step["relation"] for step in answer["cycle"]]


def parts(answer):
    return [s.get("part_of", "") for s in answer["cycle"]]


SB = ["set_rlx(x, 1); r1 = get_rlx(y);", "set_rlx(y, 1); r2 = get_rlx(x);"]
SB_SC = [t.replace("rlx", "sc") for t in SB]
MP = ["set_rlx(x, 1); set_rel(y, 1);", "r1 = get_acq(y); r2 = get_rlx(x);"]
LB = ["r1 = get_rlx(x); set_rlx(y, 1);", "r2 = get_rlx(y); set_rlx(x, 1);"]
BOTH_MISS = "r1 == 0 && r2 == 0"


@test
def a_no_says_that_executions_with_errors_do_not_count():
    path = write("wrong.c", """#include <assert.h>
int x;
int main(void) { x = 1; assert(x == 2); }
""")
    said = heddle("why", "x == 1", path).stdout
    assert "No: none of the 0 executions" in said, said
    assert "`heddle check` shows it" in said, said
    assert "No axiom forbids it" in said, said
    assert "Yes:" in heddle("why", "--disable", "assertion", "x == 1",
                            path).stdout
    assert "No coherent execution" in heddle("why", "x == 3", path).stdout
    assert why("x == 1", path)["errors"] == 1
    path = program(SB)
    assert "errors" not in why("r1 == 7", path)


@test
def constants_of_enumerations_have_names():
    path = write("phase.c", """#include <pthread.h>
#include <stdatomic.h>
static _Atomic enum phase { LOST = -1, IDLE, DONE = 5 } phase;
static int seen;
static void *run(void *arg) { phase = LOST; phase = DONE; return arg; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  seen = phase;
  pthread_join(t, 0);
}
""")
    for condition, is_there in (("phase == DONE && seen == LOST", True),
                                ("phase == DONE && seen == -1", True),
                                ("phase == LOST", False), ("seen == IDLE", True),
                                ("seen > DONE", False), ("seen < LOST", False)):
        answer = why(condition, path)["answer"]
        assert answer == ("yes" if is_there else "no"), condition
    says(heddle("why", "phase == GONE", path, code=2),
         "the condition names 'GONE'")


@test
def an_execution_when_there_is_one():
    for model in ("tso", "pso", "ra", "rc11", "imm", "armv8"):
        assert why(BOTH_MISS, program(SB), "--model", model)["answer"] == "yes"
    text = heddle("why", BOTH_MISS, program(SB), code=0).stdout
    assert text.startswith("Yes: under rc11 ") and "read y = 0" in text, text


@test
def sequential_consistency_refuses_store_buffering():
    answer = why(BOTH_MISS, program(SB), "--model", "sc")
    assert answer["answer"] == "no"
    assert answer["axiom"].startswith("sequential consistency"), answer
    assert relations(answer) == ["po", "fr", "po", "fr"], answer


@test
def psc_refuses_store_buffering_of_seq_cst():
    for model in ("rc11", "imm"):
        answer = why(BOTH_MISS, program(SB_SC), "--model", model)
        assert "psc" in answer["axiom"], (model, answer)
        assert relations(answer) == ["po", "fr", "po", "fr"], (model, answer)
    answer = why(BOTH_MISS, program(SB_SC), "--model", "armv8")
    assert relations(answer) == ["po", "fr", "po", "fr"], answer
    assert parts(answer) == ["bob", "obs", "bob", "obs"], answer
    # A weaker model allows it.
    assert why(BOTH_MISS, program(SB_SC), "--model", "ra")["answer"] == "yes"


@test
def coherence_refuses_a_stale_message():
    answer = why("r1 == 1 && r2 == 0", program(MP))
    assert answer["axiom"].startswith("coherence"), answer
    assert relations(answer) == ["po", "rf", "po", "fr"], answer
    assert answer["cycle"][1]["part_of"] == "sw", answer
    answer = why("r1 == 1 && r2 == 0", program(MP), "--model", "tso")
    assert relations(answer) == ["po", "rfe", "po", "fr"], answer
    # The orders in the explanation are those of the program.
    assert any("(rel)" in s["event"] for s in answer["cycle"]), answer


@test
def load_buffering():
    answer = why("r1 && r2", program(LB))
    assert "po and rf" in answer["axiom"], answer
    assert relations(answer) == ["po", "rf", "po", "rf"], answer
    for model in ("imm", "armv8"):
        assert why("r1 && r2", program(LB), "--model", model)["answer"] == "yes"
    # A value that comes from itself is nothing that the program can compute.
    data = [t.replace(", 1)", f", {r})") for t, r in zip(LB, ("r1", "r2"))]
    answer = why("r1 == 1 && r2 == 1", program(data), "--model", "armv8")
    assert answer["answer"] == "no" and "axiom" not in answer, answer


@test
def dependencies_keep_order():
    threads = [MP[0], "int a = get_rlx(y); r1 = a; r2 = atomic_load_explicit("
                      "&x + (a ^ a), memory_order_relaxed);"]
    answer = why("r1 == 1 && r2 == 0", program(threads), "--model", "armv8")
    assert relations(answer) == ["po", "rf", "basic-addr", "fr"], answer
    assert parts(answer) == ["bob", "obs", "dob", "obs"], answer
    assert why("r1 == 1 && r2 == 0", program(threads))["answer"] == "yes"


@test
def atomicity_of_updates():
    path = program(["r1 = atomic_exchange(&x, 1);",
                    "r2 = atomic_exchange(&x, 2);"])
    answer = why("r1 == 0 && r2 == 0", path)
    assert answer["answer"] == "no", answer


@test
def what_no_model_allows():
    text = heddle("why", "r1 == 7", program(SB), code=0).stdout
    assert "No: none of the 4 executions" in text, text
    assert "no axiom to blame" in text, text


@test
def conditions():
    path = program(["x = 3 + 0 * (int)never; r1 = -1; u = 255; a[1].b = 7;"
                    " w = -1;"],
                   "int x, r1;\nunsigned char u;\nunsigned long w;\n"
                   "struct { int c, b; } a[2];\nlong never = 5;")
    for condition, holds in (
            ("x == 3", True), ("x = 3", True), ("x != 3", False),
            ("x > 2 && x < 4", True), ("x >= 4 || x <= 3", True),
            ("!(x == 3)", False), ("~x", False), ("x", True),
            ("r1 == -1", True), ("r1 + x == 2", True), ("x - r1 == 4", True),
            ("u == 255", True), ("a[1].b == 7", True), ("a[0].b == 0", True),
            ("never == 5", True), ("x == 3 /\\ r1 == 0 \\/ u == 255", True),
            ("w == 0xffffffffffffffff", True), ("w == -1", True),
            ("w == 18446744073709551615", True), ("x == 0x3", True),
            ("(x==3)&&(r1==-1)", True), ("!" * 50 + "x == 1", True)):
        answer = why(condition, path)["answer"]
        assert (answer == "yes") == holds, (condition, answer)


@test
def conditions_are_read_as_c_reads_them():
    path = program(["u = ~0ul; v = ~0u; h.half[0] = 7; h.half[1] = 1;"
                    " f.a = 5; f.b = 9; f.c = -2; d = 1.5; small = 200;"],
                   "unsigned long u; unsigned v; double d;\n"
                   "union { unsigned long whole; unsigned half[2]; } h;\n"
                   "struct { unsigned a : 3, b : 5; int c : 4; } f;\n"
                   "unsigned char small;")
    for condition, holds in (
            ("u > 5", True), ("u < 0", False), ("u == -1", True),
            ("u + 1 == 0", True), ("u - 1 > 0", True), ("v == -1", True),
            ("v + 1 == 0", True), ("v > 5", True), ("v == 4294967295", True),
            ("v - 4294967296 < 0", True), ("small == 200", True),
            ("small - 201 < 0", True), ("h.whole == 4294967303", True),
            ("h.half[1] == 1", True), ("h.half[0] == 7", True),
            ("h.whole == 7", False), ("f.a == 5", True), ("f.a == 77", False),
            ("f.b == 9", True), ("f.c == -2", True), ("f.c < 0", True)):
        answer = why(condition, path)["answer"]
        assert (answer == "yes") == holds, (condition, answer)
    says(heddle("why", "d == 1", path, code=2), "'d'", "floating-point")
    says(heddle("why", "h.half[2] == 1", path, code=2), "'h.half[2]'")
    table = heddle("explore", path).stdout
    assert "f.{a, b, c}" in table and "{5, 9, -2}" in table, table


OBSERVED = [t.replace("r1 = ", "int r1 = ").replace("r2 = ", "int r2 = ")
            for t in SB]


def observed(threads, *names):
    return program([t + f" heddle_observe({n});"
                    for t, n in zip(threads, names)],
                   "#include <heddle.h>\natomic_int x, y;\nint r4;")


@test
def locals_that_are_observed():
    for condition in (BOTH_MISS, "T1:r1 == 0 && T2:r2 == 0"):
        path = observed(OBSERVED, "r1", "r2")
        assert why(condition, path, "--model", "tso")["answer"] == "yes"
        answer = why(condition, path, "--model", "sc")
        assert answer["answer"] == "no", answer
        assert relations(answer) == ["po", "fr", "po", "fr"], answer
    # The same name in two threads, a name that nobody observes, a wrong thread.
    same = observed([OBSERVED[0], OBSERVED[1].replace("r2", "r1")], "r1", "r1")
    says(heddle("why", "r1 == 0", same, code=2), "several threads observe 'r1'")
    assert why("T2:r1 == 0", same)["answer"] == "yes"
    says(heddle("why", "r3 == 0", same, code=2), "no thread observes")
    says(heddle("why", "T7:r1 == 0", same, code=2), "no thread observes")


@test
def what_is_observed_orders_nothing():
    lb = ["int r1 = get_rlx(x); heddle_observe(r1); set_rlx(y, 1);",
          "int r2 = get_rlx(y); heddle_observe(r2); set_rlx(x, 1);"]
    path = program(lb, "#include <heddle.h>\natomic_int x, y;")
    for model, answer in (("rc11", "no"), ("imm", "yes"), ("armv8", "yes"),
                          ("power", "yes")):
        assert why("r1 == 1 && r2 == 1", path, "--model",
                   model)["answer"] == answer, model


@test
def what_is_not_observed_fulfils_nothing():
    path = program(["if (get_rlx(x)) heddle_observe(1 + 1);", "set_rlx(x, 1);"],
                   "#include <heddle.h>\natomic_int x;")
    table = heddle("explore", "--json", path, code=0).stdout
    states = [o["state"]["T1:1 + 1"] for o in json.loads(table)["outcomes"]]
    assert sorted(states) == ["-", "2"], states
    path = program(["int r = get_rlx(x); if (r) heddle_observe(r);",
                    "set_rlx(x, 1);"], "#include <heddle.h>\natomic_int x;")
    assert why("r == 0", path)["answer"] == "no"
    assert why("r == 1", path)["answer"] == "yes"


@test
def the_last_observation_counts():
    path = program(["for (int i = 0; i < 3; i++) heddle_observe(i);",
                    "set_rlx(x, 1);"], "#include <heddle.h>\natomic_int x;")
    assert why("i == 2", path)["answer"] == "yes"
    assert why("i == 1", path)["answer"] == "no"


@test
def mistakes_in_conditions():
    path = program(SB)
    says(heddle("why", "r7 == 1", path, code=2), "r7", "did you mean")
    says(heddle("why", "r1 ==", path, code=2), "expected a variable")
    says(heddle("why", "(r1 == 1", path, code=2), "expected ')'")
    says(heddle("why", "r1 == 1 r2", path, code=2), "expected '&&'")
    says(heddle("why", "", path, code=2), "expected")
    says(heddle("why", "r1 == 99999999999999999999", path, code=2),
         "expected a number of 64 bits before '99999999999999999999'")
    for many in "(" * 100000, "!" * 100000, "-" * 100000:
        says(heddle("why", "0 == " + many + "r1", path, code=2),
             "nested less deeply")
    says(heddle("why", path, code=2), "a condition and a file")
    says(heddle("why", "--model", "nope", "r1 == 1", path, code=2), "nope")


@test
def limits():
    text = heddle("why", "--max-executions", "2", "--model", "sc", BOTH_MISS,
                  program(SB), code=3).stdout
    assert text.startswith("Unknown: "), text


@test
def the_words():
    text = heddle("why", "r1 == 1 && r2 == 0", program(MP), code=0).stdout
    for part in ("but rc11 forbids it", "po, part of hb: program order",
                 "rf, part of sw: reads from", "... and that is T1 line",
                 "* is on the cycle"):
        assert part in text, (part, text)


@test
def the_page():
    page = WORK / "why.html"
    heddle("why", "r1 == 1 && r2 == 0", program(MP), "--html", str(page), code=0)
    text = page.read_text()
    assert "It cannot happen" in text and "is forbidden by rc11" in text


tap.main()
