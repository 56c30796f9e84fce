#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The way into Heddle: modules from elsewhere, files that it must not touch,
and answers of clang that are remembered.

    tests/cli/test_front.py build/heddle [WORD...]
"""
import os
import re
import resource
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


def compile_to(name, text, *flags):
    """A module that clang makes of a C text."""
    subprocess.run([CLANG, "-c", "-emit-llvm", "-w", *flags,
                    write("module.c", text), "-o", str(WORK / name)],
                   check=True)
    return name


WARNED = """\
#include <stdio.h>
int main(void) { char *text = "x"; printf("%d", text); return 0; }
"""


@test
def warnings_of_clang_are_shown_once():
    path = write("warned.c", WARNED)
    for command in (("check",), ("compare", "--models", "sc,rc11")):
        result = heddle(*command, "--no-cache", path, code=0)
        assert result.stderr.count("[-Wformat]") == 1, result.stderr
        assert "[-Wformat]" not in result.stdout, result.stdout
    assert not heddle("check", "--no-cache", path, "--", "-w",
                      code=0).stderr


# Modules from elsewhere.

POISON = """\
#include <assert.h>
volatile int seven = 7, forty = 40;
volatile double huge = 1e30;
#define APART __attribute__((noinline)) static
APART int shift(int x, int n) { return n < 32 ? x << n : 5; }
APART int whole(double x) { return x < 1e9 ? (int)x : 3; }
APART int count(unsigned x) { return x ? __builtin_clz(x) : 99; }
APART int used(int x, int n) { return x << n; }
int main(void) {
  assert(shift(seven, forty) == 5 && whole(huge) == 3);
  assert(count(forty - 40) == 99);
#ifdef USED
  if (used(seven, forty)) assert(seven == 7); // here
#endif
  return 0;
}
"""


@test
def what_an_optimiser_computes_and_drops_is_no_error():
    for level in ("-O0", "-O1", "-O2", "-O3"):
        module = compile_to("poison.bc", POISON, level, "-g")
        heddle("check", module, code=0)
        module = compile_to("poison.bc", POISON, level, "-g", "-DUSED")
        result = heddle("check", module, code=1)
        for part in (("[shift]", "in used") if level == "-O0" else
                     ("[uninitialized]", "has no result", "// here")):
            assert part in result.stdout, result.stdout

VALID = """\
define i32 @main() {
  %x = alloca i32
  store i32 1, ptr %x
  %v = load i32, ptr %x
  ret i32 0
}
"""


ENDS_TWICE = """\
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_join(i64, ptr)
define ptr @other(ptr %at) {
  store i32 1, ptr %at
  ret ptr null
}
define i32 @main(i32 %n, ptr %args) {
  %t = alloca i64
  %x = alloca i32
  %none = icmp eq i32 %n, NONE
  br i1 %none, label %end, label %begin
begin:
  call void @llvm.lifetime.start.p0(i64 4, ptr %x)
  %c = call i32 @pthread_create(ptr %t, ptr null, ptr @other, ptr %x)
  %id = load i64, ptr %t
  %j = call i32 @pthread_join(i64 %id, ptr null)
  call void @llvm.lifetime.end.p0(i64 4, ptr %x)
  br label %end
end:
  call void @llvm.lifetime.end.p0(i64 4, ptr %x)
  %more = add i32 %n, 1
  ret i32 0
}
"""


@test
def the_end_of_what_is_not_alive_is_no_error():
    """Optimisers move and merge such markers (rustc -O does)."""
    for none in ("0", "1"):
        heddle("check", write("ends.ll", ENDS_TWICE.replace("NONE", none)),
               code=0)


SELDOM = """\
@t = internal thread_local global [2 x i64] [i64 1, i64 7]
declare i64 @llvm.usub.sat.i64(i64, i64)
declare i8 @llvm.uadd.sat.i8(i8, i8)
declare void @abort()
define i32 @main() {
  %at = inttoptr i64 ptrtoint (ptr getelementptr (i8, ptr @t, i64 8) to i64) to ptr
  %seven = load i64, ptr %at
  %none = call i64 @llvm.usub.sat.i64(i64 %seven, i64 8)
  %two = call i64 @llvm.usub.sat.i64(i64 %seven, i64 5)
  %byte = trunc i64 %seven to i8
  %most = call i8 @llvm.uadd.sat.i8(i8 %byte, i8 250)
  %eight = call i8 @llvm.uadd.sat.i8(i8 %byte, i8 1)
  %m = zext i8 %most to i64
  %e = zext i8 %eight to i64
  %x = add i64 %none, %two
  %y = add i64 %m, %e
  %all = add i64 %x, %y
  %good = icmp eq i64 %all, 265
  br i1 %good, label %end, label %bad
bad:
  call void @abort()
  unreachable
end:
  ret i32 0
}
"""


@test
def what_rustc_writes_and_clang_does_not():
    """Sums that stop at the end, the address of a thread-local as a number."""
    heddle("check", write("seldom.ll", SELDOM), code=0)
    heddle("check", write("seldom.ll", SELDOM.replace("265", "266")), code=1)


@test
def what_the_verifier_refuses_is_bad_input():
    heddle("check", write("valid.ll", VALID), code=0)
    wrong = VALID.replace("  %x = alloca i32\n", "").replace(
        "  ret i32 0", "  %x = alloca i32\n  ret i32 0")
    says(heddle("check", write("wrong.ll", wrong), code=2), "wrong.ll",
         "dominate")


@test
def an_error_in_assembly_has_its_place():
    wrong = VALID.replace("store i32 1", "store i32 one")
    says(heddle("check", write("wrong.ll", wrong), code=2), "wrong.ll:3:13")


@test
def constructors_that_are_zero():
    heddle("check", write("zero.ll", VALID + "@llvm.global_ctors = appending "
                          "global [1 x { i32, ptr, ptr }] zeroinitializer\n"),
           code=0)


# A local of a loop whose first round an optimiser has put before the loop, so
# that its scope begins in two places. The index keeps it in memory.
PEELED = """\
@at = global i64 0
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)
define i32 @main() {
first:
  %%x = alloca [2 x i32]
  %%i = load volatile i64, ptr @at
  %%p = getelementptr [2 x i32], ptr %%x, i64 0, i64 %%i
  call void @llvm.lifetime.start.p0(i64 8, ptr %%x)
  store volatile i32 1, ptr %%p
  call void @llvm.lifetime.end.p0(i64 8, ptr %%x)
  br label %%round
round:
  %%n = phi i64 [ 0, %%first ], [ %%next, %%round ]
  call void @llvm.lifetime.start.p0(i64 8, ptr %%x)
  store volatile i32 2, ptr %%p
  call void @llvm.lifetime.end.p0(i64 8, ptr %%x)
  %%next = add i64 %%n, 1
  %%again = icmp ult i64 %%next, 3
  br i1 %%again, label %%round, label %%end
end:
%s  ret i32 0
}
"""


@test
def a_scope_that_is_entered_in_two_places():
    heddle("check", write("peeled.ll", PEELED % ""), code=0)
    late = "  store volatile i32 3, ptr %p\n"
    result = heddle("check", write("late.ll", PEELED % late), code=1)
    assert "whose scope was left" in result.stdout, result.stdout


@test
def a_crash_of_the_reader_is_not_ours():
    """LLVM's parser has no end to its recursion."""
    deep = "[1 x " * 300000 + "i8" + "]" * 300000
    says(heddle("check", write("deep.ll", f"@g = global {deep} undef\n" + VALID),
                code=2), "deep.ll", "damaged")


