#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Cost that follows the program: one dimension of it becomes four times as
large, and what a check takes may become that many times as large, with slack
for a busy machine. (What is quadratic becomes sixteen times as large.)

    tests/cli/test_growth.py build/heddle [WORD...]
"""
import json
import math
import os
import resource
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap
from counted import instructions
from heddle import EMPTY_MAIN, HEDDLE, WORK, write
from tap import test

TIMES = 4
SLACK = 2.5
CACHE = {**os.environ, "HEDDLE_CACHE": str(WORK / "cache")}


def cost(text, *args, code=0):
    """CPU seconds and KiB of a check of which the cache has the bitcode, and
    not the program that is made of it: that has other arguments."""
    command = [HEDDLE, "check", "--json", *args, write("program.c", text)]
    runs = []
    for run in range(4):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        result = subprocess.run([*command, "--args", str(run)],
                                capture_output=True, text=True, env=CACHE)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert result.returncode == code, result.stdout[-500:] + result.stderr
        runs.append((after.ru_utime - before.ru_utime + after.ru_stime
                     - before.ru_stime, json.loads(result.stdout)["max_rss_kb"]))
    return min(r[0] for r in runs[1:]), min(r[1] for r in runs[1:])


def grows(program, n, *args, code=0, exponent=1):
    """`program` makes a text of a size; does what it takes follow?"""
    least = cost(EMPTY_MAIN)
    small = cost(program(n), *args, code=code)
    large = cost(program(TIMES * n), *args, code=code)
    for what, unit, i in (("time", "s", 0), ("memory", "KiB", 1)):
        one, more = small[i] - least[i], large[i] - least[i]
        print(f"# {what}: {one:.3f} {unit} for {n}, {more:.3f} for {TIMES * n}")
        # What is too little to measure is counted as 20 ms, or 4 MiB.
        least_of = (0.02, 4096)[i]
        assert more <= TIMES**exponent * SLACK * max(one, least_of), what


@test
def atomic_operations_of_a_function():
    def program(n):
        store = "  atomic_store_explicit(&x, 1, memory_order_relaxed);\n"
        return ("#include <stdatomic.h>\natomic_int x;\nint main(void) {\n"
                + n * store + "}\n")
    grows(program, 2000)


@test
def atomic_operations_of_a_line():
    def program(n):
        return ("#include <stdatomic.h>\natomic_int x;\n"
                "#define STORE x = 1;\n#define STORES "
                + n * "STORE " + "\nint main(void) { STORES }\n")
    grows(program, 2000)


@test
def rounds_with_a_global_counter():
    def program(n):
        return ("static int g;\nint main(void) {\n"
                f"  for (int i = 0; i < {n}; i++)\n"
                "    for (g = 0; g < 9; g++) {}\n  return 0;\n}\n")
    grows(program, 1500, "--max-events", "0")


@test
def statements_of_a_function():
    def program(n):
        return ("int main(void) {\n  int a = 1, b = 2;\n"
                + "".join(f"  a = (a + b * {i % 7}) & 255;\n  b = b ^ a;\n"
                          for i in range(n))
                + "  return a == b;\n}\n")
    grows(program, 2500)


@test
def locals_of_a_function_that_are_merged_away():
    def program(n):
        return ("static void reset(int *p) { *p = 0; }\nint main(void) {\n"
                + "".join("  { __attribute__((cleanup(reset))) "
                          f"int v{i} = {i}; v{i}++; }}\n" for i in range(n))
                + "  return 0;\n}\n")
    grows(program, 3000)


@test
def counters_of_a_function():
    def program(n):
        return ("int main(void) {\n  int a = 0;\n"
                + "  a = a + 1;\n" * n + "  return 0;\n}\n")
    grows(program, 5000)


@test
def bytes_of_a_fill():
    def program(n):
        return f"""#include <stdlib.h>
#include <string.h>
int main(void) {{
  char *p = malloc({n});
  if (!p)
    return 0;
  memset(p, 1, {n});
  int wrong = p[{n} / 2] != 1;
  free(p);
  return wrong;
}}
"""
    for n in 1 << 12, 1 << 20, 1 << 30:
        seconds, memory = cost(program(n))
        print(f"# {n} bytes: {seconds:.3f} s, {memory} KiB")
        assert seconds < 2 and memory < 30 << 10


@test
def events_of_a_page():
    def program(n):
        return f"""#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
