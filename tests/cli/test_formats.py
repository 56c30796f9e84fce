#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reports for other programs: Graphviz, SARIF, JUnit, GitHub.

    tests/cli/test_formats.py build/heddle [WORD...]
"""
import json
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap
from heddle import (EMPTY_MAIN, MP, WORK, check_source, heddle, says, write)
from sarif import check_log
from tap import test

# Two errors at different places.
TWO_ERRORS = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
static void *f(void *unused) { atomic_store(&x, 1); return unused; }
int main(void) {
  pthread_t id;
  pthread_create(&id, NULL, f, NULL);
  int r = atomic_load(&x);
  assert(r != 0);
  assert(r != 1);
  pthread_join(id, NULL);
}
"""
RACE = """\
#include <pthread.h>
int x;
static void *f(void *unused) { x = 1; return unused; }
int main(void) {
  pthread_t id;
  pthread_create(&id, NULL, f, NULL);
  x = 2;
  pthread_join(id, NULL);
}
"""
# Names and strings that mean something to the languages of the reports.
HOSTILE = """\
#include <assert.h>
#include <stdio.h>
#define MESSAGE "</script><script>alert(1)</script><b>&amp;\\"'\\\\N%s\\n::error::x"
const char *volatile text;
int main(void) {
  text = MESSAGE;
  printf("%s", MESSAGE);
  fputs("\\xff\\xfe\\x01", stdout);
  assert(text == 0 && "]]> <img src=x onerror=alert(1)> ::warning::hi");
}
"""


def made(option, source, *args, code, name="program.c"):
    """What heddle writes into the file of an option."""
    path = WORK / "made"
    path.unlink(missing_ok=True)
    check_source(source, option, str(path), *args, code=code, name=name)
    return path.read_text()


# Graphviz.

def rendered(dot):
    """Nodes and arrows in the picture that Graphviz makes."""
    if not shutil.which("dot"):
        raise tap.Skip("graphviz is not installed (tools/setup.sh test)")
    result = subprocess.run(["dot", "-Tsvg"], input=dot, text=True,
                            capture_output=True, timeout=60)
    assert result.returncode == 0 and not result.stderr, result.stderr + dot
    svg = ElementTree.fromstring(result.stdout)
    groups = [g.get("class") for g in svg.iter("{http://www.w3.org/2000/svg}g")]
    texts = [t.text for t in svg.iter("{http://www.w3.org/2000/svg}text")]
    return groups.count("node"), groups.count("edge"), texts


@test
def dot_has_the_threads_and_relations():
    dot = made("--dot", MP, code=1)
    assert dot.count("subgraph cluster_T") == 2, dot
    for kind in ("rf", "fr"):
        assert dot.count(f'label="{kind}"') == 1, (kind, dot)


