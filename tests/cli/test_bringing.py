#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Code as it is: headers of the host, functions that nobody defines, volatile,
assembly, code for other machines.

    tests/cli/test_bringing.py build/heddle [WORD...]
"""
import json
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap
from clang import CLANG
from heddle import WORK, check_json, check_source, heddle, says, write
from tap import test

CALLS = """\
#include <heddle.h>
#include <stdlib.h>
int mystery(int);
int main(void) {
  int n = heddle_choose(0, 3);
  if (n == %d)
    return mystery(n);
  return 0;
}
"""


@test
def a_function_is_refused_where_it_is_called():
    result = check_source(CALLS % 2, code=2)
    says(result, "program.c:7:12:", "unknown external function `mystery`",
         "hint: give the source file that defines it")
    assert not result.stdout


@test
def a_function_that_is_not_called_does_no_harm():
    check_source(CALLS % 9, code=0)


@test
def what_is_refused_is_no_verdict_for_tools_either():
    report = check_json(CALLS % 2, code=2)
    assert report["verdict"] == "incomplete", report["verdict"]
    assert report["errors"][0]["kind"] == "unsupported"


@test
def an_error_that_is_found_too_counts():
    source = CALLS % 2 + "#define N 1\n"
    source = source.replace("int n = heddle_choose(0, 3);",
                            "int n = heddle_choose(0, 3); if (n == 3) abort();")
    result = check_source(source, "--all-errors", code=1)
    assert "[abort]" in result.stdout and "[unsupported]" in result.stdout


@test
def refusals_cannot_be_switched_off():
    for option in ("--disable", "--warn"):
        says(check_source(CALLS % 2, option, "unsupported", code=2),
             "there is no check 'unsupported'")


@test
def what_to_do_depends_on_the_function():
    rows = {"mkdir": ("#include <sys/stat.h>\nint main(void) "
                      "{ return mkdir(\"x\", 0700); }\n", "no files"),
            "fork": ("#include <unistd.h>\nint main(void) "
                     "{ return fork(); }\n", "one process")}
    for name, (source, advice) in rows.items():
        says(check_source(source, code=2), f"`{name}`", advice)
    says(check_source("#include <stdio.h>\nint main(void) "
                      "{ return !fopen(\"x\", \"w\"); }\n", code=2),
         "fopen for writing is not supported", "no files")


@test
def names_of_other_checkers_need_no_declaration():
    source = ("int main(void) { int x = __VERIFIER_nondet_bool();\n"
              "__VERIFIER_assume(x); assert(x == 1);\n"
              "__ESBMC_atomic_begin(); __CPROVER_assume(nondet_bool());\n"
              "__ESBMC_atomic_end(); %s }\n")
    heddle("check", write("names.c", source % ""), code=0)
    declared = "void __VERIFIER_assert(int); void __VERIFIER_assume(int);\n"
    heddle("check", write("names.c", declared + source % ""), code=0)
    # A pointer is true even if its lower bits are 0.
    pointer = "static int x; int main(void) { __VERIFIER_assume(&x); %s }\n"
    for include in ("", "#include <genmc.h>\n"):
        heddle("check", write("names.c", include + pointer % ""), code=0)
        heddle("check", write("names.c", include + pointer % "assert(0);"),
               code=1)
    for wrong in ("__ESBMC_assert(x == 2, \"two\");",
                  "__CPROVER_assert(x == 2, \"two\");",
                  "assert(x == 2);", "reach_error();"):
        result = heddle("check", write("names.c", source % wrong), code=1)
        assert "[assertion]" in result.stdout, result


@test
def a_function_without_declaration_is_explained():
    for name, advice in (("pthread_create", "<pthread.h>"),
                         ("smp_mb", "<lkmm.h>"), ("mine", "-std=gnu89")):
        result = check_source(f"int main(void) {{ {name}(); }}\n", code=2)
        says(result, "program.c:1:", f"`{name}`", advice)


@test
def implicit_functions_are_looked_for_in_the_hosts_headers():
    """Where flags allow functions without a declaration, those that the host
    declares are not int."""
    source = ("#include <time.h>\n#include <assert.h>\n"
              "int main(void) { time_t t = 0; char *day = ctime(&t);\n"
              "assert(day[0] == 'T'); return later(1); }\n"
              "int later(int x) { return x - 1; }\n")
    path = write("implicit.c", source)
    heddle("check", path, code=2)
    for flag in ("-std=gnu89", "-Wno-implicit-function-declaration",
                 "-Wno-error=implicit-function-declaration"):
        heddle("check", path, "--", flag, code=0)


@test
def programs_may_have_their_own_names_of_annex_k():
    own = ("#include <string.h>\n"
           "static int memcpy_s(char *to, const char *from) { return *to = *from; }\n"
           "static char *strlcpy(char *to) { return to; }\n"
           "int main(void) { char c; memcpy_s(strlcpy(&c), \"\"); return c; }\n")
    heddle("check", write("own.c", own), code=0)
    bounded = ("#include <string.h>\nint main(void) { char to[2];\n"
               "return strcpy_s(to, sizeof to, \"x\"); }\n")
    heddle("check", write("bounded.c", bounded), code=0)
    heddle("check", write("wanted.c", "#define __STDC_WANT_LIB_EXT1__ 1\n"
                          + bounded), code=0)


@test
def headers_of_the_host_are_found_and_remembered():
    source = ("#include <sys/utsname.h>\n#include <stdio.h>\n"
              "int main(void) { struct utsname u; (void)u; return 0; }\n")
    folder = str(WORK / "headers-cache")
    path = write("uts.c", source)
    for _ in range(2):
        heddle("check", path, code=0, HEDDLE_CACHE=folder)


@test
def a_missing_header_is_named():
    says(check_source("#include <no/such/header.h>\nint main(void) {}\n",
                      code=2), "no/such/header.h", "file not found")


@test
def names_of_gnu_source_are_told_from_others():
    text = ("#include <sys/mman.h>\nint main(void) {\n"
            "  return mremap(0, 1, 2, 0) == MAP_FAILED%s;\n}\n")
    says(check_source(text % "", code=2), "program.c:3:", "-D_GNU_SOURCE")
    result = check_source(text % " + nothing()", code=2)
    assert "-D_GNU_SOURCE" not in result.stdout + result.stderr, result


@test
def a_mistake_is_shown_even_if_the_host_is_asked():
    result = check_source("#include <sys/utsname.h>\n"
                          "int main(void) { return undeclared_name; }\n",
                          code=2)
    says(result, "program.c:2:", "undeclared_name")


RACE = """\
#include <pthread.h>
%s int flag;
void *t(void *arg) { flag = 1; return arg; }
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, t, 0);
  int seen = flag;
  pthread_join(id, 0);
  return seen > 1;
}
"""


@test
def a_race_of_volatile_accesses_says_what_to_do():
    result = check_source(RACE % "volatile", code=1)
    assert "hint: " in result.stdout and "--volatile relaxed" in result.stdout
    assert "--volatile" not in check_source(RACE % "", code=1).stdout
    check_source(RACE % "volatile", "--volatile", "relaxed", code=0)
    check_source(RACE % "", "--volatile", "relaxed", code=1)
    half = (RACE % "").replace("flag = 1", "*(volatile int *)&flag = 1")
    text = check_source(half, "--model", "tso", "--volatile", "relaxed",
                        code=1).stdout
    assert "--assume-atomic 'flag'" in text and "--volatile" not in text, text


@test
def a_livelock_names_the_option_that_goes_on():
    path = Path(__file__).parent.parent / "programs/real/livelock_pair.c"
    assert "--warn livelock" in heddle("check", path, code=1).stdout
    text = heddle("check", "--warn", "livelock", "--unroll", "2", path,
                  code=3).stdout
    assert "[livelock]" in text and "--warn livelock" not in text, text


@test
def names_and_files_are_assumed_to_be_atomic():
    for pattern, code in (("flag", 0), ("fl?g", 0), ("program.c", 0),
                          ("*.c", 0), ("flags", 1), ("fl", 1), ("*.h", 1)):
        check_source(RACE % "", "--assume-atomic", pattern, code=code)
    check_source(RACE % "", "--assume-atomic", "x", "--assume-atomic", "flag",
                 code=0)


@test
def a_race_on_a_machine_names_its_rule_and_the_option():
    write("accessors.h", "static void set(int *to) { *to = 1; }\n"
                         "static int get(int *from) { return *from; }\n")
    header = (RACE % "").replace("flag = 1", "set(&flag)") \
        .replace("= flag", "= get(&flag)").replace(
            "#include <pthread.h>",
            "#include <pthread.h>\n#include \"accessors.h\"")
    for source, pattern in ((RACE % "", "flag"), (header, "accessors.h")):
        for model in ("sc", "tso", "armv8"):
            out = check_source(source, "--model", model, code=1).stdout
            assert f"by the rule of C11, whatever {model} orders" in out, out
            assert f"--assume-atomic '{pattern}' takes" in out, out
            check_source(source, "--model", model, "--assume-atomic", pattern,
                         code=0)
        out = check_source(source, "--model", "rc11", code=1).stdout
        assert "--assume-atomic" not in out, out


@test
def races_may_be_those_of_the_machine():
    for model, code in (("sc", 0), ("tso", 1), ("armv8", 1), ("rc11", 1)):
        run = check_source(RACE % "", "--model", model, "--races", "model",
                           code=code)
        if model in ("tso", "armv8"):
            assert "neither C11 nor the model orders them" in run.stdout
            assert "--races model" not in run.stdout, run.stdout
        check_source(RACE % "", "--model", model, "--races", "off", code=0)
    write("own.cat", "acyclic (po & loc) | rf | co | fr as coherence\n"
                     "acyclic po | rf as air\n")
    run = check_source(RACE % "", "--model", "own.cat", "--races", "model",
                       code=2)
    says(run, "does not say what it orders", "`race-order`")
    write("own.cat", "acyclic po | rf | co | fr as sc\n"
                     "empty rmw & (fre; coe) as atomicity\n")
    check_source(RACE % "", "--model", "own.cat", "--races", "model", code=0)
    write("own.cat", "acyclic po | rf | co | fr as all\n"
                     "empty po; po; po; rf & 0 as other\n"
                     "let race-order = po\n")
    check_source(RACE % "", "--model", "own.cat", "--races", "model", code=1)
    run = check_source(RACE % "", "--races", "model", "--release-sequences",
                       "c11", code=2)
    says(run, "--races model cannot be combined")
    run = check_source(RACE % "", "--races", "model", "--model", "sc",
                       "--equivalence", "rf", code=2)
    says(run, "--equivalence rf is not available here")


INPUT = r"""
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

