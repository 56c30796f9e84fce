# SPDX-License-Identifier: MIT
"""Programs of medley_programs.py as C."""
import random

from medley_programs import PLAIN

MASK = 3

HEAD = """\
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>
struct node { atomic_int v; struct node *_Atomic next; };
static int d, e;
static atomic_int x, y, z, a[2], word, next, owner, shared = 8;
static struct node *_Atomic top, *_Atomic spare;
static pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER,
                       m1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c0 = PTHREAD_COND_INITIALIZER;
static sem_t s0;
static pthread_once_t o0 = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static pthread_t ids[5];
int out0, out1, out2, out3;
static const struct timespec soon;
"""


def c_of(e):
    kind = e[0]
    if kind == "c":
        return str(e[1])
    if kind == "v":
        return e[1]
    if kind == "set?":
        return f"({e[1]} != NULL)"
    if kind == "null":
        return f"({e[1]} == NULL)"
    if kind == "same":
        return f"({e[1]} == {e[2]})"
    if kind == "and2":
        return f"({c_of(e[1])} && {c_of(e[2])})"
    if kind == "?":
        return f"({c_of(e[1])} ? {c_of(e[2])} : {c_of(e[3])})"
    return f"({c_of(e[1])} {kind} {c_of(e[2])})"


class Writer:
    """With `rounds`, loops without a bound have so many rounds, counted, and an
    assumption that these are enough."""

    def __init__(self, program, rounds=0):
        self.rounds = rounds
        self.r = random.Random(program["seed"])
        self.program = program
        self.out = []
        self.function = None

    def order(self, kind):
        if self.program["orders"] == "seq_cst":
            return "memory_order_seq_cst"
        return "memory_order_" + self.r.choice({
            "load": ["relaxed", "relaxed", "acquire", "seq_cst"],
            "store": ["relaxed", "relaxed", "release", "seq_cst"],
            "rmw": ["relaxed", "acquire", "release", "acq_rel", "seq_cst"]
        }[kind])

    def at(self, word):
        if word[0] == "element":
            return f"&a[{c_of(word[1])} & 1]"
        if word[0] == "next":
            return f"&{word[1]}->next"
        return f"&{word}"

    @staticmethod
    def is_plain(place):
        return place[1:] in PLAIN

    def load(self, place):
        if self.is_plain(place):
            return place[1:]
        return f"atomic_load_explicit({place}, {self.order('load')})"

    def store(self, place, value):
        if self.is_plain(place):
            return f"{place[1:]} = {value}"
        return f"atomic_store_explicit({place}, {value}, {self.order('store')})"

    def condition(self, c):
        kind = c[0]
        if kind == "load?":
            return f"({self.load(self.at(c[1]))} {c[2]} {c_of(c[3])})"
        if kind == "local?":
            return c_of(c[1])
        if kind == "not":
            return f"!{self.bracket(c[1])}"
        sign = {"and": "&&", "or": "||"}[kind]
        return f"({self.condition(c[1])} {sign} {self.condition(c[2])})"

    def bracket(self, c):
        text = self.condition(c)
        return text if text.startswith("(") else f"({text})"

    def line(self, text, depth):
        self.out.append("  " * depth + text)

    def body(self, statements, depth):
        for s in statements:
            getattr(self, "c_" + s[0].replace(" ", "_"))(depth, *s[1:])

    def c_load(self, d, v, word):
        self.line(f"{v} = {self.load(self.at(word))};", d)

    def c_store(self, d, word, e):
        self.line(self.store(self.at(word), f"{c_of(e)} & {MASK}") + ";", d)

    def c_rmw(self, d, v, op, word, e):
        # Values stay small: what is added is undone by a mask in the machine,
        # so only operations that keep two bits are written as such.
        at, o = self.at(word), self.order("rmw")
        if op == "exchange":
            self.line(f"{v} = atomic_exchange_explicit({at}, {c_of(e)} & "
                      f"{MASK}, {o});", d)
        elif op in ("or", "xor"):
            self.line(f"{v} = atomic_fetch_{op}_explicit({at}, {c_of(e)} & "
                      f"{MASK}, {o});", d)
        else:
            self.line(f"{v} = atomic_fetch_{op}_explicit({at}, {c_of(e)} & "
                      f"{MASK}, {o}) & 15;", d)

    def c_cas(self, d, how, ok, expected, word, e):
        self.line(f"{ok} = atomic_compare_exchange_{how}_explicit("
                  f"{self.at(word)}, &{expected}, {c_of(e)} & {MASK}, "
                  f"{self.order('rmw')}, {self.order('load')});", d)

    def c_set(self, d, v, e):
        self.line(f"{v} = {c_of(e)} & {MASK};", d)

    def c_if(self, d, c, yes, no):
        self.line(f"if ({self.condition(c)}) {{", d)
        self.body(yes, d + 1)
        if no:
            self.line("} else {", d)
            self.body(no, d + 1)
        self.line("}", d)

    def c_while(self, d, c, body):
        if self.rounds:
            self.line(f"for (int k = 0; {self.condition(c)}; k++) {{", d)
            self.line(f"heddle_assume(k < {self.rounds});", d + 1)
        else:
            self.line(f"while ({self.condition(c)}) {{", d)
        self.body(body, d + 1)
        self.line("}", d)

    def c_do(self, d, body, c):
        if self.rounds:
            at = len(self.out)
            self.line("", d)
            self.line(f"heddle_assume(k < {self.rounds});", d + 1)
            self.body(body, d + 1)
            self.out[at] = "  " * d + \
                f"for (int k = 0; k == 0 || {self.condition(c)}; k++) {{"
            self.line("}", d)
            return
        self.line("do {", d)
        self.body(body, d + 1)
        self.line(f"}} while ({self.condition(c)});", d)

    def c_for(self, d, i, c, body):
        self.line(f"for ({i} = 0; {self.condition(c)}; {i}++) {{", d)
        self.body(body, d + 1)
        self.line("}", d)

    def c_loop(self, d, i, n, body):
        self.line(f"for ({i} = 0; {i} < {n}; {i}++) {{", d)
        self.body(body, d + 1)
        self.line("}", d)

    def c_switch(self, d, e, cases, other):
        self.line(f"switch ({c_of(e)} & {MASK}) {{", d)
        for value, body in cases:
            self.line(f"case {value}:;", d)
            self.body(body, d + 1)
        self.line("default:;", d)
        self.body(other, d + 1)
        self.line("}", d)

    def c_break(self, d):
        self.line("break;", d)

    def c_continue(self, d):
        self.line("continue;", d)

    def c_noise(self, d):
        self.line("dead++;", d)

    def c_backs_off(self, d):
        self.line("if (++dead > 2) { sched_yield(); dead = 0; }", d)

    def c_idle(self, d, v):
        self.line(f"for (int j = 0; j < {v}; j++);", d)

    def c_take(self, d, kind):
        r, acq = self.r, "memory_order_acquire"
        if kind == "word":
            taken = f"atomic_exchange_explicit(&word, 1, {acq})"
            wait = "atomic_load_explicit(&word, memory_order_relaxed)"
            self.line(r.choice([
                f"while ({taken});",
                f"while ({taken}) while ({wait});",
                f"do while ({wait}); while ({taken});",
                "for (int e = 0; !atomic_compare_exchange_strong_explicit("
                f"&word, &e, 1, {acq}, memory_order_relaxed); e = 0);"]), d)
        elif kind == "ticket":
            self.line("mine = atomic_fetch_add_explicit(&next, 1, "
                      "memory_order_relaxed);", d)
            self.line(f"while (atomic_load_explicit(&owner, {acq}) != mine);",
                      d)
        else:
            n, enough = (1, "> 0") if kind == "reader" else (8, "== 8")
            self.line(f"while (!(atomic_fetch_sub_explicit(&shared, {n}, {acq})"
                      f" {enough})) {{", d)
            self.line(f"atomic_fetch_add_explicit(&shared, {n}, "
                      "memory_order_relaxed);", d + 1)
            self.line("while (!(atomic_load_explicit(&shared, "
                      f"memory_order_relaxed) {enough}));", d + 1)
            self.line("}", d)

    def c_give(self, d, kind):
        rel = "memory_order_release"
        self.line({
            "word": f"atomic_store_explicit(&word, 0, {rel});",
            "ticket": f"atomic_store_explicit(&owner, mine + 1, {rel});",
            "reader": f"atomic_fetch_add_explicit(&shared, 1, {rel});",
            "writer": f"atomic_fetch_add_explicit(&shared, 8, {rel});"
        }[kind], d)

    def c_yield(self, d):
        self.line("sched_yield();", d)

    def c_sleep(self, d):
        self.line("thrd_sleep(&soon, NULL);", d)

    def c_new(self, d, p, e):
        self.line(f"{p} = malloc(sizeof *{p});", d)
        self.line(f"atomic_init(&{p}->v, {c_of(e)} & {MASK});", d)
        self.line(f"atomic_init(&{p}->next, NULL);", d)

    def c_free(self, d, p):
        self.line(f"free({p});", d)

    def c_pset(self, d, p):
        self.line(f"{p} = NULL;", d)

    def c_pload(self, d, p, place):
        self.line(f"{p} = {self.load(self.at(place))};", d)

    def c_pstore(self, d, place, p):
        self.line(self.store(self.at(place), p) + ";", d)

    def c_pxchg(self, d, p, place, q):
        self.line(f"{p} = atomic_exchange_explicit({self.at(place)}, {q}, "
                  f"{self.order('rmw')});", d)

    def c_pcas(self, d, ok, place, p, q):
        self.line(f"{ok} = atomic_compare_exchange_strong_explicit("
                  f"{self.at(place)}, &{p}, {q}, {self.order('rmw')}, "
                  f"{self.order('load')});", d)

    def c_nload(self, d, v, p):
        self.line(f"{v} = {self.load(f'&{p}->v')} & {MASK};", d)

    def c_nadd(self, d, v, p, e):
        self.line(f"{v} = atomic_fetch_xor_explicit(&{p}->v, {c_of(e)}, "
                  f"{self.order('rmw')}) & {MASK};", d)

    def c_lock(self, d, m):
        self.line(f"pthread_mutex_lock(&{m});", d)

    def c_unlock(self, d, m):
        self.line(f"pthread_mutex_unlock(&{m});", d)

    def c_try(self, d, ok, m):
        self.line(f"{ok} = pthread_mutex_trylock(&{m}) == 0;", d)

    def c_timed(self, d, ok, m):
        self.line(f"{ok} = pthread_mutex_timedlock(&{m}, &soon) == 0;", d)

    def c_cwait(self, d):
        self.line("pthread_cond_wait(&c0, &m0);", d)

    def c_ctimed(self, d, ok):
        self.line(f"{ok} = pthread_cond_timedwait(&c0, &m0, &soon) == 0;", d)

    def c_signal(self, d):
        self.line("pthread_cond_signal(&c0);", d)

    def c_broadcast(self, d):
        self.line("pthread_cond_broadcast(&c0);", d)

    def c_post(self, d):
        self.line("sem_post(&s0);", d)

    def c_swait(self, d):
        self.line("sem_wait(&s0);", d)

    def c_stry(self, d, ok):
        self.line(f"{ok} = sem_trywait(&s0) == 0;", d)

    def c_stimed(self, d, ok):
        self.line(f"{ok} = sem_timedwait(&s0, &soon) == 0;", d)

    def c_once(self, d):
        self.line("pthread_once(&o0, first_once);", d)

    def c_specific(self, d, e):
        self.line(f"pthread_setspecific(key, (void *)(intptr_t)({c_of(e)} & "
                  f"{MASK}));", d)

    def c_call(self, d, v, f, e):
        self.line(f"{v} = {f}({c_of(e)} & {MASK});", d)

    def c_table(self, d, v, i, e):
        self.line(f"{v} = table[{c_of(i)} & 1]({c_of(e)} & {MASK});", d)

    def c_choose(self, d, v, n):
        self.line(f"{v} = (int)heddle_choose(0, {n});", d)

    def c_assume(self, d, e):
        self.line(f"heddle_assume({c_of(e)});", d)

    def c_assert(self, d, e):
        self.line(f"assert({c_of(e)});", d)

    def c_exit(self, d, e):
        self.line(f"pthread_exit((void *)(intptr_t)({c_of(e)} & {MASK}));", d)

    def c_create(self, d, slot, f, e):
        self.line(f"pthread_create(&ids[{slot}], NULL, {f}, (void *)(intptr_t)"
                  f"({c_of(e)} & {MASK}));", d)

    def c_create_at(self, d, f, slot, e):
        self.line(f"pthread_create(&ids[{c_of(slot)}], NULL, {f}, "
                  f"(void *)(intptr_t){c_of(e)});", d)

    def c_join(self, d, v, slot):
        self.line(f"pthread_join(ids[{slot}], &result);", d)
        self.line(f"{v} = (int)(intptr_t)result;", d)

    def c_out(self, d, i, e):
        self.line(f"out{i} = {c_of(e)};", d)

    def c_return(self, d, e):
        value = f"{c_of(e)} & {MASK}"
        if self.function.startswith("thread"):
            value = f"(void *)(intptr_t)({value})"
        self.line(f"return {value};", d)

    def text(self, never=None):
        """With an assertion that the final state is not that."""
        functions = self.program["functions"]
        self.line("static int f0(int), f1(int), f2(int), first(int);", 0)
        self.line("static int last(int);", 0)
        for name in functions:
            if name.startswith("thread"):
                self.line(f"static void *{name}(void *);", 0)
        self.line("static int (*const table[2])(int) = {f0, f1};", 0)
        self.line("static void first_once(void) { first(0); }", 0)
        self.line("static void at_end(void *v) { last((int)(intptr_t)v); }", 0)
        for name, body in [*((k, b) for k, b in functions.items()
                             if k != "main"), ("main", functions["main"])]:
            self.function = name
            is_thread = name.startswith("thread")
            if name == "main":
                self.line("int main(void) {", 0)
                self.line("int arg = 0;", 1)
                self.line(f"sem_init(&s0, 0, {self.program['permits']});", 1)
                self.line("pthread_key_create(&key, at_end);", 1)
            elif is_thread:
                self.line(f"static void *{name}(void *arg_) {{", 0)
                self.line("int arg = (int)(intptr_t)arg_;", 1)
            else:
                self.line(f"static int {name}(int arg) {{", 0)
            self.line("int r0 = 0, r1 = 0, r2 = 0, i0 = 0, i1 = 0, ok = 0;", 1)
            self.line("unsigned dead = 0; int mine = 0;", 1)
            self.line("struct node *p = NULL, *q = NULL;", 1)
            self.line("void *result;", 1)
            self.line("(void)arg, (void)r0, (void)r1, (void)r2, (void)i0, "
                      "(void)i1, (void)ok, (void)dead, (void)mine, "
                      "(void)p, (void)q, "
                      "(void)result;", 1)
            self.body(body, 1)
            if name == "main":
                self.line("out3 = ((x & 15) * 16 + (y & 15)) * 16 + (z & 15);",
                          1)
                self.line("out3 = (out3 * 16 + (a[0] & 15)) * 16 + "
                          "(a[1] & 15);", 1)
                if never:
                    others = (f"out{i} != {n}" for i, n in enumerate(never))
                    self.line(f"assert({' || '.join(others)});", 1)
            self.line("}", 0)
        return HEAD + "\n".join(self.out) + "\n"
