# SPDX-License-Identifier: MIT
"""Random small C programs of threads that are alike: the same functions, with
the same argument, an element of an array or its number, and locks of the
program's own making, the library's, loops that try again, and assertions that
some executions break.

    tests/random/locks.py SEED > program.c

The same seed gives the same program. reductions.py asks whether what makes
Heddle explore less finds all that is wrong with it.
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
struct n {
  _Atomic(struct n *) link;
  atomic_int locked, next;
  int plain;
};
static struct n el[3], first;
static int out[3];
static atomic_int x, y, z, L, T, O;
static _Atomic(struct n *) Q, C = &first;
static int d1, d2;
static pthread_mutex_t m1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t m2 = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t w1 = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t o1 = PTHREAD_ONCE_INIT;
static pthread_barrier_t b1;
static sem_t s1;
static void once(void) {
  atomic_fetch_add_explicit(&z, 1, memory_order_relaxed);
}
#define load(p, o) atomic_load_explicit(p, memory_order_##o)
#define store(p, v, o) atomic_store_explicit(p, v, memory_order_##o)
#define add(p, v, o) atomic_fetch_add_explicit(p, v, memory_order_##o)
#define and(p, v, o) atomic_fetch_and_explicit(p, v, memory_order_##o)
#define or(p, v, o) atomic_fetch_or_explicit(p, v, memory_order_##o)
#define swap(p, v, o) atomic_exchange_explicit(p, v, memory_order_##o)
#define cas(p, e, v, s, f) atomic_compare_exchange_strong_explicit( \\
    p, e, v, memory_order_##s, memory_order_##f)
#define weak(p, e, v, s, f) atomic_compare_exchange_weak_explicit( \\
    p, e, v, memory_order_##s, memory_order_##f)
"""

# How to take and to give back; {a} and {r} are acquire and release, and now and
# then they are not.
LOCKS = {
    "tas": ("while (swap(&L, 1, {a}));", "store(&L, 0, {r});"),
    "ttas": ("do while (load(&L, relaxed)); while (swap(&L, 1, {a}));",
             "store(&L, 0, {r});"),
    "cas": ("{{ int e = 0; while (!cas(&L, &e, 1, {a}, relaxed)) e = 0; }}",
            "store(&L, 0, {r});"),
    "weak": ("{{ int e; do e = 0; while (!weak(&L, &e, 1, {a}, relaxed)); }}",
             "swap(&L, 0, {r});"),
    "look": ("for (;;) {{ while (load(&L, relaxed)); int e = 0;"
             " if (cas(&L, &e, 1, {a}, relaxed)) break; }}",
             "store(&L, 0, {r});"),
    "try": ("if (!swap(&L, 1, {a})) {{", "store(&L, 0, {r}); }}"),
    "ticket": ("{{ int me = add(&T, 1, relaxed);"
               " while (load(&O, {a}) != me); }}",
               "store(&O, load(&O, relaxed) + 1, {r});"),
    "mcs": ("{{ store(&n->link, 0, relaxed); store(&n->locked, 1, relaxed);"
            " struct n *p = swap(&Q, n, acq_rel); if (p) {{"
            " store(&p->link, n, {r});"
            " while (load(&n->locked, {a})); }} }}",
            "{{ struct n *p = load(&n->link, {a}), *e = n;"
            " if (p || !cas(&Q, &e, 0, {r}, relaxed)) {{"
            " while (!(p = load(&n->link, {a})));"
            " store(&p->locked, 0, {r}); }} }}"),
    "clh": ("{{ store(&n->locked, 1, relaxed);"
            " struct n *p = swap(&C, n, acq_rel);"
            " while (load(&p->locked, {a})); }}",
            "store(&n->locked, 0, {r});"),
    "pending": ("{{ int v = 0; if (!cas(&L, &v, 1, {a}, relaxed)) {{"
                " while (or(&L, 256, {a}) & 256);"
                " while (load(&L, {a}) & 255);"
                " add(&L, 1 - 256, relaxed); }} }}",
                "add(&L, -1, {r});"),
}
WITH_NODE = ["mcs", "clh"]

