#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks who includes whom. The table is the one of ARCHITECTURE.md: a folder
of src/ sees the folders listed for it (or single headers of them) and itself;
llvm-c is for front/ alone; nobody includes main.c. Inside src/explore, files
call each other in one direction only (--calls prints who calls whom), and those
of the search know no mechanism of reduce.def by name. Speaks TAP."""
import re
import sys
from pathlib import Path

SRC = Path(__file__).resolve().parent.parent / "src"
MAY_INCLUDE = {
    "base": [],
    "bytecode": ["base"],
    "graph": ["base"],
    "vm": ["base", "bytecode"],
    "isa": ["base", "bytecode"],
    "front": ["base", "bytecode", "isa"],
    "litmus": ["base", "bytecode", "isa"],
    "model": ["base", "graph"],
    "cat": ["base", "graph", "model/model.h", "model/deps.h",
            "model/refusal.h"],
    "explore": ["base", "bytecode", "vm", "graph", "model/model.h",
                "model/justify.h"],
    "parallel": ["base", "bytecode", "vm", "graph", "model/model.h", "explore"],
    "optimise": ["base", "bytecode", "graph", "vm/vm.h", "model/model.h",
                 "explore/explore.h", "cat/mapping.def"],
    "report": ["base", "bytecode", "graph", "vm/vm.h", "vm/deps.h", "model/model.h",
               "model/justify.h", "model/refusal.h", "explore/explore.h",
               "explore/counts.def"],
    "cmd": ["base", "bytecode", "cat/catalogue.h", "front/front.h", "vm/vm.h",
            "graph", "model/model.h", "explore/explore.h",
            "parallel/parallel.h", "parallel/estimate.h", "parallel/frontier.h",
            "parallel/ranks.h", "parallel/sample.h",
            "report",
            "litmus/litmus.h",
            "litmus/cycle.h", "answer", "optimise/optimise.h",
            "optimise/source/source.h"],
    "answer": ["base", "bytecode", "graph", "vm/vm.h", "model/model.h",
               "explore/explore.h", "litmus/litmus.h", "report"],
}
# Inside src/cat, who sees whom besides itself and the headers beside it.
CAT = {"language": [], "eval": ["language"], "facts": ["language", "eval"],
       "judge": ["language", "eval", "facts"]}
OURS = re.compile(r'^\s*#\s*include\s+"([^"]+)"')
SYSTEM = re.compile(r"^\s*#\s*include\s+<(llvm[^>]*)>")


def complaints(path):
    """What is wrong with the includes of a file."""
    folder = path.relative_to(SRC).parts[0]
    for number, line in enumerate(path.read_text().splitlines(), 1):
        where = f"{path.relative_to(SRC.parent)}:{number}"
        if SYSTEM.match(line) and folder != "front":
            yield f"{where}: LLVM is used in front/ alone"
        match = OURS.match(line)
        if not match or folder == "main.c":
            continue
        target = match.group(1)
        allowed = MAY_INCLUDE[folder] + [folder]
        if target.split("/")[0] not in allowed and target not in allowed:
            yield f"{where}: {folder}/ may not include {target}"
        room, other = path.relative_to(SRC).parts[1], target.split("/")[1]
        if folder == "cat" and target.startswith("cat/") and room in CAT \
                and other in CAT and other not in CAT[room] + [room]:
            yield f"{where}: cat/{room}/ may not include {target}"


DEFINED = re.compile(r"^(?!static)[a-z][\w *]*?\b(\w+)\([^;{]*\)\s*\{", re.M)
CALLED = re.compile(r"\b(\w+)\(")


def calls(folder):
    """For each file of a folder, which others it calls."""
    top = SRC / folder
    text = {str(p.relative_to(top)): re.sub(r"//.*", "", p.read_text())
            for p in sorted(top.rglob("*.c"))}
    home = {f: name for name, t in text.items() for f in DEFINED.findall(t)}
    return {name: sorted({home[f] for f in CALLED.findall(t) if f in home}
                         - {name}) for name, t in text.items()}


def call_cycle(graph):
    """Files that call each other in a circle, or []."""
    done, path = set(), []

    def visit(name):
        if name in path:
            return path[path.index(name):] + [name]
        if name in done:
            return []
        path.append(name)
        for other in graph[name]:
            cycle = visit(other)
            if cycle:
                return cycle
        path.pop()
        done.add(name)
        return []

    for name in graph:
        cycle = visit(name)
        if cycle:
            return cycle
    return []


# What the search asks of reductions, bounds and the like, it asks by hooks.h.
KNOWN_BY_NAME = re.compile(
    r"\bREDUC(?:E|TION)_\w+|\bMECHANISM_\w+|\bx->state\b|\b\w+_hooks\b"
    r'|"explore/(?:reduce|loops)/[^"]+"')
MECHANISMS = ("loops/", "reduce/", "cycles/promise/cas_choice.c")


def known_mechanisms(graph):
    """Where a file of src/explore/search names what stands at its points."""
    for path in sorted((SRC / "explore/search").glob("*.[ch]")):
        name = str(path.relative_to(SRC / "explore"))
        for number, line in enumerate(path.read_text().splitlines(), 1):
            for word in KNOWN_BY_NAME.findall(line.split("//")[0]):
                yield f"src/explore/{name}:{number}: {word} is a mechanism's"
        for other in graph.get(name, []):
            if other.startswith(MECHANISMS):
                yield f"src/explore/{name} calls {other}, past hooks.h"


def main():
    if sys.argv[1:] == ["--calls"]:
        for name, others in calls("explore").items():
            print(f"{name:20}", " ".join(others))
        return
    files = sorted(p for p in SRC.rglob("*.*")
                   if p.suffix in {".c", ".h", ".def"})
    folders = sorted({p.relative_to(SRC).parts[0] for p in files})
    failed = 0
    for number, folder in enumerate(folders, 1):
        wrong = []
        if folder != "main.c" and folder not in MAY_INCLUDE:
            wrong = [f"src/{folder} is not in the table of tools/layers.py"]
        else:
            for path in files:
                if path.relative_to(SRC).parts[0] == folder:
                    wrong += complaints(path)
        for line in wrong:
            print("#", line)
        failed += bool(wrong)
        print("not ok" if wrong else "ok", number, "- src/" + folder)
    graph = calls("explore")
    cycle = call_cycle(graph)
    failed += bool(cycle)
    print("not ok" if cycle else "ok", len(folders) + 1,
          "- calls in src/explore go one way", *cycle)
    known = list(known_mechanisms(graph))
    for line in known:
        print("#", line)
    failed += bool(known)
    print("not ok" if known else "ok", len(folders) + 2,
          "- src/explore/search names no mechanism")
    print(f"1..{len(folders) + 2}")
    sys.exit(1 if failed or not folders else 0)


if __name__ == "__main__":
    main()
