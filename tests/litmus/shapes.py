# SPDX-License-Identifier: MIT
"""Litmus shapes: a compact notation and its translation to C.

A shape is a name at the start of a line and indented lines below it:

    SB+scfs                           # a remark
      P0: x.rlx = 1; fence.sc; y.rlx
      P1: mirror
      sc 3; tso 3; ra 4; rc11 3; imm 3

P0, P1, ... are threads, started in this order by main and not joined. `main:`
is what main does after that. `args:` are options for heddle. The line without
a label is the expectation: MODEL COUNT, or what a `// expect:` line may say.
`all 3` means every model. Statements:

    x.rel = e          store              a = x.acq      load (or just x.acq)
    a = x.rlx += e     fetch-add          a = x.rel <- e         exchange
    a = x.acq/rlx : e -> n                compare-exchange; a is the value seen
    fence.acqrel    join P0    assume(c)    assert(c)    if (c) {..} else {..}

Modes are na, rlx, acq, rel, acqrel, sc. A name with a mode is shared (a plain
int when its mode is na, else an atomic one; an array when indexed), a name
without one is local. `mirror` is P0 with x and y, z and w exchanged.
"""
import re

MODES = {"rlx": "relaxed", "acq": "acquire", "rel": "release",
         "acqrel": "acq_rel", "sc": "seq_cst"}
MODE = r"(na|rlx|acqrel|acq|rel|sc)"
PLACE = r"\b([a-z]\w*(?:\[\w+\])?)\." + MODE + r"\b"
MIRROR = str.maketrans("xyzw", "yxwz")

PROLOGUE = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include <heddle.h>
"""
CAS = """
static int cas(atomic_int *where, int expected, int wanted,
               memory_order success, memory_order failure) {
  atomic_compare_exchange_strong_explicit(where, &expected, wanted, success,
                                          failure);
  return expected;
}
"""


class BadShape(Exception):
    pass


def order(mode):
    return "memory_order_" + MODES[mode]


def file_name(name):
    return re.sub(r"[^\w.+-]", "_", name)


def right_side(text):
    """An expression: each `x.mode` in it is a load."""
    def load(match):
        place, mode = match.groups()
        if mode == "na":
            return place
        return f"atomic_load_explicit(&{place}, {order(mode)})"
    return re.sub(PLACE, load, text)


def effect(text):
    """A statement without its `a =`, as a C expression."""
    match = re.fullmatch(PLACE + r"/" + MODE + r" : (.+) -> (.+)", text)
    if match:
        place, success, failure, expected, wanted = match.groups()
        return (f"cas(&{place}, {expected}, {wanted}, {order(success)}, "
                f"{order(failure)})")
    match = re.fullmatch(PLACE + r" (\+=|<-|=) (.+)", text)
    if match:
        place, mode, operator, value = match.groups()
        value = right_side(value)
        if mode == "na":
            return f"{place} {operator} {value}"
        call = {"=": "store", "+=": "fetch_add", "<-": "exchange"}[operator]
        return f"atomic_{call}_explicit(&{place}, {value}, {order(mode)})"
    match = re.fullmatch(r"fence\." + MODE, text)
    if match:
        return f"atomic_thread_fence({order(match.group(1))})"
    match = re.fullmatch(r"join (P\d)", text)
    if match:
        return f"pthread_join({match.group(1)}, NULL)"
    if text.startswith(("assume(", "assert(")):
        return right_side(text.replace("assume(", "heddle_assume("))
    if re.fullmatch(PLACE, text):
        return "(void)" + right_side(text)
    raise BadShape(f"cannot read the statement `{text}`")


def statement(text):
    match = re.fullmatch(r"([a-z]\w*) = (.+)", text)
    if not match:
        return effect(text) + ";"
    name, value = match.groups()
    if re.match(PLACE + r"(/| \+=| <-)", value):
        return f"int {name} = {effect(value)};"
    return f"int {name} = {right_side(value)};"


def body(text, indent="  "):
    """Statements with their blocks, as lines of C."""
    lines = []
    for part in re.findall(r"\} *else *\{| *if \(.*?\) *\{|\}|[^;{}]+", text):
        part = part.strip()
        if not part:
            continue
        if part.startswith("}"):
            indent = indent[2:]
        if part.endswith("{"):
            lines.append(indent + part)
            indent += "  "
        else:
            lines.append(indent + ("}" if part == "}" else statement(part)))
    return lines


def declarations(code):
    """The shared variables of a shape, in order of appearance."""
    size, atomic = {}, {}
    for place, mode in re.findall(PLACE, code):
        name, _, index = place.partition("[")
        if name == "fence":
            continue
        size[name] = max(size.get(name, 0), 2 if index else 0)
        if atomic.setdefault(name, mode != "na") != (mode != "na"):
            raise BadShape(f"`{name}` is used both atomic and not")
    for name, is_atomic in atomic.items():
        array = f"[{size[name]}]" if size[name] else ""
        yield f"{'atomic_int' if is_atomic else 'int'} {name}{array};"


def expectation(text):
    """`sc 3; ra error assertion` as `// expect:` understands it."""
    parts = [re.sub(r"^(\w+) 0$", r"\1 incomplete 0",  # vacuous
                    re.sub(r"^(\w+) ([1-9]\d*)$", r"\1 ok \2", part.strip()))
             for part in text.split(";")]
    return "// expect: " + "; ".join(parts)


def translate(name, remark, threads, main, args, expect):
    code = "; ".join([*threads.values(), main])
    out = ["// Generated from tests/litmus/shapes.txt: " + name
           + (", " + remark if remark else ""), expectation(expect)]
    if args:
        out.append("// args: " + args)
    out += [PROLOGUE.rstrip()] + ([CAS.rstrip()] if "->" in code else [])
    out += ["", *declarations(code)]
    ids = "pthread_t " + ", ".join(threads) + ";"
    is_shared = any("join" in text for text in threads.values())
    if is_shared:
        out.append("static " + ids)
    for thread, text in threads.items():
        out += ["", f"static void *thread_{thread}(void *unused) {{",
                "  (void)unused;", *body(text), "  return NULL;", "}"]
    out += ["", "int main(void) {"] + ([] if is_shared else ["  " + ids])
    out += [f"  pthread_create(&{t}, NULL, thread_{t}, NULL);" for t in threads]
    out += [*body(main), "  return 0;", "}", ""]
    return "\n".join(out)


def parse(block):
    """One shape: its name line and the indented lines."""
    head, *lines = block
    name, _, remark = (part.strip() for part in head.partition("#"))
    threads, main, args, expect = {}, "", "", None
    for line in lines:
        label, colon, text = (part.strip() for part in line.partition(":"))
        if re.fullmatch(r"P\d", label) and colon:
            if text == "mirror":
                text = re.sub(r"\b[xyzw]\b", lambda m: m[0].translate(MIRROR),
                              threads["P0"])
            threads[label] = text
        elif label == "main":
            main = text
        elif label == "args":
            args = text
        elif expect is None:
            expect = line.strip()
        else:
            raise BadShape(f"{name}: cannot read `{line.strip()}`")
    if not threads or expect is None:
        raise BadShape(f"{name}: threads or expectation missing")
    return name, translate(name, remark, threads, main, args, expect)


def read(path):
    """All shapes of a file as (name, C source)."""
    blocks = []
    for line in path.read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if line[0] != " ":
            blocks.append([])
        blocks[-1].append(line)
    names = [block[0].partition("#")[0].strip() for block in blocks]
    if len(set(names)) != len(names):
        raise BadShape("a name is used twice")
    return [parse(block) for block in blocks]