int main(void) {
  int a, b;
  char word[20], line[40];
  alarm(5);
  assert(prctl(PR_SET_NAME, "worker") == 0);
  assert(scanf("%d %d", &a, &b) == 2 && a == 12 && b == -3);
  assert(getchar() == '\n');
  assert(fgets(line, sizeof line, stdin) && strcmp(line, "a line\n") == 0);
  assert(fscanf(stdin, "%19s", word) == 1 && strcmp(word, "word") == 0);
  assert(scanf("%d", &a) == 0);
  assert(getchar() == 'x' && ungetc('x', stdin) == 'x');
  assert(fread(word, 1, 3, stdin) == 3 && memcmp(word, "x1\n", 3) == 0);
  assert(!feof(stdin) && getchar() == EOF && feof(stdin));
  assert(scanf("%d", &a) == EOF && !fgets(line, sizeof line, stdin));
  return 0;
}
"""


@test
def standard_input_is_a_file_that_is_given():
    write("input.txt", "12 -3\na line\n  word x1\n")
    check_source(INPUT, "--stdin", "input.txt", code=0)
    says(check_source(INPUT, code=2), "program.c:",
         "reading stdin without the option stdin is not supported")
    says(check_source(INPUT, "--stdin", "nowhere.txt", code=2), "nowhere.txt",
         "cannot be read")


@test
def assembly_is_refused_where_it_runs():
    source = ("#include <heddle.h>\nint main(void) {\n"
              "  if (heddle_choose(0, 3) == %d)\n"
              "    __asm__ volatile(\"xgetbv\" ::: \"eax\");\n  return 0;\n}\n")
    says(check_source(source % 1, code=2), "program.c:4:",
         "inline assembly `xgetbv` is not supported")
    check_source(source % 7, code=0)


@test
def one_word_of_a_thread_is_known():
    source = ("int main(int argc, char **argv) {\n  long word;\n"
              "  __asm__(\"movq %%fs:%1, %0\" : \"=r\"(word) "
              ": \"m\"(*(long *)(8L * argc)));\n  return word == 0;\n}\n")
    says(check_source(source, code=2), "program.c:3:",
         "a word at %fs: other than the first is not supported")


CANCEL = """#include <pthread.h>
static void *idle(void *arg) { return arg; }
static void *run(void *arg) {
  pthread_t t;
  pthread_create(&t, 0, idle, 0);
  %s
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_cancel(t);
}
"""


@test
def only_deferred_cancellation_is_there():
    says(check_source(CANCEL % "pthread_setcanceltype(1, 0);", code=2),
         "program.c:6:", "asynchronous cancellation is not supported")
    says(check_source(CANCEL % "pthread_join(t, 0);", code=2), "program.c:12:",
         "cancelling a thread that waits in pthread join is not supported")


@test
def half_of_a_statement_is_not_done():
    source = ("int x;\nint main(void) {\n"
              "  __asm__ volatile(\"lock incl %0; xgetbv\" : \"+m\"(x));\n}\n")
    report = json.loads(heddle("check", "--json", write("half.c", source),
                               code=2).stdout)
    assert not [e for e in report["events"] if e["location"] == "x"]


@test
def modules_for_other_machines_are_taken():
    source = write("m.c", """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
