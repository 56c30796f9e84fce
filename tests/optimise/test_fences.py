#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""heddle optimize --insert-fences: tests/optimise/test_fences.py HEDDLE
[NAME...]"""
import json
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE.parent / "cli"))
import tap
from heddle import WORK, heddle, says, write

PROGRAMS = HERE.parent / "programs"

BUFFERS = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int r, s;
static void *one(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  r = atomic_load_explicit(&y, memory_order_relaxed);
  return unused;
}
static void *two(void *unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  s = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(r || s);
}
"""


def optimize(*args, code=0):
    return json.loads(heddle("optimize", "--json", "--insert-fences",
                             *map(str, args), code=code).stdout)


def inserted(solution):
    return {(s["line"], s["to"]) for s in solution["sites"] if s["inserted"]}


def patched(folder, name, *args):
    """The text of a file after the diff that is proposed for it."""
    diff = heddle("optimize", "--diff", "--insert-fences", *args, name,
                  cwd=folder, code=0).stdout
    assert "not rewritten" not in diff, diff
    subprocess.run(["git", "apply", "-p1", "-"], input=diff, text=True,
                   cwd=folder, check=True)
    return (folder / name).read_text()


@tap.test
def fences_are_added_where_orders_have_to_stay():
    kept = [w for line in [7, 8, 12, 13] for w in ["--keep", f"sb.c:{line}"]]
    path = write("sb.c", BUFFERS)
    # On Arm all fences but those that acquire are the same instruction.
    for model, order in [("rc11", "seq_cst"), ("imm", "seq_cst"),
                         ("armv8", "release")]:
        found = optimize("--repair", "--model", model, *kept, path)
        (solution,) = found["solutions"]
        assert found["proved"], found
        assert inserted(solution) == {(8, order), (13, order)}, (model, found)
        assert all(s["witness"] for s in solution["sites"] if s["inserted"])
    text = patched(WORK, "sb.c", "--repair", *kept)
    assert ("memory_order_relaxed);\n  atomic_thread_fence(memory_order_seq_cst"
            ");\n  r = ") in text, text
    heddle("check", str(path), code=0)
    report = heddle("optimize", str(path), code=0).stdout
    assert "seq_cst fence" not in report, report  # they are written now


@tap.test
def the_table_says_where_to_put_them():
    kept = [w for line in [7, 8] for w in ["--keep", f"sb2.c:{line}"]]
    text = heddle("optimize", "--repair", "--insert-fences", "-q", *kept,
                  write("sb2.c", BUFFERS), code=0).stdout
    assert ("8:7   fence    none    -> seq_cst (insert a fence before it)"
            in text), text
    assert "seq_cst fence before" in text and "is needed" in text, text
    assert text.count("fence    none") == 1, text
    text = heddle("optimize", "--repair", "--insert-fences", *kept,
                  str(WORK / "sb2.c"), code=0).stdout
    assert "fence (acq_rel)" in text and "fence (na)" not in text, text


@tap.test
def they_are_those_of_brute_force():
    text = BUFFERS.replace("&y, 1, memory_order_relaxed",
                           "&y, 1, memory_order_seq_cst")
    text = text.replace("&x, memory_order_relaxed", "&x, memory_order_seq_cst")
    path = write("sb3.c", text)
    kept = ["--keep", "sb3.c:7", "--keep", "sb3.c:8", "--weaken-only", "one"]
    for model in ["rc11", "imm", "armv8"]:
        args = ["--all", "--from", "sc", "--model", model, *kept, path]
        learned, tried = optimize(*args), optimize("--algorithm", "exhaustive",
                                                   *args)
        assert tried["monotone"] and learned["proved"]
        sets = [{frozenset(inserted(x)) for x in a["solutions"]}
                for a in [learned, tried]]
        assert sets[0] == sets[1] and sets[0], (model, sets)


# -- published mistakes

def copied(name):
    folder = WORK / name
    shutil.copytree(PROGRAMS / "locks", folder / "locks")
    shutil.copy(PROGRAMS / "common.h", folder)
    return folder / "locks"


@tap.test
def a_lost_update_gets_a_fence_after_the_loop():
    folder = copied("update")
    text = patched(folder, "mcs_lost_update.c", "--repair", "--keep",
                   "mcs_lost_update.c:45")
    assert ("    continue;\n  AFTER;\n  atomic_thread_fence("
            "memory_order_acquire);\n}\n") in text, text
    for model in ["rc11", "imm", "armv8"]:
        heddle("check", "--model", model, str(folder / "mcs_lost_update.c"),
               code=0)


