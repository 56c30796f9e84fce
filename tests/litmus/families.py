#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shapes of litmus tests whose verdicts are published, for each architecture.

A row of families.txt names a test as the field does (MP+dmb.sy+addr: what is
between the two accesses of each thread, in order) and says how often its
outcome is seen. This script writes the tests in the language of their
architecture, runs `heddle litmus --json` on them, and compares. Speaks TAP.

    families.py HEDDLE [--work FOLDER] [--keep]
"""
import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent

# Threads of accesses: R or W, location, value (written, or read if the outcome
# is seen); then final values of memory.
SHAPES = {
    "MP": ("Wx1 Wy1 | Ry1 Rx0", ""),
    "SB": ("Wx1 Ry0 | Wy1 Rx0", ""),
    "LB": ("Rx1 Wy1 | Ry1 Wx1", ""),
    "S": ("Wx2 Wy1 | Ry1 Wx1", "x=2"),
    "R": ("Wx1 Wy1 | Wy2 Rx0", "y=2"),
    "2+2W": ("Wx2 Wy1 | Wy2 Wx1", "x=2 y=2"),
    "WRC": ("Wx1 | Rx1 Wy1 | Ry1 Rx0", ""),
    "RWC": ("Wx1 | Rx1 Ry0 | Wy1 Rx0", ""),
    "WWC": ("Wx2 | Rx2 Wy1 | Ry1 Wx1", "x=2"),
    "ISA2": ("Wx1 Wy1 | Ry1 Wz1 | Rz1 Rx0", ""),
    "IRIW": ("Wx1 | Rx1 Ry0 | Wy1 | Ry1 Rx0", ""),
    "Z6.0": ("Wx1 Wy1 | Ry1 Wz1 | Wz2 Rx0", "z=2"),
    "3.LB": ("Rx1 Wy1 | Ry1 Wz1 | Rz1 Wx1", ""),
    "3.SB": ("Wx1 Ry0 | Wy1 Rz0 | Wz1 Rx0", ""),
    "CoRR": ("Wx1 | Rx1 Rx0", ""),
    "CoWW": ("Wx1 Wx2", "x=1"),
    "CoRW1": ("Rx1 Wx1", ""),
    "CoWR": ("Wx1 Rx2 | Wx2", "x=1"),
    "CoRW2": ("Rx1 Wx2 | Wx1", "x=1"),
}


class Access:
    def __init__(self, text):
        self.kind, self.loc, self.value = text[0], text[1], int(text[2:])


def threads_of(name):
    """The accesses of each thread, and what is between them."""
    shape = next(s for s in sorted(SHAPES, key=len, reverse=True)
                 if name == s or name.startswith(s + "+"))
    text, final = SHAPES[shape]
    threads = [[Access(a) for a in t.split()] for t in text.split("|")]
    links = name[len(shape) + 1:].split("+") if name != shape else []
    pairs = [t for t in threads if len(t) == 2]
    if len(links) == 1 and len(pairs) > 1:  # MP+dmb.sys: on each thread
        links = [links[0][:-1] if links[0].endswith("s") else links[0]] * len(pairs)
    links = links or ["po"] * len(pairs)
    assert len(links) == len(pairs), name
    rest = iter(links)
    return [(t, next(rest) if len(t) == 2 else "po") for t in threads], final


def condition(threads, final, register):
    parts = [f"{i}:{register(k)}={a.value}" for i, (t, _) in enumerate(threads)
             for k, a in enumerate(t) if a.kind == "R"]
    parts += final.split()
    return "exists (" + " /\\ ".join(parts) + ")"


def columns(arch, name, init, code, question):
    rows = max(len(c) for c in code)
    lines = [" | ".join(f"P{i}" for i in range(len(code))) + " ;"]
    for r in range(rows):
        lines.append(" | ".join(c[r] if r < len(c) else "" for c in code) + " ;")
    return f"{arch} {name}\n{{\n{init}\n}}\n" + "\n".join(lines) + f"\n{question}\n"


class Assembly:
    """Registers: r(0), r(2) get values, r(1), r(3) hold addresses, r(4) is 0 and
    depends on r(0)."""

    def test(self, name):
        threads, final = threads_of(name)
        init = "\n".join(f"{i}:{self.x(2 * k + 1)}={a.loc};"
                         for i, (t, _) in enumerate(threads)
                         for k, a in enumerate(t))
        code = [self.thread(i, t, link) for i, (t, link) in enumerate(threads)]
        question = condition(threads, final, lambda k: self.x(2 * k))
        return columns(self.arch, name, init, code, question)

    def thread(self, i, accesses, link):
        # a-b: marks on the first and second access, and what is between.
        first, between, second = "", link, ""
        if link in self.marks:
            first, between, second = self.marks[link]
        lines = self.access(accesses[0], 0, first, "")
        if len(accesses) == 1:
            return lines
        return lines + self.between(i, between) + self.access(
            accesses[1], 1, second, between)


class AArch64(Assembly):
    arch = "AArch64"
    marks = {"rel": ("", "po", "L"), "acq": ("A", "po", ""),
             "acqpc": ("Q", "po", ""), "rel-acq": ("L", "po", "A"),
             "rel-acqpc": ("L", "po", "Q"), "acq-rel": ("A", "po", "L")}

    def x(self, n):
        return f"X{n}"

    def access(self, a, k, mark, link):
        value, base = 2 * k, 2 * k + 1
        address = f"[X{base},W4,SXTW]" if link == "addr" else f"[X{base}]"
        if a.kind == "R":
            op = {"A": "LDAR", "Q": "LDAPR"}.get(mark, "LDR")
            return [f"{op} W{value},{address}"]
        how = (f"ADD W{value},W4,#{a.value}" if link == "data"
               else f"MOV W{value},#{a.value}")
        return [how, f"{'STLR' if mark == 'L' else 'STR'} W{value},{address}"]

    def between(self, i, link):
        if link in ("addr", "data"):
            return ["EOR W4,W0,W0"]
        if link in ("ctrl", "ctrlisb"):
            return [f"CBNZ W0,L{i}", f"L{i}:"] + ["ISB"] * (link == "ctrlisb")
        return [] if link == "po" else [link.replace(".", " ").upper()]


class Power(Assembly):
    arch = "PPC"
    marks = {}

    def x(self, n):
        return f"r{n}"

    def access(self, a, k, _mark, link):
        value, base = 2 * k, 2 * k + 1
        if a.kind == "R":
            return [f"lwzx r{value},r4,r{base}" if link == "addr"
                    else f"lwz r{value},0(r{base})"]
        how = f"addi r{value},r4,{a.value}" if link == "data" else f"li r{value},{a.value}"
        return [how, f"stwx r{value},r4,r{base}" if link == "addr"
                else f"stw r{value},0(r{base})"]

    def between(self, i, link):
        if link in ("addr", "data"):
            return ["xor r4,r0,r0"]
        if link in ("ctrl", "ctrlisync"):
            return ["cmpw r0,r0", f"beq L{i}", f"L{i}:"] + ["isync"] * (link != "ctrl")
        return [] if link == "po" else [link]


class Arm(Assembly):
    arch = "ARM"
    marks = {}

    def x(self, n):
        return f"R{n}"

    def access(self, a, k, _mark, link):
        value, base = 2 * k, 2 * k + 1
        address = f"[R{base},R4]" if link == "addr" else f"[R{base}]"
        if a.kind == "R":
            return [f"LDR R{value},{address}"]
        how = (f"ADD R{value},R4,#{a.value}" if link == "data"
               else f"MOV R{value},#{a.value}")
        return [how, f"STR R{value},{address}"]

    def between(self, i, link):
        if link in ("addr", "data"):
            return ["EOR R4,R0,R0"]
        if link in ("ctrl", "ctrlisb"):
            return ["CMP R0,R0", f"BNE L{i}", f"L{i}:"] + ["ISB"] * (link == "ctrlisb")
        return [] if link == "po" else [link.replace(".", " ").upper()]


class RiscV(Assembly):
    arch = "RISCV"
    marks = {"rl": ("", "po", ".rl"), "aq": (".aq", "po", "")}

    def x(self, n):
        return f"x{n + 5}"

    def access(self, a, k, mark, link):
        value, base = self.x(2 * k), self.x(2 * k + 1)
        lines = [f"add {base},{base},x9"] if link == "addr" else []
        if a.kind == "R":
            return lines + [f"lw{mark} {value},0({base})"]
        how = f"ori {value},{'x9' if link == 'data' else 'x0'},{a.value}"
        return lines + [how, f"sw{mark} {value},0({base})"]

    def between(self, i, link):
        if link in ("addr", "data"):
            return ["xor x9,x5,x5"]
        if link == "ctrl":
            return [f"bne x5,x0,L{i}", f"L{i}:"]
        if link.startswith("fence.") and link != "fence.tso":
            return ["fence " + link[6:].replace(".", ",")]
        return [] if link == "po" else [link]


class X86(Assembly):
    arch = "X86"
    marks = {}

    def x(self, n):
        return ["EAX", "ESI", "EBX", "EDI", "ECX"][n]

    def access(self, a, k, _mark, _link):
        reg = self.x(2 * k)
        if a.kind == "R":
            return [f"MOV {reg},[{a.loc}]"]
        return [f"MOV [{a.loc}],${a.value}"]

    def between(self, _i, link):
        return [] if link == "po" else [link.upper()]


class X86Locked(X86):
    """Each write is an exchange."""
    arch = "X86_64"

    def x(self, n):
        return ["rax", "rsi", "rbx", "rdi", "rcx"][n]

    def access(self, a, k, _mark, _link):
        reg = "%eax" if k == 0 else "%ebx"
        if a.kind == "R":
            return [f"movl ({a.loc}),{reg}"]
        return [f"movl ${a.value},{reg}", f"xchgl {reg},({a.loc})"]


class C11:
    """A link is two orders and perhaps a fence between: rlx-rel, rlx-Facq-rlx."""
    orders = {"rlx": "relaxed", "acq": "acquire", "rel": "release",
              "sc": "seq_cst", "ar": "acq_rel"}

    def test(self, name):
        threads, final = threads_of(name)
        text = [f"C {name}", "{}"]
        for i, (accesses, link) in enumerate(threads):
            parts = (link if link != "po" else "rlx-rlx").split("-")
            text.append(f"P{i} (atomic_int* x, atomic_int* y, atomic_int* z) {{")
            for k, a in enumerate(accesses):
                if k and len(parts) == 3:
                    text.append(self.fence(parts[1]))
                text.append(self.access(a, k, parts[-1] if k else parts[0]))
            text.append("}")
        text.append(condition(threads, final, lambda k: f"r{k}"))
        return "\n".join(text) + "\n"

    def fence(self, order):
        return f"  atomic_thread_fence(memory_order_{self.orders[order[1:]]});"

    def access(self, a, k, order):
        order = f"memory_order_{self.orders[order]}"
        if a.kind == "R":
            return f"  int r{k} = atomic_load_explicit({a.loc}, {order});"
        return f"  atomic_store_explicit({a.loc}, {a.value}, {order});"


class Kernel(C11):
    """A link is what the kernel calls it: mb, wmb, rmb, rel, acq, addr, ..."""

    def test(self, name):
        threads, final = threads_of(name)
        text = [f"C {name}", "{}"]
        for i, (accesses, link) in enumerate(threads):
            text.append(f"P{i} (int* x, int* y, int* z) {{")
            for k, a in enumerate(accesses):
                if k and link in ("mb", "wmb", "rmb"):
                    text.append(f"  smp_{link}();")
                if k and link == "sync":
                    text.append("  synchronize_rcu();")
                text.append(self.access(a, k, link))
            if link == "rcu":
                text.insert(len(text) - len(accesses), "  rcu_read_lock();")
                text.append("  rcu_read_unlock();")
            text.append("}")
        text.append(condition(threads, final, lambda k: f"r{k}"))
        return "\n".join(text) + "\n"

    def access(self, a, k, link):
        if a.kind == "R" and k == 0 and link == "acq":
            return f"  int r0 = smp_load_acquire({a.loc});"
        if a.kind == "R":
            return f"  int r{k} = READ_ONCE(*{a.loc});"
        if k and link == "rel":
            return f"  smp_store_release({a.loc}, {a.value});"
        if k and link == "ctrl":
            return f"  if (r0 >= 0) {{ WRITE_ONCE(*{a.loc}, {a.value}); }}"
        value = f"(r0 ^ r0) + {a.value}" if k and link == "data" else a.value
        return f"  WRITE_ONCE(*{a.loc}, {value});"


WRITERS = {"AArch64": AArch64(), "PPC": Power(), "ARM": Arm(), "RISCV": RiscV(),
           "X86": X86(), "X86-locked": X86Locked(), "C11": C11(),
           "Kernel": Kernel()}
MODELS = {"AArch64": "armv8", "PPC": "power", "ARM": "armv7", "RISCV": "riscv",
          "X86": "tso", "X86-locked": "tso", "C11": "rc11", "Kernel": "lkmm"}


def read_rows(path):
    for line in path.read_text().splitlines():
        words = line.split("#")[0].split()
        if words:
            family, *rest = words
            for entry in rest[1:]:
                yield family, entry, rest[0]


# Texts of our own in the way herd's are written (--texts FOLDER): they must
# load, and answer as the models that come with Heddle.
TEXTS = {"AArch64": "aarch64.cat", "PPC": "ppc.cat", "RISCV": "riscv.cat",
         "X86": "x86.cat", "X86-locked": "x86.cat", "Kernel": "kernel.cat"}


def run(heddle, files, model=()):
    out = subprocess.run([heddle, "litmus", "--json", *model, *map(str, files)],
                         capture_output=True, text=True, check=False)
    return [json.loads(line) for line in out.stdout.splitlines()], out


def run_texts(heddle, folder, rows, files):
    answers, out = [None] * len(rows), None
    for family, text in TEXTS.items():
        own = [i for i, row in enumerate(rows) if row[0] == family]
        got, out = run(heddle, [files[i] for i in own],
                       ["--model", str(folder / text)])
        if len(got) != len(own):
            return got, out
        for i, answer in zip(own, got):
            answers[i] = answer
    return answers, out


def main():
    heddle, *rest = sys.argv[1:]
    work = Path(rest[rest.index("--work") + 1] if "--work" in rest else "families")
    work.mkdir(parents=True, exist_ok=True)
    texts = Path(rest[rest.index("--texts") + 1]) if "--texts" in rest else None
    rows = [row for row in read_rows(HERE / "families.txt")
            if not texts or row[0] in TEXTS]
    files = []
    for number, (family, name, _) in enumerate(rows):
        path = work / f"{number:03}.litmus"
        path.write_text(WRITERS[family].test(name))
        files.append(path)
    answers, out = (run_texts(heddle, texts, rows, files) if texts
                    else run(heddle, files))
    if len(answers) != len(rows):
        print(out.stderr)
        print("Bail out! not every test was answered")
        sys.exit(1)
    known = subprocess.run([heddle, "models"], capture_output=True, text=True,
                           check=True).stdout
    known = {line.split()[0] for line in known.splitlines()}
    failed = 0
    for number, ((family, name, want), got) in enumerate(zip(rows, answers), 1):
        if MODELS[family] not in known:
            # It must be understood nevertheless.
            ok = "no model" in got.get("error", "")
            why = got.get("error", "there is no such model, but an answer")
        else:
            ok = got.get("observation") == want
            why = got.get("error") or f"{got['observation']}, not {want}"
        failed += not ok
        if not ok:
            print(f"# {files[number - 1]}: {why}")
        print(f"{'ok' if ok else 'not ok'} {number} - {family} {name} {want}")
    print(f"1..{len(rows)}")
    sys.exit(1 if failed or not rows else 0)


if __name__ == "__main__":
    main()
