#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is said about load buffering: tests/cli/test_buffering.py HEDDLE."""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
import tap

HEDDLE = sys.argv[1]

BUFFERING = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_long x, y;
static void *left(void *unused) {
  long a = atomic_load_explicit(&x, memory_order_relaxed); // the first
  atomic_store_explicit(&y, 1 + 0 * a, memory_order_relaxed); // the promise
  return (void *)a;
}
static void *right(void *unused) {
  long b = atomic_load_explicit(&y, memory_order_relaxed); // the committed
  atomic_store_explicit(&x, b, memory_order_relaxed); // the second
  return (void *)b;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, left, NULL);
  pthread_create(&t, NULL, right, NULL);
#ifdef ERROR
  void *a, *b;
  pthread_join(s, &a);
  pthread_join(t, &b);
  assert(!(a && b));
#endif
}
"""

# The values go round in a circle: the same reads-from with other values is
# another execution.
CIRCLE = """
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
#define R(x) atomic_load_explicit(&x, memory_order_relaxed)
#define W(x, v) atomic_store_explicit(&x, v, memory_order_relaxed)
static void *one(void *unused) { if (R(x) == 0) W(x, 1); return NULL; }
static void *two(void *unused) { W(y, R(x)); return NULL; }
static void *three(void *unused) { W(x, R(y)); return NULL; }
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, one, NULL);
  pthread_create(&t, NULL, two, NULL);
  pthread_create(&t, NULL, three, NULL);
}
"""


def line_of(text):
    return next(i for i, line in enumerate(BUFFERING.split("\n"), 1)
                if text in line)


def check(source, code, *args, flags=()):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "buffering.c"
        path.write_text(source)
        done = subprocess.run([HEDDLE, "check", "--model", "xmm", *args,
                               str(path), "--", *flags],
                              capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


@tap.test
def stats_say_that_nothing_is_met_twice():
    for jobs in ("1", "2"):
        report = json.loads(check(BUFFERING, 0, "--json", "--stats", "--jobs",
                                  jobs))
        stats = report["stats"]
        assert report["executions"] == 4, report
        assert stats["cores"] == stats["extensions"] == 1, stats
        assert stats["duplicates"] == 0, stats
        assert stats["guesses"] and stats["descriptors"], stats
        assert stats["guided_runs"] and stats["guided_executions"], stats
    assert "1 cores, 1 extensions, 0 duplicates." in check(BUFFERING, 0,
                                                           "--stats")


@tap.test
def a_report_tells_the_justification():
    text = check(BUFFERING, 1, flags=["-DERROR"])
    first, promise = line_of("the first"), line_of("the promise")
    committed, second = line_of("the committed"), line_of("the second")
    told = text[text.index("Load buffering"):].split("\n")
    assert told[1:3] == [
        f"  T1 line {first} reads x = 1 from T2 line {second}",
        f"  T2 line {committed} reads y = 1 from T1 line {promise}"], text
    assert told[4] == told[2], text
    assert told[6] == f"  T1 line {first} reads x = 0", text
    assert "in the order T0, T2, T1," in told[7], text


@tap.test
def json_has_the_order_of_the_threads():
    report = json.loads(check(BUFFERING, 1, "--json", flags=["-DERROR"]))
    assert report["executed_again"] == [0, 2, 1], report
    events = report["events"]
    assert [events[e]["location"] for e in report["justified"]] == ["y"]


@tap.test
def executions_with_other_values_have_other_names():
    report = json.loads(check(CIRCLE, 0, "--json", "--stats"))
    assert report["stats"]["cores"] > 1, report
    assert report["stats"]["duplicates"] == 0, report


# The first thread takes 1 for x and z, and stores 5 over what the select gave
# (tests/litmus/known/LB+csel-flip): no execution has a parent like that. Each
# ends with a load whose sources are counted without it (leaf).
SELECT = """
@x = global i32 0, align 4
@y = global i32 0, align 4
@z = global i32 0, align 4
@a = global i32 0, align 4
@told = global i32 0, align 4
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_join(i64, ptr)
declare void @abort()
define ptr @left(ptr %unused) {
  %v = load atomic i32, ptr @x monotonic, align 4
  %w = load atomic i32, ptr @z monotonic, align 4
  %is = icmp ne i32 %v, 0
  %what = select i1 %is, i32 1, i32 %w
  store atomic i32 %what, ptr @a monotonic, align 4
  store atomic i32 1, ptr @y monotonic, align 4
  %double = shl i32 %v, 1
  %both = add i32 %double, %w
  store atomic i32 %both, ptr @told release, align 4
  ret ptr null
}
define ptr @middle(ptr %unused) {
  %v = load atomic i32, ptr @y monotonic, align 4
  store atomic i32 %v, ptr @x monotonic, align 4
  ret ptr null
}
define ptr @right(ptr %unused) {
  store atomic i32 5, ptr @a monotonic, align 4
  fence seq_cst
  store atomic i32 1, ptr @z monotonic, align 4
  %told = load atomic i32, ptr @told acquire, align 4
  %is = icmp eq i32 %told, 3
  br i1 %is, label %look, label %end
look:
  %a = load atomic i32, ptr @a monotonic, align 4
  %is5 = icmp eq i32 %a, 5
  br i1 %is5, label %wrong, label %end
wrong:
  call void @abort()
  br label %end
end:
  ret ptr null
}
define i32 @main() {
  %ids = alloca [3 x i64], align 8
  %second = getelementptr i64, ptr %ids, i64 1
  %third = getelementptr i64, ptr %ids, i64 2
  call i32 @pthread_create(ptr %ids, ptr null, ptr @left, ptr null)
  call i32 @pthread_create(ptr %second, ptr null, ptr @middle, ptr null)
  call i32 @pthread_create(ptr %third, ptr null, ptr @right, ptr null)
  %s = load i64, ptr %ids, align 8
  %t = load i64, ptr %second, align 8
  %u = load i64, ptr %third, align 8
  call i32 @pthread_join(i64 %s, ptr null)
  call i32 @pthread_join(i64 %t, ptr null)
  call i32 @pthread_join(i64 %u, ptr null)
  ret i32 0
}
"""


@tap.test
def a_select_that_may_lose_some_is_told_of():
    for model in "armv8", "power", "riscv":
        for args in [], ["--jobs", "2"], ["--without", "leaf"]:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "select.ll"
                path.write_text(SELECT)
                done = subprocess.run(
                    [HEDDLE, "check", "--model", model, *args, str(path)],
                    capture_output=True, text=True, check=False)
            assert done.returncode == 3, (model, args, done.stdout + done.stderr)
            assert "a select decides" in done.stdout, done.stdout


# A select gives the address of the last load, which processors may do early if
# compilers make a branch of it: then it does not see x = 1.
ADDRESS = """
@x = global i32 0, align 4
@y = global i32 0, align 4
@other = global i32 7, align 4
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_join(i64, ptr)
declare void @abort()
define ptr @sender(ptr %unused) {
  store atomic i32 1, ptr @x monotonic, align 4
  fence seq_cst
  store atomic i32 1, ptr @y monotonic, align 4
  ret ptr null
}
define ptr @receiver(ptr %unused) {
  %v = load atomic i32, ptr @y monotonic, align 4
  %is = icmp ne i32 %v, 0
  %from = select i1 %is, ptr @x, ptr @other
  %w = load atomic i32, ptr %from monotonic, align 4
  %wrong = icmp eq i32 %w, 0
  br i1 %wrong, label %fail, label %end
fail:
  call void @abort()
  br label %end
end:
  ret ptr null
}
define i32 @main() {
  %ids = alloca [2 x i64], align 8
  %second = getelementptr i64, ptr %ids, i64 1
  call i32 @pthread_create(ptr %ids, ptr null, ptr @sender, ptr null)
  call i32 @pthread_create(ptr %second, ptr null, ptr @receiver, ptr null)
  %s = load i64, ptr %ids, align 8
  %t = load i64, ptr %second, align 8
  call i32 @pthread_join(i64 %s, ptr null)
  call i32 @pthread_join(i64 %t, ptr null)
  ret i32 0
}
"""
# The same by way of memory: what is stored is forwarded.
FORWARDED = ADDRESS.replace("""  %from = select i1 %is, ptr @x, ptr @other
""", """  %given = select i1 %is, ptr @x, ptr @other
  store ptr %given, ptr @pointer, align 8
  %from = load ptr, ptr @pointer, align 8
