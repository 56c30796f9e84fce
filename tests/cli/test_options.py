#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Options that no other test needs, alone.

    tests/cli/test_options.py build/heddle [WORD]
"""
import json
import re
import resource
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap
from heddle import HEDDLE, WORK, check_json, check_source, heddle, says, write
from tap import Skip, test

SB = """\
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
atomic_int x, y;
static void *one(void *p) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  (void)atomic_load_explicit(&y, memory_order_relaxed);
  return p;
}
static void *two(void *p) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  (void)atomic_load_explicit(&x, memory_order_relaxed);
  return p;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, one, NULL);
  pthread_create(&b, NULL, two, NULL);
  return 0;
}
"""

# Each execution reaches other states, which are kept: memory grows.
GROWING = """\
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
atomic_int x;
static void *f(void *p) {
  int n[64];
  for (int i = 0; i < 64; i++)
    n[i] = atomic_fetch_add(&x, 1 + i) + i;
  long sum = 0; // what was read is needed to the end
  for (int i = 0; i < 64; i++)
    sum += n[i];
  return (void *)sum;
}
int main(void) {
  pthread_t t;
  for (int i = 0; i < 4; i++)
    pthread_create(&t, NULL, f, NULL);
  return 0;
}
"""

# Load buffering is possible, and a loop goes on for ever unless it is cut.
COUNTER = """\
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
atomic_int x, y, n;
static void *one(void *p) {
  (void)atomic_load_explicit(&x, memory_order_relaxed);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  for (;;) {
    atomic_store(&n, atomic_load(&n) + 1);
    sched_yield();
  }
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, one, NULL);
  int read = atomic_load_explicit(&y, memory_order_relaxed);
  atomic_store_explicit(&x, read, memory_order_relaxed);
  return 0;
}
"""


@test
def all_executions_are_printed():
    result = check_source(SB, "--print-executions")
    assert "4 executions" in result.stdout, result.stdout
    assert result.stdout.count("Execution ") == 4, result.stdout
    assert result.stdout.count("x = 1") >= 4, result.stdout


@test
def too_much_memory_is_a_limit():
    # Little more than the process needs by itself.
    report = check_json(GROWING, "--max-memory", "12", "--max-time", "60",
                        code=3)
    assert report["limit"] == "memory", report
    assert report["verdict"] == "incomplete", report


@test
def memory_is_a_limit_of_all_jobs_together():
    for jobs in (1, 2, 5):
        for limit in (["--max-memory", "12"],
                      ["--max-memory", "12", "--max-memory-per-job", "900"],
                      ["--max-memory-per-job", "2"]):
            report = check_json(GROWING, *limit, "--max-time", "60",
                                "--jobs", str(jobs), code=3)
            assert report["limit"] == "memory", (jobs, limit, report)
    report = check_json(SB, "--jobs", "2", "--max-memory-per-job", "4000")
    assert report["limit"] is None and report["executions"] == 4, report


@test
def limited_address_space_is_not_all_for_states():
    # What clang needs to start is in the cache after the first check.
    limit = ["bash", "-c", 'ulimit -v 800000 && exec "$0" "$@"', HEDDLE]
    file = write("growing.c", GROWING)
    heddle("check", "--max-executions", "1", file, code=3)
    for jobs in ("1", "2", "5"):
        run = subprocess.run([*limit, "check", "--json", "--jobs", jobs,
                              "--max-executions", "5000", file],
                             capture_output=True, text=True, timeout=120)
        if "AddressSanitizer" in run.stderr:
            raise Skip("the sanitizer needs the address space")
        assert run.returncode == 3, (run.stdout, run.stderr)
        assert json.loads(run.stdout)["limit"] == "executions", run.stdout


@test
def an_error_is_told_when_there_is_no_more_memory():
    # One execution fails, the one after it has no end.
    file = write("endless.c", """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
