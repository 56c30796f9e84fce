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
    if "+++" in diff:
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


# -- C++

CXX = """\
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>
using std::memory_order_seq_cst;
struct Node { std::atomic<int> next{0}; std::atomic<Node *> link{nullptr}; };
static Node node;
static std::atomic<int> ready{0}, other{0}, count{0};
static std::atomic_flag taken = ATOMIC_FLAG_INIT;
static int plain, data;
int main() {
  auto shared = std::make_shared<int>(1);
  std::thread t([copy = shared] {
    data = *copy;
    node.next.store(1);
    ready.store(1, std::memory_order_seq_cst);
    ready.notify_one();
    other.fetch_add(1, std::memory_order::seq_cst);
    int expected = 0;
    count.compare_exchange_strong(expected, 1);
    count.compare_exchange_weak(expected, 2, memory_order_seq_cst);
    count.compare_exchange_strong(expected, 3, std::memory_order_seq_cst,
                                  std::memory_order_seq_cst);
    taken.test_and_set();
    taken.clear();
    std::atomic_thread_fence(std::memory_order_seq_cst);
    std::atomic_ref<int>(plain).store(1);
    std::atomic_store(&node.next, 2);
    std::atomic_store_explicit(&node.next, 3, std::memory_order_seq_cst);
    other = 4;
    node.link.store(&node);
  });
  if (ready.load())
    assert(data == 1);
  int seen = node.next.load(std::memory_order_seq_cst) + count.exchange(7);
  Node *p = &node;
  seen += p->link.load() == nullptr;
  t.join();
  return seen < 0;
}
"""
CXX_CHANGES = """\
    node.next.store(1, std::memory_order_relaxed);
    ready.store(1, std::memory_order_release);
    other.fetch_add(1, std::memory_order::relaxed);
    count.compare_exchange_strong(expected, 1, std::memory_order_relaxed, \
std::memory_order_relaxed);
    count.compare_exchange_weak(expected, 2, std::memory_order_relaxed, \
std::memory_order_relaxed);
    count.compare_exchange_strong(expected, 3, std::memory_order_relaxed,
                                  std::memory_order_relaxed);
    taken.test_and_set(std::memory_order_relaxed);
    taken.clear(std::memory_order_relaxed);
    std::atomic_ref<int>(plain).store(1, std::memory_order_relaxed);
    std::atomic_store_explicit(&node.next, 2, std::memory_order_relaxed);
    std::atomic_store_explicit(&node.next, 3, std::memory_order_relaxed);
    node.link.store(&node, std::memory_order_relaxed);
  if (ready.load(std::memory_order_acquire))
  int seen = node.next.load(std::memory_order_relaxed) + count.exchange(7, \
std::memory_order_relaxed);
  seen += p->link.load(std::memory_order_relaxed) == nullptr;
"""


@tap.test
def cxx_calls_get_their_orders():
    write("forms.cpp", CXX)
    diff, text = patched(WORK, "forms.cpp")
    changed = [line for line in text.splitlines() if line not in
               CXX.splitlines()]
    assert changed == CXX_CHANGES.splitlines(), diff
    assert "thread_fence" not in text, diff
    said = [line for line in diff.splitlines() if line.startswith("# ")]
    assert [line.split(": ")[1].split(":")[1] for line in said] == ["30"], diff
    heddle("check", "forms.cpp", code=0)
    diff, again = patched(WORK, "forms.cpp")
    assert again == text, diff


@tap.test
def orders_of_the_library_are_no_sites():
    """Neither the counts of a shared_ptr nor the table behind notify_one."""
    answer = optimize(write("library.cpp", CXX))
    lines = {row[0] for row in rows(answer)}
    assert lines and not lines & {12, 13, 17}, answer


@tap.test
def an_order_that_is_no_word_stays():
    write("named.cpp", """\
#include <atomic>
constexpr auto strong = std::memory_order_seq_cst;
std::atomic<int> x{0};
int main() { x.store(1, strong); x.fetch_add(1, strong); }
""")
    diff, _ = patched(WORK, "named.cpp", "--from", "source")
    assert diff.count("# not rewritten") == 2 and "+++" not in diff, diff


if __name__ == "__main__":
    tap.main(sys.argv[2:])
