#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Models from files, on the command line: what is explained, what is refused,
and that a model of one's own changes what is found. Speaks TAP."""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
import tap
from tap import test

HEDDLE = str(Path(sys.argv[1]).resolve())
MODELS = Path(__file__).parent.parent.parent / "models"
FOLDER = tempfile.TemporaryDirectory(prefix="heddle-models-")
WORK = Path(FOLDER.name)
SB = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
int a, b;
void *left(void *p) { atomic_store_explicit(&x, 1, memory_order_relaxed);
  a = atomic_load_explicit(&y, memory_order_relaxed); return p; }
void *right(void *p) { atomic_store_explicit(&y, 1, memory_order_relaxed);
  b = atomic_load_explicit(&x, memory_order_relaxed); return p; }
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, left, 0); pthread_create(&t, 0, right, 0);
  pthread_join(s, 0); pthread_join(t, 0);
  assert(a || b);
}
"""


def heddle(*args, code, **env):
    result = subprocess.run([HEDDLE, *map(str, args)], capture_output=True,
                            text=True, env={**os.environ, **env}, timeout=60)
    assert result.returncode == code, (
        f"{args}: exit code {result.returncode}\n{result.stdout}"
        f"{result.stderr}")
    return result


def write(name, text):
    path = WORK / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def says(result, *words):
    text = result.stdout + result.stderr
    for word in words:
        assert word in text, f"no {word!r} in:\n{text}"


@test
def complete_graphs_are_asked_about_their_last_event():
    # The read is the last event; before it, nothing is in the set.
    program = write("last.c", """#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
void *one(void *p) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return p;
}
void *other(void *p) {
  atomic_load_explicit(&x, memory_order_acquire);
  return p;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, one, 0);
  pthread_create(&t, 0, other, 0);
  return pthread_join(s, 0) || pthread_join(t, 0);
}
""")
    sc = "acyclic po | rf | co | fr as sc\n"
    for text, code, count in (("flag ~empty R & ACQ as seen", 1, None),
                              ("flag ~empty R & SC as seen", 0, 2),
                              ("flag ~empty THREAD as seen", 1, None),
                              ("empty R & ACQ as none", 3, 0),
                              ("empty R & SC as none", 0, 2),
                              ("empty domain(rf) & REL as none", 0, 2)):
        model = write("last.cat", sc + text + "\n")
        for how in [], ["--definition"], ["--without", "tail,leaf"]:
            result = heddle("check", "--json", "--model", model, *how, program,
                            code=code)
            report = json.loads(result.stdout)
            assert count in (None, report["executions"]), (text, how)


@test
def all_that_an_axiom_forbids_counts():
    # x is more than the closure of po, which the search sees to itself.
    model = write("more.cat", """acyclic po | rf as causality
acyclic (po & loc) | rf | co | fr as coherence
let rec x = po | (x; fr) | (x; x)
irreflexive x as more
""")
    program = write("sb.c", SB)
    for how in [], ["--definition"]:
        heddle("check", "--model", model, *how, program, code=0)


@test
def files_that_are_a_built_in_model_are_known():
    says(heddle("models", MODELS / "rc11.cat", code=0),
         "the built-in model rc11")
    own = write("own-sc.cat", "let com = rf | co | fr acyclic com | po as sc\n"
                "empty rmw & (fre; coe) as a")
    says(heddle("models", own, code=0), "the built-in model sc")
    other = write("other.cat", "acyclic po | rf | co | fr as sc")
    assert "built-in" not in heddle("models", other, code=0).stdout


@test
def long_executions_need_little_memory():
    # Each round of the loop depends on all rounds before it.
    source = write("long.c", """#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
