#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The command line: help, bad input, exit codes, JSON.

    tests/cli/test_cli.py build/heddle [WORD...]
"""
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap
from clang import CLANG
from heddle import (EMPTY_MAIN, HEDDLE, MP, WORK, check_json, check_source,
                    heddle, says, write)
from tap import test


# Help and versions.

@test
def help_goes_to_stdout():
    for args in (["--help"], ["-h"], ["help"], ["check", "--help"],
                 ["help", "check"], ["models", "--help"]):
        result = heddle(*args, code=0)
        assert "heddle" in result.stdout and not result.stderr, args


@test
def help_teaches_options_and_exit_codes():
    text = heddle("check", "--help", code=0).stdout
    for word in ("--model", "--json", "--disable", "--max-executions", "--"):
        assert word in text, word
    assert "xit code" in heddle("--help", code=0).stdout + text


@test
def version():
    assert heddle("--version", code=0).stdout.startswith("heddle ")


@test
def models_are_listed():
    lines = heddle("models", code=0).stdout.splitlines()
    names = [line.split()[0] for line in lines if line.strip()]
    assert names == ["sc", "tso", "pso", "ra", "rc11", "c11", "jam21", "xmm",
                     "imm", "armv8", "armv7", "power", "riscv", "lkmm",
                     "bpf", "mips"], names
    assert all(len(line.split()) > 1 for line in lines if line.strip()), lines


@test
def no_command_is_a_usage_error():
    says(heddle(code=2), "heddle")


@test
def unknown_command():
    says(heddle("chek", code=2), "chek", "check")


@test
def unknown_option_suggests_the_nearest():
    result = heddle("check", "--modle", "sc", "x.c", code=2)
    says(result, "--modle", "--model")
    assert not result.stdout


@test
def unknown_model_suggests_the_nearest():
    says(check_source(EMPTY_MAIN, "--model", "rc1", code=2), "rc1", "rc11")


@test
def unknown_check_suggests_the_nearest():
    says(check_source(EMPTY_MAIN, "--disable", "rase", code=2), "rase", "race")


@test
def bad_option_arguments():
    says(check_source(EMPTY_MAIN, "--max-executions", "many", code=2), "many")
    says(check_source(EMPTY_MAIN, "--max-time", "-1", code=2), "-1")
    says(check_source(EMPTY_MAIN, "--max-executions", code=2))
    says(check_source(EMPTY_MAIN, "--color", "pink", code=2), "pink")
    says(heddle("check", "--model", code=2), "--model")


@test
def no_files():
    says(heddle("check", code=2), "file")


# Bad input.

@test
def missing_file():
    says(heddle("check", "nowhere.c", code=2), "nowhere.c")


@test
def directory():
    (WORK / "folder.c").mkdir(exist_ok=True)
    says(heddle("check", "folder.c", code=2), "folder.c", "directory")


@test
def unreadable_file():
    if os.getuid() == 0:
        raise tap.Skip("root reads everything")
    path = write("secret.c", EMPTY_MAIN)
    os.chmod(path, 0)
    says(heddle("check", path, code=2), "secret.c")


@test
def unknown_extension():
    says(heddle("check", write("notes.xyz", EMPTY_MAIN), code=2), "notes.xyz")


@test
def empty_file():
    says(check_source("", name="empty.c", code=2), "empty.c")


@test
def no_main():
    says(check_source("int x;\n", name="nomain.c", code=2), "main")


@test
def binary_junk():
    junk = bytes(range(256)) * 16
    for name in ("junk.c", "junk.bc", "junk.ll"):
        says(heddle("check", write(name, junk), code=2), name)


@test
def truncated_and_empty_bitcode():
    says(heddle("check", write("empty.bc", b""), code=2), "empty.bc")
    says(heddle("check", write("short.bc", b"BC\xc0\xde"), code=2), "short.bc")
    source = write("whole.c", EMPTY_MAIN)
    subprocess.run([CLANG, "-c", "-emit-llvm", "-O0", "-g", source, "-o",
                    str(WORK / "whole.bc")], check=True)
    whole = (WORK / "whole.bc").read_bytes()
    for length in (20, len(whole) // 2, len(whole) - 4):
        says(heddle("check", write("cut.bc", whole[:length]), code=2), "cut.bc")


@test
def bitcode_and_assembly_input():
    source = write("input.c", MP)
    for option, name in (([], "input.bc"), (["-S"], "input.ll")):
        subprocess.run([CLANG, "-c", "-emit-llvm", "-O0", "-Xclang",
                        "-disable-O0-optnone", "-g", *option, source, "-o",
                        str(WORK / name)], check=True)
        result = heddle("check", name, code=1)
        assert "assertion" in result.stdout, result.stdout
        heddle("check", "--model", "sc", name, code=0)


@test
def syntax_error_passes_through():
    result = check_source("int main(void) { return 0 }\n", name="typo.c",
                          code=2)
    says(result, "typo.c:1", "expected ';'")


@test
def unwritable_output():
    says(check_source(EMPTY_MAIN, "--output", "/nowhere/out.txt", code=2),
         "/nowhere/out.txt")
    says(check_source(EMPTY_MAIN, "--output", str(WORK), code=2), str(WORK))


@test
def full_device():
    if not os.path.exists("/dev/full"):
        raise tap.Skip("no /dev/full")
    says(check_source(EMPTY_MAIN, "--output", "/dev/full", code=2), "/dev/full")
    path = write("program.c", EMPTY_MAIN)
    with open("/dev/full", "w") as full:
        result = subprocess.run([HEDDLE, "check", path], stdout=full,
                                stderr=subprocess.PIPE, text=True)
    assert result.returncode == 2, result.returncode


@test
def closed_stdout_is_no_crash():
    path = write("program.c", EMPTY_MAIN)
    result = subprocess.run(f"'{HEDDLE}' check '{path}' | true; "
                            "echo ${PIPESTATUS[0]}", shell=True, text=True,
                            executable="/bin/bash", capture_output=True)
    assert int(result.stdout.split()[-1]) in (0, 2, 141), result.stdout


@test
def unknown_external_function():
    text = "int mystery(int);\nint main(void) { return mystery(3); }\n"
    says(check_source(text, name="ext.c", code=2), "mystery", "ext.c:2")


@test
def unreached_unknown_function_does_no_harm():
    check_source("void mystery(void);\nvoid unused(void) { mystery(); }\n"
                 "int main(void) { return 0; }\n", code=0)


@test
def unsupported_inline_assembly():
    text = ('int main(void) {\n  int x = 0;\n'
            '  __asm__ volatile("rcl $1, %0" : "+r"(x));\n  return x;\n}\n')
    says(check_source(text, name="asm.c", code=2), "asm.c:3", "rcl")


@test
def what_vectors_are_not_made_of_is_refused_by_name():
    text = ("typedef __bf16 v4 __attribute__((vector_size(8)));\nv4 g, h;\n"
            "int main(void) {\n  g = h;\n  return 0;\n}\n")
    says(check_source(text, name="vec.c", code=2), "vec.c:4", "<4 x bfloat>")


@test
def duplicate_definitions():
    a, b = write("a.c", EMPTY_MAIN), write("b.c", EMPTY_MAIN)
    says(heddle("check", a, b, code=2), "main", "a.c", "b.c")


@test
def file_of_100000_lines():
    lines = [f"int f{i}(void) {{ return {i}; }}" for i in range(50000)]
    lines += [f"// line {i}" for i in range(50000)]
    text = "\n".join(lines) + "\nint main(void) { return f7() - 7; }\n"
    check_source(text, name="long.c", code=0)


@test
def null_thread_function():
    text = ("#include <pthread.h>\nint main(void) {\n  pthread_t t;\n"
            "  void *(*f)(void *) = 0;\n"
            "  return pthread_create(&t, 0, f, 0);\n}\n")
    answer = check_json(text, code=1)
    assert answer["errors"][0]["kind"] in ("thread-misuse", "bad-call"), answer
    assert answer["errors"][0]["line"] == 5, answer


@test
def other_exit_status_is_a_note():
    answer = check_source("int main(void) { return 3; }\n", code=0)
    assert "exit status 3" in answer.stdout, answer.stdout
    assert check_json("int main(void) { return 3; }\n", code=0)["failures"] == 1
    assert check_json("int main(void) { return 0; }\n", code=0)["failures"] == 0
    by_thread = """#include <pthread.h>
