#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ways in: standard input, compilation databases, completion, the doctor, and
what is said about a wrong turn.

    tests/cli/test_doors.py build/heddle [WORD]
"""
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap
from heddle import EMPTY_MAIN, HEDDLE, MP, WORK, heddle, says, write
from tap import test

ROOT = Path(__file__).resolve().parent.parent.parent
COMMANDS = ("check", "estimate", "split", "run", "merge", "test", "compare",
            "explore", "why", "optimize", "litmus", "models", "dump", "doctor",
            "help")


def piped(text, *args, code, cwd=WORK, **env):
    result = subprocess.run([HEDDLE, *args], input=text, text=True,
                            capture_output=True, cwd=cwd, timeout=60,
                            env={**os.environ, **env})
    assert result.returncode == code, (result.stdout, result.stderr)
    return result


# -- wrong turns


@test
def options_before_a_command_get_a_suggestion():
    says(heddle("--mod", "sc", "a.c", code=2), "did you mean '--model'",
         "follow a command")
    says(heddle("check", "--mod", "sc", "a.c", code=2),
         "did you mean '--model'?")
    says(heddle("--nothing-like-it", code=2), "explains the commands")


@test
def flags_of_clang_are_known_as_such():
    for flag in ("-Wall", "-O2", "-std=c17", "-pthread"):
        text = heddle("check", "a.c", flag, code=2).stderr
        assert f"go after '--': heddle check FILE -- {flag}\n" in text, text
    for word in ("-model", "--modell"):
        text = heddle("check", word, "sc", "a.c", code=2).stderr
        assert "did you mean '--model'?" in text, text


@test
def examples_of_the_help_are_command_lines():
    """Each is one as far as the options go: the files are not there."""
    found = 0
    folder = WORK / "nothing"
    folder.mkdir()
    for command in [None, *COMMANDS]:
        text = heddle(*[command] if command else [], "--help", code=0).stdout
        for line in text.splitlines():
            assert len(line) <= 80, line
            if not re.match(r"  heddle .* # ", line):
                continue
            words = shlex.split(line.split(" # ")[0])
            assert command in (None, "help", words[1]), line
            found += 1
            result = heddle(*words[1:], cwd=folder)
            if words[1] == "models":
                assert result.returncode == 0, line
            else:
                said = result.stdout + result.stderr
                assert result.returncode == 2 and "cannot " in said, said
    assert found > 20, found


@test
def what_ends_a_check_says_what_to_do():
    for body, hint in (
            ("int c = getchar();\nreturn c;", "--stdin FILE gives"),
            ("raise(SIGINT);\nreturn 0;", "call the handler in a thread"),
            ("char b[9];\nreturn !fgets(b, 9, fopen(\"x\", \"r\"));",
             "let the program have its data in memory")):
        text = heddle("check", write("ends.c", "#include <signal.h>\n"
                      f"#include <stdio.h>\nint main(void) {{ {body} }}\n"),
                      code=2).stderr
        assert "ends.c:" in text and hint in text, text


@test
def why_a_thread_was_stopped_is_said_once():
    path = write("deep.c", "static int f(int n) { return f(n + 1) + 1; }\n"
                 "int main(void) { return f(0); }\n")
    text = heddle("check", path, code=3).stdout
    assert text.count("--max-stack") == 1, text
    assert "A thread was stopped there: what comes after" in text, text


@test
def a_leak_says_how_to_see_its_execution():
    path = write("leak.c", "#include <stdlib.h>\n"
                 "int main(void) { int *p = malloc(4); *p = 1; }\n")
    text = heddle("check", path, code=0).stdout
    assert "hint: --error leak shows the execution" in text, text
    text = heddle("check", "--error", "leak", path, code=1).stdout
    assert "The execution" in text and "hint" not in text, text


@test
def each_heading_of_a_help_text_is_there_once():
    for command in COMMANDS:
        text = heddle(command, "--help", code=0).stdout
        headings = [line for line in text.splitlines()
                    if line and line[0].isupper() and line.endswith(":")]
        assert len(headings) == len(set(headings)), headings


# -- standard input


@test
def standard_input_is_a_program():
    text = piped(MP, "check", "-", code=1).stdout
    assert "at <stdin>:17 in main" in text, text
    assert "    17 |     assert(" in text, text  # its lines are shown
    report = json.loads(piped(MP, "check", "--json", "-", code=1).stdout)
    assert report["errors"][0]["file"] == "<stdin>", report["errors"]
    name = report["replay"]
    assert "note:" not in piped(MP, "check", "--replay", name, "-",
                                code=1).stderr


@test
def includes_of_standard_input_start_here():
    write("part.h", "#define ZERO 0\n")
    piped('#include "part.h"\nint main(void) { return ZERO; }\n', "check", "-",
          code=0)


@test
def bad_standard_input_is_named():
    result = piped("int main(void) { retrun 0; }\n", "check", "-", code=2)
    says(result, "<stdin>:1:18: error: use of undeclared identifier")
    assert "/heddle-" not in result.stderr, result.stderr
    says(piped("", "check", "-", code=2), "<stdin>", "is empty")
    says(piped(EMPTY_MAIN, "check", "-", "-", code=2), "only once")


@test
def standard_input_leaves_nothing_behind():
    folder = WORK / "temporary"
    folder.mkdir()
    piped(MP, "check", "-", code=1, TMPDIR=str(folder))
    piped("oops", "check", "-", code=2, TMPDIR=str(folder))
    assert not list(folder.iterdir()), list(folder.iterdir())
    says(piped(MP, "check", "-", code=2, TMPDIR=str(WORK / "nowhere")),
         "cannot be kept", "No such file")


@test
def pages_and_patches_show_standard_input():
    page = WORK / "in.html"
    piped(MP, "check", "--html", str(page), "-", code=1)
    assert "static void *writer" in page.read_text()
    patch = piped(MP, "optimize", "--repair", "--diff", "-", code=0).stdout
    assert "+  atomic_store_explicit(&flag, 1, memory_order_release);" in patch


# -- compilation databases

FLAGGED = """\
#include "inner.h"
#ifndef LIMIT
#error no limit
#endif
_Static_assert(LIMIT == 3 && INNER == 4 && sizeof TEXT == 4, "flags");
int main(void) { return 0; }
"""


def database(*entries, folder="build"):
    (WORK / folder).mkdir(exist_ok=True)
    (WORK / folder / "compile_commands.json").write_text(json.dumps(entries))
    return folder


def project():
    for name in ("source", "headers"):
        (WORK / name).mkdir(exist_ok=True)
    write("headers/inner.h", "#define INNER 4\n")
    return write("source/flagged.c", FLAGGED)


@test
def flags_come_from_a_database():
    file = project()
    command = ("/usr/bin/gcc -O2 -Wall -fsanitize=thread -I../headers "
               "-DLIMIT=3 '-DTEXT=\"a b\"' -MD -MF x.d -o x.o -c "
               "../source/flagged.c")
    says(heddle("check", file, code=2), "inner.h")
    folder = database({"directory": str(WORK / "build"), "command": command,
                       "file": "../source/flagged.c"})
    heddle("check", "-p", folder, "source/flagged.c", code=0)
    heddle("check", "-pbuild", file, code=2)  # only numbers may be glued
    heddle("check", "--compile-commands", "build/compile_commands.json", file,
           code=0)
    heddle("dump", "-p", folder, file, code=0)


@test
def arguments_are_words_and_the_first_entry_counts():
    file = project()
    words = ["cc", "-isystem", "headers", "-D", "LIMIT=2", "-DLIMIT=3",
             "-DTEXT=\"a b\"", "-c", file]
    entry = {"directory": str(WORK), "arguments": words, "file": file}
    other = {**entry, "arguments": ["cc", "-c", file]}
    folder = database(entry, other)
    heddle("check", "-p", folder, file, code=0)


@test
def bad_databases_are_told():
    file = write("plain.c", EMPTY_MAIN)
    says(heddle("check", "-p", "nowhere", file, code=2),
         "nowhere/compile_commands.json", "No such file")
    says(heddle("check", "-p", database(), file, code=2), "says nothing about")
    (WORK / "build/compile_commands.json").write_text('[\n  {"file": }]')
    says(heddle("check", "-p", "build", file, code=2),
         "build/compile_commands.json:2:12: error: this is no JSON")
    (WORK / "build/compile_commands.json").write_text('{}')
    says(heddle("check", "-p", "build", file, code=2), "no array")
    says(heddle("check", "-p", database({"directory": str(WORK),
                                         "file": file}), file, code=2),
         "neither arguments nor a command")


@test
def files_that_contradict_each_other_are_told():
    one, two = write("one.c", EMPTY_MAIN), write("two.c", "int x;\n")
    entries = [{"directory": str(WORK), "file": f, "arguments":
                ["cc", f"-DN={n}", "-c", f]} for n, f in enumerate((one, two))]
    says(heddle("check", "-p", database(*entries), one, two, code=2),
         "two.c", "-DN=1", "-DN=0")
    entries[1]["arguments"][1] = "-DN=0"
    heddle("check", "-p", database(*entries), one, two, code=0)


# -- the doctor


@test
def the_doctor_finds_all():
    text = heddle("doctor", code=0).stdout
    assert "missing" not in text and text.endswith("All is well.\n"), text


@test
def the_doctor_says_what_is_missing():
    text = heddle("doctor", code=2, HEDDLE_CLANG="/nowhere/clang").stdout
    assert "missing  clang" in text and "/nowhere/clang" in text, text
    assert "HEDDLE_CLANG" in text and "All is well" not in text, text
    text = heddle("doctor", code=2, HEDDLE_DATA="/nowhere").stdout
    assert "missing  headers" in text and "missing  library" in text, text
    text = heddle("doctor", code=0, HEDDLE_CACHE="", HOME="",
                  XDG_CACHE_HOME="").stdout
    assert "missing  cache" in text and "All is well" in text, text


@test
def without_proc_the_hint_is_to_mount_it():
    inside = "mount -t tmpfs none /proc && exec \"$@\""
    try:
        here = ["unshare", "-rm", "sh", "-c", inside, "sh"]
        subprocess.run([*here, "true"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        raise tap.Skip("no namespace of its own")
    said = subprocess.run([*here, str(HEDDLE), "check", write("mp.c", MP)],
                          capture_output=True, text=True)
    assert said.returncode == 2 and "mount /proc" in said.stderr, said


# -- completion


def completed(*words):
    """What bash offers for the last word."""
    script = (heddle("doc", "bash", code=0).stdout +
              f"COMP_WORDS=({' '.join(repr(w) for w in words)})\n"
              f"COMP_CWORD={len(words) - 1}\n_heddle\n"
              'printf "%s\\n" "${COMPREPLY[@]}"\n')
    path = f"{Path(HEDDLE).parent}:{os.environ['PATH']}"
    result = subprocess.run(["bash", "-c", script], capture_output=True,
                            text=True, cwd=WORK, timeout=60,
                            env={**os.environ, "PATH": path})
    assert not result.stderr, result.stderr
    return set(result.stdout.split())


@test
def bash_completes():
    assert {"check", "compare"} <= completed("heddle", "c")
    assert "doc" not in completed("heddle", "do")
    assert "--max-time" in completed("heddle", "check", "--max")
    assert "--witness" not in completed("heddle", "check", "--w")
    assert "--witness" in completed("heddle", "litmus", "--w")
    assert completed("heddle", "check", "--arm-rmw", "") == {"lse", "llsc"}
    assert {"armv7", "armv8"} == completed("heddle", "check", "--model", "arm")
    write("here.c", EMPTY_MAIN)
    assert "here.c" in completed("heddle", "check", "he")
    assert completed("heddle", "check", "--max-time", "he") == set()


@test
def other_shells_accept_their_files():
    for shell, args in (("zsh", ["-n"]), ("fish", ["--no-execute"])):
        text = heddle("doc", shell, code=0).stdout
        assert "max-executions" in text and "'" in text, text
        if shutil.which(shell):
            path = write("completion." + shell, text)
            result = subprocess.run([shell, *args, path], capture_output=True,
                                    text=True, timeout=60)
            assert result.returncode == 0 and not result.stderr, result.stderr


@test
def fish_completes():
    if not shutil.which("fish"):
        raise tap.Skip("there is no fish")
    path = write("heddle.fish", heddle("doc", "fish", code=0).stdout)
    script = f"source {path}; complete -C 'heddle check --arm-rmw l'"
    result = subprocess.run(["fish", "--no-config", "-c", script], text=True,
                            capture_output=True, timeout=60)
    assert "llsc" in result.stdout and "lse" in result.stdout, result


@test
def doc_says_what_it_prints():
    says(heddle("doc", "nothing", code=2), "man", "kinds", "fish")


if __name__ == "__main__":
    tap.main(sys.argv[2:])