THREE = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
int a[8];
static void *f(void *unused) {
  atomic_fetch_add(&x, 1);
  return unused;
}
int main(void) {
  pthread_t id[3];
  for (int i = 0; i < 8; i++)
    a[i] = i;
  for (int i = 0; i < 3; i++)
    pthread_create(&id[i], NULL, f, &a[i]);
  assert(atomic_load(&x) < 3);
  return a[0] + a[1];
}
"""


@test
def dot_has_lanes_in_order_and_folds():
    dot = made("--dot", THREE, code=1)
    if not shutil.which("dot"):
        raise tap.Skip("graphviz is not installed (tools/setup.sh test)")
    plain = subprocess.run(["dot", "-Tplain"], input=dot, text=True,
                           capture_output=True, timeout=60)
    assert not plain.stderr, plain.stderr
    x = {}  # by thread, of the ends
    for line in plain.stdout.splitlines():
        words = line.split()
        if words[0] == "node" and words[1].startswith("end"):
            x[words[1]] = float(words[2])
    assert sorted(x, key=x.get) == ["end0", "end1", "end2", "end3"], x
    assert dot.count("... 8 events") == 1, dot
    assert "a[7]" not in dot and "a[7]" in made("--dot", THREE, "--full", code=1)


@test
def dot_is_rendered_by_graphviz():
    nodes, edges, texts = rendered(made("--dot", MP, code=1))
    # create, 2 reads, 2 writes; the ends of two threads. po: 2 + 1, to the
    # ends: 2, rf, fr, and the creation of T1.
    assert (nodes, edges) == (7, 8), (nodes, edges, texts)
    assert any("read" in t and "flag = 1" in t for t in texts), texts


@test
def dot_relations_can_be_chosen():
    dot = made("--dot", MP, "--dot-relations", "rf", code=1)
    assert 'label="rf"' in dot and 'label="fr"' not in dot, dot
    says(check_source(MP, "--dot", "x.dot", "--dot-relations", "rf,frr",
                      code=2), "'frr'", "sync")


@test
def dot_marks_the_error():
    dot = made("--dot", RACE, code=1)
    marked = [line for line in dot.splitlines()
              if "penwidth=2" in line and "fontcolor" in line]
    assert len(marked) == 2 and all("write x" in m for m in marked), dot


@test
def dot_without_an_error_shows_some_execution():
    source = MP.replace("memory_order_relaxed", "memory_order_seq_cst")
    dot = made("--dot", source, code=0)
    assert "write data = 1 (sc)" in dot and "an execution of" in dot, dot
    sync = made("--dot", source, "--dot-relations", "sync", code=0)
    assert 'label="sync"' in sync, sync


@test
def dot_of_hostile_strings():
    nodes, _, texts = rendered(made("--dot", HOSTILE, code=1))
    assert nodes >= 4
    assert any('= "</scrip' in t for t in texts), texts


# SARIF.

def sarif(source, *args, code, name="program.c"):
    log = json.loads(made("--sarif", source, *args, code=code, name=name))
    check_log(log)
    return log["runs"][0]


@test
def sarif_of_an_error():
    run = sarif(MP, code=1)
    (result,) = run["results"]
    assert result["ruleId"] == "assertion" and result["level"] == "error"
    region = result["locations"][0]["physicalLocation"]["region"]
    assert region["startLine"] == 17, region
    (flow,) = result["codeFlows"]
    assert len(flow["threadFlows"]) == 2
    texts = [step["location"]["message"]["text"]
             for thread in flow["threadFlows"] for step in thread["locations"]]
    assert any("read data = 0" in t for t in texts), texts
    assert "weak memory" in flow["message"]["text"]
    assert run["invocations"][0]["executionSuccessful"] is True


@test
def sarif_names_both_sides_of_a_race():
    (result,) = sarif(RACE, code=1)["results"]
    assert result["ruleId"] == "race"
    lines = {place["physicalLocation"]["region"]["startLine"]
             for place in result["locations"] + result["relatedLocations"]}
    assert lines == {3, 7}, lines


@test
def sarif_of_all_errors_has_all_executions():
    results = sarif(TWO_ERRORS, "--all-errors", code=1)["results"]
    assert len(results) == 2
    values = []
    for result in results:
        (flow,) = result["codeFlows"]
        texts = [step["location"]["message"]["text"]
                 for thread in flow["threadFlows"]
                 for step in thread["locations"]]
        values += [t.split(" (")[0] for t in texts if "read x" in t]
    assert sorted(values) == ["T0: read x = 0", "T0: read x = 1"], values


@test
def sarif_rules_say_more():
    rules = sarif(MP, code=1)["tool"]["driver"]["rules"]
    page = (Path(__file__).resolve().parent.parent.parent /
            "docs/manual/kinds.md").read_text()
    for rule in rules:
        full = rule["fullDescription"]["text"]
        assert len(full) > len(rule["shortDescription"]["text"]) + 2, full
        assert rule["helpUri"].endswith(f"/kinds.md#{rule['id']}"), rule
        assert f"\n## {rule['id']}\n" in page, rule["id"]
        assert full.split(". ", 1)[1] in page, full


@test
def sarif_fingerprints_stay():
    """A finding is the same one when lines come before it, or its blanks
    change; another finding, and another model, is another."""
    def fingerprints(source, *args):
        return [r["partialFingerprints"]["heddleFinding/v1"]
                for r in sarif(source, *args, code=1)["results"]]
    both = fingerprints(TWO_ERRORS, "--all-errors")
    assert len(set(both)) == len(both) > 1, both
    moved = "// one\n// two\n" + TWO_ERRORS.replace("  assert", "     assert")
    assert moved.count("     assert") > 0
    assert fingerprints(moved, "--all-errors") == both
    assert not set(fingerprints(TWO_ERRORS, "--model", "ra",
                                "--all-errors")) & set(both)


MANY = ("#include <limits.h>\nint g = INT_MAX, r;\nint main(void) {\n" +
        "".join(f"  r = g + {n};\n" for n in range(1, 131)) +
        "  return 0;\n}\n")


@test
def no_finding_is_left_out_silently():
    text = check_source(MANY, "-q", code=0).stdout
    assert text.count("warning:") == 130 and "130 warnings" in text, text
    run = sarif(MANY, code=0)
    assert len(run["results"]) == 130
    shown = sum("codeFlows" in r for r in run["results"])
    (note,) = run["invocations"][0]["toolExecutionNotifications"]
    assert note["message"]["text"] == (
        f"{130 - shown} of 130 findings have no execution here."), note
    page = made("--html", MANY, code=0)
    assert "This page has 100 of 130 findings" in page
    path = WORK / "explored.html"
    heddle("explore", "--html", str(path), write("many.c", MANY), code=0)
    assert "This page has 100 of 130 findings" in path.read_text()
    table = heddle("compare", "--models", "sc,rc11", "--json",
                   write("many.c", MANY), code=0).stdout
    assert table.count("warning overflow, line") == 130


@test
def sarif_without_an_error_and_of_an_incomplete_run():
    assert sarif(EMPTY_MAIN, code=0)["results"] == []
    run = sarif(TWO_ERRORS, "--max-executions", "1", "--disable", "assertion",
                code=3)
    assert run["invocations"][0]["executionSuccessful"] is False
    assert run["results"] == []


@test
def sarif_of_warnings():
    run = sarif(RACE, "--warn", "race", code=0)
    assert [r["level"] for r in run["results"]] == ["warning"], run["results"]


@test
def sarif_of_hostile_strings_and_paths():
    folder = WORK / "a <b> & \"c\" %41"
    folder.mkdir(exist_ok=True)
    run = sarif(HOSTILE, code=1, name="a <b> & \"c\" %41/p.c")
    (result,) = run["results"]
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri.endswith("/a%20%3Cb%3E%20%26%20%22c%22%20%2541/p.c"), uri


# JUnit.

def junit(source, *args, code):
    root = ElementTree.fromstring(made("--junit", source, *args, code=code))
    assert root.tag == "testsuites"
    (suite,) = root
    assert suite.tag == "testsuite"
    for element in (root, suite):
        assert element.get("tests") == "1" and element.get("time")
    (case,) = suite
    assert case.tag == "testcase" and case.get("name").endswith("program.c")
    return suite, case


@test
def junit_of_verdicts():
    suite, case = junit(EMPTY_MAIN, code=0)
    assert suite.get("failures") == suite.get("errors") == "0"
    assert len(case) == 0 and case.get("classname") == "rc11"
    suite, case = junit(MP, "--model", "tso", "--error", "leak", code=0)
    assert case.get("classname") == "tso"
    suite, case = junit(MP, code=1)
    assert (suite.get("failures"), suite.get("errors")) == ("1", "0")
    assert case[0].tag == "failure" and "assertion" in case[0].get("message")
    assert "read data = 0" in case[0].text
    suite, case = junit(MP, "--max-executions", "1", "--disable", "assertion",
                        code=3)
    assert (suite.get("failures"), suite.get("errors")) == ("0", "1")
    assert case[0].tag == "error"


@test
def junit_of_hostile_strings():
    _, case = junit(HOSTILE, code=1)
    assert "<img src=x onerror=alert(1)>" in case[0].get("message")


# GitHub.

@test
def github_annotations():
    text = check_source(RACE, "--format", "github", code=1).stdout
    line = text.splitlines()[0]
    match = re.fullmatch(r"::error file=(.*),line=(\d+),col=(\d+),"
                         r"title=Heddle: race::(.*)", line)
    assert match, line
    assert match.group(1).endswith("program.c") and match.group(2) in "37"
    assert "%0Aand " in match.group(4), line
    assert "::group::" in text and text.endswith("::endgroup::\n"), text


@test
def github_shows_hostile_strings_as_text():
    text = check_source(HOSTILE, "--format", "github", code=1).stdout
    outside = re.sub(r"(?s)::stop-commands::(\S+)\n.*\n::\1::", "", text)
    commands = [line.split(" ")[0] for line in outside.splitlines()
                if line.lstrip().startswith("::")]
    assert commands == ["::error", "::group::Heddle:", "::endgroup::"], text


@test
def github_of_an_incomplete_run():
    text = check_source(MP, "--format", "github", "--max-executions", "1",
                        "--disable", "assertion", code=3).stdout
    assert text.startswith("::warning title=Heddle: incomplete::"), text


# Formats and files.

@test
def format_json_is_json():
    report = json.loads(check_source(MP, "--format", "json", code=1).stdout)
    assert report["verdict"] == "error"
    says(check_source(MP, "--json", "--format", "github", code=2), "--format")
    says(check_source(MP, "--print-executions", "--format", "json", code=2),
         "--print-executions")


@test
def several_files_at_once():
    paths = {kind: WORK / f"all.{kind}" for kind in ("dot", "sarif", "junit")}
    args = [word for kind, path in paths.items()
            for word in (f"--{kind}", str(path))]
    plain = check_source(MP, "-q", code=1).stdout
    result = check_source(MP, "-q", *args, code=1)
    numbers = re.compile(r" in .*")
    assert numbers.sub("", result.stdout) == numbers.sub("", plain)
    assert all(path.stat().st_size > 100 for path in paths.values())


@test
def a_file_that_cannot_be_written():
    for kind in ("dot", "sarif", "junit"):
        result = check_source(MP, f"--{kind}", "/nowhere/x", code=2)
        says(result, "/nowhere/x", "cannot write")
        assert not result.stdout


@test
def bad_input_does_not_destroy_an_older_file():
    old = write("old.sarif", "old")
    check_source("int main(void) { return ; }; oops", "--sarif", old, code=2)
    assert Path(old).read_text() == "old"


tap.main()
