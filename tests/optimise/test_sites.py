#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a site of heddle optimize is, and how its order is rewritten:
tests/optimise/test_sites.py HEDDLE [NAME...]"""
import json
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE.parent / "cli"))
import tap
from heddle import WORK, heddle, write

PROGRAMS = HERE.parent / "programs"


def optimize(*args):
    return json.loads(heddle("optimize", "--json", *map(str, args),
                             code=0).stdout)


def rows(answer):
    """(line, operation, from, to) of the first solution, in order."""
    return sorted((s["line"], s["operation"], s["from"], s["to"])
                  for s in answer["solutions"][0]["sites"])


def patched(folder, name, *args):
    """The diff of a file in a folder, and what it makes of the file."""
    diff = heddle("optimize", "--diff", *args, name, cwd=folder, code=0).stdout
    if diff:
        subprocess.run(["git", "apply", "-p1", "-"], input=diff, text=True,
                       cwd=folder, check=True)
    return diff, (folder / name).read_text()


# -- wrappers

WRAPPERS = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static int get(atomic_int *p, memory_order o) {
  return atomic_load_explicit(p, o);
}
static int outer(atomic_int *p, memory_order o) { return get(p, o); }
static void set(atomic_int *p, int v, memory_order o) {
  atomic_store_explicit(p, v, o);
}
static _Bool try(atomic_int *p, int old, int new, memory_order o,
                 memory_order f) {
  return atomic_compare_exchange_strong_explicit(p, &old, new, o, f);
}
static int get_acq(atomic_int *p) { return get(p, memory_order_acquire); }
static atomic_int flag, other;
static int data;
static void *give(void *unused) {
  data = 1;
  set(&other, 1, memory_order_seq_cst);
  try(&other, 1, 2, memory_order_seq_cst, memory_order_seq_cst);
  set(&flag, 1, memory_order_seq_cst);
  return unused;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, give, 0);
  get(&other, memory_order_seq_cst);
  get_acq(&other);
  if (outer(&flag, memory_order_seq_cst))
    assert(data == 1);
  if (get_acq(&flag))
    assert(data == 1);
  pthread_join(id, 0);
}
"""


@tap.test
def functions_that_are_given_an_order_have_a_site_for_each_call():
    found = rows(optimize(write("wrappers.c", WRAPPERS)))
    assert found == [
        (15, "load", "acquire", "acquire"),
        (20, "store", "seq_cst", "relaxed"),
        (21, "compare-exchange", "seq_cst", "relaxed"),
        (21, "failed compare-exchange", "seq_cst", "relaxed"),
        (22, "store", "seq_cst", "release"),
        (28, "load", "seq_cst", "relaxed"),
        (30, "load", "seq_cst", "acquire")], found


@tap.test
def functions_that_are_named_have_a_site_for_each_call():
    path = write("wrappers.c", WRAPPERS)
    found = rows(optimize("--wrapper", "get_*", path))
    assert (29, "load", "acquire", "relaxed") in found, found
    assert (32, "load", "acquire", "acquire") in found, found
    assert not any(line == 15 for line, *_ in found), found


@tap.test
def orders_that_are_given_to_a_function_are_rewritten():
    folder = WORK / "wrapped"
    folder.mkdir()
    (folder / "w.c").write_text(WRAPPERS)
    diff, text = patched(folder, "w.c")
    assert "not rewritten" not in diff, diff
    assert "set(&flag, 1, memory_order_release)" in text, text
    assert "try(&other, 1, 2, memory_order_relaxed, memory_order_relaxed)" \
        in text, text
    assert "if (outer(&flag, memory_order_acquire))" in text, text
    after = optimize(folder / "w.c")
    assert after["written_cost"] == after["solutions"][0]["cost"] == 3, after


# -- macros

MACROS = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define SC memory_order_seq_cst
#define put atomic_store_explicit
#define GET(p, o) atomic_load_explicit(p, o)
#define TWICE(p, o) (atomic_load_explicit(p, o), atomic_load_explicit(p, o))
static atomic_int flag, other;
static int data;
static void *give(void *unused) {
  data = 1;
  put(&other, GET(&other, SC) + 1, SC);
  put(&flag, 1, __ATOMIC_SEQ_CST);
  return unused;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, give, 0);
  TWICE(&other, SC);
  if (GET(&flag, SC))
    assert(data == 1);
  pthread_join(id, 0);
}
"""


@tap.test
def operations_of_one_macro_are_sites_of_their_own():
    found = rows(optimize(write("macros.c", MACROS)))
    assert [r for r in found if r[0] == 19] == [
        (19, "load", "seq_cst", "relaxed")] * 2, found


@tap.test
def functions_that_never_run_have_no_sites():
    text = """#include <stdatomic.h>
atomic_int x;
void unused(void) { atomic_store(&x, 1); }
int main(void) { return atomic_load(&x); }
"""
    assert rows(optimize(write("unused.c", text))) == [
        (4, "load", "seq_cst", "relaxed")]


@tap.test
def macros_and_their_arguments_are_rewritten_or_said():
    folder = WORK / "macros"
    folder.mkdir()
    (folder / "m.c").write_text(MACROS)
    diff, text = patched(folder, "m.c")
    assert "put(&flag, 1, __ATOMIC_RELEASE);" in text, text
    assert "if (GET(&flag, memory_order_acquire))" in text, text
    # What goes to two operations is left alone.
    assert "TWICE(&other, SC);" in text, text
    assert diff.count("# not rewritten: m.c:19:3: load") == 2, diff
    heddle("check", str(folder / "m.c"), code=0)


@tap.test
def locks_with_names_of_their_own_become_what_was_found():
    folder = WORK / "programs"
    shutil.copytree(PROGRAMS / "locks", folder / "locks")
    shutil.copy(PROGRAMS / "common.h", folder)
    for name in ["mcs", "rw_counter", "rw_writer", "mcs_lost_hang"]:
        args = ["--repair" if "lost" in name else "--from=sc"]
        path = folder / "locks" / f"{name}.c"
        wanted = optimize(*args, path)["solutions"][0]["cost"]
        diff, _ = patched(folder / "locks", f"{name}.c", *args)
        assert "not rewritten" not in diff, diff
        after = optimize(path)
        assert after["written_cost"] == wanted, (name, after["written_cost"])


if __name__ == "__main__":
    tap.main(sys.argv[2:])
