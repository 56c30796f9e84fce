#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No compiler and no checker warns, a part of `make test`; and the code is
formatted, in `make lint`. Says TAP: one line per tool.

    tools/lint.py [--format] [BUILD]    BUILD (build) has compile_commands.json

- clang-format: the format of .clang-format, but not of the programs that are
  checked.
- gcc: the warnings of meson.build are errors. The code is only parsed, so this
  is quick; warnings that need optimisation show in the build.
- clang-tidy: those of clang are errors, and the checks of .clang-tidy.

A file that was right is not looked at again until it, a header that it
includes, its flags, the tool or the settings change (BUILD/lint has a note for
each). A tool that is not installed is a failure: tools/setup.sh installs it.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CLANG_TIDY = next(filter(shutil.which, (f"clang-tidy-{n}"
                                        for n in range(19, 23))), "clang-tidy-19")
FOLDERS = ("src", "tests", "rt", "include", "examples")
# Of a command of the build: what makes it write files, and another compiler's.
DROPPED = re.compile(r"-(MD|c|flto\S*|ffat-lto-objects|fdiagnostics\S*)$")
DROPPED_PAIRS = ("-MQ", "-MF", "-o")


def flags_of(entry):
    """The flags of a compiler command that matter for warnings."""
    words = shlex.split(entry["command"])
    while not words[0].startswith("-"):
        words.pop(0) # ccache, the compiler
    kept, rest = [], iter(words)
    for word in rest:
        if word in DROPPED_PAIRS:
            next(rest)
        elif word != entry["file"] and not DROPPED.match(word):
            kept.append(word)
    return kept


def sources(build):
    """file -> flags, of what the build compiles from this tree."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = (Path(entry["directory"]) / entry["file"]).resolve()
        if path.suffix == ".c" and any(path.is_relative_to(ROOT / f)
                                       for f in FOLDERS):
            found.setdefault(path, flags_of(entry))
    return found


def run(command, folder):
    """(is it right, what it said)"""
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    return result.returncode == 0, result.stdout + result.stderr


def inputs_of(path, flags, build):
    """The file and the headers of this tree that it includes."""
    result = subprocess.run(["gcc", *flags, "-MM", str(path)], cwd=build,
                            capture_output=True, text=True)
    names = result.stdout.replace("\\\n", " ").split()[1:]
    return [str(path)] if result.returncode else sorted(set(names))


def state_of(path, flags, build):
    """A hash of all that the answer depends on, but for the tool."""
    h = hashlib.sha256(repr(flags).encode())
    for name in [*inputs_of(path, flags, build), ROOT / ".clang-tidy"]:
        h.update((build / name).read_bytes())
    return h.hexdigest()


def look(tool, command, path, flags, state, build):
    name = hashlib.sha256((tool + state).encode()).hexdigest()
    note = build / "lint" / name
    if note.exists():
        return True, ""
    is_right, said = run(command(path, flags), build)
    if is_right:
        note.touch()
    return is_right, said


def gcc(path, flags):
    return ["gcc", *flags, "-fsyntax-only", "-Werror", str(path)]


def clang_tidy(path, flags):
    return [CLANG_TIDY, "--quiet", "--warnings-as-errors=*", str(path),
            "--", *flags, "-Wno-unknown-warning-option"]


def look_at_all(name, command, files, states, build):
    """What is wrong, as text."""
    program = command(Path(), [])[0]
    if not shutil.which(program):
        return f"{program} is not installed; tools/setup.sh lint does that\n"
    tool = name + run([program, "--version"], build)[1]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(
            lambda f: look(tool, command, f, files[f], states[f], build),
            sorted(files))
        return "".join(said for is_right, said in results if not is_right)


def look_at_format():
    if not shutil.which("clang-format"):
        return "clang-format is not installed; tools/setup.sh lint does that\n"
    files = [str(f) for folder in FOLDERS
             for f in sorted((ROOT / folder).rglob("*.[ch]"))
             if "programs" not in f.parts and "examples" not in f.parts]
    is_right, said = run(["clang-format", "--dry-run", "--Werror", *files],
                         ROOT)
    return "" if is_right else said


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--format", action="store_true")
    parser.add_argument("build", nargs="?", default="build")
    arguments = parser.parse_args()
    build = (ROOT / arguments.build).resolve()
    (build / "lint").mkdir(exist_ok=True)
    files = sources(build)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        states = dict(zip(files, pool.map(
            lambda f: state_of(f, files[f], build), files)))
    results = [("format", look_at_format())] if arguments.format else []
    for name, command in (("gcc", gcc), ("clang-tidy", clang_tidy)):
        results.append((name, look_at_all(name, command, files, states,
                                         build)))
    for i, (name, wrong) in enumerate(results, 1):
        print("".join(f"# {line}\n" for line in wrong.splitlines()), end="")
        print(f"{'not ' if wrong else ''}ok {i} - lint: {name}")
    print(f"1..{len(results)}")
    sys.exit(any(wrong for _, wrong in results))


if __name__ == "__main__":
    main()