void *t(void *arg) { x++; return arg; }
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, t, 0);
  x++;
  pthread_join(id, 0);
  assert(x == 2);
  return 0;
}
""")
    include = Path(__file__).resolve().parents[2] / "include/heddle"
    for target, code in (("arm64-apple-macosx13", 0), ("riscv64-linux-gnu", 0),
                         ("aarch64-linux-gnu", 0), ("x86_64-apple-macosx13", 0),
                         ("s390x-linux-gnu", 2), ("i686-linux-gnu", 2)):
        out = str(WORK / f"{target}.ll")
        subprocess.run([CLANG, f"--target={target}", "-nostdinc",
                        "-isystem", str(include), "-S", "-emit-llvm", "-o",
                        out, source], check=True)
        result = heddle("check", out, code=code)
        if code:
            says(result, "64-bit little-endian")


MACOS = """\
target triple = "arm64-apple-macosx13"
%%struct._opaque_pthread_mutex_t = type { i64, [56 x i8] }
@m = global %%struct._opaque_pthread_mutex_t { i64 %d, [56 x i8] zeroinitializer }
declare i32 @"\\01_pthread_mutex_lock"(ptr)
declare i32 @pthread_mutex_unlock(ptr)
declare void @__assert_rtn(ptr, ptr, i32, ptr)
define i32 @main() {
  %%1 = call i32 @"\\01_pthread_mutex_lock"(ptr @m)
  %%2 = call i32 @pthread_mutex_unlock(ptr @m)
  ret i32 %%2
}
"""


@test
def static_mutexes_of_macos():
    heddle("check", write("mac.ll", MACOS % 0x32AAABA7), code=0)
    says(heddle("check", write("mac.ll", MACOS % 0x32AAABA2), code=2),
         "pthread_mutex_t", "another kind")


@test
def values_that_are_a_few_only_are_no_proof():
    source = """int __VERIFIER_nondet_int(void);
