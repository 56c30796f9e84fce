#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random C++ programs with exceptions against the compiled program. A program
is made of functions with try blocks, handlers of several types, destructors,
constructors that throw, loops that are left, returns from everywhere; it prints
what happens in which order. It must print the same when the front end and the
vm run it; and as a thread beside another one, `heddle check` must find no
error, and the same checksum in every execution. Prints TAP; a file has several
seeds, and each failure has its first.

    exceptions.py SEQ HEDDLE [--seeds N] [--first SEED] [--keep DIR]
"""
import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from clang import CLANG  # noqa: E402

PER_FILE = 20  # seeds; each is a namespace of its own

PRELUDE = r"""
#include <pthread.h>
extern "C" int printf(const char *, ...);
extern "C" void __assert_fail(const char *, const char *, unsigned,
                              const char *) noexcept;
namespace std { int uncaught_exceptions() noexcept; }
static unsigned long hash, steps;
static void out(const char *what, int n) {
  for (const char *at = what; *at; at++)
    hash = hash * 31 + *at;
  hash = hash * 31 + (unsigned)n;
#ifndef EXPECTED
  printf("%s %d\n", what, n);
#endif
}
struct Guard {
  int n;
  explicit Guard(int n) : n(n) { out("+", n); }
  Guard(const Guard &g) : n(g.n + 100) { out("=", n); }
  ~Guard() { out("-", n + 1000 * std::uncaught_exceptions()); }
};
struct Fragile {
  Guard inner;
  Fragile(int n, int k) : inner(n) {
    if (k % 3 == 0)
      throw k;
  }
  ~Fragile() { out("~", inner.n); }
};
struct Counted {
  static int left;
  int n;
  Counted() : n(left) {
    if (left-- == 0)
      throw 'c';
    out("c", n);
  }
  ~Counted() { out("d", n); }
};
int Counted::left;
struct A {
  int v;
  A(int v) : v(v) { out("A", v); }
  A(const A &a) : v(a.v + 1) { out("A=", v); }
  virtual ~A() { out("~A", v); }
  virtual int get() const { return v; }
};
struct B : A {
  B(int v) : A(v) {}
  int get() const override { return v * 2; }
};
struct V1 : virtual A { V1(int v) : A(v) {} };
struct V2 : virtual A { V2(int v) : A(v) {} };
struct W : V1, V2 {
  int w;
  W(int v) : A(v), V1(v), V2(v), w(v) {}
  int get() const override { return w * 3; }
};
struct Other { long x[3]; };
struct Loud { // its destructor throws, and the exception is caught outside
  int n;
  ~Loud() noexcept(false) {
    out("L", n);
    if (!std::uncaught_exceptions())
      throw n;
  }
};
static int take(Guard a, const Guard &b) { return a.n - b.n; }
"""

THROWN = ["{n}", "{n}.5", "A({n})", "B({n})", "W({n})", "'x'", "(const char *)0",
          "Other{{{{{n}, 2, 3}}}}", "&the_b", "nullptr"]
CAUGHT = [("int e", "e"), ("double e", "(int)e"), ("const A &e", "e.get()"),
          ("A e", "e.get()"), ("B &e", "e.get()"), ("V2 &e", "e.v"),
          ("const char *e", "e == 0"), ("Other e", "(int)e.x[0]"),
          ("A *e", "e ? e->v : -2"), ("const void *e", "e != 0"), ("char", "7")]


class Writer:
    def __init__(self, seed):
        self.dice = random.Random(seed)
        self.id = 0

    def number(self):
        self.id += 1
        return self.id

    def condition(self):
        return self.dice.choice([f"k & {1 << self.dice.randrange(3)}",
                                 f"(k + {self.dice.randrange(4)}) % 3 == 0",
                                 f"r > {self.dice.randrange(9)}"])

    def throw(self):
        return "throw " + self.dice.choice(THROWN).format(n=self.number()) + ";"

    def handlers(self, depth, in_loop, lower):
        chosen = self.dice.sample(CAUGHT, self.dice.randrange(0, 3))
        text = ""
        for declared, value in chosen:
            text += (f" catch ({declared}) {{ out(\"H\", {value}); "
                     + self.handler(depth, in_loop, lower) + "}")
        if not chosen or self.dice.random() < 0.3:
            text += (" catch (...) { out(\"H\", -1); "
                     + self.handler(depth, in_loop, lower) + "}")
        return text

    def handler(self, depth, in_loop, lower):
        text = self.block(depth - 1, in_loop, lower)
        if self.dice.random() < 0.25:
            text += f" if ({self.condition()}) throw;"
        return text

    def statement(self, depth, in_loop, lower):
        n = self.number()
        kinds = ["out", "guard", "call", "temporaries", "throw_if", "return_if"]
        if in_loop:
            kinds += ["break_if", "continue_if"]
        if depth > 0:
            kinds += ["try"] * 4 + ["if", "loop", "scope", "fragile", "array",
                                    "static", "lambda", "loud", "quiet"]
        kind = self.dice.choice(kinds)
        inner = lambda: self.block(depth - 1, in_loop, lower)  # noqa: E731
        if kind == "out":
            return f"out(\"o\", {n});"
        if kind == "guard":
            return f"Guard g{n}({n});"
        if kind == "call" and lower:
            return f"r += {self.dice.choice(lower)}(k + {self.dice.randrange(3)});"
        if kind == "temporaries":
            return f"r += take(Guard({n}), Guard({self.number()}));"
        if kind == "throw_if":
            return f"if ({self.condition()}) {self.throw()}"
        if kind == "return_if":
            return f"if ({self.condition()}) return r + {n};"
        if kind == "break_if":
            return f"if ({self.condition()}) break;"
        if kind == "continue_if":
            return f"if ({self.condition()}) continue;"
        if kind == "try":
            return f"try {{ {inner()} }}" + self.handlers(depth, in_loop, lower)
        if kind == "if":
            return f"if ({self.condition()}) {{ {inner()} }} else {{ {inner()} }}"
        if kind == "loop":
            body = self.block(depth - 1, True, lower)
            return (f"for (int i{n} = 0; i{n} < {self.dice.randrange(1, 4)}; "
                    f"i{n}++) {{ {body} }}")
        if kind == "scope":
            return f"{{ Guard s{n}({n}); {inner()} }}"
        if kind == "fragile":
            return f"Fragile f{n}({n}, k + {self.dice.randrange(3)});"
        if kind == "array":
            return (f"Counted::left = {self.dice.randrange(4)}; "
                    "delete[] new Counted[3];")
        if kind == "static":
            return f"static Fragile s{n}({n}, (int)steps); out(\"s\", {n});"
        if kind == "lambda":
            body = self.block(depth - 1, False, lower)
            return f"r += [&]() -> int {{ {body} return {n}; }}();"
        if kind == "loud":
            return f"try {{ Loud l{n}{{{n}}}; {inner()} }} catch (int e) {{ r += e; }}"
        if kind == "quiet":
            body = self.block(depth - 1, False, lower)
            return (f"r += [&]() noexcept -> int {{ try {{ {body} }} catch (...) "
                    f"{{ return {n}; }} return 0; }}();")
        return f"r += {n};"

    def block(self, depth, in_loop, lower):
        return " ".join(self.statement(depth, in_loop, lower)
                        for _ in range(self.dice.randrange(1, 4)))

    def program(self, name):
        text, lower = f"namespace {name} {{ static B the_b(5);\n", []
        for i in range(self.dice.randrange(2, 5)):
            body = self.block(3, False, lower)
            text += (f"static int f{i}(int k) {{ int r = {i}; "
                     "if (++steps > 200) return 0; "
                     f"{body} return r; }}\n")
            lower.append(f"f{i}")
        return text + ("static void all() { for (int k = 0; k < 6; k++) { "
                       f"steps = 0; try {{ out(\"r\", {lower[-1]}(k)); }} "
                       "catch (...) { out(\"escaped\", k); } } }\n}\n")


MAIN = r"""
static void everything() { %s }
#ifdef EXPECTED
static int beside;
static void *other(void *) {
  for (int i = 0; i < 2; i++)
    __atomic_fetch_add(&beside, 1, __ATOMIC_RELAXED);
  return 0;
}
static void *program(void *) {
  everything();
  __atomic_fetch_add(&beside, 1, __ATOMIC_RELAXED);
  return 0;
}
int main() {
  pthread_t a, b;
  pthread_create(&a, 0, program, 0);
  pthread_create(&b, 0, other, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (hash != EXPECTED)
    __assert_fail("hash == EXPECTED", __FILE__, __LINE__, "main");
}
#else
int main() {
  everything();
  printf("hash %%lu\n", hash);
}
#endif
"""


def source(first):
    names = [f"p{seed}" for seed in range(first, first + PER_FILE)]
    bodies = "".join(Writer(seed).program(name) for seed, name in
                     zip(range(first, first + PER_FILE), names))
    calls = " ".join(f"{name}::all();" for name in names)
    return PRELUDE + bodies + MAIN % calls


def run(command):
    done = subprocess.run(command, capture_output=True, timeout=300)
    return done.returncode, (done.stdout + done.stderr).decode()


def wrong_with(options, file):
    binary = file.with_suffix("")
    subprocess.run([CLANG, "--driver-mode=g++", "-w", "-std=gnu++20", "-O0",
                    str(file), "-o", str(binary), "-pthread"], check=True)
    code, want = run([str(binary)])
    if code:
        return [f"the compiled program ends with {code}", want[-300:]]
    code, got = run([options.sequential, str(file)])
    if (code, got) != (0, want):
        pairs = enumerate(zip(want.splitlines(), got.splitlines()), 1)
        first = next(((i, w, g) for i, (w, g) in pairs if w != g), None)
        return [f"exit code {code}; first difference (line, native, vm): "
                f"{first}", got[-300:]]
    value = next(line.split()[1] for line in want.splitlines()
                 if line.startswith("hash "))
    code, said = run([options.heddle, "check", str(file), "--", "-w",
                      f"-DEXPECTED={value}ul"])
    return said.splitlines()[:12] if code else []


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("sequential")
    parser.add_argument("heddle")
    parser.add_argument("--seeds", type=int, default=60)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    count = failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = options.keep or pathlib.Path(name)
        for first in range(options.first, options.first + options.seeds,
                           PER_FILE):
            file = folder / f"exceptions{first}.cpp"
            file.write_text(source(first))
            wrong = wrong_with(options, file)
            count += 1
            failed += bool(wrong)
            print(f"{'not ok' if wrong else 'ok'} {count} - seeds {first} to "
                  f"{first + PER_FILE - 1}", flush=True)
            for line in wrong:
                print(f"# {line}")
    print(f"1..{count}")
    return 1 if failed or not count else 0


if __name__ == "__main__":
    sys.exit(main())
