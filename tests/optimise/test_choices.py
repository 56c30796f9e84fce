#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What heddle optimize may change, what orders cost, and how many threads
look: tests/optimise/test_choices.py HEDDLE [NAME...]"""
import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE.parent / "cli"))
import tap
from heddle import heddle, says, write

LOCKS = HERE.parent / "programs" / "locks"


def optimize(*args, code=0):
    return json.loads(heddle("optimize", "--json", *map(str, args),
                             code=code).stdout)


def best(*args):
    """The sites of the solution by line and operation: (from, to)."""
    return {(s["line"], s["operation"]): (s["from"], s["to"])
            for s in optimize(*args)["solutions"][0]["sites"]}


# -- --keep, --weaken-only

TTAS = HERE / "ttas.c"  # 10: load, 12: exchange, 17: store


@tap.test
def kept_orders_stay_as_they_are_written():
    free = best(TTAS)
    assert free[10, "load"] == ("seq_cst", "relaxed"), free
    for place in ["ttas.c:10", "ttas.c:10:12", f"{TTAS}:10:12"]:
        kept = best("--keep", place, TTAS)
        assert kept.pop((10, "load")) == ("seq_cst", "seq_cst"), kept
        assert kept.items() <= free.items(), kept
    both = best("--keep", "ttas.c:10", "--keep", "ttas.c:17", TTAS)
    assert both[17, "store"] == ("seq_cst", "seq_cst"), both


@tap.test
def a_repair_leaves_kept_orders_alone():
    path = LOCKS / "mcs_lost_update.c"
    free = best("--repair", path)
    ((place, change),) = [s for s in free.items() if s[1][0] != s[1][1]]
    assert place[1] == "load" and change == ("relaxed", "acquire"), free
    other = optimize("--repair", "--keep", f"mcs_lost_update.c:{place[0]}",
                     path, code=1)
    assert not other["solutions"], other


@tap.test
def only_what_is_named_becomes_weaker():
    free = best(TTAS)
    for words in [["lock"], ["ttas.c/lock"], ["optimise/ttas.c/lock"]]:
        some = best("--weaken-only", *words, TTAS)
        assert some[17, "store"] == ("seq_cst", "seq_cst"), some
        assert some[10, "load"] == free[10, "load"], some
    assert best("--weaken-only", "ttas.c", TTAS) == free
    assert best("--weaken-only", "lock", "--weaken-only", "unlock",
                TTAS) == free


@tap.test
def what_names_nothing_is_refused():
    for args, word in [(["--keep", "ttas.c:1"], "ttas.c:10:12 (lock)"),
                       (["--keep", "tas.c:10"], "no order is written at"),
                       (["--keep", "ttas.c"], "FILE:LINE"),
                       (["--keep", ":10"], "FILE:LINE"),
                       (["--weaken-only", "nothing"], "'nothing'"),
                       (["--weaken-only", "x.c/lock"], "'x.c/lock'"),
                       (["--repair", "--weaken-only", "lock"], "--repair")]:
        says(heddle("optimize", *args, str(TTAS), code=2), word)
    heddle("explore", "--keep", "3", str(TTAS))  # another option of that name


# -- --cost

@tap.test
def processors_have_costs_of_their_own():
    path = LOCKS / "rw_writer.c"
    fences = {}
    for table in ["generic", "x86", "armv8", "riscv", "power"]:
        sites = best("--from", "sc", "--cost", table, path)
        fences[table] = [to for (_, kind), (_, to) in sites.items()
                         if kind == "fence"]
    # A seq_cst load has a full barrier before it on RISC-V and POWER, so that
    # fences are cheaper there; on Arm it is an LDAR.
    assert fences["armv8"] == fences["x86"] == ["none", "none"], fences
    assert fences["riscv"] == fences["power"] == ["seq_cst"] * 2, fences


@tap.test
def a_file_says_what_orders_cost():
    table = write("costs", "# what I measured\n\nupdate seq_cst 50\n"
                  "load seq_cst 50  # much\nfence acquire 1\n")
    answer = optimize("--from", "sc", "--cost", table, LOCKS / "rw_writer.c")
    (solution,) = answer["solutions"]
    assert solution["cost"] == 2, solution["cost"]  # fences alone cost
    assert answer["proved"]


@tap.test
def a_wrong_table_is_refused_with_its_line():
    for text, word in [("load acquire 5\nload seq_cst 3\n", "weaker"),
                       ("\nload release 1\n", ":2: error: a load has no order"),
                       ("take relaxed 1\n", ":1: error: there is no operation"),
                       ("load acquire\n", "OPERATION ORDER COST"),
                       ("load acquire 1 2\n", "OPERATION ORDER COST"),
                       ("load acquire -1\n", "OPERATION ORDER COST"),
                       ("load acquire 99999999999\n", "1000000")]:
        table = write("wrong_costs", text)
        says(heddle("optimize", "--cost", table, str(TTAS), code=2), word)
    says(heddle("optimize", "--cost", "no/such", str(TTAS), code=2),
         "generic, x86, armv8, riscv, power")


# -- --all, --top, --jobs

def orders(answer):
    return [[s["to"] for s in x["sites"]] for x in answer["solutions"]]


@tap.test
def top_gives_the_first_of_all():
    every = optimize("--from", "sc", "--all", LOCKS / "mcs.c")
    assert len(every["solutions"]) > 2 and every["proved"]
    some = optimize("--from", "sc", "--top", "2", LOCKS / "mcs.c")
    assert len(some["solutions"]) == 2
    costs = [x["cost"] for x in every["solutions"]]
    assert [x["cost"] for x in some["solutions"]] == costs[:2]
    assert all(x in orders(every) for x in orders(some))


@tap.test
def more_threads_find_the_same():
    path = LOCKS / "qspinlock.c"
    args = ["--from", "sc", "-DN=3", "-DNO_PENDING", path]
    one = optimize(*args)
    for jobs in ["2", "3"]:
        more = optimize("--jobs", jobs, *args)
        assert more["proved"]
        assert more["solutions"][0]["cost"] == one["solutions"][0]["cost"]
    mcs = ["--from", "sc", "--all", LOCKS / "mcs.c"]
    assert (sorted(orders(optimize(*mcs))) ==
            sorted(orders(optimize("--jobs", "2", *mcs))))
    wrong = optimize("--jobs", "2", LOCKS / "mcs_lost_hang.c", code=1)
    assert wrong["failure"]["kind"] == "hang", wrong


if __name__ == "__main__":
    tap.main(sys.argv[2:])