static void *f(void *p) {
  atomic_store(&x, 1);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, f, NULL);
  assert(atomic_load(&x) == 0);
  for (;;)
    atomic_fetch_add(&y, 1);
}
""")
    heddle("check", "--max-executions", "1", file, code=1)
    limit = 200 << 20
    for jobs in ("1", "2"):
        run = subprocess.run(
            [HEDDLE, "check", "--json", "--all-errors", "--max-events", "0",
             "--disable", "livelock", "--jobs", jobs, file],
            capture_output=True, text=True, timeout=120, cwd=WORK,
            # (A shell would set $PWD, which is part of what clang is given.)
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS,
                                                  (limit, limit)))
        if "AddressSanitizer" in run.stderr:
            raise Skip("the sanitizer needs the address space")
        assert run.returncode == 1, (run.stdout, run.stderr)
        answer = json.loads(run.stdout)
        assert answer["verdict"] == "error", answer
        assert answer["limit"] == "out of memory", answer
        assert [e["line"] for e in answer["errors"]] == [12], answer
        assert answer["events"], answer


@test
def enough_memory_is_none():
    report = check_json(SB, "--max-memory", "4000")
    assert report["limit"] is None and report["executions"] == 4, report


@test
def a_check_that_is_off_and_an_error_is_refused():
    for one, other in [("disable", "error"), ("disable", "warn"),
                       ("warn", "error")]:
        result = check_source(SB, f"--{one}", "race,leak", f"--{other}", "leak",
                              code=2)
        says(result, f"--{one} leak and --{other} leak contradict each other")
    # Other options switch checks off too.
    for off, name in [(["--races", "off"], "race"),
                      (["--no-await-check"], "hang"),
                      (["--no-await-check"], "livelock")]:
        for other in ("--warn", "--error"):
            says(check_source(SB, *off, other, name, code=2),
                 f"{' '.join(off)} and {other} {name} contradict each other")
    check_source(SB, "--disable", "race", "--error", "leak", code=0)
    check_source(SB, "--races", "off", "--disable", "race", code=0)
    check_source(SB, "--no-await-check", "--error", "race", code=0)


@test
def release_sequences_of_models_that_have_none_are_refused():
    for model in ("jam21", "lkmm", "xmm"):
        says(check_source(SB, "--model", model, "--release-sequences", "c11",
                          code=2), model, "release sequences")
        check_source(SB, "--model", model, "--release-sequences", "cxx20")


@test
def what_bounds_loops_bounds_who_looks_for_justifications():
    report = check_json(COUNTER, "--model", "xmm", "--yield-bound", "2", code=3)
    assert report["limit"] == "--yield-bound", report


# Each thread increments a counter with a bounded number of tries.
TRIES = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
static atomic_int x;
static void *f(void *p) {
  for (int i = 0; i < 3; i++) {
    int old = atomic_load(&x);
    for (int n = 0; n < 5; n++)
      if (CAS(&x, &old, old + 1))
        break;
  }
  return p;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, f, NULL);
  pthread_create(&b, NULL, f, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(x == 6);
}
"""
WEAK = "#define CAS atomic_compare_exchange_weak\n" + TRIES
STRONG = "#define CAS atomic_compare_exchange_strong\n" + TRIES

