# SPDX-License-Identifier: MIT
"""Random small C programs in which two reductions may meet: chains of updates
of one word in a thread, stores of the value that is there, loops that try
again or wait, equal threads under every kind of lock, semaphores with some
permits, barriers, calls that are too deep, threads of another kind with a
pointer to one element, and a main that looks at one element before the joins
or behind them.

    tests/reduce/programs.py SEED > program.c
"""
import random
import sys

HEAD = """\
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
void __VERIFIER_assume(int);
struct n { atomic_int a; int plain; };
static struct n el[4];
static atomic_int x, y, z, L, T, O;
static int d1, d2;
static pthread_mutex_t m1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t m2 = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t w1 = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t b1;
static sem_t s1;
static int deep(int n) { return n ? 1 + deep(n - 1) : 0; }
#define load(p, o) atomic_load_explicit(p, memory_order_##o)
#define store(p, v, o) atomic_store_explicit(p, v, memory_order_##o)
#define add(p, v, o) atomic_fetch_add_explicit(p, v, memory_order_##o)
#define swap(p, v, o) atomic_exchange_explicit(p, v, memory_order_##o)
#define cas(p, e, v, s, f) atomic_compare_exchange_strong_explicit( \\
    p, e, v, memory_order_##s, memory_order_##f)
#define weak(p, e, v, s, f) atomic_compare_exchange_weak_explicit( \\
    p, e, v, memory_order_##s, memory_order_##f)
"""

LOCKS = [
    ("pthread_mutex_lock(&m1);", "pthread_mutex_unlock(&m1);"),
    ("pthread_mutex_lock(&m2);", "pthread_mutex_unlock(&m2);"),
    ("pthread_rwlock_rdlock(&w1);", "pthread_rwlock_unlock(&w1);"),
    ("pthread_rwlock_wrlock(&w1);", "pthread_rwlock_unlock(&w1);"),
    ("sem_wait(&s1);", "sem_post(&s1);"),
    ("sem_wait(&s1);", "sem_post(&s1);"),
    ("if (!pthread_mutex_trylock(&m1)) {", "pthread_mutex_unlock(&m1); }"),
    ("if (!sem_trywait(&s1)) {", "sem_post(&s1); }"),
    ("while (swap(&L, 1, acquire));", "store(&L, 0, release);"),
    ("do while (load(&L, relaxed)); while (swap(&L, 1, acquire));",
     "store(&L, 0, release);"),
    ("{ int e = 0; while (!cas(&L, &e, 1, acquire, relaxed)) e = 0; }",
     "store(&L, 0, release);"),
    ("{ int e; do e = 0; while (!weak(&L, &e, 1, acquire, relaxed)); }",
     "store(&L, 0, release);"),
    ("{ int me = add(&T, 1, relaxed); while (load(&O, acquire) != me); }",
     "store(&O, load(&O, relaxed) + 1, release);"),
    ("while (add(&L, 1, acquire) > 0) { add(&L, -1, relaxed);"
     " while (load(&L, relaxed) > 0); }", "add(&L, -1, release);"),
]


# A permit, given back or kept; and one that nobody took.
PERMITS = [("sem_wait(&s1);", "sem_post(&s1);"),
           ("sem_wait(&s1);", "sem_post(&s1);"), ("sem_wait(&s1);", ""),
           ("", "sem_post(&s1);")]