int y;
static void *add(void *unused) {{
  for (int i = 0; i < {n}; i++)
    atomic_fetch_add(&x, 1);
  y = 1;
  return unused;
}}
int main(void) {{
  pthread_t id;
  pthread_create(&id, 0, add, 0);
  return pthread_join(id, 0) || 1 / (y - 1);
}}
"""
    grows(program, 8000, "--html", str(WORK / "page.html"), code=1)


@test
def cases_of_a_switch():
    def program(n):
        return ("static int of(int x) {\n  switch (x) {\n"
                + "".join(f"  case {7 * i}: return {i};\n" for i in range(n))
                + "  }\n  return -1;\n}\nint main(void) {\n  int sum = 0;\n"
                f"  for (int i = 0; i < {5 * n}; i++)\n    sum += of(i);\n"
                "  return sum == 1;\n}\n")
    grows(program, 3000)


# What is shared by definitions that double each other: where it begins, how it
# goes on from the one before (@), and what is said of the last (%).
DOUBLING = [
    ("po | com", "(@; @) | (@ & ~(@^-1))", "irreflexive % & rmw"),
    ("W | R", "(@ & (R | F)) | (@ \\ F)", "acyclic [%]; po | com"),
    ("W | R", "(@ & (R | F)) | (@ \\ F)", "empty % & R & W"),
    ("R", "(@ | F) & (@ | W)", "flag ~empty % & IW as seen"),
    ("domain(rf)", "(@ & W) | (@ \\ F)", "acyclic [%]; po | com"),
    ("domain(rf)", "(@ & W) | (@ \\ F)", "flag ~empty % & R as seen"),
    ("domain(rf)", "(@ & W) | (@ \\ F)",
     "let rec x = (W & %) | range([x]; rf)\nacyclic [x]; po | com"),
    ("R", "(@ & R) | (@ & W)",
     "let rec x = ([%]; po) | x; x\nacyclic x | com"),
    ("po", "(@ & ext) | (@ & int)", "acyclic % | com"),
    ("po", "(@ \\ co) | (@ \\ rf)", "flag ~empty % & rmw as seen"),
    ("loc", "(@ & ext) | (@ & int)", "irreflexive (po \\ %); rf"),
    ("po", "(@ | rf) & (@ | co)", "irreflexive % & int; fr & ext"),
    ("po", "(@ | rf) | (@ | co)", "acyclic %"),
    ("po", "(@ | rf); (@ | co)", "let rec x = % | x; x\nirreflexive x & loc"),
    ("R * W", "(@ | R * R) & (@ | W * W)", "acyclic po & % | com"),
    ("[W]; po", "([R]; @) | (@; [W])", "flag ~empty % & rmw as seen"),
    ("po; [W]", "(@ | po; [R]) | (@ | rf; [R])", "acyclic %; po"),
    ("po & int", "@; @", "acyclic %"),
    ("(po | com)?", "@; @", "irreflexive (% \\ id); po"),
]


def doubling(first, step, use, n):
    lines = ['"doubles"', "let com = rf | co | fr", "acyclic po | com",
             f"let x0 = {first}"]
    lines += [f"let x{i} = " + step.replace("@", f"x{i - 1}")
              for i in range(1, n)]
    return "\n".join([*lines, use.replace("%", f"x{n - 1}")]) + "\n"


@test
def terms_of_a_model_that_double():
    model = WORK / "doubles.cat"
    program = write("program.c", stores(2))
    for row in DOUBLING:
        print(f"# {row}")  # each once without end
        model.write_text(doubling(*row, 40))
        check = subprocess.run([HEDDLE, "check", "--model", model, program],
                               capture_output=True, text=True, timeout=20)
        # (All pairs of some have an event between them, or are of one event.)
        assert check.returncode in (0, 1), check.stdout + check.stderr


BUFFERING = """#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static void *one(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return atomic_load_explicit(&y, memory_order_relaxed) ? &x : unused;
}
static void *other(void *unused) {
  atomic_fetch_add_explicit(&y, 1, memory_order_relaxed);
  return atomic_load_explicit(&x, memory_order_relaxed) ? &y : unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, other, 0);
  return pthread_join(a, 0) || pthread_join(b, 0);
}
"""


@test
def what_doubles_means_what_the_definition_says():
    model = WORK / "doubles.cat"
    program = write("buffering.c", BUFFERING)
    for row in DOUBLING:
        for n in 3, 12:  # asked term by term, and made once
            model.write_text(doubling(*row, n).replace("| com\n", "| rf\n", 1))
            answers = []
            for how in [], ["--definition"]:
                run = subprocess.run(
                    [HEDDLE, "check", "--json", "--all-errors", *how,
                     "--model", model, program],
                    capture_output=True, text=True, timeout=60)
                report = json.loads(run.stdout)
                answers.append((run.returncode, report["executions"],
                                len(report["errors"])))
            print(f"# {row}, {n}: {answers}")
            assert answers[0] == answers[1]


@test
def models_with_too_many_terms_are_refused():
    model = WORK / "long.cat"
    lines = ['"long"', "let com = rf | co | fr", "acyclic po | com",
             "let x0 = po"]
    lines += [f"let x{i} = (x{i - 1}; com) & po" for i in range(1, 5000)]
    model.write_text("\n".join([*lines, "acyclic x4999"]) + "\n")
    check = subprocess.run([HEDDLE, "check", "--model", model,
                            write("program.c", stores(2))],
                           capture_output=True, text=True, timeout=60)
    assert check.returncode == 2 and "too large" in check.stderr, check.stderr


@test
def frames_that_wait_are_shared():
    text = """#include <stdatomic.h>