void *loop(void *p) {
  for (int n = 0; atomic_load_explicit(&y, memory_order_relaxed) < 2;)
    atomic_store_explicit(&x, ++n, memory_order_relaxed);
  return p;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, loop, 0); pthread_create(&u, 0, loop, 0);
  pthread_join(t, 0); pthread_join(u, 0);
}
""")
    own = write("own-imm.cat", 'include "imm.cat"\nirreflexive po as own')
    for model in ("power", own):
        answer = json.loads(heddle("check", "--json", "--model", model,
                                   "--max-events", "40000", "--max-memory",
                                   "1000", source, code=3).stdout)
        # A sanitizer needs memory of its own.
        assert answer["max_rss_kb"] < 400_000, answer["max_rss_kb"]


@test
def files_are_explained():
    says(heddle("models", MODELS / "rc11.cat", code=0), "coherence",
         "irreflexive", "monotone", "prunes", "proved      po | rf has no cycle")
    says(heddle("models", MODELS / "armv8.cat", code=0),
         "not proved  po | rf has no cycle: reads may take", "addr")
    says(heddle("models", MODELS / "rc11-c11rs.cat", code=0), "unstable",
         "filters complete graphs")


@test
def definitions_are_shown():
    for name in ("sc", "rc11", "armv8"):
        shown = heddle("models", "--show", name, code=0).stdout
        assert shown == (MODELS / f"{name}.cat").read_text(), name
    says(heddle("models", "--show", "rc12", code=2), "rc12", "rc11")


@test
def mappings_are_printed():
    says(heddle("models", "--mapping", "power", code=0), "lwsync; st",
         "sync; ld; cmp; bc; isync", "lwarx")
    says(heddle("models", "--mapping", "riscv", code=0), "fence.tso")
    says(heddle("models", "--mapping", "rc11", code=2), "no mapping", "armv8")


@test
def base_names_are_listed():
    says(heddle("models", "--names", code=0), "LOCKED", "casdep", "relation")


@test
def a_model_of_ones_own():
    program = write("sb.c", SB)
    sc = write("mine.cat", '"mine" acyclic po | rf | co | fr as sc')
    weak = write("weak.cat", "acyclic po | rf as porf\n"
                 "acyclic po & loc | rf | co | fr as coherence\n")
    says(heddle("check", "--model", sc, program, code=0), "3 executions")
    says(heddle("check", "--model", weak, program, code=1), "assertion")
    # A name without a slash is a file if it ends like one.
    result = subprocess.run([HEDDLE, "check", "--model", "mine.cat", program],
                            cwd=WORK, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr


@test
def events_that_make_others_forbidden():
    # A read is on no cycle, but the writes that it sees the order of are.
    model = write("seen.cat", """acyclic (po & loc) | rf | co | fr
acyclic po | rf
acyclic po | (co & (fr^-1; fr)) as seen
""")
    threads = {"a": "ST(x, 1); ST(y, 2);", "b": "ST(y, 1); ST(x, 2);",
               "c": "LD(x);", "d": "LD(y);"}
    program = write("seen.c", """#include <pthread.h>