LIBRARY = [
    ("pthread_rwlock_rdlock(&w1);", "pthread_rwlock_unlock(&w1);"),
    ("pthread_rwlock_rdlock(&w1);", "pthread_rwlock_unlock(&w1);"),
    ("pthread_rwlock_wrlock(&w1);", "pthread_rwlock_unlock(&w1);"),
    ("sem_wait(&s1);", "sem_post(&s1);"),
    ("if (!pthread_mutex_trylock(&m1)) {", "pthread_mutex_unlock(&m1); }"),
    ("if (!sem_trywait(&s1)) {", "sem_post(&s1); }"),
    ("if (!pthread_rwlock_tryrdlock(&w1)) {",
     "pthread_rwlock_unlock(&w1); }"),
    ("", "sem_post(&s1);"),
    ("", "sem_getvalue(&s1, &r);"),
    ("", "pthread_once(&o1, once);"),
    ("", "pthread_barrier_wait(&b1);"),
]


class Program:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.spins = False  # all rounds of its loops have no end
        self.tags = 0
        self.lock = self.r.choice(list(LOCKS))
        self.has_library = self.r.random() < .4
        self.taken = 0  # how often a queued lock was

    # -- parts of statements

    def shared(self):
        return self.r.choice("xyz")

    def value(self):
        return self.r.choice(["1", "2", "3", "r", "r + 1"])

    def reads(self):
        return self.r.choice(["relaxed", "relaxed", "acquire", "seq_cst"])

    def writes(self):
        return self.r.choice(["relaxed", "relaxed", "release", "seq_cst"])

    def updates(self):
        return self.r.choice(["relaxed", "acquire", "release", "acq_rel",
                              "seq_cst"])

    def tag(self):
        self.tags += 1
        return f't{self.tags}'

    def body(self, depth):
        return "".join(self.statement(depth + 1)
                       for _ in range(self.r.randrange(1, 3)))

    # -- statements

    def retry(self):
        r, v, f, s = self.r, self.shared(), self.reads(), self.updates()
        new = r.choice(["o + 1", "o + 1", "r", "o ^ 1", "o < 2 ? o + 1 : 0"])
        each = r.choice(["", "", "store(&n->next, o, relaxed);",
                         "n->plain = o;", "load(&y, relaxed);"])
        after = r.choice(["", "r = o;"])
        how = r.choice(["weak", "cas", "cas"])
        return r.choice([
            f"int o = load(&{v}, {f}); do {{ {each} }}"
            f" while (!{how}(&{v}, &o, {new}, {s}, {f})); {after}",
            f"int o; do {{ o = load(&{v}, {f}); {each} }}"
            f" while (!{how}(&{v}, &o, {new}, {s}, relaxed)); {after}",
            f"int o = load(&{v}, {f}), t = 0;"
            f" while (!cas(&{v}, &o, {new}, {s}, {f})) if (++t == 2) break;"
            f" {r.choice(['', 'r = o;', 'r = t;'])}",
            f"for (;;) {{ int o = load(&{v}, {f}); if (o > 2) break; {each}"
            f" if (cas(&{v}, &o, {new}, {s}, relaxed)) break; }}",
        ])

    def locked(self, depth):
        if self.lock in WITH_NODE and self.taken:
            return "r = load(&x, relaxed);"
        self.taken += 1
        take, give = LOCKS[self.lock]
        order = {"a": "acquire", "r": "release"}
        for which in order:
            if self.r.random() < .12:
                order[which] = "relaxed"
        self.spins |= self.lock != "try"
        give = give.format(**order)
        if self.r.random() < .05:
            give = "}" if self.lock == "try" else ""
        return f"{take.format(**order)}\n{self.body(depth)}  {give}"

    def guarded(self, depth):
        if self.has_library and self.r.random() < .6:
            take, give = self.r.choice(LIBRARY)
            body = self.body(depth) if take else ""
            return f"{take}\n{body}  {give}"
        m = self.r.choice(["m1", "m1", "m2"])
        return (f"pthread_mutex_lock(&{m});\n{self.body(depth)}"
                f"  pthread_mutex_unlock(&{m});")

    def wait(self):
        if self.r.random() < .6:
            return "pthread_mutex_lock(&m1); pthread_mutex_unlock(&m1);"
        self.spins = True
        return (f"while (load(&{self.shared()}, {self.reads()})"
                f" == {self.r.randrange(2)});")

    def statement(self, depth):
        r = self.r
        makers = [
            (12, lambda: f"store(&{self.shared()}, {self.value()},"
                         f" {self.writes()});"),
            (14, lambda: f"r = load(&{self.shared()}, {self.reads()});"),
            (8, lambda: f"r = add(&{self.shared()}, 1, {self.updates()});"),
            (6, lambda: f"r = swap(&{self.shared()}, {self.value()},"
                        f" {self.updates()});"),
            (8, lambda: f"{{ {self.retry()} }}"),
            (8 if depth else 1, lambda: r.choice(["d1++;", "d2++;", "r = d1;",
                                                  "r = d2;"])),
            (4, lambda: r.choice(["n->plain = r;", "add(&n->next, 1, relaxed);",
                                  "r = load(&n->next, relaxed);"])),
            (4, lambda: f'if (r == {r.randrange(1, 4)})'
                        f' assert(!"{self.tag()}");'),
            (2, lambda: f"__VERIFIER_assume(r != {r.randrange(3)});"),
            (2, lambda: "atomic_thread_fence(memory_order_"
                        f"{r.choice(['seq_cst', 'acq_rel'])});"),
            (2, self.wait),
            (1, lambda: "out[(n - el) % 3] = r;"),
        ]
        if depth < 2:
            makers += [(10, lambda: self.guarded(depth)),
                       (5, lambda: f"if (r == {r.randrange(3)}) {{\n"
                                   f"{self.statement(depth + 1)}  }}")]
        if depth < 1:
            makers += [(22, lambda: self.locked(depth))]
        weights, choices = zip(*makers)
        return f"  {r.choices(choices, weights)[0]()}\n"

    # -- functions

    def function(self, k):
        r = self.r
        node = {"element": "struct n *n = arg;",
                "same": "struct n *n = arg;",
                "number": "struct n *n = &el[(long)arg];",
                "local": "struct n own = {0}, *n = &own;",
                "heap": "struct n *n = calloc(1, sizeof *n);"}[self.kind]
        self.taken = 0
        body = "".join(self.statement(0) for _ in range(r.randrange(1, 5)))
        result = r.choice(["0", "0", "(void *)(long)r"])
        return (f"static void *f{k}(void *arg) {{\n  {node}\n  int r = 0;\n"
                f"  (void)n;\n{body}  return {result};\n}}\n")

    def after(self):
        r, lines = self.r, []
        if r.random() < .6:
            v = r.choice(["x", "y", "z", "d1"])
            lines += [f'if ({v} == {k}) assert(!"{v}{k}");' for k in range(4)]
        if r.random() < .3:
            lines += ['if (el[0].plain > el[1].plain) assert(!"p");',
                      'if (el[0].next < el[1].next) assert(!"q");']
        if r.random() < .3:
            lines += ["assert(x + y + z < 4);"]
        return lines

    def text(self):
        r = self.r
        functions, threads = r.choice([1, 1, 2, 2]), r.choice([2, 2, 3, 3])
        self.kind = r.choice(["element", "element", "number", "number", "same",
                              "local", "heap"])
        parts = [self.function(k) for k in range(functions)]
        runs = [r.randrange(functions) for _ in range(threads)]
        if r.random() < .7:
            runs.sort()
        lines = ["pthread_t t[3];",
                 f"sem_init(&s1, 0, {r.choice([1, 1, 1, 0, 2])});",
                 f"pthread_barrier_init(&b1, 0, {threads});", "(void)once;"]
        for i, f in enumerate(runs):
            arg = {"element": f"&el[{i}]", "number": f"(void *)(long){i}",
                   "same": "&el[0]"}.get(self.kind, "0")
            lines += [f"pthread_create(&t[{i}], 0, f{f}, {arg});"]
        has_results = r.random() < .25
        for i in range(threads):
            lines += [f"void *s{i}; pthread_join(t[{i}], &s{i});"
                      if has_results else f"pthread_join(t[{i}], 0);"]
        if has_results:
            lines += [f'if (s{i} == (void *)1) assert(!"s{i}");'
                      for i in range(2)]
        lines += self.after() + ["return 0;"]
        return (HEAD + "".join(parts) + "int main(void) {\n  "
                + "\n  ".join(lines) + "\n}\n")


def generate(seed):
    """A program, and whether a loop of it may have rounds without end."""
    p = Program(seed)
    text = p.text()
    return text, p.spins


if __name__ == "__main__":
    print(generate(int(sys.argv[1]))[0], end="")