# The word is in pieces; failure and success have different orders.
PIECES = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
static union { _Atomic unsigned word; _Atomic unsigned char bytes[4]; } u;
static void *f(void *p) {
  atomic_store_explicit(&u.bytes[3], 1, memory_order_relaxed);
  return p;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, f, NULL);
  unsigned old = 0;
  _Bool ok = atomic_compare_exchange_weak_explicit(
      &u.word, &old, 5, memory_order_acq_rel, memory_order_relaxed);
  assert(ok || old != 0);
  pthread_join(a, NULL);
}
"""

SUPPOSED = "Assumed: a weak compare-exchange that finds what it expects succeeds"


@test
def a_weak_compare_exchange_may_be_supposed_to_be_strong():
    for model in ("sc", "rc11", "imm", "xmm"):
        strong = check_json(STRONG, "--model", model, code=0)
        for jobs in ("1", "2"):
            report = check_json(WEAK, "--model", model, "--jobs", jobs,
                                "--weak-cas", "strong", code=0)
            assert report["executions"] == strong["executions"], report
            assert report["supposed"] == ["weak-cas strong"], report
    # The same bitcode otherwise, which the cache has: it does fail.
    report = check_json(WEAK, code=1)
    assert report["supposed"] == [], report
    assert report["errors"][0]["kind"] == "assertion", report


@test
def one_in_pieces_may_be_supposed_to_be_strong():
    for model in ("sc", "rc11", "imm", "armv8"):
        check_source(PIECES, "--model", model, code=1)
        check_source(PIECES, "--model", model, "--weak-cas", "strong", code=0)


@test
def what_was_supposed_is_said_where_it_was():
    path = write("tries.c", WEAK)
    for command in ("check", "explore", "compare", "optimize", "estimate"):
        assert SUPPOSED in heddle(command, "--weak-cas", "strong", path,
                                  code=0).stdout, command
    assert SUPPOSED in heddle("why", "--weak-cas", "strong", "x=3", path,
                              code=0).stdout
    for command, form in (("check", "sarif"), ("check", "html"),
                          ("check", "junit"), ("explore", "html"),
                          ("compare", "html")):
        file = f"{path}.{command}.{form}"
        heddle(command, "--weak-cas", "strong", f"--{form}", file, path, code=0)
        assert SUPPOSED in Path(file).read_text(), (command, form)
    # Several programs: one of them supposes it.
    other = write("does_not.c", "// heddle: expect ok\n" + STRONG)
    tested = write("tested.c", "// heddle: expect ok\n" + WEAK)
    junit = f"{path}.several"
    for words in (["check", "--separately"], ["test"]):
        assert SUPPOSED in heddle(*words, "--weak-cas", "strong", "--junit",
                                  junit, other, tested, code=0).stdout, words
        assert Path(junit).read_text().count(SUPPOSED) == 1, words
        report = json.loads(heddle(*words, "--weak-cas", "strong", "--json",
                                   other, tested, code=0).stdout)
        assert [t["supposed"] for t in report["tests"]] == \
            [[], ["weak-cas strong"]], report
    assert SUPPOSED not in check_source(WEAK, code=1).stdout
    result = check_source(STRONG, "--weak-cas", "strong", code=0)
    assert SUPPOSED not in result.stdout, result.stdout


@test
def what_is_supposed_of_clocks_is_said():
    looks = """#include <time.h>
#include <unistd.h>
int main(void) { time_t t = time(0); sleep(2); return time(0) - t < 2; }
"""
    report = check_json(looks, code=0)
    assert report["supposed"] == ["clocks"], report
    assert report["executions"] == 2, report
    report = check_json(looks, "--still-clocks", code=0)
    assert report["supposed"] == ["still-clocks"], report
    assert report["executions"] == 1, report
    assert "a day at most twice per thread" in check_source(looks,
                                                            code=0).stdout
    report = check_json("#include <unistd.h>\nint main(void) { sleep(2); }\n",
                        code=0)
    assert report["supposed"] == [], report
    # The third sleep takes no time, which is said as well.
    naps = """#include <assert.h>
#include <time.h>
#include <unistd.h>
int main(void) {
  time_t t = time(0);
  sleep(1); sleep(1); sleep(1);
  t = time(0) - t;
  assert(t != 3);
}
"""
    assert "two sleeps or time-outs of a thread take time, and no more" in \
        check_source(naps, code=0).stdout
    assert "and only the first two times" in \
        check_source(naps, "--still-clocks", code=0).stdout


@test
def clocks_that_nobody_asks_change_nothing():
    tries = """#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