#include <stdatomic.h>
#define ST(v, n) atomic_store_explicit(&v, n, memory_order_relaxed)
#define LD(v) atomic_load_explicit(&v, memory_order_relaxed)
atomic_int x, y;
""" + "".join(f"void *{name}(void *p) {{ {work} return p; }}\n"
              for name, work in threads.items())
        + "int main(void) {\n  pthread_t id;\n"
        + "".join(f"  pthread_create(&id, 0, {name}, 0);\n"
                  for name in threads) + "}\n")
    # 4 orders of writes, 3 sources for each read; one of the 36 is refused:
    # both pairs of writes crossed, and both reads see the old value.
    for more in [], ["--definition"]:
        result = json.loads(heddle("check", "--json", *more, "--model", model,
                                   program, code=0).stdout)
        assert result["executions"] == 35, result["executions"]


@test
def a_model_without_coherence():
    program = write("corr.c", SB.replace("&y", "&x").replace("assert(a || b)",
                                                             "assert(a)"))
    rules = "acyclic po | rf as porf\n"
    coherent = write("coherent.cat",
                     rules + "acyclic po & loc | rf | co | fr as c\n")
    incoherent = write("incoherent.cat", rules)
    says(heddle("models", incoherent, code=0),
         "not proved  each thread sees each location in one order",
         "every write is tried")
    says(heddle("check", "--model", coherent, program, code=0), "No errors")
    # The thread that wrote x = 1 reads 0.
    says(heddle("check", "--model", incoherent, program, code=1), "assertion")


@test
def includes_are_found():
    program = write("sb.c", SB)
    (WORK / "parts").mkdir(exist_ok=True)
    (WORK / "parts" / "com.cat").write_text("let com = rf | co | fr")
    model = write("including.cat", 'include "com.cat" acyclic po | com as sc')
    says(heddle("check", "--model", model, program, code=2),
         "including.cat:1:1: error:", "com.cat", "hint: -I")
    heddle("check", "--model", model, "-I", WORK / "parts", program, code=0)
    heddle("models", model, "-I", WORK / "parts", code=0)
    heddle("check", "--model", model, program, code=0,
           HEDDLE_CAT_PATH=str(WORK / "parts"))
    # What comes with Heddle can be included too.
    model = write("with.cat", 'include "rc11.cat" empty R & W as nothing')
    heddle("models", model, code=0)


@test
def wrong_files_are_refused():
    program = write("sb.c", SB)
    for text, *words in (
            ("", "no axiom"),
            ("acyclic po | fx as a", ":1:14: error:", "'fx' is not defined",
             "did you mean 'fr'"),
            ("acyclic R as a", ":1:9: error:", "expected a relation"),
            ("let rec x = ~x acyclic x as a", "no fixpoint"),
            (b"\x7fELF\x00\x01", "0x7f"),
            ("let x = " + "po | " * 2_000_000 + "po", "error:"),
            ("enum x = 'a", "'enum'", "not supported")):
        model = write("wrong.cat", text)
        says(heddle("check", "--model", model, program, code=2), *words)
        says(heddle("models", model, code=2), *words)
    says(heddle("check", "--model", "./nowhere.cat", program, code=2),
         "nowhere.cat")
    says(heddle("check", "--model", "rc12", program, code=2), "rc11")


SB_ORDERS = """#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
void *left(void *p) { atomic_store_explicit(&x, 1, STORE);
  atomic_load_explicit(&y, LOAD); return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, left, 0);
  atomic_store_explicit(&y, 1, STORE);
  atomic_load_explicit(&x, LOAD);
  pthread_join(t, 0);
}
"""


@test
def variants_change_the_instructions():
    program = write("sb-orders.c", SB_ORDERS)
    sc, rlx = "memory_order_seq_cst", "memory_order_relaxed"
    # Where the barrier of sc accesses is: before them, or behind them.
    for model, variant, store, load, count in [
            ("power", None, sc, rlx, 4), ("power", "trailing-sync", sc, rlx, 3),
            ("power", None, rlx, sc, 3), ("power", "trailing-sync", rlx, sc, 4),
            ("riscv", None, sc, rlx, 4), ("riscv", "store-fence", sc, rlx, 3),
            ("riscv", "amo", sc, rlx, 4),
            ("riscv", "amo,store-fence", sc, rlx, 3)]:
        chosen = ["--variant", variant] if variant else []
        says(heddle("check", "--model", model, *chosen, program, "--",
                    f"-DSTORE={store}", f"-DLOAD={load}", code=0),
             f"No errors: {count} executions")
    says(heddle("models", "--mapping", "power", code=0), "trailing-sync")
    says(heddle("check", "--model", "power", "--variant", "amo", program,
                code=2), "no variant 'amo'")
    says(heddle("check", "--variant", "amo", program, code=2),
         "'rc11' has no variants")


FLAGGED = """acyclic po | rf | co | fr as sc
flag ~empty rf & ext as message
"""


@test
def flags_are_reported():
    program = write("sb.c", SB)
    says(heddle("check", "--model", write("flagged.cat", FLAGGED), program,
                code=1), "raises its flag 'message'", "[flag]")
    own = FLAGGED.replace("message", "data-race")
    says(heddle("check", "--model", write("racy.cat", own), program, code=1),
         "[race]")
    heddle("check", "--disable", "flag", "--model", WORK / "flagged.cat",
           program, code=0)


# Who waits has read data in a failed round; nothing is written after that, and
# the execution in which it reads the newest value has no race.
RACY_WAIT = """#include <pthread.h>
#include <stdatomic.h>
static atomic_int ready;
static int data;
static void *reader(void *unused) {
  while (!atomic_load_explicit(&ready, memory_order_acquire))
    if (data == 5)
      break;
  return unused;
}
static void *writer(void *unused) {
  data = 1;
  atomic_store_explicit(&ready, 1, memory_order_release);
  return unused;
}
int main(void) {
  pthread_t r, w;
  pthread_create(&r, 0, reader, 0);
  pthread_create(&w, 0, writer, 0);
  pthread_join(r, 0);
  pthread_join(w, 0);
}
"""


@test
def flags_are_about_failed_rounds_too():
    racy = """acyclic po | rf | co | fr as sc