int main(void) { return __VERIFIER_nondet_int() == 1000; }
"""
    why = "the values of __VERIFIER_nondet_int were sampled"
    assert why in check_source(source, code=3).stdout
    assert why in check_source(source, "--jobs", "2", code=3).stdout
    assert check_json(source, code=3)["limit"] == why
    # An error is one, and who never comes there is not concerned.
    broken = source.replace("return", "if (0 ==", 1).replace(
        "== 1000;", "- 1) __builtin_trap(); return 0;")
    check_source(broken, code=1)
    unused = source.replace("return", "return 1 ? 0 :", 1)
    check_source(unused, code=0)
    exact = source.replace("int __VERIFIER_nondet_int", "_Bool __VERIFIER_nondet_bool"
                           ).replace("nondet_int", "nondet_bool")
    assert "sampled" not in check_source(exact, code=0).stdout
    own = source.replace("(void);", "(void) { return 4; }", 1)
    assert "Note:" not in check_source(own, code=0).stdout


ASSUMES = """\
#include <heddle.h>
#include <stdlib.h>
void %s(int ok) { if (!ok) abort(); }
int main(void) { %s(heddle_choose(0, 3) == 1); return 0; }
"""


@test
def assumptions_that_abort():
    def source(name):
        return ASSUMES % (name, name)
    hint = "--disable abort"
    result = check_source(source("assume_abort_if_not"), code=1)
    assert hint in result.stdout
    assert hint not in check_source(source("insist"), code=1).stdout
    check_source(source("assume_abort_if_not"), "--disable", "abort", code=0)


@test
def code_of_the_kernel_has_a_model_of_its_own():
    source = """#include <lkmm.h>
