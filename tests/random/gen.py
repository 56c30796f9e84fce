#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random small concurrent C programs.

    tests/random/gen.py SEED > program.c

The same seed gives the same program. Programs use what real ones do (atomics
of all orders, locks, nodes from malloc that threads hand to each other,
structs, arrays, pointers into both, functions, loops that count and loops that
wait) and mostly keep the rules: plain data under its mutex, a node only by the
thread that took it. Every other program has some of the constructs of real.py
as well. Now and then a rule is broken, so that every kind of verdict turns up;
what a program means is not known here, only that Heddle must have an answer to
it. Its first line has the options of Heddle and, behind `--`, of the compiler.
"""
import random
import sys

import real

HEAD = """\
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <heddle.h>

struct pair {
  int first, second;
};
struct node {
  struct pair data;
  atomic_int mark;
  struct node *next;
};

atomic_int flags[3];
_Atomic(long) total;
_Atomic(struct node *) slots[2];
atomic_int word;
pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER,
                            PTHREAD_MUTEX_INITIALIZER};
struct pair guarded[2]; // each under its lock
char bytes[4];          // under lock 0
_Thread_local int own;

static int add(int *where, int amount) {
  *where += amount;
  return *where;
}

static struct pair swapped(struct pair p) {
  return (struct pair){p.second, p.first};
}

static struct node *new_node(int value) {
  struct node *n = malloc(sizeof *n);
  n->data = (struct pair){value, -value};
  atomic_init(&n->mark, 0);
  n->next = NULL;
  return n;
}

