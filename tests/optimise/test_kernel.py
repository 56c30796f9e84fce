#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""heddle optimize under the Linux kernel's model, and --diff in its names:
tests/optimise/test_kernel.py HEDDLE [NAME...]"""
import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE.parent / "cli"))
import tap
from heddle import WORK, heddle, write


def optimize(path, *args, code=0):
    return json.loads(heddle("optimize", "--json", "--model", "lkmm", *args,
                             str(path), code=code).stdout)


def patched(name, text, *args):
    """The lines that the diff of a program takes and puts, and the answer for
    the program with it."""
    folder = WORK / f"kernel_{name}"
    folder.mkdir()
    (folder / "it.c").write_text(text)
    diff = heddle("optimize", "--diff", "--model", "lkmm", *args, "it.c",
                  cwd=folder, code=0).stdout
    subprocess.run(["git", "apply", "-p1", "-"], input=diff, text=True,
                   cwd=folder, check=True)
    lines = [line for line in diff.splitlines()
             if line[:1] in "+-" and line[:3] not in ("+++", "---")]
    return ([line[1:].strip() for line in lines if line[0] == "-"],
            [line[1:].strip() for line in lines if line[0] == "+"],
            diff, optimize(folder / "it.c"))


# -- programs of the kernel's kind

def program(name):
    return (HERE / f"linux_{name}.c").read_text()


def is_what_was_found(text, after, *args):
    before = optimize(write("before.c", text), *args)["solutions"][0]["cost"]
    assert after["written_cost"] == before, (before, after)
    assert after["solutions"][0]["cost"] == before, (before, after)


@tap.test
def a_list_under_rcu_needs_one_barrier_for_stores():
    out, into, diff, after = patched("list", program("list"))
    assert "not rewritten" not in diff, diff
    assert out == ["smp_mb();", "smp_mb();",
                   "struct node *seen = smp_load_acquire(&head);",
                   "smp_mb();"], out
    assert into == ["smp_wmb();", "struct node *seen = READ_ONCE(head);"], into
    is_what_was_found(program("list"), after)


@tap.test
def a_list_under_rcu_may_publish_by_a_release():
    _, into, diff, after = patched("publish", program("list"), "--from", "sc")
    assert into == ["smp_store_release(&head, fresh);",
                    "struct node *seen = READ_ONCE(head);"], diff
    is_what_was_found(program("list"), after, "--from", "sc")


@tap.test
def the_first_places_of_a_queued_spin_lock_need_no_full_barrier():
    _, into, diff, after = patched("pending", program("pending"))
    assert "not rewritten" not in diff, diff
    assert into == ["int seen = atomic_cmpxchg_acquire(&word, 0, LOCKED);",
                    "seen = atomic_fetch_or_relaxed(PENDING, &word);",
                    "atomic_cond_read_relaxed(&word, !(VAL & LOCKED));",
                    "atomic_fetch_xor_acquire(LOCKED | PENDING, &word);",
                    "atomic_fetch_andnot_release(LOCKED, &word);"], diff
    is_what_was_found(program("pending"), after)


@tap.test
def the_queue_of_a_spin_lock_needs_one_full_update():
    out, into, diff, after = patched("queue", program("queue"))
    assert "not rewritten" not in diff, diff
    assert out.count("smp_mb();") == 2, diff
    assert into == ["struct node *next = READ_ONCE(me->next);",
                    "if (cmpxchg_release(&tail, me, NULL) == me)",
                    "while (!(next = READ_ONCE(me->next)))"], diff
    is_what_was_found(program("queue"), after)


@tap.test
def a_lock_that_was_made_too_weak_is_repaired():
    text = program("queue").replace("smp_store_release(&next->is_first, 1)",
                                    "WRITE_ONCE(next->is_first, 1)")
    _, into, diff, after = patched("repair", text, "--repair")
    assert into == ["smp_store_release(&next->is_first, 1);"], diff


# -- names

NAMES = """\
#include <lkmm.h>
#include <pthread.h>
struct box { int v; int *p; };
atomic_t v; atomic64_t l; int w, *p; struct box b, *bp = &b; int a[2];
int main(void) {
  b.p = &a[0];
  int old = 0;
%s
  return 0;
}
"""
RENAMED = [
    ("atomic_fetch_add(1, &v);", "atomic_fetch_add_relaxed(1, &v);"),
    ("atomic64_xchg_acquire(&l, 3);", "atomic64_xchg_relaxed(&l, 3);"),
    ("(void)cmpxchg_release(&w, 0, 1);", "(void)cmpxchg_relaxed(&w, 0, 1);"),
    ("(void)try_cmpxchg(&w, &old, 1);",
     "(void)try_cmpxchg_relaxed(&w, &old, 1);"),
    ("xchg(&w, 3);", "xchg_relaxed(&w, 3);"),
    ("smp_store_release(&w, READ_ONCE(b.v));",
     "WRITE_ONCE(w, READ_ONCE(b.v));"),
    ("smp_store_release(bp->p, smp_load_acquire(&a[1]));",
     "WRITE_ONCE(*bp->p, READ_ONCE(a[1]));"),
    ("smp_store_release(w ? bp->p : &b.v, 1);",
     "WRITE_ONCE(*(w ? bp->p : &b.v), 1);"),
    ("(void)atomic_read_acquire(&v);", "(void)atomic_read(&v);"),
    ("atomic_set_release(&v, 1);", "atomic_set(&v, 1);"),
    ("rcu_assign_pointer(p, 0);", "RCU_INIT_POINTER(p, 0);"),
    ("smp_store_mb(w, 3);", "WRITE_ONCE(w, 3);"),
    ("if (w) smp_mb();", "if (w) (void)0;"),
    ("atomic_cond_read_acquire(&v, VAL == 1);",
     "atomic_cond_read_relaxed(&v, VAL == 1);"),
    ("while (!smp_load_acquire(&w)) smp_rmb();",
     "while (!READ_ONCE(w)) smp_rmb();"),
    # These stay as they are.
    ("atomic_dec_and_test(&v);", "atomic_dec_and_test(&v);"),
    ("atomic_inc(&v);", "atomic_inc(&v);"),
]


@tap.test
def operations_get_the_names_of_weaker_ones():
    text = NAMES % "".join(f"  {a}\n" for a, _ in RENAMED)
    _, into, diff, _ = patched("names", text)
    assert into == [b for a, b in RENAMED if a != b], diff
    assert diff.count("# not rewritten") == 1, diff
    assert "update full -> relaxed" in diff, diff


# -- brute force

THREADS = """\
#include <lkmm.h>
#include <pthread.h>
%s
static void *one(void *arg) { %s return arg; }
static void *two(void *arg) { %s return arg; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  %s
}
"""
SMALL = {
    "message": ("static int x, y;",
                "WRITE_ONCE(x, 1); smp_mb(); WRITE_ONCE(y, 1);",
                "if (READ_ONCE(y)) { smp_mb(); BUG_ON(!READ_ONCE(x)); }", ""),
    "plain_message": ("static int x, y;",
                      "x = 1; smp_mb(); smp_store_release(&y, 1);",
                      "if (smp_load_acquire(&y)) { smp_mb(); BUG_ON(!x); }",
                      ""),
    "store_buffering": ("static int x, y, r, s;",
                        "WRITE_ONCE(x, 1); smp_mb(); r = READ_ONCE(y);",
                        "(void)xchg(&y, 1); smp_mb(); s = READ_ONCE(x);",
                        "BUG_ON(!r && !s);"),
    "after_atomic": ("static int y, r, s; static atomic_t x;",
                     "atomic_inc(&x); smp_mb__after_atomic();"
                     "r = READ_ONCE(y);",
                     "WRITE_ONCE(y, 1); smp_mb(); s = atomic_read(&x);",
                     "BUG_ON(!r && !s);"),
    "load_buffering": ("static int x, y, r, s;",
                       "r = smp_load_acquire(&x); smp_store_release(&y, 1);",
                       "s = READ_ONCE(y); smp_mb(); WRITE_ONCE(x, 1);",
                       "BUG_ON(r && s);"),
    "lock": ("static int l, data; static void count(void) {"
             "  while (cmpxchg(&l, 0, 1)) cpu_relax();"
             "  data = 1; smp_store_release(&l, 0); }",
             "count();", "count();", ""),
}


def assignments(answer):
    return {tuple(site["to"] for site in s["sites"])
            for s in answer["solutions"]}


def same_as_exhaustive(path, *args):
    learned = optimize(path, "--all", *args)
    tried = optimize(path, "--all", "--algorithm", "exhaustive", *args)
    assert tried["monotone"] and tried["proved"] and learned["proved"]
    assert assignments(tried) == assignments(learned), (
        path, args, assignments(tried), assignments(learned))
    return learned


@tap.test
def small_programs_have_the_assignments_of_brute_force():
    for name, parts in SMALL.items():
        path = write(f"kernel_{name}.c", THREADS % parts)
        same_as_exhaustive(path)
        same_as_exhaustive(path, "--from", "sc")


@tap.test
def relaxed_programs_have_the_repairs_of_brute_force():
    for name, parts in SMALL.items():
        weak = (THREADS % parts).replace("smp_mb();", "smp_rmb();")
        weak = weak.replace("xchg(", "xchg_relaxed(")
        same_as_exhaustive(write(f"weak_{name}.c", weak), "--repair")


@tap.test
def the_orders_that_stay_are_shown_with_what_goes_wrong():
    path = write("shown.c", THREADS % SMALL["store_buffering"])
    text = heddle("optimize", "--quiet", "--model", "lkmm", path,
                  code=0).stdout
    assert "smp_mb at " in text and "is needed: without it" in text, text
    assert "smp_mb  -> none (remove the fence)" in text, text


if __name__ == "__main__":
    tap.main(sys.argv[2:])