""").replace("@y = global", "@pointer = global ptr null, align 8\n@y = global", 1)


@tap.test
def a_select_of_an_address_may_be_a_branch():
    codes = {"riscv": 1, "riscv --definition": 1, "riscv --variant amo": 3,
             "power": 1, "power --definition": 1, "armv7": 1, "lkmm": 3,
             "armv8": 1, "imm": 1, "sc": 0}
    for text in ADDRESS, FORWARDED:
        for model, code in codes.items():
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "address.ll"
                path.write_text(text)
                done = subprocess.run(
                    [HEDDLE, "check", "--model", *model.split(), str(path)],
                    capture_output=True, text=True, check=False)
            assert done.returncode == code, (model, done.stdout + done.stderr)
            assert (code == 3) == ("a select decides" in done.stdout), done.stdout


@tap.test
def too_many_sets_of_loads_are_told():
    path = Path(__file__).parent.parent / "programs/counts/sharedptr.c"
    done = subprocess.run(
        [HEDDLE, "check", "--json", "--model", "imm", "--definition",
         str(path), "--", "-DN=100"],
        capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 3, done.stdout[-300:] + done.stderr
    limit = json.loads(done.stdout)["limit"]
    assert limit.startswith("too many sets of loads"), limit


if __name__ == "__main__":
    tap.main(sys.argv[2:])