#include <pthread.h>
static int ready, data;
static void *writer(void *unused) {
  WRITE_ONCE(data, 1);
  smp_wmb();
  WRITE_ONCE(ready, 1);
  return unused;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, NULL, writer, NULL);
  if (READ_ONCE(ready)) {
    smp_rmb();
    assert(READ_ONCE(data) == %d);
  }
  pthread_join(id, NULL);
}
"""
    hint = "hint: barriers and sections of the Linux kernel"
    assert hint in check_source(source % 1, code=1).stdout
    check_source(source % 1, "--model", "lkmm", code=0)
    wrong = check_source(source % 2, "--model", "lkmm", code=1)
    assert hint not in wrong.stdout


@test
def waiting_for_files_is_refused():
    source = """#include <poll.h>
int main(void) { struct pollfd f = {0, %s, 1}; return poll(&f, %d, 0) || f.revents == %d; }
"""
    check_source(source % ("POLLIN", 0, 0), code=0)
    says(check_source(source % ("POLLIN", 1, 0), code=2), "poll of a file",
         "program.c:2")
    # Whether the standard ones are open is known.
    check_source(source % ("0", 1, 1), code=0)


@test
def assembly_that_jumps_elsewhere_is_refused():
    source = 'int main(void) { __asm__ volatile("jmp %s; 1:"); return 0; }'
    check_source(source % "1f", code=0)
    for word in ["elsewhere", "1b", "2f", "1"]:
        says(check_source(source % word, code=2), "inline assembly", "(jmp)")


RUST = """\
@text = private constant [4 x i8] c"boom"
@more = private constant [3 x i8] c"end"
@texts = private constant [2 x { ptr, i64 }] [{ ptr, i64 } { ptr @text, i64 4 }, { ptr, i64 } { ptr @more, i64 3 }]
@slots = thread_local global [2 x i64] [i64 3, i64 5]
declare i32 @rust_eh_personality()
define internal void @_ZN4core9panicking9panic_fmt17h0123456789abcdefE(ptr dereferenceable(%d) %%m, ptr %%at) {
  unreachable
}
define i32 @main() {
  %%m = alloca [48 x i8], align 8
  store ptr @texts, ptr %%m
  %%n = getelementptr i8, ptr %%m, i64 8
  store i64 %d, ptr %%n
  %%k = getelementptr i8, ptr %%m, i64 24
  store i64 %d, ptr %%k
  %%v = load i64, ptr getelementptr (i8, ptr @slots, i64 8)
  %%bad = icmp eq i64 %%v, %d
  br i1 %%bad, label %%panics, label %%ends
panics:
  call void @_ZN4core9panicking9panic_fmt17h0123456789abcdefE(ptr %%m, ptr null)
  unreachable
ends:
  ret i32 0
}
"""


@test
def panics_of_rust_have_their_message():
    heddle("check", write("rust.ll", RUST % (48, 2, 1, 3)), code=0)
    result = heddle("check", write("rust.ll", RUST % (48, 2, 1, 5)), code=1)
    assert "panic: boom{}end [panic]" in result.stdout, result.stdout
    result = heddle("check", write("rust.ll", RUST % (48, 1, 0, 5)), code=1)
    assert "panic: boom [panic]" in result.stdout, result.stdout
    # A message of another form is not guessed at: the function itself runs.
    result = heddle("check", write("rust.ll", RUST % (24, 2, 1, 5)), code=1)
    assert "[unreachable]" in result.stdout, result.stdout


DEPENDENT = """\
#include <pthread.h>
int data, *shared;
static void *writer(void *unused) {
  data = 1;
  __asm__ volatile("str %1, %0" : "=Q"(shared) : "r"(&data) : "memory");
  return unused;
}
int main(void) {
  pthread_t t;
  int *seen;
  pthread_create(&t, 0, writer, 0);
  __asm__ volatile("ldr %0, %1" : "=r"(seen) : "Q"(shared) : "memory");
  if (seen)
    *seen = 2;
  pthread_join(t, 0);
}
"""


@test
def what_mends_a_race_depends_on_what_orders():
    """The address orders the reader. It was mended by C11's rule alone, which
    wants an acquire too, and was an internal error where nothing else did."""
    result = heddle("check", "--model", "armv8", "--races", "model",
                    write("program.c", DEPENDENT), "--",
                    "--target=aarch64-linux-gnu", code=1)
    text = "With release in line 5 the error is gone"
    assert text in result.stdout, result.stdout


BUFFERED = """\
int x, y, a, b, done;
void first(void) { x = 1; %(fence)s a = y; asm("mfence"); done++; }
int main(void) {
__CPROVER_ASYNC_1:
  first();
__CPROVER_ASYNC_2: {
    int own = 1;
    y = own;
    %(fence)s
    b = x;
    asm("mfence");
    done++;
  }
  __CPROVER_assume(done == 2);
  __CPROVER_assert(a || b, "one of them is seen");
}
"""


@test
def a_label_starts_a_thread():
    """It was refused, and before that run at once."""
    free = ["--races", "off"]
    program = BUFFERED % {"fence": ""}
    result = check_source(program, *free, "--model", "tso", code=1)
    for text in ("assertion `one of them is seen` failed",
                 "T1 __CPROVER_ASYNC_1", "T2 __CPROVER_ASYNC_2"):
        assert text in result.stdout, result.stdout
    check_source(program, *free, "--model", "sc", code=0)
    program = BUFFERED % {"fence": 'asm("mfence");'}
    check_source(program, *free, "--model", "tso", code=0)
    check_source(program, code=1)  # a race


LOCALS = """\
#include <stdatomic.h>
atomic_int sum, done;
__CPROVER_thread_local int own = 3;
void add(int n) { sum += n; done++; }
int main(void) {
  int n = 10, *shared_at, shared = 0, never;
  shared_at = &shared;
  own = 4;
  for (int i = 1; i <= 2; i++)
  __CPROVER_ASYNC_1:
    add(n + i), n = never = 99;
  n = 20;
__CPROVER_ASYNC_2:
  if (n == 20 && own == 3)
    __atomic_store_n(&shared, n, __ATOMIC_RELEASE);
  __CPROVER_assume(done == 2);
  __CPROVER_assert(sum == %d, "each has the n and the i of its time");
  __CPROVER_assert(n == 20, "it has an n of its own");
  __CPROVER_assume(__atomic_load_n(shared_at, __ATOMIC_ACQUIRE) == 20);
}
"""


@test
def a_thread_of_a_label_has_copies_of_locals():
    """But those whose address is taken are shared."""
    check_source(LOCALS % 23, code=0)
    result = check_source(LOCALS % 22, code=1)
    text = "assertion `each has the n and the i of its time` failed"
    assert text in result.stdout, result.stdout


@test
def a_label_that_cannot_start_a_thread_is_refused():
    body = "int x; int main(void) { int many[2] = {1, 2}; back: %s }"
    for statement, why in [
            ("__CPROVER_ASYNC_1: goto back;", "is entered or left by a jump"),
            ("__CPROVER_ASYNC_1: { x = 1; return 0; }",
             "is entered or left by a jump"),
            ("__CPROVER_ASYNC_1: { in: x = 1; } goto in;",
             "is entered or left by a jump"),
            ("__CPROVER_ASYNC_1: x = many[x]; many[1] = 3;",
             "uses a structure or an array of the function around it"),
            ("__CPROVER_ASYNC_99: x = 1;",
             "the label `__CPROVER_ASYNC_99` means a thread to CBMC")]:
        result = check_source(body % statement, code=2)
        says(result, "program.c:1:", why, "start it with pthread_create")


tap.main(sys.argv[2:])
