#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Critical sections (explore/fewer/sections.c), in C: where threads have nothing else
in common their order is not explored, and where it could matter it is. What is
shown is an execution of the program (explore/fewer/merge.c). On random programs, outcomes and errors are those of all orders.
tests/cli/test_sections.py HEDDLE."""
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
import tap
import threads

HEDDLE = sys.argv[1]
MODELS = "sc", "tso", "pso", "ra", "rc11"
HEAD = """
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
static sem_t s;
static pthread_rwlock_t w = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, k = PTHREAD_MUTEX_INITIALIZER;
static int own[4], both;
static union { long word; int half[2]; } sizes;
static atomic_int flag, flag2;
static int *shared;
"""


def program(bodies, before="", after=""):
    return threads.program(HEAD, bodies, before, after)


def orders(options):
    """What leaves orders out, unless all of them are asked for."""
    return ([] if "--explore-orders" in options else
            ["--reduce", "barriers,sections,readers"])


def run(command, text, *options):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.c"
        path.write_text(text)
        done = subprocess.run([HEDDLE, command, "--json", *orders(options),
                               *options, str(path)],
                              capture_output=True, text=True)
        assert done.returncode in (0, 1, 3), done.stdout + done.stderr
        return done.returncode, json.loads(done.stdout)


def errors(text, *options):
    """Exit code, kinds and places of the errors; of a race, that there is one."""
    code, answer = run("check", text, "--all-errors", "--symmetry", "off",
                       *options)
    return code, sorted({(e["kind"], e["kind"] != "race" and e["line"])
                         for e in answer["errors"]})


def executions(text, *options):
    return run("check", text, "--symmetry", "off", *options)[1]["executions"]


def outcomes(text, *options):
    return sorted(json.dumps(o["state"], sort_keys=True)
                  for o in run("explore", text, *options)[1]["outcomes"])


def same(text, *options):
    assert errors(text, *options) == errors(text, *options,
                                            "--explore-orders"), text
    assert outcomes(text, *options) == outcomes(text, *options,
                                                "--explore-orders"), text


SECTION = "pthread_mutex_lock(&m); own[%d]++; pthread_mutex_unlock(&m);"


@tap.test
def sections_of_their_own_have_one_order():
    text = program([SECTION % i * 2 for i in range(4)],
                   after="for (int i = 0; i < 4; i++) assert(own[i] == 2);")
    for model in MODELS:
        assert executions(text, "--model", model) == 1
        assert executions(text, "--model", model, "--jobs", "2") == 1
        assert executions(text, "--model", model, "--equivalence", "rf") == 1
    assert executions(text, "--explore-orders") == 2520  # 8! / 2!^4
    for model in "imm", "armv8":
        assert executions(text, "--model", model) == 1


WAITING = "sem_wait(&s); %s sem_post(&s);"
READING = "pthread_rwlock_rdlock(&w); %s pthread_rwlock_unlock(&w);"
WRITING = "pthread_rwlock_wrlock(&w); %s pthread_rwlock_unlock(&w);"
READY = "sem_init(&s, 0, %d);"


@tap.test
def so_have_those_of_semaphores_and_read_write_locks():
    waiting = program([WAITING % f"own[{i}]++;" for i in range(4)],
                      before=READY % 1, after="sem_destroy(&s);")
    reading = program([READING % f"own[{i}] = both;" for i in range(4)],
                      after="pthread_rwlock_destroy(&w);")
    writing = program([(READING if i % 2 else WRITING) % f"own[{i}]++;"
                       for i in range(4)])
    for text, orders in (waiting, 24), (reading, 2520), (writing, None):
        for model in MODELS + ("imm", "armv8"):
            assert executions(text, "--model", model) == 1
        assert executions(text, "--jobs", "2") == 1
        assert executions(text, "--equivalence", "rf") == 1
        if orders:
            assert executions(text, "--explore-orders") == orders
    # Two parties: one of the first two and one of the others.
    pairs = program([WAITING % f"own[{i // 2}]++;" for i in range(4)],
                    before=READY % 1)
    assert executions(pairs) == 4
    assert executions(pairs, "--jobs", "2") == 4
    assert executions(pairs, "--explore-orders") == 24
    # A semaphore that somebody uses to signal has all orders, mutexes do not.
    signals = program([SECTION % 0, SECTION % 1, "sem_post(&s);",
                       "sem_wait(&s); assert(1);"], before=READY % 0)
    assert executions(signals) == executions(signals, "--jobs", "2") == 1
    assert executions(signals, "--explore-orders") == 2


@tap.test
def threads_that_conflict_take_turns_among_themselves():
    both = "pthread_mutex_lock(&m); both++; pthread_mutex_unlock(&m);"
    text = program([SECTION % 0, both, SECTION % 1, both, SECTION % 2],
                   after="assert(both == 2);")
    for model in MODELS + ("imm", "armv8"):
        assert executions(text, "--model", model) == 2
    assert executions(text, "--jobs", "2") == 2
    assert executions(text, "--equivalence", "rf") == 2
    assert executions(text, "--explore-orders") == 120
    pairs = program(["pthread_mutex_lock(&m); own[%d]++; pthread_mutex_unlock(&m);"
                     % (i // 2) for i in range(6)])
    assert executions(pairs) == 8
    assert executions(pairs, "--explore-orders") == 720


@tap.test
def what_is_shown_is_an_execution_of_the_program():
    both = "pthread_mutex_lock(&m); %s pthread_mutex_unlock(&m);"
    text = program([SECTION % 0 * 2, both % "both++;", SECTION % 1,
                    both % "assert(both == 0);"])
    code, answer = run("check", text)
    assert code == 1, answer
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.c"
        path.write_text(text)
        name = subprocess.run([HEDDLE, "check", *orders([]), str(path)], capture_output=True,
                              text=True).stdout.split("--replay ")[1].split()[0]
        for options in [], ["--explore-orders"]:
            done = subprocess.run([HEDDLE, "check", "--replay", name,
                                   *orders(options), *options,
                                   str(path)], capture_output=True, text=True)
            assert done.returncode == 1 and "both == 0" in done.stdout, done


@tap.test
def a_thread_that_is_about_to_wait_in_a_section_is_shown_before_it():
    both = "pthread_mutex_lock(&m); %s pthread_mutex_unlock(&m);"
    text = program([both % "while (!flag) continue;", both % "assert(own[1]);",
                    "if (!own[2]) flag = 1;"])
    code, answer = run("check", text)
    assert code == 1 and answer["errors"][0]["kind"] == "assertion", answer
    first = [e["kind"] for e in answer["events"] if e["thread"] == 1]
    assert first == ["start"], first


# Each of these goes wrong in some orders only, or has other outcomes.
DELICATE = {
    "what is done outside": ["flag = 1; pthread_mutex_lock(&m); pthread_mutex_unlock(&m);",
                             "pthread_mutex_lock(&m); pthread_mutex_unlock(&m); r1 = flag;"],
    "what is done inside": ["pthread_mutex_lock(&m); both = 1; pthread_mutex_unlock(&m);",
                            "pthread_mutex_lock(&m); r1 = both; pthread_mutex_unlock(&m);"],
    "an assumption": ["pthread_mutex_lock(&m); both = 2; pthread_mutex_unlock(&m);",
                      "pthread_mutex_lock(&m); heddle_assume(both != 2); pthread_mutex_unlock(&m);"],
    "accesses of different size": ["pthread_mutex_lock(&m); sizes.word = 1; pthread_mutex_unlock(&m);",
                                   "pthread_mutex_lock(&m); r1 = sizes.half[0]; pthread_mutex_unlock(&m);"],
    "a race": [SECTION % 0 + "both = 1;", "both = 2;" + SECTION % 1],
    "a deadlock": ["pthread_mutex_lock(&m); pthread_mutex_lock(&k); pthread_mutex_unlock(&k); pthread_mutex_unlock(&m);",
                   "pthread_mutex_lock(&k); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_unlock(&k);"],
    "a mutex that is kept": [SECTION % 0, "pthread_mutex_lock(&m);"],
    "a mutex that is kept by the first": ["pthread_mutex_lock(&m);", SECTION % 1],
    "an unlock by another": [SECTION % 0, "pthread_mutex_unlock(&m);"],
    "a try": [SECTION % 0, "r1 = pthread_mutex_trylock(&m); if (!r1) pthread_mutex_unlock(&m);"],
    "tries alone": ["if (!pthread_mutex_trylock(&m)) pthread_mutex_unlock(&m);"] * 2,
    "a mutex that is gone": ["pthread_mutex_lock(&k); pthread_mutex_unlock(&k);", "pthread_mutex_destroy(&k);"],
    "another mutex that is unlocked": [SECTION % 0, "pthread_mutex_lock(&m); pthread_mutex_unlock(&k);"],
    "a life that ends": ["pthread_mutex_lock(&m); free(shared); pthread_mutex_unlock(&m);",
                         "pthread_mutex_lock(&m); r1 = *shared; pthread_mutex_unlock(&m);"],
    "a thread that is created": [SECTION % 0, "pthread_t id; pthread_mutex_lock(&m); pthread_create(&id, NULL, run0, NULL); pthread_mutex_unlock(&m); pthread_join(id, NULL);"],
    "a thread that is joined": [SECTION % 0, "pthread_t id; pthread_create(&id, NULL, run0, NULL); pthread_mutex_lock(&m); pthread_join(id, NULL); pthread_mutex_unlock(&m);"],
}

# The same of semaphores, which let two in, and of read-write locks.
DELICATE_TAKES = {
    "a semaphore that lets two in": [WAITING % "both = 1;", WAITING % "r1 = both;"],
    "a signal": ["both = 1; sem_post(&s);", "sem_wait(&s); sem_wait(&s); sem_wait(&s); r1 = both;"],
    "a value": [WAITING % "", "sem_getvalue(&s, &r1);"],
    "a try to wait": [WAITING % "", "r1 = sem_trywait(&s) + 2 * sem_trywait(&s);"],
    "a semaphore that is kept": [WAITING % "", "sem_wait(&s); sem_wait(&s);"],
    "a writer among readers": [READING % "r1 = both;", WRITING % "both = 1;"],
    "a reader that writes": [READING % "both = 1;", READING % "r1 = both;"],
    "readers that tell": [READING % "flag = 1;", READING % "" + "r1 = flag;"],
    "a lock that is kept": [READING % "", "pthread_rwlock_wrlock(&w);"],
    "a lock for reading that is kept": [WRITING % "own[0]++;", "pthread_rwlock_rdlock(&w);"],
    "a lock in a lock": [READING % (SECTION % 0), "pthread_mutex_lock(&m);" + WRITING % "own[1]++;" + "pthread_mutex_unlock(&m);"],
    "a try to write": [READING % "", "r1 = pthread_rwlock_trywrlock(&w); if (!r1) pthread_rwlock_unlock(&w);"],
    "a lock that is gone": [READING % "", "pthread_rwlock_destroy(&w);"],
}


# Two parties, each of which is stuck if the other one is in its section.
SPINNING = ["pthread_mutex_lock(&m); while (!flag) continue; pthread_mutex_unlock(&m);",
            "pthread_mutex_lock(&k); pthread_mutex_unlock(&k); flag = 1;",
            "pthread_mutex_lock(&k); while (!flag2) continue; pthread_mutex_unlock(&k);",
            "pthread_mutex_lock(&m); pthread_mutex_unlock(&m); flag2 = 1;"]
# The first thread sees in its section what comes of another section.
PATH = HEAD + """
static void *first(void *arg) {
  pthread_mutex_lock(&m); flag = 1; int seen = flag2; pthread_mutex_unlock(&m);
  assert(seen == 0);
  return arg;
}
static void *look(void *arg) { (void)arg; return flag ? &m : NULL; }
static void *apart(void *arg) { APART return arg; }
static void *second(void *arg) { SECTION return arg; }
static void *tell(void *arg) { flag2 = arg != NULL; return arg; }
int main(void) {
  pthread_t a, b, c; void *seen;
  pthread_create(&c, NULL, apart, NULL); // so that there are two parties
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, look, NULL);
  pthread_join(b, &seen);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(b, NULL);
  pthread_create(&b, NULL, tell, seen);
  pthread_join(b, NULL);
  pthread_join(a, NULL);
  pthread_join(c, NULL);
}
""".replace("SECTION", SECTION % 0).replace("APART", SECTION % 1)


@tap.test
def parties_that_wait_for_each_other_are_found():
    same(program(SPINNING), "--model", "sc")
    assert errors(program(SPINNING))[0] == 1
    same(PATH, "--model", "sc")
    assert errors(PATH) == (0, [])


@tap.test
def where_the_order_matters_it_is_explored():
    for bodies in DELICATE.values():
        both = "run0" not in bodies[1]
        for way, order in enumerate([bodies, bodies[::-1]][:1 + both]):
            order = [b.replace("r1", f"r{i}") for i, b in enumerate(order)]
            text = program(order, before="shared = malloc(4); *shared = 7;")
            same(text, *[["--model", "sc"], ["--jobs", "2"]][way])
    # The first error, which ends the search, is none either.
    code, answer = run("check", program(DELICATE["accesses of different size"]))
    assert code == 0, answer
    for bodies in DELICATE_TAKES.values():
        same(program([b.replace("r1", f"r{i}") for i, b in enumerate(bodies)],
                     before=READY % 2), "--jobs", "2")
    for name in "a deadlock", "a mutex that is kept", "a thread that is joined":
        code, found = errors(program(DELICATE[name]))
        assert "deadlock" in {kind for kind, _ in found}, (name, found)


@tap.test
def unlocks_without_a_lock_have_all_orders_where_that_is_no_error():
    text = program(["pthread_mutex_unlock(&m);"] * 3)
    options = ["--disable", "unlock-not-held"]
    assert executions(text, *options) == 6
    assert executions(text, *options, "--explore-orders") == 6


def random_body(dice, me, rare):
    """Mostly sections of the thread's own memory, now and then something else."""
    text = ""
    for _ in range(dice.randrange(1, 3)):
        lock = dice.choice("mmmk")
        inside = dice.choice([f"own[{me}]++;", f"r{me} += own[{me}];", ""])
        if dice.random() < rare:
            inside += dice.choice(
                ["both++;", f"r{me} += both;", "flag = 1;", f"r{me} += flag;",
                 "pthread_mutex_lock(&k); pthread_mutex_unlock(&k);",
                 "return arg;", "heddle_assume(own[0] == 0);",
                 f"assert(own[{me}] < 2);",
                 f"r{me} += pthread_mutex_trylock(&k) != 0;"])
        part = f"pthread_mutex_lock(&{lock}); {inside} pthread_mutex_unlock(&{lock});"
        if dice.random() < 0.4:
            part = dice.choice([WAITING, READING, WRITING]) % inside
        if dice.random() < rare:
            part = dice.choice([f"r{me} += flag;", "flag = 2;", part,
                                "pthread_mutex_unlock(&m);"]) + part
        text += part
    return text


@tap.test
def random_programs_have_the_outcomes_and_errors_of_all_orders():
    first = int(os.environ.get("HEDDLE_FIRST_SEED", "0"))
    for seed in range(first, first + int(os.environ.get("HEDDLE_C_SEEDS", "10"))):
        dice = random.Random(seed)
        rare = dice.choice([0, 0.15, 0.4])
        text = program([random_body(dice, i, rare)
                        for i in range(dice.choice([2, 2, 3]))],
                       before=READY % dice.choice([1, 1, 2]))
        same(text, "--model", MODELS[seed % len(MODELS)])


tap.main()
