#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random programs that use the library's locks in odd ways (all kinds of
mutexes, timed and tried locks, read-write locks, condition variables,
semaphores, barriers, once; unbalanced, nested, by the wrong thread), and threads
that are cancelled (at which calls, with what left behind), against an
enumerator of interleavings, which says for itself what POSIX says of each call.
Under sc `heddle explore` must find the same final states and the same kinds of
errors, whatever reductions it uses; under other models, at least those. Threads
may be equal. Prints TAP; each failure has its seed.

    waits.py HEDDLE [--seeds N] [--first SEED] [--daily N] [--work FOLDER]
"""
import json
import pathlib
import random
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import tap  # noqa: E402

MOST = 60000  # states
MODELS = ["tso", "pso", "ra", "rc11", "c11", "imm", "armv8", "armv7", "power",
          "riscv", "xmm", "jam21", "lkmm"]
WAYS = [[], [], ["--jobs", "2"], ["--without", "all"], ["--explore-retries"],
        ["--definition"]]
COARSE = [[], ["--reduce", "symmetry"], ["--equivalence", "rf"],
          ["--reduce", "symmetry", "--equivalence", "rf"]]  # of `check` alone
WITH_RF = ["sc", "tso", "pso", "ra", "rc11"]
OK, BUSY, LATE, DEADLK, PERM, AGAIN = range(6)

HEAD = """\
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>
static atomic_int x;
static atomic_int equal;
int final, r0, r1, r2;
static pthread_mutex_t normal = PTHREAD_MUTEX_INITIALIZER, other, recursive,
    checked;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static sem_t sem;
