#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""heddle litmus --generate and --distinguish: tests made from cycles.

    tests/cli/test_litmus_generate.py build/heddle [WORD]
"""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap
from heddle import WORK, heddle, says, write
from tap import test

LANGUAGES = ["AArch64", "ARM", "PPC", "RISCV", "X86", "X86_64", "C", "LKMM"]
UPDATES = {"AArch64": "LxSx Amo*", "ARM": "LxSx", "PPC": "LxSx",
           "RISCV": "LxSx Amo*"}


def generated(language, *options):
    """Names, edges and texts of what is made."""
    out = heddle("litmus", "--generate", language, "--json", *options,
                 code=0).stdout
    return [json.loads(line) for line in out.splitlines()]


def answers(path, *options, code=0):
    out = heddle("litmus", "--json", *options, str(path), code=code).stdout
    return [json.loads(line) for line in out.splitlines()]


@test
def names_are_those_of_the_field():
    names = {
        ("AArch64", "PodWW Rfe PodRR Fre"): "MP",
        ("AArch64", "Rfe PodRR Fre PodWW"): "MP",
        ("AArch64", "Fre DMB.SYdWW Rfe DpAddrdR"): "MP+dmb.sy+addr",
        ("AArch64", "PodWWPL RfeLA PodRRAP Fre"): "MP+popl+poap",
        ("AArch64", "PodWW RfePA PodRR Fre"): "MP+po+poap",
        ("AArch64", "DMB.SYdWW Rfe DMB.SYdRR Fre"): "MP+dmb.sys",
        ("AArch64", "PodWW Rfe DpDatadW Rfi DpAddrdR Fre"):
            "MP+po+data-rfi-addr",
        ("AArch64", "Rfe DpCtrlIsbdR Fre Rfe PodRR Fre"): "IRIW+ctrlisb+po",
        ("AArch64", "DpCtrldW Rfe DpAddrdW Rfe"): "LB+addr+ctrl",
        ("X86", "PodWR Fre MFencedWR Fre"): "SB+mfence+po",
        ("PPC", "Rfe LwSyncdRW Rfe DpAddrdR Fre"): "WRC+lwsync+addr",
        ("PPC", "SyncdWW Coe SyncdWW Wse"): "2+2W+syncs",
        ("PPC", "PodWW Rfe DpCtrlIsyncdR Fre"): "MP+po+ctrlisync",
        ("RISCV", "Fence.rw.wdWW Coe Fence.rw.rwdWR Fre"):
            "R+fence.rw.w+fence.rw.rw",
        ("ARM", "DMBdWW Rfe PosRR DpAddrdR Fre"): "MP+dmb+pos-addr",
        ("C", "PodWWRlxRel RfeRelAcq PodRRAcqRlx Fre"):
            "MP+porlxrel+poacqrlx",
        ("LKMM", "PodWW Rfe PodRR Fre"): "MP+poonceonces",
        ("LKMM", "FenceWmbdWW Rfe FenceRmbdRR Fre"):
            "MP+fencewmbonceonce+fencermbonceonce",
        ("LKMM", "Rfe PodRR Fre Rfe PodRR Fre"): "IRIW+poonceonces+OnceOnce",
        ("LKMM", "PodWWOnceRelease RfeReleaseAcquire PodRRAcquireOnce Fre"):
            "MP+pooncerelease+poacquireonce",
        ("AArch64", "Rfe PosRR Fre"): "CoRR+pos",
        ("AArch64", "DMB.SYdWW Rfe DpAddrCseldR Fre"): "MP+dmb.sy+addrcsel",
    }
    for (language, edges), name in names.items():
        made, = generated(language, "--cycles", edges)
        assert made["name"] == name, (language, edges, made["name"])


@test
def a_test_says_its_cycle_and_is_made_of_it_again():
    text = heddle("litmus", "--generate", "AArch64", "--cycles",
                  "Fre DMB.SYdWW Rfe DpAddrdR", code=0).stdout
    assert text == """\
AArch64 MP+dmb.sy+addr
"DMB.SYdWW Rfe DpAddrdR Fre"
{
0:X0=x; 0:X2=y;
1:X0=y; 1:X3=x;
}
 P0          | P1                  ;
 MOV W1,#1   | LDR W1,[X0]         ;
 STR W1,[X0] | EOR W2,W1,W1        ;
 DMB SY      | LDR W4,[X3,W2,SXTW] ;
 MOV W3,#1   |                     ;
 STR W3,[X2] |                     ;