let hb = (po | [REL]; rf; [ACQ])+
let conflict = (W * R | R * W | W * W) & loc & ext
flag ~empty ([NA]; conflict) \\ (hb | hb^-1 | IW * R | R * IW) as data-race
"""
    says(heddle("check", "--model", write("racy_hb.cat", racy),
                write("racy_wait.c", RACY_WAIT), code=1), "[race]")


# What it does behind the loop tells the writer to write, in order by C11's
# rule.
RACY_END = """#include <pthread.h>
#include <stdatomic.h>
static atomic_int ready, told, out;
static int data;
static void *waiter(void *unused) {
  while (!atomic_load_explicit(&ready, memory_order_relaxed))
    if (data == 5)
      break;
  atomic_store_explicit(&told, 1, memory_order_release);
  return unused;
}
static void *ender(void *unused) {
  atomic_store_explicit(&ready, 1, memory_order_relaxed);
  return unused;
}
static void *writer(void *unused) {
  if (atomic_load_explicit(&told, memory_order_acquire)) {
    data = 1;
    atomic_store_explicit(&out, 1, memory_order_relaxed);
  }
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, waiter, 0);
  pthread_create(&t, 0, ender, 0);
  pthread_create(&t, 0, writer, 0);
}
"""


@test
def flags_are_about_rounds_and_what_comes_behind_them():
    program = write("racy_end.c", RACY_END)
    # Nothing but SC accesses orders.
    races = """include "rc11.cat"
let order = (po | [SC]; rf; [SC])+
let conflict = (W * R | R * W | W * W) & loc & ext
flag ~empty ([NA]; conflict) \\ (order | order^-1 | IW * R | R * IW)
  as data-race
"""
    heddle("check", program, code=0)
    says(heddle("check", "--model", write("only_sc.cat", races), program,
                code=1), "[race]")
    # Of a plain read, a message, and what is written behind that.
    seen = """include "rc11.cat"
flag ~empty [NA & R]; po; [REL & W]; rf; [ACQ & R]; po; [RLX & W] as seen
"""
    says(heddle("check", "--model", write("seen.cat", seen), program, code=3),
         "flags of the model may be about rounds of a loop that waits")
    heddle("check", "--disable", "flag", "--model", WORK / "seen.cat", program,
           code=0)


MP_ARM = """AArch64 mp
{ 0:X1=x; 0:X3=y; 1:X1=x; 1:X3=y; }
 P0           | P1            ;
 MOV W0,#1    | LDAR W0,[X3]  ;
 STR W0,[X1]  | LDR W2,[X1]   ;
 STLR W0,[X3] |               ;