#include <stdlib.h>
static void *leave(void *arg) { (void)arg; exit(4); }
int main(void) {
  pthread_t id;
  pthread_create(&id, NULL, leave, NULL);
  pthread_join(id, NULL);
}
"""
    assert check_json(by_thread, code=0)["failures"] == 1


@test
def calls_without_meaning_are_refused():
    text = "#include <unistd.h>\nint main(void) { return fork(); }\n"
    says(check_source(text, code=2), "fork", "2")


@test
def more_threads_than_there_is_room_for():
    text = ("#include <pthread.h>\n#include <stddef.h>\n"
            "static void *f(void *x) { return x; }\nint main(void) {\n"
            "  for (int i = 0; i < N; i++) {\n    pthread_t t;\n"
            "    pthread_create(&t, NULL, f, NULL);\n  }\n  return 0;\n}\n")
    heddle("check", write("threads.c", text), "--", "-DN=60", code=0)
    result = heddle("check", write("threads.c", text), "--", "-DN=200")
    assert result.returncode in (1, 2, 3), result.returncode
    assert "thread" in result.stdout + result.stderr, result.stdout


@test
def endless_loop_and_recursion():
    answer = check_json("int main(void) { for (;;) {} }\n", code=1)
    assert answer["errors"][0]["kind"] == "endless-loop", answer
    answer = check_json("static int f(int n) { return f(n + 1) + 1; }\n"
                        "int main(void) { return f(0); }\n", code=3)
    assert "--max-stack" in answer["limit"], answer


@test
def malloc_of_a_gigabyte():
    text = ("#include <stdlib.h>\nint main(void) {\n"
            "  char *p = malloc(SIZE);\n  if (p) {\n    p[SIZE - 1] = 1;\n"
            "    p[0] = 2;\n  }\n  free(p);\n  return 0;\n}\n")
    path = write("huge.c", text)
    for size in ("(1ul<<30)", "(1ul<<20)", "(1ul<<40)", "((unsigned long)-1)"):
        result = heddle("check", path, "--", "-DSIZE=" + size, code=0)
        assert result.stdout, size


# Exit codes, verdicts, limits.

@test
def exit_codes():
    check_source(EMPTY_MAIN, code=0)
    check_source(MP, code=1)
    check_source(MP, "--model", "sc", code=0)
    check_source(MP, "--max-executions", "1", "--disable", "assertion", code=3)


@test
def a_limit_is_named():
    result = check_source(MP, "--max-executions", "1", "--disable", "assertion",
                          code=3)
    assert "execution" in result.stdout and "ncomplete" in result.stdout, (
        result.stdout)


@test
def time_limit():
    text = ("#include <pthread.h>\n#include <stdatomic.h>\n"
            "#include <stddef.h>\natomic_int x;\n"
            "static void *f(void *p) { x++; return p; }\n"
            "int main(void) {\n  pthread_t t;\n  for (int i = 0; i < 14; i++)\n"
            "    pthread_create(&t, NULL, f, NULL);\n  return 0;\n}\n")
    path = write("long_run.c", text)
    start = time.monotonic()
    heddle("check", "--symmetry", "off", "--max-time", "0.5", path, code=3)
    assert time.monotonic() - start < 20
    process = subprocess.Popen([HEDDLE, "check", "--symmetry", "off", path],
                               stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    assert process.returncode == 3 and "ncomplete" in out, (
        process.returncode, out)


@test
def every_execution_blocked_is_not_called_success():
    result = check_source("#include <heddle.h>\nint main(void) {\n"
                          "  heddle_assume(0);\n  return 0;\n}\n")
    assert "acuous" in result.stdout, result.stdout


@test
def report_shows_the_execution():
    out = check_source(MP, name="mp.c", code=1).stdout
    for word in ("assertion", "mp.c:17", "data", "flag", "relaxed"):
        assert word in out or word == "relaxed" and "rlx" in out, (word, out)
    # (The name of the temporary folder may end in anything.)
    assert not re.search(r"\b0x[0-9a-f]", out), "a raw address:\n" + out
    assert "\x1b" not in out, "colours although this is no terminal"


@test
def colours_when_asked_for():
    assert "\x1b" in check_source(MP, "--color", "always", code=1).stdout


@test
def quiet_and_stats():
    full = check_source(MP, code=1).stdout
    quiet = check_source(MP, "--quiet", code=1).stdout
    assert quiet and len(quiet) < len(full)
    assert len(check_source(MP, "--stats", code=1).stdout) > len(full)


@test
def output_file():
    path = WORK / "report.txt"
    result = check_source(MP, "--output", str(path), code=1)
    assert "assertion" in path.read_text() and "assertion" not in result.stdout


@test
def printed_text_is_shown_not_printed():
    text = ('#include <stdio.h>\n#include <assert.h>\nint main(void) {\n'
            '  printf("hello %d\\n", 7);\n  assert(0);\n  return 0;\n}\n')
    assert "hello 7" in check_source(text, code=1).stdout
    quiet_run = check_source(text.replace("assert(0)", "assert(1)"), code=0)
    assert "hello" not in quiet_run.stdout


@test
def clang_flags_and_shortcuts():
    text = "int main(void) { return VALUE; }\n"
    path = write("flags.c", text)
    heddle("check", path, "--", "-DVALUE=0", code=0)
    heddle("check", "-DVALUE=0", path, code=0)
    heddle("check", "-D", "VALUE=0", path, code=0)
    heddle("check", path, code=2)


@test
def include_path():
    (WORK / "inc").mkdir(exist_ok=True)
    (WORK / "inc" / "own.h").write_text("#define RESULT 0\n")
    path = write("inc.c", '#include "own.h"\n'
                 "int main(void) { return RESULT; }\n")
    heddle("check", "-I", "inc", path, code=0)
    heddle("check", "-Iinc", path, code=0)


@test
def system_headers():
    check_source(MP, "--system-headers", "--model", "sc", code=0)
    check_source(MP, "--system-headers", code=1)


@test
def all_errors_are_collected():
    text = ("#include <heddle.h>\nint main(void) {\n"
            "  int v = (int)heddle_choose(0, 2);\n"
            "  if (v == 0)\n    heddle_assert(v == 1);\n"
            "  if (v == 1)\n    heddle_assert(v == 0);\n  return 0;\n}\n")
    assert len(check_json(text, code=1)["errors"]) == 1
    errors = check_json(text, "--all-errors", code=1)["errors"]
    assert {error["line"] for error in errors} == {5, 7}, errors


@test
def dump_prints_bytecode():
    out = heddle("dump", write("dump.c", MP), code=0).stdout
    assert "main" in out and "writer" in out, out


# JSON.

JSON_TYPES = {"verdict": str, "model": str, "executions": int, "blocked": int,
              "errors": list, "events": list, "seconds": float,
              "max_rss_kb": int}


@test
def json_has_the_promised_members():
    for args, code, verdict in ((["--model", "sc"], 0, "ok"), ([], 1, "error"),
                                (["--max-executions", "1", "--disable",
                                  "assertion"], 3, "incomplete")):
        answer = check_json(MP, *args, code=code)
        assert answer["verdict"] == verdict, answer
        for key, kind in JSON_TYPES.items():
            value = answer[key]
            ok = isinstance(value, kind) or kind is float and isinstance(value,
                                                                         int)
            assert ok, (key, value)
        assert answer["seconds"] >= 0 and answer["max_rss_kb"] > 0


@test
def json_error_has_kind_message_and_place():
    answer = check_json(MP, code=1)
    error = answer["errors"][0]
    assert error["kind"] == "assertion" and error["line"] == 17, error
    assert error["file"].endswith("program.c") and error["message"], error
    assert answer["model"] == "rc11" and answer["events"], answer


@test
def the_reported_file_can_be_opened():
    """Also where clang shortens the name, because the folder of the file and
    the current one have a common part."""
    source = write("place.c", MP)
    below = WORK / "below"
    below.mkdir(exist_ok=True)
    for cwd, name in ((WORK, source), (WORK, "place.c"), (below, source),
                      (below, "../place.c"), ("/", source)):
        out = heddle("check", "--json", name, cwd=cwd, code=1).stdout
        file = json.loads(out)["errors"][0]["file"]
        assert (Path(cwd) / file).exists(), f"{name} from {cwd}: {file}"


DEPENDENT = """\
#include <assert.h>
#include <stdatomic.h>
#define RLX memory_order_relaxed
atomic_int x, y[2], z;
int main(void) {
  int r = atomic_load_explicit(&x, RLX);
  int s = atomic_load_explicit(&y[r & 0], RLX);
  if (s)
    return 1;
  __asm__ volatile("isb" ::: "memory");
  atomic_store_explicit(&z, r ^ r, RLX);
  assert(atomic_load_explicit(&z, RLX));
}
"""


@test
def reports_name_dependencies():
    for model in "imm", "armv8":
        events = {event["line"]: event for event in
                  check_json(DEPENDENT, "--model", model, code=1)["events"]}
        x, y, isb, z = (events[line] for line in (6, 7, 10, 11))
        found = [[e.get(how) for how in ("addr", "data", "ctrl")]
                 for e in (x, y, z)]
        assert found == [[None, None, None], [[x["index"]], None, None],
                         [None, [x["index"]], [y["index"]]]], found
        assert isb["flags"] == ["isb"], isb
        text = check_source(DEPENDENT, "--model", model, code=1).stdout
        for words in ("address from line 6", "fence (isb)",
                      "value from line 6, branch on line 7"):
            assert words in " ".join(text.split()), f"no {words} in\n{text}"


@test
def only_models_with_dependencies_report_them():
    for event in check_json(DEPENDENT, code=1)["events"]:
        assert not {"addr", "data", "ctrl"} & set(event), event


@test
def json_of_bad_input_is_not_half_an_object():
    result = check_source("int main(void) {", "--json", code=2)
    assert not result.stdout.strip().startswith("{") or result.stdout.count(
        "{") == result.stdout.count("}")


@test
def same_answer_twice():
    def stable(answer):
        return {k: v for k, v in answer.items()
                if k not in ("seconds", "max_rss_kb", "stats")}
    assert stable(check_json(MP)) == stable(check_json(MP))


# The cache of compiled programs.

@test
def cache_notices_changes():
    cache = {"HEDDLE_CACHE": str(WORK / "cache")}
    (WORK / "value.h").write_text("#define VALUE 0\n")
    path = write("cached.c", '#include <assert.h>\n#include "value.h"\n'
                 "int main(void) { assert(VALUE == 0); return 0; }\n")
    heddle("check", path, code=0, **cache)
    heddle("check", path, code=0, **cache)
    (WORK / "value.h").write_text("#define VALUE 1\n")
    heddle("check", path, code=1, **cache)
    heddle("check", path, "--", "-UX", code=1, **cache)
    heddle("check", "--no-cache", path, code=1, **cache)


@test
def cache_survives_damage():
    folder = WORK / "cache2"
    cache = {"HEDDLE_CACHE": str(folder)}
    path = write("cached.c", EMPTY_MAIN)
    heddle("check", path, code=0, **cache)
    files = [f for f in folder.rglob("*") if f.is_file()]
    assert files, "nothing was cached"
    for file in files:
        file.write_bytes(file.read_bytes()[:-7] + b"garbage")
    heddle("check", path, code=0, **cache)
    for file in files:
        file.write_bytes(b"")
    heddle("check", path, code=0, **cache)
    heddle("check", path, code=0, HEDDLE_CACHE="/proc/nowhere")


@test
def missing_clang_is_explained():
    says(heddle("check", "--no-cache", write("c.c", EMPTY_MAIN), code=2,
                HEDDLE_CLANG="/nowhere/clang"), "clang")


@test
def rounds_are_asked_for_by_the_whole_word():
    """`--unroll f:` complained about ''."""
    program = write("empty.c", EMPTY_MAIN)
    for text in ("f:", "f:x", "x", ":3", "0"):
        says(heddle("check", "--unroll", text, program, code=2),
             "--unroll expects [FUNCTION:]N with a whole number of at least 1, "
             f"such as 2 or main:2, not '{text}'")


tap.main()