static atomic_int x;
static void *add(void *arg) {
  int old = atomic_load(&x);
  while (!atomic_compare_exchange_weak(&x, &old, old + 1))
    ;
  if (old > MOST)
    time(0);
  return arg;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, add, 0);
  pthread_create(&t[1], 0, add, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
}
"""
    report = check_json("#define MOST 7\n" + tries, code=0)
    assert report["supposed"] == [], report
    assert (report["executions"], report["blocked"]) == (2, 0), report
    report = check_json("#define MOST 0\n" + tries, code=0)
    assert report["supposed"] == ["clocks"], report
    assert report["executions"] == 4 and report["blocked"], report


@test
def what_is_supposed_of_signals_is_said():
    waits = """#include <pthread.h>
#include <assert.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;
void *tell(void *a) {
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, tell, 0);
  pthread_mutex_lock(&m);
  if (!ready)
    pthread_cond_wait(&c, &m);
  assert(ready);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
}
"""
    report = check_json(waits, code=0)
    assert report["supposed"] == ["no-spurious-wakeups"], report
    report = check_json(waits, "--spurious-wakeups", code=1)
    assert report["supposed"] == [], report


# A compare-exchange that expects a freed object and finds a new one: on a
# machine the two may have the same address, and then it succeeds.
FREED = """#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
_Atomic uintptr_t p;
atomic_uintptr_t old;
void *take(void *a) {
  uintptr_t o = atomic_load(&p);
  atomic_compare_exchange_strong(&p, &o, 0);
  return a;
}
void *replace(void *a) {
  uintptr_t o = atomic_load(&p);
  void *early = EARLY ? malloc(8) : 0;
  if (o && atomic_compare_exchange_strong(&p, &o, 0)) {
    atomic_store(&old, OTHER ? o : 0);
    if (!OTHER)
      free((void *)(o & ~7ul));
    atomic_store(&p, (uintptr_t)(EARLY ? early : malloc(8)) + TAG);
  }
  return a;
}
void *end(void *a) {
  uintptr_t o = atomic_load(&old);
  free((void *)(o & ~7ul));
  return a;
}
int main(void) {
  pthread_t t[3];
  p = (uintptr_t)malloc(8);
  pthread_create(&t[0], 0, take, 0);
  pthread_create(&t[1], 0, replace, 0);
  pthread_create(&t[2], 0, end, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
}
"""


@test
def what_is_supposed_of_addresses_is_said():
    def supposed(*options, **macros):
        macros = {"EARLY": 0, "OTHER": 0, "TAG": 0, **macros}
        define = [f"-D{name}={macros[name]}" for name in macros]
        return check_json(FREED, *options, *define, code=0)["supposed"]
    assert supposed() == ["fresh-addresses"]
    assert supposed("--without", "all") == ["fresh-addresses"]
    assert supposed("-j", "2", "--model", "sc") == ["fresh-addresses"]
    assert supposed(OTHER=1) == ["fresh-addresses"]
    assert supposed(TAG=1) == [], "a version tells them apart"
    assert supposed(EARLY=1) == [], "both are there at the same time"


@test
def litmus_tests_suppose_nothing():
    path = write("empty.litmus", "C empty\n{}\nP0(atomic_int *x) { }\n"
                                 "exists (x=0)\n")
    heddle("check", path, code=0)
    for command in ("check", "estimate"):
        says(heddle(command, "--weak-cas", "strong", path, code=2),
             "--weak-cas is for programs")


@test
def executions_know_what_was_supposed():
    path = write("tries.c", WEAK)
    text = heddle("check", path, code=1).stdout
    name = re.search(r"--replay (\S+)", text).group(1)
    says(heddle("check", "--weak-cas", "strong", "--replay", name, path, code=2),
         "with other options")
    at = path + ".checkpoint"
    heddle("check", "--weak-cas", "strong", "--checkpoint", at, path, code=0)
    says(heddle("check", "--resume", at, path, code=2), "with other options")
    result = heddle("run", at, code=0)
    assert "20 executions" in result.stdout, result.stdout
    assert SUPPOSED in result.stdout, result.stdout


tap.main()