exists (1:X0=1 /\\ 1:X2=0)
"""


@test
def flags_are_reported_for_every_architecture():
    test = write("mp.litmus", MP_ARM)
    # Two flags about the same two places.
    both = write("both.cat", "acyclic po | rf | co | fr as sc\n"
                 "flag ~empty rfe as message\nflag ~empty rfe as other\n"
                 "flag ~empty co & int as never\n")
    answer = heddle("litmus", "--model", both, test, code=0)
    says(answer, "Flag message", "Flag other")
    assert "never" not in answer.stdout
    answer = heddle("check", "--all-errors", "--model", both,
                    write("sb.c", SB), code=1)
    says(answer, "'message'", "'other'")


@test
def no_execution_is_no_answer():
    nothing = write("nothing.cat", "acyclic po | rf as a\nempty W as b")
    test = write("mp.litmus", MP_ARM)
    says(heddle("litmus", "--model", nothing, test, code=0), "States 0",
         "No execution of this test is allowed")


@test
def what_a_text_about_arm_calls_its_accesses():
    test = write("mp.litmus", MP_ARM)
    rules = ("acyclic (po & loc) | rf | co | fr as internal\n"
             "acyclic rfe | fre | coe | addr; po? | data | ctrl | "
             "(addr | data); rfi | po; [THREAD]; po | ")
    # Acquire and release order here, all atomic accesses do there.
    arm = write("arm.cat", f"AArch64 own\n{rules}[A]; po | po; [L] as ob")
    says(heddle("litmus", "--model", arm, test, code=0), "Never 0 3")
    plain = write("plain.litmus",
                  MP_ARM.replace("LDAR", "LDR").replace("STLR", "STR"))
    says(heddle("litmus", "--model", arm, plain, code=0), "Sometimes 1 3")
    any_atomic = write("any.cat", f"{rules}[A]; po as ob")
    says(heddle("litmus", "--model", any_atomic, plain, code=0), "Never 0 3")
    says(heddle("litmus", "--model",
                write("l.cat", f"{rules}[A]; po | po; [L] as ob"), test,
                code=2), "'L' is not defined")


# The first thread stores with seq_cst unless it has seen what the second one
# writes after a read (so that it is there first).
CHOOSY = SB[:SB.index("void *left")] + """
void *left(void *p) {
  if (!atomic_load_explicit(&x, memory_order_relaxed)) atomic_store(&y, 1);
  return p; }
void *right(void *p) { b = atomic_load_explicit(&y, memory_order_relaxed);
  atomic_store_explicit(&x, 1, memory_order_relaxed); return p; }
""" + SB[SB.index("int main"):].replace("a || b", "a || !b")


@test
def an_axiom_may_forbid_what_an_event_is():
    program = write("choosy.c", CHOOSY)
    rules = "acyclic po | rf | co | fr as sc\n"
    says(heddle("check", "--model", write("all.cat", rules), program, code=1),
         "assertion")
    for axiom in ("empty [SC & W]", "irreflexive [SC]; [W]",
                  "acyclic po | [SC & W]", "empty (SC * W) & id",
                  "irreflexive [SC & W]; po?"):
        model = write("some.cat", rules + axiom + " as choosy\n")
        says(heddle("check", "--model", model, program, code=0), "1 execution ")
        says(heddle("models", model, code=0), "not extensible")


@test
def an_axiom_may_forbid_how_the_halves_of_an_update_are_related():
    program = write("updates.c", SB.replace(
        "atomic_store_explicit(&x, 1, memory_order_relaxed)",
        "atomic_fetch_add(&x, 1)"))
    rules = "acyclic po | rf | co | fr as sc\n"
    for axiom in "empty rmw & ([SC]; po)", "irreflexive rmw^-1; [SC]; po":
        model = write("halves.cat", rules + axiom + " as halves\n")
        says(heddle("check", "--model", model, program, code=3), "vacuous")


OWN_STORE = """AArch64 own
{ 0:X1=x; }
 P0              ;
 LDXR W2,[X1]    ;
 MOV W3,#1       ;
 STR W3,[X1]     ;
 MOV W4,#2       ;
 STXR W5,W4,[X1] ;