@tap.test
def the_queued_lock_gets_its_fence_back():
    folder = WORK / "queued"
    folder.mkdir()
    for name in ["qspinlock.c", "client.h"]:
        shutil.copy(HERE / name, folder)
    lines = (folder / "qspinlock.c").read_text().splitlines()
    (tail,) = [i for i, text in enumerate(lines, 1) if "(seen & BUSY) | t" in text]
    (swap,) = [i for i, text in enumerate(lines, 1)
               if "int before = swap_tail(tail);" in text]
    flags = ["-DLINUX", "-DWITHOUT_FENCE", "-DN=3", "-DNO_PENDING"]
    args = ["--model", "armv8", "--repair", "--keep", f"qspinlock.c:{tail}",
            *flags]
    found = optimize("--all", *args, folder / "qspinlock.c")
    least = found["solutions"][0]["cost"]
    assert least == 9, found  # 3 for the fence, 6 for what is written
    cheapest = [inserted(x) for x in found["solutions"] if x["cost"] == least]
    assert {(swap, "release")} in cheapest, cheapest
    text = patched(folder, "qspinlock.c", *args)
    assert text.count("atomic_thread_fence(memory_order_release);") == 1, text
    heddle("check", "--model", "armv8", *flags, str(folder / "qspinlock.c"),
           code=0)


# -- the ways through a function

WAYS = """\
#include <assert.h>
#include <pthread.h>
static int data, flag, other;
static void give(int how) {
  data = 1;
  if (how) {
    __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
    return;
  }
  for (int i = 0; i < 2; i++)
    __atomic_store_n(&other, i, __ATOMIC_RELAXED);
}
static void *thread(void *how) {
  give(how != 0);
  return 0;
}
static int take(void) {
  do
    if (__atomic_load_n(&other, __ATOMIC_RELAXED))
      return 0;
  while (!__atomic_load_n(&flag, __ATOMIC_RELAXED));
  return 1;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, thread, &data);
  if (take())
    assert(data == 1);
  pthread_join(id, 0);
}
"""


@tap.test
def a_fence_in_the_text_is_where_it_was_in_the_search():
    (WORK / "ways.c").write_text(WAYS)
    kept = [w for line in [7, 11, 19, 21] for w in ["--keep", f"ways.c:{line}"]]
    found = optimize("--repair", *kept, WORK / "ways.c")["solutions"][0]
    assert {to for _, to in inserted(found)} == {"acquire", "release"}, found
    assert (22, "acquire") in inserted(found), found  # after the loop
    text = patched(WORK, "ways.c", "--repair", *kept)
    assert "  __atomic_thread_fence(__ATOMIC_ACQUIRE);\n  return 1;" in text, text
    heddle("check", str(WORK / "ways.c"), code=0)


RETURNS = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static int data;
static atomic_int flag, other;
static void wait_for(int how) {
  if (how) {
    while (!atomic_load_explicit(&flag, memory_order_relaxed))
      continue;
    return;
  }
  while (!atomic_load_explicit(&other, memory_order_relaxed))
    continue;
}
static void *take(void *how) {
  wait_for(how != 0);
  assert(data == 1);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, take, &data);
  pthread_create(&b, 0, take, 0);
  data = 1;
  atomic_store_explicit(&flag, 1, memory_order_release);
  atomic_store_explicit(&other, 1, memory_order_release);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
"""


@tap.test
def a_fence_at_the_end_is_not_behind_other_returns():
    (WORK / "returns.c").write_text(RETURNS)
    args = ["--repair", "--keep", "returns.c:8", "--keep", "returns.c:12"]
    # Before the last line is no place that only its last statement leads to.
    path = WORK / "returns.c"
    assert optimize(*args, path, code=1)["failure"]["kind"] == "race"
    path.write_text(RETURNS.replace("    return;\n  }\n", "  } else {\n")
                    .replace("continue;\n}\n", "continue;\n  }\n}\n"))
    found = optimize(*args[:3], "--keep", "returns.c:11", path)["solutions"][0]
    assert inserted(found) == {(14, "acquire")}, found
    patched(WORK, "returns.c", *args[:3], "--keep", "returns.c:11")
    heddle("check", str(path), code=0)


@tap.test
def without_the_option_nothing_is_added():
    path = write("sb4.c", BUFFERS)
    answer = json.loads(heddle("optimize", "--json", "--repair", path,
                               code=0).stdout)
    assert not inserted(answer["solutions"][0]), answer
    says(heddle("optimize", "--check-only", "--insert-fences", path, code=2),
         "--insert-fences")


if __name__ == "__main__":
    tap.main(sys.argv[2:])