static int depth(int n, atomic_int *where) {
  if (n <= 0)
    return atomic_load_explicit(where, memory_order_relaxed);
  return 1 + depth(n - 1, where);
}
"""
MAIN = """
int main(void) {
  pthread_t ids[%(threads)d];
%(before)s  for (long i = 0; i < %(threads)d; i++)
    pthread_create(&ids[i], NULL, bodies[i], (void *)i);
  %(body)s
  for (int i = 0; i < %(threads)d; i++)
    pthread_join(ids[i], NULL);
%(checks)s  return 0;
}
"""
LOADS = ["relaxed", "acquire", "seq_cst"]
STORES = ["relaxed", "release", "seq_cst"]
UPDATES = ["relaxed", "acquire", "release", "acq_rel", "seq_cst"]


class Writer:
    """The body of one function: lines of C, and what may still be spent."""

    def __init__(self, rng, budget, constructs=()):
        self.rng = rng
        self.budget = budget  # about the number of shared accesses
        self.constructs = constructs  # of real.py, with weights
        self.lines = []
        self.level = 1
        self.held = set()
        self.spins = False  # is a lock held that real.py made?

    def line(self, text):
        self.lines.append("  " * self.level + text)

    def block(self, head, *writers, tail="}"):
        self.line(head + " {")
        self.level += 1
        for write in writers:
            write()
        self.level -= 1
        self.line(tail)

    # Operands.

    def pick(self, choices):
        return self.rng.choice(choices)

    def local(self):
        return self.rng.choice(["a", "b", "c"])

    def value(self):
        return self.rng.choice(["0", "1", "1", "2", "(a & 3)", "(b & 1)",
                                "own"])

    def flag(self):
        index = self.rng.choice(["0", "1", "2", "0", "1", "(a & 1)"])
        return self.rng.choice([f"&flags[{index}]", f"flags + {index}"])

    def order(self, orders):
        return "memory_order_" + self.rng.choice(orders)

    def load(self, where):
        return f"atomic_load_explicit({where}, {self.order(LOADS)})"

    # Statements. Each takes what it needs from the budget.

    def access(self):
        self.budget -= 1
        where, value = self.flag(), self.value()
        form = self.rng.randrange(7)
        if form <= 1:
            self.line(f"{self.local()} = {self.load(where)};")
        elif form <= 3:
            order = self.order(STORES)
            self.line(f"atomic_store_explicit({where}, {value}, {order});")
        elif form == 4:
            operation = self.rng.choice(["fetch_add", "exchange", "fetch_or",
                                         "fetch_sub", "fetch_xor"])
            self.line(f"{self.local()} = atomic_{operation}_explicit({where}, "
                      f"{value}, {self.order(UPDATES)});")
        elif form == 5:
            self.compare_exchange(where, value)
        else:
            operator = self.rng.choice(["+=", "*=", "|=", "-="])
            self.line(f"total {operator} {value};")

    def compare_exchange(self, where, value):
        strength = self.rng.choice(["strong", "weak"])
        expected, loads = self.local(), self.order(LOADS)
        self.line(f"{self.local()} = atomic_compare_exchange_{strength}_"
                  f"explicit({where}, &{expected}, {value}, "
                  f"{self.order(UPDATES)}, {loads});")

    def fence(self):
        order = self.order(UPDATES[1:])
        self.line(f"atomic_thread_fence({order});")

    def guarded(self):
        """Plain data, under its lock (or now and then not)."""
        self.budget -= 2
        index = self.rng.randrange(2)
        if index in self.held and self.rng.random() < 0.97:
            return self.plain(index)
        if self.rng.random() < 0.02:
            return self.plain(index)
        if self.held and min(self.held) >= index and self.rng.random() < 0.9:
            return self.access()  # locks are taken in one order, mostly
        lock = f"&locks[{index}]"
        self.held.add(index)
        if self.rng.random() < 0.2:
            self.block(f"if (pthread_mutex_trylock({lock}) == 0)",
                       lambda: self.plain(index),
                       lambda: self.line(f"pthread_mutex_unlock({lock});"))
        else:
            self.line(f"pthread_mutex_lock({lock});")
            self.plain(index)
            if self.rng.random() < 0.3:
                self.statement()
            if self.rng.random() < 0.98:
                self.line(f"pthread_mutex_unlock({lock});")
        self.held.discard(index)
        return None

    def plain(self, index):
        pair = f"guarded[{index}]"
        member = self.rng.choice(["first", "second"])
        form = self.rng.randrange(6)
        if form == 0:
            self.line(f"{pair}.{member} = {self.value()};")
        elif form == 1:
            self.line(f"{self.local()} = {pair}.{member};")
        elif form == 2:
            self.line(f"{self.local()} = add(&{pair}.{member}, "
                      f"{self.value()});")
        elif form == 3:
            self.line(f"{pair} = swapped({pair});")
        elif form == 4 and index == 0:
            self.line(f"memset(bytes, {self.value()}, sizeof bytes);")
            self.line(f"{self.local()} = bytes[a & 3];")
        else:
            self.line(f"memcpy(&copy, &{pair}, sizeof copy);")
            self.line(f"{self.local()} = copy.{member};")

    def give(self):
        """Hands a new node over; what was in the slot is freed."""
        self.budget -= 3
        slot = f"&slots[{self.rng.randrange(2)}]"
        order = "memory_order_acq_rel"
        if self.rng.random() < 0.1:
            order = self.order(UPDATES)
        self.line(f"n = new_node({self.value()});")
        self.line(f"n = atomic_exchange_explicit({slot}, n, {order});")
        self.line("free(n);")

    def take(self):
        """Takes a node out of a slot, looks at it, and frees it or puts it
        back."""
        self.budget -= 3
        slot = f"&slots[{self.rng.randrange(2)}]"
        self.line(f"n = atomic_exchange_explicit({slot}, NULL, "
                  "memory_order_acq_rel);")
        self.block("if (n)", self.use_node, lambda: self.lose_node(slot))

    def use_node(self):
        self.line(self.rng.choice([
            "a = n->data.first + n->data.second;",
            "n->data = swapped(n->data);",
            "atomic_fetch_add(&n->mark, 1);",
            "b = add(&n->data.second, 1);",
            "n->next = n;\n" + "  " * self.level + "c = n->next == n;"]))

    def lose_node(self, slot):
        chance = self.rng.random()
        if chance < 0.6:
            self.line("free(n);")
        else:
            self.line(f"n = atomic_exchange_explicit({slot}, n, "
                      "memory_order_acq_rel);")
            self.line("free(n);")
        if chance < 0.02:
            self.line("free(n);")

    def peek(self):
        """Looks at a node that somebody may free: right only by luck."""
        if self.rng.random() < 0.7:
            return self.access()
        self.budget -= 2
        self.line(f"n = {self.load(f'&slots[{self.rng.randrange(2)}]')};")
        return self.block("if (n)", self.use_node)

    def count(self):
        times = self.rng.randrange(1, 3)
        head = self.rng.choice([f"for (int i = 0; i < {times}; i++)",
                                f"for (int i = {times}; i > 0; i--)"])
        self.budget -= 1
        self.block(head, self.statement)

    def branch(self):
        condition = self.rng.choice(
            ["a == 1", "b", "(a ^ c) & 1", "own < 2", "a > b && c",
             f"{self.load(self.flag())} == 0"])
        if self.rng.random() < 0.5:
            self.block(f"if ({condition})", self.statement)
        else:
            self.block(f"if ({condition})", self.statement, tail="} else {")
            self.level += 1
            self.statement()
            self.level -= 1
            self.line("}")

    def choose(self):
        self.line(f"switch (heddle_choose(0, {self.rng.randrange(1, 3)})) {{")
        self.line("case 1:")
        self.level += 1
        self.statement()
        self.line("break;")
        self.level -= 1
        self.line("default:")
        self.level += 1
        self.line("own++;")
        self.level -= 1
        self.line("}")

    def wait(self):
        """A loop that waits: for a flag, with a compare-exchange or as a spin
        lock. Whether anybody answers is not sure."""
        self.budget -= 2
        form = self.rng.randrange(5)
        if form == 0 and not self.held:
            self.line("while (atomic_exchange(&word, 1))")
            self.line("  continue;")
            self.statement()
            self.line("atomic_store(&word, 0);")
        elif form == 1:
            self.line(f"{self.local()} = 0;")
            self.line(f"a = {self.load(self.flag())};")
            order = self.order(UPDATES)
            self.line(f"while (!atomic_compare_exchange_weak_explicit("
                      f"{self.flag()}, &a, a + 1, {order}, "
                      "memory_order_relaxed))")
            self.line("  continue;")
        elif form == 2 and self.rng.random() < 0.5:
            self.line(f"while ({self.load('&flags[0]')} == 0 && "
                      f"{self.load('&flags[1]')} == 0)")
            self.line("  continue;")
        elif form == 3 and self.rng.random() < 0.5:
            self.line(f"heddle_assume({self.load(self.flag())} <= 1);")
        else:
            self.line("for (int round = 0; round < 2 && "
                      f"{self.load(self.flag())} == 0; round++)")
            self.line("  continue;")

    def call(self):
        self.budget -= 1
        self.line(f"{self.local()} = depth({self.rng.randrange(3)}, "
                  f"{self.flag()});")

    def pointer(self):
        """Arithmetic with pointers to private and to shared things."""
        self.line(self.rng.choice([
            "p = (a & 1) ? &copy.first : &copy.second;",
            "p = &own;",
            "p = &numbers[(unsigned)b % 3];",
            "p = numbers + 1;"]))
        self.line(self.rng.choice(["*p += 1;", "a = *p;", "b = add(p, 2);"]))

    def statement(self):
        if self.budget <= 0:
            return self.line(f"{self.local()} += 1;")
        kinds = [(self.access, 8), (self.fence, 1), (self.guarded, 5),
                 (self.give, 2), (self.take, 2), (self.peek, 1),
                 (self.count, 1), (self.branch, 3), (self.choose, 1),
                 (self.wait, 2), (self.call, 1), (self.pointer, 2)]
        kinds += [(lambda k=k: k(self), 2 * w) for k, w in self.constructs]
        write = self.rng.choices([k for k, _ in kinds],
                                 [w for _, w in kinds])[0]
        return write()


def function(rng, number, budget, constructs):
    body = Writer(rng, budget, constructs)
    while body.budget > 0:
        body.statement()
    return "\n".join(
        [f"\nstatic void *thread{number}(void *argument) {{",
         "  int a = (int)(long)argument, b = 0, c = 0, *p = &a;",
         "  int numbers[3] = {1, 2, 3};",
         "  struct pair copy = {0, 0};",
         "  struct node *n = NULL;"] + body.lines +
        ["  own = a + b + c + *p + numbers[0] + copy.first + (n != NULL);",
         "  return NULL;", "}"]) + "\n"


def checks(rng):
    claim = rng.choice(["flags[0] >= 0", "flags[0] != 2 || flags[1] != 2",
                        "guarded[0].first < 3", "total != 2", "true"])
    return ("  free(slots[0]);\n  free(slots[1]);\n"
            f"  assert({claim});\n")


class Style:
    """What a program has besides the statements of this file."""

    def __init__(self, rng, is_real):
        self.constructs, self.head, self.before = [], "", ""
        options, flags = [], []
        if is_real:
            pool, includes = list(real.CONSTRUCTS), real.INCLUDES
            if rng.random() < 0.15:
                flags = ["--target=aarch64-linux-gnu"]
                pool.remove(real.X86_ONLY)
            elif rng.random() < 0.1:
                pool += real.HOST_CONSTRUCTS
                includes += real.HOST_INCLUDES
            self.constructs = rng.sample(pool, rng.randrange(3, 8))
            self.head = includes + real.DECLARATIONS
            self.before = real.BEFORE_THREADS
            if rng.random() < 0.5:
                options += ["--volatile", "relaxed"]
            if rng.random() < 0.5:
                options += ["--assume-atomic", "assumed"]
        self.first_line = " ".join(["// run:", *options, "--", *flags]) + "\n"


def generate(seed):
    rng = random.Random(seed)
    style = Style(rng, is_real=seed % 2 == 1)
    threads = rng.choice([2, 2, 2, 3])
    budget = rng.randrange(3, 10 if threads == 2 else 6)
    functions = [function(rng, i, budget, style.constructs)
                 for i in range(threads)]
    names = ", ".join(f"thread{i}" for i in range(threads))
    body = rng.choice(["atomic_store(&flags[0], 1);", "flags[1] = 1;",
                       "slots[0] = new_node(1);"])
    return (style.first_line + HEAD + style.head + "".join(functions) +
            f"\nstatic void *(*const bodies[])(void *) = {{{names}}};\n" +
            MAIN % {"threads": threads, "body": body, "before": style.before,
                    "checks": checks(rng)})


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.stdout.write(generate(int(sys.argv[1])))
