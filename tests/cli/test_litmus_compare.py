#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""heddle litmus --compare, the same tests under two models, and
--show-relations.

    tests/cli/test_litmus_compare.py build/heddle [WORD]
"""
import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap
from heddle import WORK, heddle, says, write
from litmus_rows import asm
from tap import test

SB = asm("X86", "", "exists (0:EAX=0 /\\ 1:EAX=0)",
         "MOV [x],$1; MOV EAX,[y]", "MOV [y],$1; MOV EAX,[x]")
MP = asm("X86", "", "exists (1:EAX=1 /\\ 1:EBX=0)",
         "MOV [x],$1; MOV [y],$1", "MOV EAX,[y]; MOV EBX,[x]")
# The question tells nothing of what was read.
SB_UNSEEN = asm("X86", "", "exists (x=1)",
                "MOV [x],$1; MOV EAX,[y]", "MOV [y],$1; MOV EAX,[x]")
COHERENT = "acyclic (po & loc) | rf | co | fr\nempty rmw & (fre; coe)\n"
NO_WR = '"all but W to R"\n' + COHERENT + \
    "let kept = po \\ (W * R)\nacyclic kept | rf | co | fr as order\n"
NO_WW = '"all but W to W"\n' + COHERENT + \
    "let kept = po \\ (W * W)\nacyclic kept | rf | co | fr as order\n"


def folder(name, **tests):
    path = WORK / name
    path.mkdir(exist_ok=True)
    for test_name, text in tests.items():
        named = text.replace(" test\n", f" {test_name}\n", 1)
        (path / f"{test_name}.litmus").write_text(named)
    return str(path)


def compared(models, path, *options, code):
    out = heddle("litmus", "--compare", models, "--json", *options, path,
                 code=code).stdout
    return {a["name"]: a for a in map(json.loads, out.splitlines())}


@test
def the_verdict_differs_and_the_axiom_is_named():
    path = folder("two", SB=SB, MP=MP)
    found = compared("sc,tso", path, code=1)
    assert found["MP"]["differs"] == "same" and not found["MP"]["shown"]
    sb = found["SB"]
    assert sb["differs"] == "verdict", sb
    assert [m["observation"] for m in sb["models"]] == ["Never", "Sometimes"]
    assert [m["negative"] for m in sb["models"]] == [3, 3]
    both = {"0:EAX": 0, "1:EAX": 0}
    assert sb["only"] == [[], [both]], sb["only"]
    shown, = sb["shown"]
    assert (shown["allowed_by"], shown["refused_by"]) == ("tso", "sc")
    assert shown["state"] == both
    assert "acyclic po | rf | co | fr" in shown["axiom"]
    assert [s["relation"] for s in shown["cycle"]] == ["po", "fr", "po", "fr"]


@test
def text_and_table_say_the_same():
    path = folder("two", SB=SB, MP=MP)
    text = heddle("litmus", "--compare", "tso,sc", path, code=1).stdout
    for line in ("Test SB: another verdict", "  tso: Sometimes 1 3",
                 "  sc: Never 0 3", "  only tso: 0:EAX=0; 1:EAX=0;",
                 "tso allows this execution, sc forbids it.",
                 "2 tests: 1 the same, 1 differ (verdict 1, states 0, flags 0, "
                 "executions 0), 0 errors",
                 "tso has states of its own in 1 test",
                 "sc has states of its own in 0 tests"):
        assert line in text.splitlines(), (line, text)
    assert "Test MP" not in text
    lines = heddle("litmus", "--compare", "tso,sc", "--summary", path,
                   code=1).stdout.splitlines()
    assert lines[0].split() == ["difference", "tso", "sc", "test"]
    assert lines[1].split() == ["verdict", "Sometimes", "1", "3", "Never", "0",
                                "3", "SB"]
    assert len(lines) == 5, lines


@test
def the_smallest_test_is_named():
    larger = asm("X86", "", "exists (0:EAX=0 /\\ 1:EAX=0)",
                 "INC EBX; MOV [x],$1; MOV EAX,[y]", "MOV [y],$1; MOV EAX,[x]")
    path = folder("sizes", A=larger.replace(" test", " A"), SB=SB)
    out = heddle("litmus", "--compare", "tso,sc", "--summary", path,
                 code=1).stdout
    assert out.splitlines()[-2:] == [
        "tso has states of its own in 2 tests, the smallest is SB",
        "sc has states of its own in 0 tests"], out


@test
def models_that_are_the_same_have_no_difference():
    own = write("own.cat", '"sc again"\nlet com = rf | co | fr\n'
                'acyclic com | po\nempty rmw & (fre; coe)\n')
    path = folder("two", SB=SB, MP=MP)
    out = heddle("litmus", "--compare", f"sc,{own}", path, code=0).stdout
    assert out.startswith("2 tests: 2 the same, 0 differ, 0 errors\n"), out


@test
def each_of_two_files_may_have_more():
    one, other = write("no-wr.cat", NO_WR), write("no-ww.cat", NO_WW)
    path = folder("two", SB=SB, MP=MP)
    found = compared(f"{one},{other}", path, code=1)
    assert found["SB"]["only"][0] and not found["SB"]["only"][1]
    assert found["MP"]["only"][1] and not found["MP"]["only"][0]
    assert found["MP"]["shown"][0]["refused_by"].endswith("no-wr.cat")
    assert "order: " in found["MP"]["shown"][0]["axiom"]
    out = heddle("litmus", "--compare", f"{one},{other}", "--summary", path,
                 code=1).stdout
    assert "no-wr.cat has states of its own in 1 test\n" in out, out
    assert "no-ww.cat has states of its own in 1 test\n" in out, out


@test
def executions_alone_may_differ():
    found = compared("sc,tso", folder("unseen", SB=SB_UNSEEN), code=1)["SB"]
    assert found["differs"] == "executions", found
    assert found["only"] == [[], []]
    assert [m["positive"] for m in found["models"]] == [3, 4]
    shown, = found["shown"]
    assert shown["allowed_by"] == "tso" and shown["refused_by"] == "sc"


@test
def flags_may_differ():
    one = write("quiet.cat", '"quiet"\nacyclic po | rf | co | fr\n')
    other = write("loud.cat", '"loud"\nacyclic po | rf | co | fr\n'
                  "flag ~empty rf & ext as seen\n")
    found = compared(f"{one},{other}", folder("two", SB=SB, MP=MP), code=1)
    assert found["SB"]["differs"] == "flags", found["SB"]
    assert [m["flags"] for m in found["SB"]["models"]] == [[], ["seen"]]


@test
def what_only_justified_executions_have_is_shown():
    lb = ("C LB\n{ }\nP0 (atomic_int* x, atomic_int* y) {\n"
          "  int r0 = atomic_load_explicit(x, memory_order_relaxed);\n"
          "  if (r0) { atomic_store_explicit(y, 1, memory_order_relaxed); }\n"
          "  else { atomic_store_explicit(y, 1, memory_order_relaxed); }\n}\n"
          "P1 (atomic_int* x, atomic_int* y) {\n"
          "  int r0 = atomic_load_explicit(y, memory_order_relaxed);\n"
          "  atomic_store_explicit(x, r0, memory_order_relaxed);\n}\n"
          "exists (0:r0=1 /\\ 1:r0=1)\n")
    path = folder("lb", LB=lb)
    found = compared("xmm,rc11", path, code=1)["LB"]
    shown, = found["shown"]
    assert shown["allowed_by"] == "xmm" and shown["refused_by"] == "rc11"
    assert shown["state"] == {"0:r0": 1, "1:r0": 1}
    assert {s["relation"] for s in shown["cycle"]} <= {"po", "rf", "rfe"}


@test
def one_bad_test_leaves_the_others():
    bad = asm("AArch64", "0:X1=x;", "exists (x=1)",
              "MOV W0,#1; LDXR W2,[X1]; STXR W3,W0,[X1]")
    path = folder("bad", A=bad, MP=MP)
    out = heddle("litmus", "--compare", "imm,rc11", path, code=2).stdout
    assert "under imm: the model 'imm' has no load-linked" in out, out
    assert "2 tests: 1 the same, 0 differ, 1 errors" in out, out
    # A difference counts for more; a limit for less.
    heddle("litmus", "--compare", "sc,tso", folder("bad2", A="X86\n", SB=SB),
           code=1)
    out = heddle("litmus", "--compare", "sc,tso", "--max-executions", "1",
                 folder("mp", MP=MP), code=3).stdout
    assert "1 not finished" in out, out


@test
def what_makes_no_sense_is_refused():
    path = folder("two", SB=SB, MP=MP)
    says(heddle("litmus", "--compare", "sc", path, code=2),
         "--compare needs two models, not 'sc'")
    says(heddle("litmus", "--compare", "sc,tso,pso", path, code=2),
         "needs two models")
    says(heddle("litmus", "--compare", "sc,tsa", path, code=2), "tso")
    for option in (["--model", "sc"], ["--why"], ["--show"],
                   ["--witness", "1"],
                   ["--expect", write("expected", "SB Ok\n")]):
        says(heddle("litmus", "--compare", "sc,tso", *option, path, code=2),
             f"{option[0]} cannot be combined with --compare")


@test
def jobs_change_nothing():
    path = folder("two", SB=SB, MP=MP)
    out = [heddle("litmus", "--compare", "sc,tso", "--jobs", n, path,
                  code=1).stdout for n in ("1", "4")]
    assert out[0] == out[1]


@test
def the_page_has_a_table_and_pictures():
    path = folder("two", SB=SB, MP=MP)
    page, dot = WORK / "page.html", WORK / "page.dot"
    heddle("litmus", "--compare", "sc,tso", "--html", str(page), "--dot",
           str(dot), path, code=1)
    text = page.read_text()
    assert 'SB</button></th><td>verdict</td><td>Never 0 3</td>' \
        '<td>Sometimes 1 3</td>' in text
    assert "SB: tso allows it, sc forbids it." in text
    assert text.count('<section class="entry"') == 1
    assert "SB: tso allows it" in dot.read_text()
    assert ">MP<" not in text


MP_ADDR = asm("AArch64", "0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x;",
              "exists (1:X0=1 /\\ 1:X2=0)",
              "MOV W0,#1; STR W0,[X1]; DMB SY; STR W0,[X3]",
              "LDR W0,[X1]; EOR W4,W0,W0; LDR W2,[X3,W4,SXTW]")


def drawn(*options, code=0):
    """The arrows of a picture: names and the two ends."""
    dot = WORK / "drawn.dot"
    heddle("litmus", *options, "--dot", str(dot), code=code)
    text = dot.read_text()
    labels = dict(re.findall(r"^    (e\d+) \[label=\"[^:]*: (\w+ \w+)", text,
                             re.M))
    return sorted((name, labels[a], labels[b]) for a, b, name in
                  re.findall(r"(e\d+) -> (e\d+) .*label=\"([^\"]*)\", pen"
                             r"width=2\]", text))


@test
def relations_of_the_text_are_drawn():
    path = write("mp.litmus", MP_ADDR)
    # Of an execution that is refused, by its model;
    assert drawn("--why", "--show-relations", "dob,obs,bob", path) == [
        ("bob", "write x", "write y"), ("dob", "read y", "read x"),
        ("obs", "read x", "write x"), ("obs", "write y", "read y")]
    # of one that is allowed; what follows from other pairs is left out.
    own = write("named.cat", '"named"\nlet base = po | rf\n'
                "let rec order = base | (order; order)\n"
                "acyclic order | co | fr as all\n")
    rows = drawn("--model", own, "--witness", "1", "--show-relations", "order",
                 "--show-relations", "rf",
                 write("sb.litmus", SB.replace("0:EAX=0", "0:EAX=1")))
    assert rows == [("order", "write x", "read y"),
                    ("order", "write y", "read x"),
                    ("order", "write y", "read y"),
                    ("rf", "write y", "read y")], rows
    # Of two models, the one that refuses.
    rows = drawn("--compare", "armv8,sc", "--show-relations", "lob,rf",
                 folder("lob", LB=asm(
                     "AArch64", "0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x;",
                     "exists (0:X0=1 /\\ 1:X0=1)",
                     *["LDR W0,[X1]; MOV W2,#1; STR W2,[X3]"] * 2)), code=1)
    assert {name for name, _, _ in rows} == {"rf"}, rows
    page = WORK / "named.html"
    heddle("litmus", "--why", "--show-relations", "dob", "--html", str(page),
           path, code=0)
    assert re.search(r'"named":\s*\[[-\d]+,\s*[-\d]+,\s*"dob",\s*"#',
                     page.read_text()), "the script draws it from these"


@test
def relations_that_nobody_names_are_refused():
    path = write("mp.litmus", MP_ADDR)
    dot = ["--dot", str(WORK / "no.dot"), path]
    out = heddle("litmus", "--show-relations", "dobb", *dot, code=2).stdout
    assert "armv8 names no relation 'dobb'; did you mean 'dob'?" in out, out
    says(heddle("litmus", "--model", "sc", "--show-relations", "addr", *dot,
                code=2), "'addr' is about dependencies, which sc does not")
    says(heddle("litmus", "--model", "sc", "--show-relations", "W", *dot,
                code=2), "'W' is a set in the text of sc")
    says(heddle("litmus", "--compare", "sc,tso", "--show-relations", "dob",
                *dot, code=2), "names no relation 'dob'")
    says(heddle("litmus", "--show-relations", "dob", path, code=2),
         "--show-relations is for the pictures of --dot and --html")


tap.main()