static const struct timespec soon;
static void first(void) { atomic_fetch_add(&x, 7); }
static int code(int result) {
  if (result == -1)
    result = errno;
  return result == 0 ? 0 : result == EBUSY ? 1 : result == ETIMEDOUT ? 2
       : result == EDEADLK ? 3 : result == EPERM ? 4 : result == EAGAIN ? 5 : 6;
}
static int value(void) { int v = 0; sem_getvalue(&sem, &v); return v & 7; }
#define SAY(call) r = r * 8 + code(call)
#define TRY(i, call) SAY(call); int got##i = r % 8 == 0
"""
MUTEXES = ["normal", "other", "recursive", "checked"]

# -- What each call does. A state is a dictionary of tuples; a call is a
# generator of (new state, code, next phase), where a phase other than None
# means that the call goes on later. To raise Wrong is an error.


class Wrong(Exception):
    pass


def mutex_lock(s, t, m, timed=False, tried=False):
    owner, depth = s[m]
    if owner is None:
        yield {**s, m: (t, 1)}, OK, None
    elif owner == t and m == "recursive":
        yield {**s, m: (t, depth + 1)}, OK, None
    elif tried:
        yield s, BUSY, None
    elif owner == t and m == "checked":
        yield s, DEADLK, None
    elif timed:
        yield s, LATE, None
    elif owner == t:
        raise Wrong("relock")


def mutex_unlock(s, t, m):
    owner, depth = s[m]
    if owner != t and m in ("checked", "recursive"):
        return s, PERM
    if owner != t:
        raise Wrong("unlock-not-held")
    return {**s, m: (t, depth - 1) if depth > 1 else (None, 0)}, OK


def read_lock(s, t, timed=False, tried=False):
    writer, readers = s["rw"]
    if writer is None:
        yield {**s, "rw": (None, tuple(sorted((*readers, t))))}, OK, None
    elif tried:
        yield s, BUSY, None
    elif writer == t and not timed:
        raise Wrong("relock")
    elif writer == t:
        yield s, DEADLK, None
    elif timed:
        yield s, LATE, None


def write_lock(s, t, timed=False, tried=False):
    writer, readers = s["rw"]
    if writer is None and not readers:
        yield {**s, "rw": (t, ())}, OK, None
    elif tried:
        yield s, BUSY, None
    elif writer == t or t in readers:
        if not timed:
            raise Wrong("relock")
        yield s, DEADLK, None
    elif timed:
        yield s, LATE, None


def rw_unlock(s, t):
    writer, readers = s["rw"]
    if writer == t:
        yield {**s, "rw": (None, ())}, OK, None
    elif t in readers:
        left = list(readers)
        left.remove(t)
        yield {**s, "rw": (None, tuple(left))}, OK, None
    else:
        raise Wrong("unlock-not-held")


def is_cancelled(s, t):
    return t in s["cancelled"] and t not in s["disabled"]


def cond_wait(s, t, m, timed, phase):
    if phase is None:
        if m == "recursive" and s[m][0] != t:  # POSIX does not define it
            raise Wrong("unlock-not-held")
        if is_cancelled(s, t) and not (m == "checked" and s[m][0] != t):
            yield s, None, "END"
            return
        s, said = mutex_unlock(s, t, m)
        if said != OK:
            yield s, said, None
        else:
            yield {**s, "waiting": s["waiting"] | {t}}, None, "waits"
    elif phase == "waits":
        if timed:
            yield {**s, "waiting": s["waiting"] - {t}}, None, "late"
        if is_cancelled(s, t):
            yield {**s, "waiting": s["waiting"] - {t}}, None, "dying"
    elif phase == "dying":  # with the mutex
        for now, _, _ in mutex_lock(s, t, m):
            yield now, None, "END"
    else:
        for now, _, _ in mutex_lock(s, t, m):
            yield now, LATE if phase == "late" else OK, None


def step(s, t, op, phase):
    kind, *args = op
    if kind == "add":
        if phase is None:
            yield s, None, ("add", s["x"])
        else:
            yield {**s, "x": (phase[1] * 2 + args[0]) % 64}, None, None
    elif kind == "see":
        yield s, s["x"] % 8, None
    elif kind in ("lock", "trylock", "timedlock"):
        yield from mutex_lock(s, t, args[0], kind == "timedlock",
                              kind == "trylock")
    elif kind == "unlock":
        yield *mutex_unlock(s, t, args[0]), None
    elif kind == "wait":
        yield from cond_wait(s, t, args[0], args[1], phase)
    elif kind == "signal":
        for u in s["waiting"]:
            yield {**s, "waiting": s["waiting"] - {u},
                   "woken": s["woken"] | {u}}, OK, None
        if not s["waiting"]:
            yield s, OK, None
    elif kind == "broadcast":
        yield {**s, "waiting": frozenset(),
               "woken": s["woken"] | s["waiting"]}, OK, None
    elif kind == "cancel":
        yield {**s, "cancelled": s["cancelled"] | {args[0]}}, None, None
    elif kind == "disable":
        yield {**s, "disabled": s["disabled"] | {t}}, None, None
    elif kind == "enable":
        yield {**s, "disabled": s["disabled"] - {t}}, None, None
    elif kind == "testcancel":
        yield s, None, "END" if is_cancelled(s, t) else None
    elif kind in ("sem_wait", "sem_trywait", "sem_timedwait"):
        if kind != "sem_trywait" and is_cancelled(s, t):
            yield s, None, "END"
        elif s["sem"]:
            yield {**s, "sem": s["sem"] - 1}, OK, None
        elif kind != "sem_wait":
            yield s, AGAIN if kind == "sem_trywait" else LATE, None
    elif kind == "sem_post":
        yield {**s, "sem": s["sem"] + 1}, OK, None
    elif kind == "sem_value":
        yield s, s["sem"] & 7, None
    elif kind == "rd":
        yield from read_lock(s, t, args[0] == "timed", args[0] == "try")
    elif kind == "wr":
        yield from write_lock(s, t, args[0] == "timed", args[0] == "try")
    elif kind == "rw_unlock":
        yield from rw_unlock(s, t)
    elif kind == "barrier":
        if phase is None:
            arrived = s["arrived"] + 1
            yield {**s, "arrived": arrived}, None, (arrived - 1) // 2
        elif s["arrived"] >= 2 * (phase + 1):
            yield s, None, None
    elif kind == "once":
        if s["once"] == "done":
            yield s, None, None
        elif phase == "busy":
            yield {**s, "x": s["x"] + 7}, None, "added"
        elif phase == "added":
            yield {**s, "once": "done"}, None, None
        elif s["once"] == "not yet":
            yield {**s, "once": "busy"}, None, "busy"


def c_call(op):
    kind, *args = op
    at = f"&{args[0]}" if args else ""
    return {
        "add": lambda: ("{ int v = atomic_load(&x); atomic_store(&x, "
                        f"(v * 2 + {args[0]}) % 64); }}"),
        "see": lambda: "r = r * 8 + atomic_load(&x) % 8;",
        "lock": lambda: f"SAY(pthread_mutex_lock({at}));",
        "trylock": lambda: f"SAY(pthread_mutex_trylock({at}));",
        "timedlock": lambda: f"SAY(pthread_mutex_timedlock({at}, &soon));",
        "unlock": lambda: f"SAY(pthread_mutex_unlock({at}));",
        "wait": lambda: (f"SAY(pthread_cond_timedwait(&cond, {at}, &soon));"
                         if args[1] else
                         f"SAY(pthread_cond_wait(&cond, {at}));"),
        "testcancel": lambda: "pthread_testcancel();",
        "disable": lambda: ("pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, "
                            "0);"),
        "enable": lambda: "pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, 0);",
        "signal": lambda: "SAY(pthread_cond_signal(&cond));",
        "broadcast": lambda: "SAY(pthread_cond_broadcast(&cond));",
        "sem_wait": lambda: "SAY(sem_wait(&sem));",
        "sem_trywait": lambda: "SAY(sem_trywait(&sem));",
        "sem_timedwait": lambda: "SAY(sem_timedwait(&sem, &soon));",
        "sem_post": lambda: "SAY(sem_post(&sem));",
        "sem_value": lambda: "r = r * 8 + value();",
        "rd": lambda: {"": "SAY(pthread_rwlock_rdlock(&rw));",
                       "try": "SAY(pthread_rwlock_tryrdlock(&rw));",
                       "timed": "SAY(pthread_rwlock_timedrdlock(&rw, &soon));"
                       }[args[0]],
        "wr": lambda: {"": "SAY(pthread_rwlock_wrlock(&rw));",
                       "try": "SAY(pthread_rwlock_trywrlock(&rw));",
                       "timed": "SAY(pthread_rwlock_timedwrlock(&rw, &soon));"
                       }[args[0]],
        "rw_unlock": lambda: "SAY(pthread_rwlock_unlock(&rw));",
        "barrier": lambda: "pthread_barrier_wait(&barrier);",
        "once": lambda: "pthread_once(&once, first);",
    }[kind]()


# -- Programs


def draw_thread(r, objects, size):
    """Calls; one that takes back the call at i only if that was OK is
    ("if", i, call)."""
    ops, held = [], []
    is_careful = r.random() < 0.7
    for _ in range(size):
        if held and r.random() < 0.4:
            ops.append(held.pop())
            continue
        op = r.choice(objects)(r)
        back = {"lock": ("unlock", *op[1:]), "trylock": ("unlock", *op[1:]),
                "timedlock": ("unlock", *op[1:]), "rd": ("rw_unlock",),
                "wr": ("rw_unlock",)}.get(op[0])
        if back and r.random() < 0.9:
            held.append(("if", len(ops), back) if is_careful else back)
        ops.append(op)
    return ops + held[::-1]


def mutex_calls(m):
    return [lambda r: ("lock", m), lambda r: ("lock", m),
            lambda r: ("trylock", m), lambda r: ("timedlock", m),
            lambda r: ("unlock", m) if r.random() < 0.3 else ("lock", m)]


def cond_calls(m):
    return [lambda r: ("lock", m), lambda r: ("wait", m, r.random() < 0.4),
            lambda r: ("wait", m, False), lambda r: ("signal",),
            lambda r: ("broadcast",)]


def draw_program(r):
    groups = [*map(mutex_calls, MUTEXES), cond_calls(r.choice(MUTEXES)),
              [lambda r: (r.choice(["sem_wait", "sem_wait", "sem_trywait",
                                    "sem_timedwait", "sem_post", "sem_post",
                                    "sem_value"]),)] * 4,
              [lambda r: (r.choice(["rd", "wr"]), r.choice(["", "", "try",
                                                            "timed"]))] * 4,
              [lambda r: ("barrier",)] * 3, [lambda r: ("once",)] * 2]
    objects = [lambda r: ("add", r.randrange(1, 4)), lambda r: ("see",)]
    cancels = r.random() < 0.3
    if cancels:  # of what can be cancelled there is more
        groups = [*groups[4:6], *groups[4:6], *groups[:4]]
        objects += [lambda r: (r.choice(["testcancel", "testcancel", "disable",
                                         "enable"]),)]
    for group in r.sample(groups, r.choice([1, 1, 2, 3])):
        objects += group
    sizes = r.choice([(3, 3), (4, 3), (2, 2, 2), (3, 2, 2), (5, 2), (4, 4)])
    threads = [draw_thread(r, objects, n) for n in sizes]
    is_equal = not cancels and r.random() < 0.3
    if is_equal:
        threads = [threads[-1]] * len(sizes)
    n = len(threads)
    return {"threads": threads, "permits": r.randrange(3),
            "is_equal": is_equal,
            "cancels": cancels and [r.randrange(n) for _ in
                                    range(r.randrange(1, n + 1))],
            "cleans": r.choice([None, None, *MUTEXES[:1], MUTEXES[3]])}


def digest(r):
    """What equal threads add up."""
    return r * (r % 64 + 1) % 1000003


def statement(i, ops):
    op = ops[i]
    if op[0] == "if":
        return f"if (got{op[1]}) {c_call(op[2])}"
    if any(o[:2] == ("if", i) for o in ops):
        return c_call(op).replace("SAY(", f"TRY({i}, ")
    return c_call(op)


def cleanup(program, i):
    """What thread i leaves if it is cancelled, as a function."""
    unlock = (f"pthread_mutex_unlock(&{program['cleans']}); "
              if program["cleans"] else "")
    return (f"static void clean{i}(void *r) {{ {unlock}"
            f"r{i} = *(long *)r * 2 + 1; }}\n")


def c_text(program):
    return (HEAD + c_functions(program, cleanup if program["cancels"] else None)
            + c_main(program))


def c_functions(program, cleanup):
    out = ""
    is_equal = program["is_equal"]
    for i, ops in enumerate(program["threads"][:1 if is_equal else None]):
        end = (f"atomic_fetch_add(&equal, r * (r % 64 + 1) % 1000003)"
               if is_equal else f"r{i} = r")
        if cleanup:
            out += cleanup(program, i)
            end = f"pthread_cleanup_pop(0);\n  r{i} = r * 2"
        push = f"  pthread_cleanup_push(clean{i}, &r);\n" if cleanup else ""
        out += (f"static void *thread{i}(void *unused) {{\n  long r = 0;\n{push}" +
                "".join(f"  {statement(k, ops)}\n" for k in range(len(ops))) +
                f"  {end};\n  return unused;\n}}\n")
    return out


def c_main(program):
    out, is_equal = "", program["is_equal"]
    n = len(program["threads"])
    out += ("int main(void) {\n  pthread_mutexattr_t a;\n"
            "  pthread_mutexattr_init(&a);\n  pthread_mutex_init(&other, 0);\n")
    for m in ("recursive", "checked"):
        kind = {"recursive": "RECURSIVE", "checked": "ERRORCHECK"}[m]
        out += (f"  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_{kind});\n"
                f"  pthread_mutex_init(&{m}, &a);\n")
    out += (f"  sem_init(&sem, 0, {program['permits']});\n"
            f"  pthread_barrier_init(&barrier, 0, 2);\n  pthread_t t[{n}];\n")
    for i in range(n):
        function = "thread0" if is_equal else f"thread{i}"
        out += f"  pthread_create(&t[{i}], 0, {function}, 0);\n"
    for i in program["cancels"] or []:
        out += f"  pthread_cancel(t[{i}]);\n"
    for i in range(n):
        out += f"  pthread_join(t[{i}], 0);\n"
    return out + f"  final = x;\n{'  r0 = equal;' if is_equal else ''}\n}}\n"


# -- All interleavings


class TooMany(Exception):
    pass


def enumerate_all(program):
    """Final states and kinds of errors."""
    cancels = program["cancels"] or []
    threads = [*program["threads"], [("cancel", u) for u in cancels]]
    n = len(threads)
    first = {"x": 0, "rw": (None, ()), "waiting": frozenset(),
             "woken": frozenset(), "sem": program["permits"], "arrived": 0,
             "once": "not yet", "cancelled": frozenset(),
             "disabled": frozenset(), **{m: (None, 0) for m in MUTEXES}}
    finals, errors, seen = set(), set(), set()
    stack = [(first, tuple((0, None, 0, 0) for _ in range(n)))]
    while stack:
        s, at = stack.pop()
        key = (tuple(s.items()), at)
        if key in seen:
            continue
        seen.add(key)
        if len(seen) > MOST:
            raise TooMany
        moved = False
        for t, (pc, phase, r, got) in enumerate(at):
            if pc == len(threads[t]):
                continue
            op = threads[t][pc]
            if op[0] == "if" and not got >> op[1] & 1:
                mine = (pc + 1, None, r, got)
                stack.append((s, (*at[:t], mine, *at[t + 1:])))
                moved = True
                continue
            op = op[2] if op[0] == "if" else op
            here = s
            if phase == "waits" and t in s["woken"]:
                here, phase = {**s, "woken": s["woken"] - {t}}, "woken"
            elif phase == "waits" and t not in s["waiting"]:
                continue
            try:
                results = list(step(here, t, op, phase))
            except Wrong as why:
                errors.add(str(why))
                moved = True
                continue
            if phase == "woken" and not results:
                # Awake, and waits for the mutex.
                results = [(here, None, "woken")] if here is not s else []
            for now, said, then in results:
                moved = True
                if then == "END":
                    try:
                        if program["cleans"]:
                            now, _ = mutex_unlock(now, t, program["cleans"])
                    except Wrong as why:
                        errors.add(str(why))
                        continue
                    mine = (len(threads[t]), None, -1 - r, got)
                    stack.append((now, (*at[:t], mine, *at[t + 1:])))
                    continue
                r_now = r if said is None else r * 8 + said
                mine = (pc + (then is None), then, r_now,
                        got | (said == OK) << pc)
                stack.append((now, (*at[:t], mine, *at[t + 1:])))
        if not moved:
            if all(pc == len(threads[t]) for t, (pc, *_) in enumerate(at)):
                results = [r for _, _, r, _ in at[:-1]]
                if cancels:
                    results = [2 * r if r >= 0 else -2 * r - 1 for r in results]
                if program["is_equal"]:
                    results = [sum(map(digest, results))]
                finals.add((s["x"], *results))
            else:
                errors.add("deadlock")
    return finals, errors


# -- Comparing


def compare(options, seed, work):
    try:
        return compare_program(options, seed, work)
    except AssertionError as why:
        return "no answer", str(why)


def compare_program(options, seed, work):
    r = random.Random(seed)
    program = draw_program(r)
    try:
        finals, errors = enumerate_all(program)
    except TooMany:
        return "too many states", None
    model = "sc" if r.random() < 0.5 else r.choice(MODELS)
    way = r.choice(WAYS)
    source = work / "program.c"
    source.write_text(c_text(program))
    said = run(options, "explore", model, way, source)
    if isinstance(said, str):
        return f"{model} {way}: {said}", None
    n = 1 if program["is_equal"] else len(program["threads"])
    names = ["final", *(f"r{i}" for i in range(n))]
    got = {tuple(int(o["state"].get(v, "0")) for v in names)
           for o in said["outcomes"]}
    wrong = what_is_wrong(finals, errors, got, said["errors"], model == "sc")
    coarse = r.choice(COARSE)
    if "rf" not in coarse or model in WITH_RF:
        said = run(options, "check", model, coarse, source)
        if not isinstance(said, str) and not wrong:
            kinds = {e["kind"] for e in said["errors"]}
            wrong = what_is_wrong(set(), errors, set(), kinds, model == "sc")
            wrong = wrong and f"check {coarse}: {wrong}"
    return (f"{model} {way} {coarse}, {len(finals)} states, "
            f"{' '.join(sorted(errors)) or 'no errors'}", wrong)


def run(options, command, model, way, source):
    """What Heddle says, or why that is nothing."""
    try:
        done = subprocess.run(
            [options.heddle, command, "--json", "--model", model, *way,
             "--all-errors", "--disable", "overflow", str(source), "--", "-w"],
            capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        return "takes too long"
    if done.returncode == 3:
        return "incomplete"
    if done.returncode not in (0, 1):
        raise AssertionError(f"{command}: {done.returncode}: {done.stderr}")
    said = json.loads(done.stdout)
    # (A wait that may be cancelled is a loop, which has no end with all rounds.)
    return "incomplete" if said["limit"] else said


def what_is_wrong(finals, errors, got, kinds, is_sc):
    kinds = {"deadlock" if e == "hang" else e for e in kinds}
    if errors - {"deadlock"}:  # a thread with an error stops, and others wait
        kinds -= {"deadlock"}
        errors -= {"deadlock"}
    # After an unlock that is an error the thread goes on.
    goes_on = "unlock-not-held" in errors
    hidden = {"relock"} if goes_on else set()
    if errors - hidden - kinds or (is_sc and kinds - hidden - errors):
        return f"errors {kinds}, not {errors}"
    if finals - got or (is_sc and got - finals and not goes_on):
        return f"lost {finals - got}, has too many {got - finals}"
    return None


if __name__ == "__main__":
    tap.campaign_script(__doc__, compare)