exists (0:X5=0)
"""


@test
def a_store_of_ones_own_between_the_halves_is_the_models_business():
    test = write("own.litmus", OWN_STORE)
    rules = "acyclic po | rf | co | fr as sc\nempty rmw & "
    for between, answer in (("(fr & ext); (co & ext)", "Sometimes 1 1"),
                            ("fr; co", "Never 0 1"),
                            ("((fr; co) & int)", "Never 0 1")):
        model = write("own.cat", f"{rules}({between}) as atomicity\n")
        says(heddle("litmus", "--model", model, test, code=0), answer)


PAIRED = """AArch64 paired
{ 0:X1=x; 0:X3=y; 1:X1=x; 2:X1=x; 2:X3=y; }
 P0              | P1           | P2           ;
 LDXR W2,[X1]    | MOV W0,#1    | MOV W0,#1    ;
 MOV W4,#2       | STR W0,[X1]  | STR W0,[X3]  ;
 STXR W5,W4,[X1] |              | DMB SY       ;
 DMB SY          |              | LDR W2,[X1]  ;
 LDR W6,[X3]     |              |              ;
exists (0:X2=1 /\\ 0:X5=0 /\\ 0:X6=0 /\\ 2:X2=0)
"""


@test
def a_path_over_a_store_conditional_counts():
    # Of the new load nothing leads on but within a path that begins elsewhere.
    model = write("paired.cat", """acyclic po | rf as causality
let one = po; fr; rf; rmw; po
let other = po; fr; po
acyclic [DMB.SY]; ((one | other) \\ id) as rule
""")
    test = write("paired.litmus", PAIRED)
    for how in [], ["--definition"]:
        says(heddle("litmus", "--model", model, *how, test, code=0),
             "Never 0 21")


STATUS = """RISCV status
{ 0:x5=x; 0:x7=z; 1:x7=z; 1:x5=x; }
 P0                 | P1              ;
 ori x10,x0,1       | lw.aq x10,0(x7) ;
 lr.w x11,0(x5)     | lw x11,0(x5)    ;
 sc.w x12,x10,0(x5) |                 ;
 xor x13,x12,x12    |                 ;
 ori x13,x13,1      |                 ;
 sw x13,0(x7)       |                 ;
exists (0:x12=0 /\\ 1:x10=1 /\\ 1:x11=0)
"""


@test
def what_a_store_conditional_says_is_depended_on():
    ra = (MODELS / "ra.cat").read_text()
    for rule, answer in (
            ("irreflexive [IW]; po as nothing", "Sometimes 1 5"),
            ("irreflexive [W]; data; [W & RLX]; rf; [R & ACQ]; po; fr as more",
             "Never 0 5")):
        model = write("status.cat", ra + rule + "\n")
        test = write("status.litmus", STATUS)
        for how in [], ["--definition"]:
            says(heddle("litmus", "--model", model, *how, test, code=0), answer)


@test
def what_no_axiom_asks_for_is_defined_with_others():
    program = write("sb.c", SB)
    for rule, code in ("irreflexive q; po", 1), ("empty q & ext", 0):
        model = write("group.cat", f"""acyclic po | rf as causality
acyclic (po & loc) | rf | co | fr as coherence
let rec q = fr and p = data | q
{rule} as rule
""")
        for how in [], ["--definition"]:
            heddle("check", "--model", model, *how, program, code=code)


@test
def models_that_cannot_be_explored_are_refused():
    program = write("sb.c", SB)
    model = write("nothing.cat", "acyclic po & loc | rf | co | fr as c")
    says(heddle("check", "--model", model, program, code=2),
         "cannot explore under this model")
    says(heddle("models", model, code=0), "thin air")
    # Reads may take what comes after them, their own thread's writes too.
    loose = write("loose.cat", "let com = rf | co | fr\n"
                  "acyclic (po & loc) \\ (R * W) | com as c\n")
    says(heddle("check", "--model", loose, program, code=2), "loose.cat:2",
         "sees its own writes to a location in order", "acyclic po | rf")
    says(heddle("models", loose, code=0), "Heddle does not explore this model")


tap.main()