exists (1:X1=1 /\\ 1:X4=0)
""", text
    again = heddle("litmus", "--generate", "AArch64", "--cycles",
                   "DMB.SYdWW Rfe DpAddrdR Fre", code=0).stdout
    assert again == text


@test
def every_cycle_is_forbidden_by_sc_and_possible_by_coherence():
    # So the question asks for the cycle, and for nothing that cannot be.
    loose = write("loose.cat", '"coherence"\n'
                  "acyclic (po & loc) | rf | co | fr as coherence\n"
                  "empty rmw & (fre; coe) as atomic\n")
    for language in LANGUAGES:
        folder = WORK / f"all-{language}"
        edges = "Rf* Fr* Co* Pod** " + UPDATES.get(language, "Amo*")
        heddle("litmus", "--generate", language, "--relax", edges, "--size",
               "5", "-o", f"{folder}/", code=0)
        listed = (folder / "@all").read_text().split()
        assert len(listed) == len(set(listed)) > 40, (language, len(listed))
        wrong = [a for a in answers(folder, "--model", "sc")
                 if a["observation"] != "Never"]
        assert not wrong, wrong[0]
        # A thread that begins and ends at one location is about coherence.
        wrong = [a for a in answers(folder, "--model", loose)
                 if a["observation"] != "Sometimes"
                 and not a["name"].startswith("Co")]
        assert not wrong, wrong[0]


@test
def known_verdicts_of_known_shapes():
    cases = [
        ("AArch64", "DMB.SYdWW Rfe DpAddrdR Fre", "Never"),
        ("AArch64", "DMB.SYdWW Rfe DpAddrCseldR Fre", "Sometimes"),
        ("AArch64", "DMB.SYdWW Rfe DpAddrCseldW Coe", "Never"),
        ("AArch64", "PodRW Rfe DpDataCseldW Rfe", "Sometimes"),
        ("AArch64", "DMB.SYdRW Rfe DpDataCseldW Rfe", "Never"),
        ("AArch64", "DMB.SYdWW Rfe DpCtrldR Fre", "Sometimes"),
        ("AArch64", "DMB.SYdWW Rfe DpCtrlIsbdR Fre", "Never"),
        ("AArch64", "PodWWPL RfeLA PodRRAP Fre", "Never"),
        ("AArch64", "PodWRLA Fre PodWRLA Fre", "Never"),
        ("AArch64", "PodWRLQ Fre PodWRLQ Fre", "Sometimes"),
        ("PPC", "Rfe SyncdRR Fre Rfe SyncdRR Fre", "Never"),
        ("PPC", "Rfe LwSyncdRR Fre Rfe LwSyncdRR Fre", "Sometimes"),
        ("PPC", "LwSyncdWW Rfe DpCtrlIsyncdR Fre", "Never"),
        ("X86", "PodWR Fre PodWR Fre", "Sometimes"),
        ("X86", "MFencedWR Fre MFencedWR Fre", "Never"),
        ("RISCV", "Fence.rw.wdWW Rfe Fence.r.rwdRR Fre", "Never"),
        ("RISCV", "Fence.w.wdWW Rfe PodRR Fre", "Sometimes"),
        ("ARM", "DMBdWW Rfe DpAddrdR Fre", "Never"),
        ("C", "PodWWRlxRel Rfe PodRRAcqRlx Fre", "Never"),
        ("C", "FenceScdWR Fre FenceScdWR Fre", "Never"),
        ("LKMM", "FenceWmbdWW Rfe FenceRmbdRR Fre", "Never"),
        ("LKMM", "FenceWmbdWW Rfe DpCtrldR Fre", "Sometimes"),
        ("LKMM", "DpCtrldW Rfe DpCtrldW Rfe", "Never"),
        ("LKMM", "RscsdRR Fre FenceSyncRcudWW Rfe", "Never"),
        ("LKMM", "RscsdRR Fre PodWW Rfe", "Sometimes"),
    ]
    for language, edges, seen in cases:
        text = heddle("litmus", "--generate", language, "--cycles", edges,
                      code=0).stdout
        answer, = answers(write("known.litmus", text))
        assert answer["observation"] == seen, (language, edges, text)


@test
def updates_are_one_instruction_and_succeed():
    cases = [("AArch64", "LxSx", "STXR"), ("AArch64", "Amo.Swp", "SWP"),
             ("AArch64", "Amo.Cas", "CAS"), ("ARM", "LxSx", "STREX"),
             ("PPC", "LxSx", "stwcx."), ("RISCV", "LxSx", "sc.w"),
             ("RISCV", "Amo.Swp", "amoswap.w"), ("X86", "Amo.Swp", "XCHG"),
             ("X86_64", "Amo.Cas", "lock cmpxchgl"),
             ("C", "Amo.Swp", "atomic_exchange_explicit"),
             ("LKMM", "Amo.Cas", "cmpxchg_relaxed")]
    for language, edge, word in cases:
        # A store that fails would not be the write of the cycle: without it
        # sc has the rest.
        made, = generated(language, "--cycles", f"Rfe {edge} PodWR Fre PodWW")
        assert word in made["test"], made["test"]
        answer, = answers(write("update.litmus", made["test"]),
                          "--model", "sc")
        assert answer["observation"] == "Never", made["test"]


@test
def three_writes_have_an_observer():
    made, = generated("X86", "--cycles", "PodWW Coe Coe PodWR Fre")
    assert made["test"].splitlines()[-1].endswith("y=3)"), made["test"]
    assert "P3" in made["test"]
    answer, = answers(write("observer.litmus", made["test"]), "--model", "sc")
    assert answer["observation"] == "Never"


@test
def several_cycles_and_a_folder():
    folder = WORK / "folder"
    said = heddle("litmus", "--generate", "C", "--cycles",
                  "PodWW Rfe PodRR Fre; PodWR Fre PodWR Fre;", "-o",
                  f"{folder}/", code=0).stderr
    assert "2 tests" in said, said
    assert sorted(p.name for p in folder.iterdir()) == [
        "@all", "MP.litmus", "SB.litmus"]
    assert [a["name"] for a in answers(f"@{folder}/@all")] == ["MP", "SB"]
    lines = heddle("litmus", "--generate", "X86", "--relax",
                   "Rfe Fre Coe Pod**", "--summary", code=0).stdout.splitlines()
    assert sorted(line.split(":")[0] for line in lines) == [
        "2+2W", "LB", "MP", "R", "S", "SB"], lines


@test
def a_file_takes_one_test():
    path = WORK / "tests"
    both = "PodWW Rfe PodRR Fre; PodWR Fre PodWR Fre;"
    for option, what, count in (("--cycles", both, 2),
                                ("--relax", "Rfe Fre Pod**", 3)):
        said = heddle("litmus", "--generate", "C", option, what, "-o", path,
                      code=2)
        says(said, f"{count} tests are too many for one file")
        says(said, f"-o {path}/ makes a file for each")
        assert not path.exists()
    heddle("litmus", "--generate", "C", "--cycles", both, "-o", path, "--json",
           code=0)
    assert len(path.read_text().splitlines()) == 2
    heddle("litmus", "--generate", "C", "--cycles", both.split(";")[0], "-o",
           path, code=0)
    answer, = answers(path)
    assert answer["name"] == "MP", answer


@test
def what_makes_no_sense_is_refused():
    def refused(words, *options):
        says(heddle("litmus", *options, code=2), words)
    refused("did you mean PodRR?", "--generate", "X86", "--cycles", "Rfe PodRT")
    refused("did you mean AArch64?", "--generate", "AArch46")
    refused("'DpAddrdR' is not an edge of X86", "--generate", "X86", "--cycles",
            "PodWW Rfe DpAddrdR Fre")
    refused("PodWW ends with a write, and PodRR, which follows, begins with a "
            "read", "--generate", "C", "--cycles", "PodWW PodRR Rfe Fre")
    refused("at least two edges between threads", "--generate", "C",
            "--cycles", "PodWR Fre")
    refused("only one edge leads to another location", "--generate", "C",
            "--cycles", "PodWW Rfe Fre")
    refused("mark the access between them in different ways", "--generate",
            "C", "--cycles", "PodWWRlxRel RfeRlxAcq PodRR Fre")
    refused("no read is marked Mb", "--generate", "LKMM", "--cycles",
            "PodWW RfeOnceMb PodRRMbOnce Fre")
    refused("too few registers", "--generate", "X86", "--cycles",
            "PodWW Rfe PodRR PodRR PodRR PodRR PodRR PodRR Fre")
    refused("nothing but communication", "--generate", "C", "--cycles",
            "Rfe Fre")
    refused("--size is from 2 to 16", "--generate", "C", "--relax", "Rfe",
            "--size", "17")
    refused("no cycle of up to 4 of these edges", "--generate", "C", "--relax",
            "Rfe PodRR")
    refused("--cycles and --relax", "--generate", "C", "--relax", "Rfe",
            "--cycles", "Rfe")
    refused("makes tests and reads none", "--generate", "C", "a.litmus")
    for option, value in (("--cycles", "Rfe"), ("--relax", "Rfe"),
                          ("--size", "4")):
        refused(f"{option} says which tests --generate", option, value,
                "a.litmus")
    refused("--size is for", "--generate", "C", "--size", "4")
    refused("--model cannot be combined", "--generate", "C", "--model", "sc")
    refused("in which language", "--distinguish", "armv8,power")
    refused("in which language", "--distinguish", "tso,rc11")
    refused("needs two models", "--distinguish", "sc")


@test
def the_edges_of_a_language_are_listed():
    words = heddle("litmus", "--generate", "LKMM", code=0).stdout.split()
    for word in ("Rfe", "Coi", "PodRR", "PosWR", "DpCtrldW", "FenceMbdWR",
                 "Rscsd" + "RR", "Amo.Swp", "Release"):
        assert word in words, word


@test
def the_smallest_tests_that_tell_models_apart():
    def found(models, *options, code=1):
        out = heddle("litmus", "--distinguish", models, "--json", *options,
                     code=code).stdout.splitlines()
        return [json.loads(line) for line in out]
    *tests, last = found("sc,tso")
    assert {t["name"] for t in tests} == {"SB", "SB+mfence+po", "R",
                                          "R+mfence+po"}
    assert (last["tried"], last["size"], last["complete"]) == (21, 4, True)
    assert last["edges"][0] == "PodWR Fre PodWR Fre"
    *tests, last = found("tso,pso")
    assert tests[0]["name"] == "MP" and last["differ"] == 7
    # Power is not multi-copy atomic, which takes three threads to see.
    *tests, last = found("power,armv8", "--generate", "PPC", "--relax",
                         "Rfe Fre PodRW DpAddrdR DpDatadW", "--size", "5")
    assert {t["name"] for t in tests} == {"WRC+data+addr"}, tests
    assert last["size"] == 5 and last["complete"]
    # What seq_cst fences do is what ra does not know of.
    *tests, last = found("rc11,ra", "--relax", "Rfe Fre Coe Pod** FenceScd**")
    assert {t["name"] for t in tests} == {"SB+fencescs", "R+fencescs",
                                          "2+2W+fencescs"}, tests


@test
def no_difference_and_bad_tests():
    # Tests of interleavings are in the language of the other model, also if
    # the model is a file.
    text = heddle("models", "--show", "sc").stdout
    path = write("interleavings.cat", text)
    for other in ("armv8", "power"):
        for sc in ("sc", path):
            out = heddle("litmus", "--distinguish", f"{sc},{other}", "--size",
                         "4", "--json", code=1).stdout.splitlines()
            arch = json.loads(out[0])["arch"]
            assert arch == {"armv8": "AArch64", "power": "PPC"}[other], arch
    out = heddle("litmus", "--distinguish", "tso", "tso", "--size", "4",
                 code=0).stdout
    assert out == ("No test tells tso from tso; 21 cycles of up to 4 edges "
                   "were tried\n"), out
    out = heddle("litmus", "--distinguish", "rc11,rc11", "--generate",
                 "AArch64", "--relax", "Rfe Fre LxSx PodWR PodWW PodRR",
                 "--size", "5", code=2).stdout
    assert "could not be answered, the first because: under rc11" in out, out
    heddle("litmus", "--distinguish", "tso,tso", "--max-executions", "1",
           code=3)


@test
def what_tells_models_apart_is_written():
    folder = WORK / "apart"
    out = heddle("litmus", "--distinguish", "sc,tso", "-o", f"{folder}/",
                 code=1).stdout
    assert "tso allows this execution, sc forbids it." in out
    assert sorted(p.name for p in folder.iterdir()) == [
        "R+mfence+po.litmus", "R.litmus", "SB+mfence+po.litmus", "SB.litmus"]
    again = heddle("litmus", "--compare", "sc,tso", "--summary", str(folder),
                   code=1).stdout
    assert "4 tests: 0 the same, 4 differ (verdict 4" in again, again


tap.main()
