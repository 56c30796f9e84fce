#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The pictures of docs/manual/side-by-side.md: those in the manner of other
tools are what side_by_side.py writes, and show the relations that heddle has
for the same tests.

    tests/html/test_side_by_side.py build/heddle [WORD...]
"""
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "cli")]
import browser
import pictures
import tap
from heddle import HEDDLE, WORK, heddle
from side_by_side import EXECUTIONS, FOLDER, STYLES
from tap import test


def drawn(name):
    """The events that heddle draws, by thread, and its relations by name."""
    dot = WORK / "ours.dot"
    heddle("litmus", "--dot", str(dot), str(EXECUTIONS[name].file), code=0)
    text = dot.read_text()
    threads, relations = [], {}
    for cluster in re.findall(r"subgraph cluster_T\d+ \{(.*?)\n  \}", text, re.S):
        threads.append(re.findall(r'(e\d+) \[label="\d+: (read|write) \w+ = '
                                  r'(\d+)', cluster))
    for a, b, label in re.findall(r"(e\d+) -> (e\d+) \[constraint=false.*?"
                                  r'label="(\w+)"', text):
        relations.setdefault(label, set()).add((a, b))
    return threads, relations


@test
def the_relations_are_those_of_heddle():
    for name, x in EXECUTIONS.items():
        threads, relations = drawn(name)
        numbers = {}
        assert len(threads) == len(x.threads), (name, threads)
        for t, thread in enumerate(threads):
            assert len(thread) == len(x.threads[t]), (name, thread)
            for i, (number, what, value) in enumerate(thread):
                access = x.threads[t][i]
                assert what[0].upper() == access[0], (name, thread)
                assert value == access[2:], (name, thread)
                numbers[t, i] = number
        for label, pairs in (("rf", x.rf()), ("fr", x.fr()), ("co", x.co())):
            ours = {(numbers[a], numbers[b]) for a, b in pairs if a}
            theirs = relations.get(label, set())
            assert ours <= theirs, (name, label, ours, theirs)
            if not relations.get("bob"):  # no cycle, whose steps have names too
                assert ours == theirs, (name, label, ours, theirs)


@test
def what_is_stored_is_what_is_written():
    for name, x in EXECUTIONS.items():
        for style, write in STYLES.items():
            stored = FOLDER / f"{name}.{style}.dot"
            assert stored.read_text() == write(x), \
                f"{stored}: run tests/html/pictures.py build/heddle"
            assert stored.with_suffix(".svg").exists(), stored
        assert (FOLDER / f"{name}.png").stat().st_size > 2000, name


@test
def graphviz_draws_them():
    if not shutil.which("dot"):
        raise tap.Skip("graphviz is not installed")
    for name in EXECUTIONS:
        for style in STYLES:
            svg = subprocess.run(
                ["dot", "-Tsvg", str(FOLDER / f"{name}.{style}.dot")],
                capture_output=True, text=True, check=True).stdout
            assert svg.count('class="node"') >= 4, (name, style)


@test
def the_browser_shoots_ours():
    if browser.WHY_NOT:
        raise tap.Skip(browser.WHY_NOT)
    b = browser.Browser(1900, 900)
    out = WORK / "ours.png"
    try:
        for name, x in EXECUTIONS.items():
            pictures.shoot(b, HEDDLE, out, ["litmus", str(x.file)], [],
                           "svg.picture")
            assert out.stat().st_size > 2000, name
            assert b.log() == [], name
    finally:
        b.close()


tap.main()
