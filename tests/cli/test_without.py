#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""--without, --reduce and --definition: names, what they mean together with
older options, and that each reduction can be switched off alone.
tests/cli/test_without.py HEDDLE."""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
import tap

HEDDLE = sys.argv[1]
ROOT = Path(__file__).resolve().parent.parent.parent
ROWS = re.findall(r'^REDUCTION\(\w+, "([a-z-]+)", (\w+),',
                  (ROOT / "src/explore/reduce.def").read_text(), re.M)
GONE = re.findall(r'^GONE\("([a-z-]+)",\s*"([^"]+)',
                  (ROOT / "src/explore/reduce.def").read_text(), re.M)
NAMES = [name for name, _ in ROWS]
KEPT = [name for name, when in ROWS if when == "KEPT"]
DEFAULT = [name for name, when in ROWS if when != "OPT_IN"]
PROGRAM = ROOT / "examples/mp-ok.c"
EXAMPLES = ["mp-ok.c", "spsc-ring.c", "double-checked.c", "seqlock.c",
            "spin-lock-relaxed.c", "lock-order.c", "use-after-free.c"]


def call(*args, code=0, command="check"):
    done = subprocess.run([HEDDLE, command, *map(str, args)],
                          capture_output=True, text=True)
    assert done.returncode == code, done.stdout + done.stderr
    return done


def reductions(*args):
    return json.loads(call("--json", *args, PROGRAM).stdout)["reductions"]


@tap.test
def the_report_says_which_were_on():
    assert len(DEFAULT) > 10 and reductions() == DEFAULT
    assert reductions("--without", "all") == KEPT
    assert reductions("--definition") == KEPT
    assert reductions("--without=all", "--reduce", "leaf,tail") == [
        *KEPT, "tail", "leaf"]
    text = call("--stats", "--without", "all", PROGRAM).stdout
    assert f"Reductions: {', '.join(KEPT)}.\n" in text, text


@tap.test
def each_can_be_named():
    for name in NAMES:
        assert name not in reductions("--without", name)
        if name not in ("net-rounds", "rf"):
            assert name in reductions("--without", "all", "--reduce", name)
    for name in "net-rounds", "rf":
        assert name in reductions("--reduce", name)


@tap.test
def older_options_mean_rows():
    names = ["awaits", "own-rounds", "counted-tries", "retry", "rollback",
             "lock-words"]
    assert reductions("--explore-retries") == [n for n in DEFAULT
                                               if n not in names]
    on = {"--symmetry=on": "symmetry", "--equivalence=rf": "rf",
          "--net-effect-awaits": "net-rounds"}
    for option, name in on.items():
        assert reductions(option) == [n for n in NAMES
                                      if n in DEFAULT or n == name]
        assert reductions(option) == reductions("--reduce", name)


@tap.test
def unknown_names_are_refused():
    for option in "--without", "--reduce":
        for command in "check", "explore", "litmus":
            said = call(option, "tail,symetry", PROGRAM, code=2,
                        command=command).stderr
            assert f"{option}: there is no reduction 'symetry'" in said, said
            assert "did you mean 'symmetry'? They are: " in said, said
            assert ", ".join(NAMES) in said, said
    said = call("--without", "", PROGRAM, code=2).stderr
    assert "there is no reduction ''" in said, said


@tap.test
def what_there_was_once_is_named():
    for name, instead in GONE:
        said = call("--reduce", f"tail,{name}", PROGRAM, code=2).stderr
        assert f"the reduction '{name}' was removed" in said, said
        assert instead in said, said
    said = call("--explore-orders", PROGRAM, code=2).stderr
    assert "the option --explore-orders was removed" in said, said
    assert "leave it out" in said, said


@tap.test
def what_contradicts_itself_is_refused():
    for more in (["--reduce", "tail"], ["--symmetry", "on"],
                 ["--equivalence", "rf"], ["--net-effect-awaits"]):
        said = call("--definition", *more, PROGRAM, code=2).stderr
        assert "--definition leaves nothing out" in said, said
    for name in "rf", "symmetry":
        said = call("--reduce", name, PROGRAM, code=2, command="explore").stderr
        assert "needs every execution" in said, said
    said = call("--reduce", "rf", "--model", "imm", PROGRAM, code=2).stderr
    assert "--equivalence rf is not available here" in said, said


@tap.test
def words_of_a_suite_are_those_of_each_test():
    """Each test has lists of its own, which it may add to."""
    with tempfile.TemporaryDirectory() as folder:
        for name in "a.c", "b.c":
            (Path(folder) / name).write_text(
                "// heddle: --without leaf --args y expect ok\n"
                "#include <assert.h>\n"
                "int main(int n, char **all) { assert(n == 3); "
                "assert(all[1][0] == 'x' && all[2][0] == 'y'); }\n")
        call("--without", "tail", "--args", "x", folder, command="test")


MEETING = """
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static void *run(void *arg) {
  (void)atomic_load(&x);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  pthread_barrier_wait(&barrier);
  return arg;
}
int main(void) {
  pthread_t id[3];
  pthread_barrier_init(&barrier, NULL, 3);
  for (int i = 0; i < 3; i++)
    pthread_create(&id[i], NULL, run, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(id[i], NULL);
}
"""


@tap.test
def executions_stand_for_one_number():
    """Three readers come and go in 6!/2^3 orders, and arrive in 3!."""
    more = ["symmetry", "rf"]
    numbers = set()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.c"
        path.write_text(MEETING)
        for n in range(2 ** len(more)):
            names = [name for i, name in enumerate(more) if n >> i & 1]
            answer = json.loads(call(
                "--json", *(["--reduce", ",".join(names)] if names else []),
                path).stdout)
            assert answer["up_to"] == (["co"] if "rf" in names else [])
            numbers.add(answer["stands_for"])
        for others in (["--definition"], ["--without", "all"],
                       ["--without", "tail"], ["--without", "hand-over"],
                       ["--without", "all", "--reduce", "symmetry"],
                       ["--reduce", "symmetry", "--jobs", "2"]):
            answer = json.loads(call("--json", *others, path).stdout)
            numbers.add(answer["stands_for"])
    assert numbers == {540}, numbers


def summary(name, *args):
    done = subprocess.run([HEDDLE, "check", "--json", *args,
                           str(ROOT / "examples" / name)],
                          capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    report = json.loads(done.stdout)
    errors = [(e["kind"], e["line"]) for e in report["errors"]]
    return report["verdict"], errors or report["stands_for"]


@tap.test
def each_can_be_switched_off_alone():
    for example in EXAMPLES:
        usual = summary(example)
        for name in DEFAULT:
            if name != "awaits":  # then a loop that waits has no end
                now = summary(example, "--without", name)
                assert now == usual, (example, name, usual, now)


@tap.test
def the_definition_says_the_same():
    for example in EXAMPLES:
        for model in "sc", "rc11", "imm":
            options = "--model", model
            now = summary(example, *options, "--definition")
            assert now == summary(example, *options), (example, model, now)
    for test in sorted((ROOT / "examples/litmus").glob("*.litmus")):
        usual = call("--summary", test, command="litmus").stdout
        assert call("--summary", "--definition", test,
                    command="litmus").stdout == usual, test


@tap.test
def each_pair_is_known_once():
    """pairs.def: two of the rows, which it says one thing about."""
    ids = dict(re.findall(r'^REDUCTION\((\w+), "([a-z-]+)",',
                          (ROOT / "src/explore/reduce.def").read_text(), re.M))
    pairs = re.findall(r"^(?:EXCLUDES|NEEDS|PARTLY|PROVED)\((\w+), (\w+),",
                       (ROOT / "src/explore/pairs.def").read_text(), re.M)
    known = {frozenset(pair) for pair in pairs}
    assert len(known) == len(pairs) > 40, len(pairs)
    for a, b in pairs:
        assert a in ids and b in ids and a != b, (a, b)
    page = subprocess.run([HEDDLE, "doc", "reductions"], capture_output=True,
                          text=True, check=True).stdout
    for a, b in pairs:
        assert re.search(rf"^\| `{ids[a]}` \| [a-z ]+ \| `{ids[b]}` \|", page,
                         re.M), (a, b)


@tap.test
def texts_of_whole_updates_refuse_pieces():
    """By rmw^-1 the pieces of an update would need each other: vacuous."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "pieces.c"
        program.write_text("""#include <stdatomic.h>
#include <pthread.h>
static atomic_int x;
static void *f(void *arg) {
  atomic_load((atomic_char *)&x);
  atomic_fetch_add(&x, 1);
  atomic_load(&x);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, f, NULL);
  pthread_join(t, NULL);
}
""")
        for model in ("c11", "jam21"):
            call("--model", model, str(program))
            said = call("--model", model, "--definition", str(program),
                        code=2).stderr
            assert "pieces.c:6" in said and "another size" in said, said


tap.main()