#include <pthread.h>
static atomic_int x;
static void work(int depth) {
  int local[4] = {depth};
  int *volatile p = local;
  if (depth)
    work(depth - 1);
  else
    for (int i = 0; i < 20000; i++)
      atomic_store_explicit(&x, i + *p, memory_order_relaxed);
}
static void *thread(void *unused) {
  work(1000);
  return unused;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, thread, 0);
  return pthread_join(id, 0);
}
"""
    seconds, memory = cost(text)
    print(f"# {seconds:.3f} s, {memory} KiB")
    assert memory < 45 << 10


def threads(work):
    """Two threads that do that, each with a variable of its own."""
    thread = """static atomic_int {x};
static void *work_{x}(void *unused) {{
  {work}
  return unused;
}}
"""
    return ("#include <pthread.h>\n#include <stdatomic.h>\n"
            + thread.format(x="x", work=work.format(x="x"))
            + thread.format(x="y", work=work.format(x="y"))
            + """int main(void) {
  pthread_t x, y;
  pthread_create(&x, 0, work_x, 0);
  pthread_create(&y, 0, work_y, 0);
  return pthread_join(x, 0) || pthread_join(y, 0);
}
""")


def stores(n):
    return threads(f"for (int i = 0; i < {n}; i++)\n    "
                   "atomic_store_explicit(&{x}, i, memory_order_relaxed);")


def locks(n):
    return threads(
        f"for (int i = 0; i < {n}; i++) {{{{\n"
        "    static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
        "    pthread_mutex_lock(&m);\n    pthread_mutex_unlock(&m);\n  }}")


@test
def long_threads_under_each_text():
    for model in ("power", "armv7", "riscv", "lkmm"):
        # (Without guesses: how many of them there may be is bounded.)
        variant = ["--variant", "no-thin-air"] * (model == "lkmm")
        for program in (stores, locks):
            print(f"# {model}, {program.__name__}")
            grows(program, 1000, "--model", model, *variant)


# The exponent of what an event costs is at most this, in instructions.
MOST = 1.2


def slope(program, n, *args):
    """The exponent with which instructions grow from size n to 2n. (Long
    threads run from snapshots; n is a size at which they do.)"""
    def cost(text):
        return min(instructions(text, *args) for _ in range(2))
    least = cost(EMPTY_MAIN)
    one, two = cost(program(n)) - least, cost(program(2 * n)) - least
    found = math.log2(two / one)
    print(f"# {program.__name__} {' '.join(args)}: {one / 1e6:.1f} million "
          f"for {n}, {two / 1e6:.1f} for {2 * n}, exponent {found:.2f}")
    return found


@test
def exponents_of_long_threads():
    for model in "rc11", "c11", "armv8", "power":
        assert slope(stores, 1500, "--model", model) < MOST


@test
def exponent_of_dependencies():
    assert slope(locks, 1000, "--model", "lkmm") < MOST


@test
def stores_beside_a_load():
    def program(n):
        return f"""#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *load(void *unused) {{
  atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}}
int main(void) {{
  pthread_t id;
  pthread_create(&id, 0, load, 0);
  for (int i = 1; i <= {n}; i++)
    atomic_store_explicit(&x, i, memory_order_relaxed);
  return pthread_join(id, 0);
}}
"""
    # Executions, and events in each of them; some models look at all of these.
    for model in ("sc", "tso", "pso", "ra", "rc11", "c11", "imm", "armv8",
                  "xmm", "riscv", "power", "armv7", "lkmm"):
        print(f"# {model}")
        grows(program, 500, "--model", model, exponent=2)


def hand_overs(n):
    """Two threads that take turns so many times."""
    def thread(name, write, read, begins):
        wait = (f"while (atomic_load_explicit(&{read}, "
                "memory_order_acquire) != i)\n      ;\n    ")
        tell = (f"atomic_store_explicit(&{write}, i, "
                "memory_order_release);\n    ")
        return (f"static void *{name}(void *unused) {{\n"
                f"  for (int i = 1; i <= {n}; i++) {{\n    "
                + (tell + wait if begins else wait + tell)
                + "}\n  return unused;\n}\n")
    return ("#include <pthread.h>\n#include <stdatomic.h>\n"
            "static atomic_int x, y;\n"
            + thread("one", "x", "y", True)
            + thread("other", "y", "x", False)
            + """int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, other, 0);
  return pthread_join(a, 0) || pthread_join(b, 0);
}
""")


@test
def chains_of_hand_overs():
    for model in ("sc", "tso", "pso", "rc11", "imm", "armv8", "riscv",
                  "power", "armv7"):
        print(f"# {model}")
        grows(hand_overs, 3000, "--model", model)


@test
def justifications_that_would_take_too_long_are_given_up():
    result = subprocess.run([HEDDLE, "check", "--json", "--model", "xmm",
                             write("program.c", hand_overs(17000))],
                            capture_output=True, text=True, timeout=120)
    assert result.returncode == 3, result.stdout[-500:] + result.stderr
    limit = json.loads(result.stdout)["limit"]
    assert limit == "load buffering that rounds of a loop that waits may justify"


tap.main()