@test
def the_reader_is_not_waited_for_for_ever():
    """With a second of processor time, LLVM does not get to the end of this."""
    lines = "".join(f"@g{i} = global i32 {i}, !dbg !{i}\n"
                    for i in range(900000))
    path = write("long.ll", lines + VALID)
    result = subprocess.run(
        [HEDDLE, "check", path], capture_output=True, text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (1, 1)))
    assert result.returncode == 2, result
    says(result, "long.ll", "too long")


@test
def damaged_bitcode_has_an_answer():
    source = EMPTY_MAIN + "int x[100];\n"
    whole = (WORK / compile_to("whole.bc", source, "-g")).read_bytes()
    for at in range(8, len(whole), len(whole) // 16):
        damaged = whole[:at] + b"\xff\xff\xff\x7f" + whole[at + 4:]
        result = heddle("check", write("damaged.bc", damaged))
        assert result.returncode in (0, 2), (at, result)
        assert result.returncode == 0 or result.stderr.startswith("heddle: ")


@test
def other_machines_are_refused():
    for line in ('target datalayout = "E-p:64:64-i64:64"',
                 'target datalayout = "e-p:32:32"',
                 'target datalayout = "e-i64:32"'):
        result = heddle("check", write("other.ll", line + "\n" + VALID), code=2)
        says(result, "other.ll", "x86_64")
    wide = "@g = global ptr addrspace(270) inttoptr (i64 1 to ptr " \
           "addrspace(270))\n"
    text = VALID.replace("ptr %x\n  ret", "ptr @g\n  ret")
    says(heddle("check", write("near.ll", wide + text), code=2), "addrspace")


OLD_LAYOUT = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-" \
             "n8:16:32:64-S128"
# Is the 128-bit member at `offset`, and has it got the value of its global?
WIDE = """\
target datalayout = "LAYOUT"
@NAME.g = global { i64, i128 } { i64 1, i128 2 }
define i32 @NAME() {
  %p = getelementptr { i64, i128 }, ptr @NAME.g, i64 0, i32 1
  %far = getelementptr { i64, i128 }, ptr @NAME.g, i64 1
  %value = load i128, ptr %p
  %low = trunc i128 %value to i64
  %from = ptrtoint ptr @NAME.g to i64
  %at = ptrtoint ptr %p to i64
  %end = ptrtoint ptr %far to i64
  %offset = sub i64 %at, %from
  %size = sub i64 %end, %from
  %a = icmp eq i64 %offset, OFFSET
  %b = icmp eq i64 %size, SIZE
  %c = icmp eq i64 %low, 2
  %ab = and i1 %a, %b
  %abc = and i1 %ab, %c
  %result = zext i1 %abc to i32
  ret i32 %result
}
"""


@test
def modules_of_older_clang():
    """Before version 18, LLVM aligned __int128 to 8; each module has its way,
    in one program too."""
    def module(name, layout, offset, size):
        return write(name + ".ll", WIDE.replace("NAME", name)
                     .replace("LAYOUT", layout).replace("OFFSET", str(offset))
                     .replace("SIZE", str(size)))
    new_layout = OLD_LAYOUT.replace("i64:64-", "i64:64-i128:128-")
    old, new = module("old", OLD_LAYOUT, 8, 24), module("new", new_layout,
                                                        16, 32)
    main = write("main.c", "#include <assert.h>\nint old(void), new(void);\n"
                 "int main(void) { assert(old()); assert(new()); }\n")
    heddle("check", old, new, main, code=0)


@test
def label_of_another_function():
    text = """\
@t = global ptr blockaddress(@f, %here)
define void @f() {
  br label %here
here:
  ret void
}
define i32 @main() {
  %x = load ptr, ptr @t
  indirectbr ptr %x, [label %l]
l:
  ret i32 0
}
"""
    result = heddle("check", write("label.ll", text), code=1)
    assert "bad-call" in result.stdout, result.stdout


@test
def constructors():
    text = ("#include <assert.h>\nint x;\n__attribute__((constructor)) "
            "static int f(PARAMETERS) { x = 7; return 9; }\n"
            "int main(void) { assert(x == 7); return 0; }\n")
    check_source(text, "-DPARAMETERS=void", code=0)
    says(check_source(text, "-DPARAMETERS=int argc", code=2), "constructor")


# Findings that are switched off where the program cannot go on.

FAILS = """\
#include <assert.h>
int main(void) {
  int x = 1;
  assert(x == 2);
  return 0;
}
"""


@test
def disabled_assertion_that_does_not_return():
    assert check_json(FAILS, "--system-headers",
                      code=1)["errors"][0]["kind"] == "assertion"
    for args in ([write("fails.c", FAILS), "--system-headers"],
                 [compile_to("fails.bc", FAILS, "-O1")]):
        result = heddle("check", "--disable", "assertion", *args)
        assert "nreachable" not in result.stdout, result.stdout
        assert result.returncode == 3, result.stdout
        assert "1 blocked" in result.stdout, result.stdout


@test
def own_function_that_must_not_return():
    text = ("_Noreturn void stop(void) {}\n"
            "int main(void) { stop(); }\n")
    assert check_json(text, code=1)["errors"][0]["kind"] == "unreachable"


# Output.

@test
def a_report_never_replaces_a_source():
    for option in ("-o", "--output"):
        path = write("kept.c", EMPTY_MAIN)
        for command in ("check", "dump"):
            says(heddle(command, option, "kept.c", path, code=2), "kept.c",
                 "overwrite")
    os.symlink(path, WORK / "link.txt")
    os.link(path, WORK / "hard.txt")
    for name in ("link.txt", "hard.txt", "./kept.c"):
        says(heddle("check", "-o", name, path, code=2), "overwrite")
    # What `-o *.c` comes to.
    says(heddle("check", "-o", "kept.c", write("other.c", EMPTY_MAIN), code=2),
         "overwrite")
    write("kept.h", "int x;\n")
    says(heddle("check", "-o", "kept.h", path, code=2), "overwrite")
    for option in ("--dot", "--html", "--sarif", "--junit"):
        says(heddle("check", option, "kept.c", path, code=2), option,
             "overwrite")
    assert Path(path).read_text() == EMPTY_MAIN
    heddle("check", "-o", "report.txt", path, code=0)
    heddle("check", "-o", "report.txt", path, code=0)
    heddle("check", "-o", "/dev/null", path, code=0)


# Options about functions.

LOOPS = """\
#include <stdatomic.h>
atomic_int x;
static void climb(int n) {
  while (atomic_fetch_add(&x, 1) != n)
    ;
}
int main(void) {
  climb(-1);
  return 0;
}
"""


@test
def unroll_names_a_function_of_the_program():
    says(check_source(LOOPS, "--unroll", "clmb:3", code=2), "clmb", "climb")
    says(check_source(LOOPS, "--unroll", "nofn:3", "--unroll", "2", code=2),
         "nofn")


@test
def unroll_finds_the_loop_of_an_inlined_function():
    for name in ("climb", "main"):
        result = check_source(LOOPS, "--unroll", f"{name}:3", "--max-events",
                              "500")
        assert "Incomplete (--unroll)" in result.stdout, (name, result.stdout)


# What Heddle works with.

@test
def version_names_what_heddle_works_with():
    text = heddle("--version", code=0, HEDDLE_CACHE="/some/where").stdout
    about = subprocess.run([CLANG, "--version"], capture_output=True,
                           text=True, check=True).stdout
    major = re.search(r"version (\d+)\.", about)[1]
    for word in (f"LLVM     {major}.", "clang", "include/heddle", "rt.a",
                 "/some/where"):
        assert word in text, (word, text)
    text = heddle("--version", code=0, HEDDLE_CLANG="/nowhere/clang",
                  HEDDLE_DATA="/nowhere").stdout
    assert "/nowhere/clang" in text and "none" in text, text


@test
def data_directory():
    says(check_source(EMPTY_MAIN, code=0))
    result = heddle("check", write("data.c", EMPTY_MAIN), code=2,
                    HEDDLE_DATA="/nowhere")
    says(result, "/nowhere/include/heddle", "HEDDLE_DATA")


# The cache, from outside.

@test
def cache_knows_what_was_not_there():
    cache = {"HEDDLE_CACHE": str(WORK / "cache")}
    for folder in ("first", "second"):
        (WORK / folder).mkdir()
    (WORK / "second" / "value.h").write_text("#define VALUE 0\n")
    path = write("asks.c", '#include <assert.h>\n#include "value.h"\n'
                 "int main(void) { assert(VALUE == 0); return 0; }\n")
    args = ["check", "-Ifirst", "-Isecond", path]
    heddle(*args, code=0, **cache)
    (WORK / "first" / "value.h").write_text("#define VALUE 1\n")
    heddle(*args, code=1, **cache)
    (WORK / "first" / "value.h").unlink()
    heddle(*args, code=0, **cache)


@test
def cache_knows_response_files():
    cache = {"HEDDLE_CACHE": str(WORK / "cache")}
    path = write("flags.c", "#include <assert.h>\n"
                 "int main(void) { assert(VALUE == 0); return 0; }\n")
    for value in (0, 1, 0):
        write("flags", f"-DVALUE={value}")
        heddle("check", path, "--", "@flags", code=value, **cache)


@test
def the_same_check_twice_needs_one_compiler():
    cache = {"HEDDLE_CACHE": str(WORK / "once"),
             "HEDDLE_CLANG": str(Path(HEDDLE).parent / "tests" / "unit" /
                                 "counting_clang"),
             "COUNTING": str(WORK / "runs")}
    path = write("mp.c", MP)
    time.sleep(0.05)
    for args in ([], [], ["--system-headers"], ["--system-headers"]):
        heddle("check", "--model", "sc", *args, path, code=0, **cache)
    assert (WORK / "runs").read_text() == "xx"


@test
def linker_sets_gather_from_all_files():
    one = write("set-one.c", """\
#include <assert.h>
extern int __start_nums[], __stop_nums[], far;
static int here __attribute__((section("nums"), used)) = 1;
int main(void) {
  int sum = 0;
  for (int *p = __start_nums; p < __stop_nums; p++)
    sum += *p;
  here = 2;
  assert(sum == 6 && far == 5 && (__start_nums[0] & __start_nums[1]) == 0);
  return 0;
}
""")
    two = write("set-two.c",
                'int far __attribute__((section("nums"), used)) = 5;\n')
    heddle("check", one, two, code=0)
    says(heddle("check", write("set-none.c", "extern int __start_none[];\n"
                               "int main(void) { return __start_none[0]; }\n"),
                code=2), "`__start_none` is declared but never defined")


@test
def branches_of_a_long_function_guard_no_more_than_they_do():
    """Behind the branch of T1 there may be load buffering, however many others
    there are; where they are too many to ask, that is an error."""
    def source(branches):
        return """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define load(p) atomic_load_explicit(p, memory_order_relaxed)
#define store(p, v) atomic_store_explicit(p, v, memory_order_relaxed)
atomic_int x, w, z;
int a, b;
static void *one(void *p) {
  a = load(&x);
  if (a)
    store(&w, 1);
  store(&z, 1);
""" + "  if (p == &a) p = &b;\n" * branches + """\
  return p;
}
static void *two(void *p) { b = load(&z); store(&x, b); return p; }
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, one, 0);
  pthread_create(&t, 0, two, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(!a || !b);
}
"""
    options = "--model", "lkmm", "--disable", "race"
    report = check_source(source(210), *options, code=1).stdout
    assert "[assertion]" in report, report
    says(check_source(source(600), *options, code=2), "more than 1000 blocks")


@test
def a_loop_that_is_never_left_and_entered_in_two_places_has_no_guards():
    source = """#include <pthread.h>
static volatile int x, w;
static void leave(void) { if (w > 2) pthread_exit(0); }
static void *turn(void *p) {
  if (p) goto in;
again:
  leave();
in:
  w = w + 1;
  if (x) w = 0;
  goto again;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, turn, 0);
  pthread_join(t, 0);
}
"""
    says(check_source(source, "--model", "lkmm", code=2),
         ":4: error: what branches guard in a loop without end that is entered "
         "in several places")
    check_source(source, "--model", "rc11", code=0)


tap.main()
