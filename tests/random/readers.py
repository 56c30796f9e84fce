# SPDX-License-Identifier: MIT
"""Random small C programs of readers and writers of the same data under
read-write locks: some threads are equal, some try a lock or wait only for a
time, hold a mutex too, poll, take a lock twice, and some of it is wrong: data
without a lock, an unlock that is missing, one too many or of another thread's
lock, a lock that is destroyed too early.

    tests/random/readers.py SEED > program.c

The same seed gives the same program. reductions.py --family readers asks
whether what makes Heddle explore less finds all that is wrong with it.
"""
import random
import sys

HEAD = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
static pthread_rwlock_t w1 = PTHREAD_RWLOCK_INITIALIZER, w2;
static pthread_mutex_t m1 = PTHREAD_MUTEX_INITIALIZER;
static const struct timespec soon;
static int d1, d2, out[4];
static atomic_int x, y;
#define load(p, o) atomic_load_explicit(p, memory_order_##o)
#define store(p, v, o) atomic_store_explicit(p, v, memory_order_##o)
#define add(p, v, o) atomic_fetch_add_explicit(p, v, memory_order_##o)
"""


class Program:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.spins = False
        self.tags = 0
        # What is rare is rare by program, so that some have nothing of it.
        self.rare = self.r.choice([0, 0, .1, .3])
        self.wrong = self.r.choice([0, 0, .08, .2])

    def lock(self):
        return self.r.choice(["w1", "w1", "w1", "w2"])

    def order(self, *orders):
        return self.r.choice(["relaxed", "relaxed", "seq_cst", *orders])

    def assertion(self):
        self.tags += 1
        return (f'if (r == {self.r.randrange(1, 4)})'
                f' assert(!"t{self.tags}");')

    def access(self, writes):
        r, d = self.r, self.r.choice(["d1", "d1", "d2"])
        if writes != (r.random() < self.wrong / 2):
            return r.choice([f"{d}++;", f"{d} = {r.randrange(1, 3)};",
                             f"r = {d}++;"])
        return f"r = {d};"

    def atomic(self):
        v = self.r.choice("xy")
        return self.r.choice([
            f"r = load(&{v}, {self.order('acquire')});",
            f"store(&{v}, {self.r.randrange(1, 3)}, {self.order('release')});",
            f"r = add(&{v}, 1, {self.order('acq_rel')});"])

    def something_rare(self, lock):
        r = self.r
        choice = r.randrange(6)
        if choice == 0:
            return f"pthread_mutex_lock(&m1); {self.atomic()}" \
                   f" pthread_mutex_unlock(&m1);"
        if choice == 1:
            self.spins = True
            return f"while (!load(&{r.choice('xy')}, acquire));"
        if choice == 2 and lock != "w2":
            return self.section("w2")
        if choice == 3:
            return f"if (r == {r.randrange(3)}) pthread_exit(0);"
        if choice == 4:
            self.spins = True
            how = r.choice(["rd", "wr"])
            return (f"for (int v = 0; !v;) {{ pthread_rwlock_{how}lock(&w2);"
                    " v = d2; pthread_rwlock_unlock(&w2); }"
                    if lock != "w2" else "")
        return self.assertion()

    def section(self, lock=None):
        r = self.r
        lock = lock or self.lock()
        writes = r.random() < .35
        how = "wr" if writes else "rd"
        take, give = f"pthread_rwlock_{how}lock(&{lock});", ""
        if r.random() < self.rare / 2:
            take = (f"if (!pthread_rwlock_try{how}lock(&{lock})) {{"
                    if r.random() < .6 else
                    f"if (!pthread_rwlock_timed{how}lock(&{lock}, &soon)) {{")
            give = "}"
        elif not writes and r.random() < self.rare / 3:
            take += f" pthread_rwlock_rdlock(&{lock});"
            give = f"pthread_rwlock_unlock(&{lock});"
        body = [self.access(writes) for _ in range(r.choice([1, 1, 2]))]
        if r.random() < .15:
            body.append(self.atomic())
        if r.random() < self.rare:
            body.append(self.something_rare(lock))
        if r.random() < .2:
            body.append(self.assertion())
        unlock = f"pthread_rwlock_unlock(&{lock});"
        if r.random() < self.wrong / 2:
            unlock = r.choice(["", 2 * unlock, "pthread_rwlock_unlock(&w1);"])
        return " ".join([take, *body, unlock, give])

    def function(self, k):
        r = self.r
        lines = ["int r = 0;"]
        if r.random() < self.wrong / 2:
            lines.append(r.choice(["pthread_rwlock_destroy(&w2);",
                                   "pthread_rwlock_unlock(&w1);",
                                   "pthread_rwlock_init(&w2, 0);"]))
        for _ in range(r.choice([1, 1, 1, 2])):
            lines.append(self.section())
        if r.random() < .25:
            lines.append(self.atomic())
        if r.random() < self.rare:
            lines.append(self.something_rare("w1"))
        if r.random() < self.wrong / 2:
            lines.append(self.access(r.random() < .5))
        lines.append(r.choice(["return 0;", "return 0;", "return arg;",
                               "out[(long)arg] = r; return 0;"]))
        body = "\n  ".join(lines)
        return f"static void *f{k}(void *arg) {{\n  (void)arg;\n  {body}\n}}\n"

    def text(self):
        r = self.r
        functions, threads = r.choice([1, 2, 2, 3]), r.choice([2, 3, 3, 4])
        parts = [self.function(k) for k in range(functions)]
        runs = [r.randrange(functions) for _ in range(threads)]
        if r.random() < .8:
            runs.sort()
        is_number = r.random() < .5
        lines = ["pthread_t t[4];", "(void)soon, (void)m1;",
                 "pthread_rwlock_init(&w2, 0);"]
        for i, f in enumerate(runs):
            arg = f"(void *)(long){i}" if is_number else "0"
            lines.append(f"pthread_create(&t[{i}], 0, f{f}, {arg});")
        if r.random() < self.rare / 2:
            lines.append("int r = 0; (void)r; " + self.section())
        if r.random() >= self.wrong / 4:
            lines += [f"pthread_join(t[{i}], 0);" for i in range(threads)]
        if r.random() < .3:
            lines.append("pthread_rwlock_destroy(&w2);")
        if r.random() < .4:
            lines += [f'if (d1 == {k}) assert(!"d{k}");' for k in range(1, 4)]
        lines.append("return 0;")
        return (HEAD + "".join(parts) + "int main(void) {\n  "
                + "\n  ".join(lines) + "\n}\n")


def generate(seed):
    """A program, and whether a loop of it may have rounds without end."""
    p = Program(seed)
    text = p.text()
    return text, p.spins


if __name__ == "__main__":
    print(generate(int(sys.argv[1]))[0], end="")