class Program:
    def __init__(self, seed, locks=LOCKS):
        self.r = random.Random(seed)
        self.tags = 0
        self.locks = self.r.sample(locks, 2)
        self.permits = self.r.randrange(1, 4)
        self.is_deep = self.r.random() < .15
        self.has_barrier = self.r.random() < .2
        self.steps = 0

    def word(self):
        return self.r.choice(["x", "x", "y", "z", "n->a"])

    def reads(self):
        return self.r.choice(["relaxed", "relaxed", "acquire", "seq_cst"])

    def writes(self):
        return self.r.choice(["relaxed", "relaxed", "release", "seq_cst"])

    def updates(self):
        return self.r.choice(["relaxed", "acquire", "release", "acq_rel",
                              "seq_cst"])

    def value(self):
        return self.r.choice(["1", "2", "r", "r + 1", "3"])

    def fails(self):
        self.tags += 1
        return f'assert(!"t{self.tags}");'

    def update(self, w):
        return self.r.choice([
            f"r = add(&{w}, {self.r.choice([1, 1, 2, 0, -1])},"
            f" {self.updates()});",
            f"r = swap(&{w}, {self.value()}, {self.updates()});",
            f"{{ int e = {self.r.randrange(3)}; r = cas(&{w}, &e,"
            f" {self.value()}, {self.updates()}, relaxed); }}"])

    def chain(self):
        """Updates of one word, and a load that is forwarded from them."""
        w = self.word()
        parts = [self.update(w) for _ in range(self.r.randrange(2, 4))]
        if self.r.random() < .5:
            parts.append(f"r = load(&{w}, {self.reads()});")
        self.steps += len(parts)
        return " ".join(parts)

    def back(self):
        """What is there is stored again."""
        w = self.word()
        self.steps += 1
        return self.r.choice([
            f"r = load(&{w}, {self.reads()}); store(&{w}, r, {self.writes()});",
            f"r = add(&{w}, 0, {self.updates()});",
            f"r = load(&{w}, {self.reads()});"
            f" while (!cas(&{w}, &r, r & ~1, {self.updates()}, relaxed));"])

    def retry(self):
        w, f, s = self.word(), self.reads(), self.updates()
        new = self.r.choice(["o + 1", "o + 1", "r", "o & ~1", "o | 1"])
        how = self.r.choice(["weak", "cas", "cas"])
        self.steps += 1
        return self.r.choice([
            f"{{ int o = load(&{w}, {f}); while (!{how}(&{w}, &o, {new}, {s},"
            f" relaxed)); r = o; }}",
            f"{{ int o; do {{ o = load(&{w}, {f}); n->plain = o; }}"
            f" while (!{how}(&{w}, &o, {new}, {s}, relaxed)); }}",
            f"{{ int o = load(&{w}, {f}); for (int k = 0; k < 2 &&"
            f" !cas(&{w}, &o, {new}, {s}, {f}); k++); r = o; }}"])

    def wait(self):
        w = self.word()
        return self.r.choice([
            f"while (load(&{w}, {self.reads()}) == {self.r.randrange(2)});",
            f"while (load(&{w}, {self.reads()}) == 0) n->plain = 1;",
            f"for (;;) {{ {self.locks[0][0]} int v = load(&{w}, relaxed);"
            f" {self.locks[0][1]} if (v) break; }}"
            if "if (" not in self.locks[0][0] else
            f"while (!load(&{w}, acquire));",
            f"__VERIFIER_assume(load(&{w}, {self.reads()})"
            f" != {self.r.randrange(2)});"])

    def section(self, depth):
        take, give = self.r.choice(self.locks)
        self.steps += 1
        if self.r.random() < .04:
            give = "" if not give.endswith("}") else "}"
        return f"{take} {self.statement(depth + 1)} {give}"

    def statement(self, depth=0):
        r = self.r
        self.steps += 1
        kinds = [
            (6, lambda: f"store(&{self.word()}, {self.value()},"
                        f" {self.writes()});"),
            (7, lambda: f"r = load(&{self.word()}, {self.reads()});"),
            (5, lambda: self.update(self.word())),
            (5, self.chain), (4, self.back), (4, self.retry), (3, self.wait),
            (3, lambda: f"if (r == {r.randrange(3)}) {self.fails()}"),
            (2, lambda: r.choice(["d1++;", "r = d1;", "d2 = r;",
                                  "n->plain = r;"])),
            (1, lambda: "atomic_thread_fence(memory_order_seq_cst);"),
        ]
        if depth < 1:
            kinds += [(12, lambda: self.section(depth))]
        if depth < 2:
            kinds += [(3, lambda: f"if (r == {r.randrange(3)}) {{"
                                  f" {self.statement(depth + 1)} }}")]
        if self.is_deep:
            kinds += [(3, lambda: f"if (load(&{self.word()}, relaxed) =="
                                  f" {r.randrange(2)}) r = deep(40);")]
        if self.has_barrier and depth == 0:
            kinds += [(5, lambda: "pthread_barrier_wait(&b1);")]
        chosen = r.choices([k for _, k in kinds], [n for n, _ in kinds])[0]
        return chosen()

    def thread(self, name, most):
        body = [self.statement()]
        start = self.steps
        while self.steps - start < most and self.r.random() < .75:
            body.append(self.statement())
        lines = "\n".join(f"  {s}" for s in body)
        return (f"static void *{name}(void *arg) {{\n"
                f"  struct n *n = arg; int r = 0;\n{lines}\n"
                "  return (void)n, (void)r, NULL;\n}\n")

    def look(self):
        """What main does with memory that threads may be using."""
        return self.r.choice([
            f"if (load(&el[{self.r.randrange(3)}].a, relaxed) =="
            f" {self.r.randrange(1, 3)}) {self.fails()}",
            f"if (load(&{self.r.choice('xyz')}, acquire) =="
            f" {self.r.randrange(1, 3)}) {self.fails()}",
            f"store(&{self.r.choice('xyz')}, 1, release);"])

    def outcome(self):
        """Each final state breaks an assertion in a line of its own, so that
        the errors are the outcomes."""
        words = [*self.r.sample(["x", "y", "z"], 2), "el[1].a"]
        sum_ = " + ".join(f"{5 ** i} * (load(&{w}, relaxed) & 3)"
                          for i, w in enumerate(words))
        lines = "\n".join(f"  if (s == {k}) assert(!{k + 1});"
                          for k in range(5 * 5 * 4))
        return f"  int s = {sum_};\n{lines}\n"

    def generate(self):
        r = self.r
        n = r.choice([2, 2, 3, 3])
        kinds = r.randrange(1, n + 1)
        most = {2: 5, 3: 3}[n]
        text = HEAD + "".join(self.thread(f"f{k}", most) for k in range(kinds))
        which = r.randrange(3)  # of arguments
        text += "int main(void) {\n  pthread_t id[3]; int r = 0; (void)r;\n"
        text += f"  sem_init(&s1, 0, {self.permits});\n"
        if self.has_barrier:
            text += f"  pthread_barrier_init(&b1, NULL, {n});\n"
        for t in range(n):
            kind = t if t < kinds else r.randrange(kinds)
            arg = ["&el[0]", f"&el[{t}]", "&el[1]"][which if r.random() < .85
                                                   else 2]
            text += f"  pthread_create(&id[{t}], NULL, f{kind}, {arg});\n"
            if r.random() < .08:
                text += f"  {self.look()}\n"
        if r.random() < .2:
            text += f"  {self.look()}\n"
        for t in range(n):
            text += f"  pthread_join(id[{t}], NULL);\n"
            if r.random() < .05:
                text += f"  {self.look()}\n"
        if r.random() < .6:
            text += self.outcome()
        return text + "}\n"


def generate(seed):
    return Program(seed).generate()


def permits(seed):
    """Threads that take a semaphore first, with one to three permits."""
    p = Program(seed, PERMITS)
    bodies = [f"static void *f{t}(void *arg) {{ struct n *n = arg; int r = 0;\n"
              + "".join(f"  {p.section(1)}\n"
                        for _ in range(p.r.randrange(1, 3)))
              + "  return (void)n, (void)r, NULL;\n}\n" for t in range(3)]
    return (HEAD + "".join(bodies)
            + "int main(void) {\n  pthread_t id[3];\n"
            f"  sem_init(&s1, 0, {p.permits});\n"
            + "".join(f"  pthread_create(&id[{t}], NULL, f{t}, &el[0]);\n"
                      for t in range(3))
            + "".join(f"  pthread_join(id[{t}], NULL);\n" for t in range(3))
            + (p.outcome() if p.r.random() < .5 else "") + "}\n")


if __name__ == "__main__":
    print(generate(int(sys.argv[1])))
