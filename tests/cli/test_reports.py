#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What reports say about an execution: what led to an error, what is left out.

    tests/cli/test_reports.py build/heddle [WORD...]
"""
import os
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap
from heddle import check_json, check_source, heddle, write
from tap import test

# T1 copies a into b through c; d has nothing to do with the assertion.
CHAIN = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int a, b, c, d;

static void *copy(void *unused) {
  atomic_store(&d, 7);
  int x = atomic_load(&a);
  atomic_store(&c, x + 1);
  atomic_fetch_add(&d, 1);
  if (atomic_load(&c) == 2)
    atomic_store(&b, 1);
  return unused;
}

int main(void) {
  pthread_t id;
  pthread_create(&id, NULL, copy, NULL);
  atomic_store(&a, 1);
  int seen = atomic_load(&d);
  int *room = malloc(sizeof *room);
  room = realloc(room, 2 * sizeof *room);
  pthread_join(id, NULL);
  int y = atomic_load(&b);
  free(room);
  assert(y == 0);
  return seen == 100;
}
"""


def causes(report):
    """Kind and location of the events that led to the error."""
    return sorted((e["kind"], e["location"]) for e in report["events"]
                  if e["matters"])


@test
def what_led_to_an_assertion_is_marked():
    want = [("read", "a"), ("read", "b"), ("read", "c"),
            ("write", "a"), ("write", "b"), ("write", "c")]
    for model in ("sc", "rc11", "imm", "armv8"):
        report = check_json(CHAIN, "--model", model, code=1)
        assert causes(report) == want, (model, causes(report))


@test
def parts_of_a_condition_that_were_read_before_its_line_are_marked():
    source = CHAIN.replace("assert(y == 0);", "assert(y == 0 || d == 0);")
    want = {("read", x) for x in "abcd"} | {("write", x) for x in "abcd"}
    for model in ("rc11", "armv8"):
        report = check_json(source, "--model", model, code=1)
        assert set(causes(report)) == want, (model, causes(report))


@test
def the_pointer_of_a_bad_access_is_marked():
    report = check_json("""\
#include <stdatomic.h>
#include <stddef.h>
_Atomic(int *) p;
int other;
int main(void) {
  other = 1;
  return *atomic_load(&p);
}
""", code=1)
    assert causes(report) == [("read", "p")], causes(report)


@test
def nothing_matters_to_an_error_that_looks_at_nothing():
    report = check_json("""\
#include <assert.h>
int x;
int main(void) { x = 1; assert(0); }
""", code=1)
    assert causes(report) == [], causes(report)


@test
def a_long_thread_is_reported_without_causes():
    report = check_json("""\
#include <assert.h>
#include <stdatomic.h>
atomic_int x;
int main(void) {
  for (int i = 0; i < 3000; i++)
    if (atomic_fetch_add(&x, 1) < 0)
      return 0;
  assert(0);
}
""", code=1)
    assert len(report["events"]) > 6000


LONG_NAMES = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
struct statistics { atomic_int messages_received, messages_sent; };
struct statistics statistics_of_the_whole_program;
static void *sender_of_messages(void *unused) {
  atomic_store(&statistics_of_the_whole_program.messages_sent, 1);
  return unused;
}
static void *receiver_of_messages(void *unused) {
  atomic_store(&statistics_of_the_whole_program.messages_received,
    atomic_load(&statistics_of_the_whole_program.messages_sent));
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, sender_of_messages, NULL);
  pthread_create(&b, NULL, receiver_of_messages, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(statistics_of_the_whole_program.messages_received == 0);
  return 0;
}
"""


@test
def the_table_keeps_to_the_width():
    path = write("names.c", LONG_NAMES)
    for width in (40, 60, 80, 100, 132, 200):
        text = heddle("check", path, code=1, COLUMNS=str(width)).stdout
        table = text[text.index("The execution"):].split("\n\n")[1:]
        table = [line for part in table for line in part.splitlines()
                 if not line.startswith(("1 error", "  statistics", "Order"))]
        assert len(table) > 10
        for line in table:
            assert len(line) <= width, (width, line)
    assert "| " in heddle("check", path, COLUMNS="132").stdout
    assert "| " not in heddle("check", path, COLUMNS="40").stdout[800:]


@test
def full_shows_what_is_left_out():
    source = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int a, b, c, x;
static void *f(void *unused) { atomic_store(&x, 1); return unused; }
int main(void) {
  pthread_t id;
  a = 1; b = 2; c = 3;
  pthread_create(&id, NULL, f, NULL);
  assert(atomic_load(&x) == 0);
  return 0;
}
"""
    short = check_source(source, code=1).stdout
    full = check_source(source, "--full", code=1).stdout
    assert "... 3 events not shown (--full shows them)" in short, short
    assert "write b = 2" not in short, short
    assert "write b = 2" in full and "not shown" not in full, full


# Its tail is relaxed, which is the error.
QUEUE = """\
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#define N 4
struct queue { _Atomic unsigned head, tail; int slots[N]; };
static struct queue *q;
static int push(int v) {
  unsigned t = atomic_load_explicit(&q->tail, memory_order_relaxed);
  if (t - atomic_load_explicit(&q->head, memory_order_acquire) == N) return 0;
  q->slots[t % N] = v;
  atomic_store_explicit(&q->tail, t + 1, memory_order_relaxed);
  return 1;
}
static int pop(int *v) {
  unsigned h = atomic_load_explicit(&q->head, memory_order_relaxed);
  if (atomic_load_explicit(&q->tail, memory_order_acquire) == h) return 0;
  *v = q->slots[h % N];
  atomic_store_explicit(&q->head, h + 1, memory_order_release);
  return 1;
}
static void *producer(void *a) { push(1); push(2); return a; }
static void *consumer(void *a) { int v; pop(&v); pop(&v); return a; }
int main(void) {
  pthread_t a, b;
  q = calloc(1, sizeof *q);
  pthread_create(&a, 0, producer, 0);
  pthread_create(&b, 0, consumer, 0);
  pthread_join(a, 0); pthread_join(b, 0);
}
"""


@test
def the_flag_that_does_not_synchronise_is_shown():
    rows = check_source(QUEUE, code=1).stdout.splitlines()
    write = [i for i, row in enumerate(rows) if "tail = 2 (rlx)" in row]
    read = [i for i, row in enumerate(rows) if re.search(r"16  read .*tail", row)]
    assert len(write) == len(read) == 1 and write < read, "\n".join(rows)


# The execution that is found first is the one with the loop.
LONG_FIRST = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
static void *f(void *unused) {
  if (atomic_load(&y) == 1)
    for (int i = 0; i < 9; i++)
      atomic_fetch_add(&y, 1);
  atomic_store(&x, 1);
  return unused;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, NULL, f, NULL);
  atomic_store(&y, 1);
  pthread_join(id, NULL);
  assert(x == 0);
}
"""


@test
def the_shortest_execution_that_shows_an_error():
    first = check_json(LONG_FIRST, code=1)
    for more in ([], ["-j2"], ["--model", "armv8"]):
        short = check_json(LONG_FIRST, "--shortest", *more, code=1)
        assert len(short["events"]) < len(first["events"]) - 15, more
        assert len(short["errors"]) == 1 and short["limit"] is None, short
        assert causes(short), short
    text = check_source(LONG_FIRST, "--shortest", code=1).stdout
    assert "there may be more errors" not in text, text


RELAXED = """\
// heddle: expect error race
#include <pthread.h>
#include <stdatomic.h>
int data;
atomic_int flag;
static void *sends(void *unused) {
  data = 1;
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return unused;
}
static void *takes(void *unused) {
  if (atomic_load_explicit(&flag, memory_order_acquire))
    data = 2;
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, sends, NULL);
  pthread_create(&b, NULL, takes, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
"""
MEND = ("With release in line 8 the error is gone: heddle optimize --repair "
        "shows the patch.")


@test
def the_report_says_what_would_mend_it():
    write("relaxed.c", RELAXED)
    text = heddle("check", "relaxed.c", code=1, COLUMNS="200").stdout
    assert MEND in text, text
    # and that is true
    patched = RELAXED.replace("1, memory_order_relaxed", "1, memory_order_release")
    check_source(patched, code=0)
    patch = heddle("optimize", "--repair", "--diff", "relaxed.c", code=0).stdout
    assert [line for line in patch.splitlines() if line[:1] == "+"][1:] == \
        ["+  atomic_store_explicit(&flag, 1, memory_order_release);"], patch


@test
def what_would_mend_it_is_an_option():
    off = check_source(RELAXED, "--mend", "off", code=1).stdout
    assert "is gone" not in off, off
    assert "mend" not in check_json(RELAXED, code=1)
    assert check_json(RELAXED, "--mend", "on", code=1)["mend"] == MEND
    write("relaxed.c", RELAXED)
    for args in (["test"], ["check", "--separately"]):
        text = heddle(*args, "relaxed.c").stdout
        assert "is gone" not in text, text


DEKKER = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int wants[2];
int is_in[2], id[2] = {0, 1};
#define SET(x) atomic_store_explicit(x, 1, memory_order_relaxed)
static void *enter(void *p) {
  int me = *(int *)p;
  SET(&wants[me]); is_in[me] = !atomic_load_explicit(&wants[1 - me], memory_order_relaxed);
  return p;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, enter, &id[0]);
  pthread_create(&b, NULL, enter, &id[1]);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(!(is_in[0] && is_in[1]));
}
"""


@test
def of_two_orders_in_one_line_the_columns_are_said():
    text = heddle("check", write("dekker.c", DEKKER), code=1,
                  COLUMNS="200").stdout
    assert "With seq_cst in lines 9:3 and 9:33 the error is gone" in text, text


@test
def nothing_is_said_where_no_order_helps():
    for text in (RELAXED.replace("if (atomic_load_explicit(&flag, "
                                 "memory_order_acquire))", ""),
                 RELAXED.replace("atomic_int", "int").replace(
                     "atomic_store_explicit(&flag, 1, memory_order_relaxed)",
                     "flag = 1").replace("atomic_load_explicit(&flag, "
                                         "memory_order_acquire)", "flag")):
        assert "is gone" not in check_source(text, code=1).stdout


@test
def a_mend_is_said_of_weak_memory_only():
    """Store buffering: sc under rc11; an interleaving has no mend."""
    weak = RELAXED.replace("int data;", "atomic_int data;").replace(
        "data = 1;", "atomic_store_explicit(&data, 1, memory_order_relaxed);") \
        .replace("data = 2", "if (!atomic_load_explicit(&data, "
                             "memory_order_relaxed)) *(int *)0 = 1")
    text = heddle("check", write("weak.c", weak), code=1, COLUMNS="200").stdout
    assert "With release in line 8 the error is gone" in text, text
    strong = weak.replace("&flag, 1, memory_order_relaxed",
                          "&flag, 1, memory_order_release") \
        .replace("if (!atomic", "if (atomic")
    assert "is gone" not in check_source(strong, code=1).stdout


@test
def a_long_execution_is_reported_without_a_mend():
    """To judge one of 2,000 events took 10 s, of 10,000 for ever, and no
    interrupt was heeded meanwhile."""
    long = RELAXED.replace("data = 1;", """for (int i = 0; i < 4000; i++)
    atomic_fetch_add(&count, 1);
  data = 1;""").replace("atomic_int flag", "atomic_int count, flag")
    assert long.count("count") == 2, long
    start = os.times().children_user
    text = check_source(long, code=1).stdout
    assert "race" in text and "is gone" not in text, text
    assert os.times().children_user - start < 5


VALUES = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
enum color { RED, GREEN = 5, BLUE = -1 };
struct slot { int value; atomic_int turn; };
struct bits { unsigned a : 3; int b : 4; };
struct rec { double w; enum color c; struct slot *s; char tag; struct bits f; };
struct slot slots[4];
struct bits flags, *there;
_Atomic enum color color;
float part;
atomic_int *turn;
struct slot *slot;
const char *name;
char letter;
_Atomic __int128 wide;
long double longer;
union { double d; uint64_t u; } both;
union { int all; struct { short low, high; } half; } word;
union turns { struct { short low, high; } half; int all; } turns, *far;
double *heap;
struct rec *rec;
static void *f(void *unused) {
  atomic_store(&color, GREEN);
  part = 0.1f;
  turn = &slots[2].turn;
  slot = &slots[1];
  name = "hello";
  letter = 'x';
  wide = ((__int128)7 << 64) | 9;
  longer = 2.5L;
  both.d = 1.5;
  both.u++;
  word.half.high = 7;
  turns.all = 6;
  far->all = 8;
  *heap = 4.75;
  flags.b = -3;
  there->a = 2;
  rec->w = 6.5;
  rec->c = BLUE;
  rec->s = &slots[3];
  rec->tag = 0;
  rec->f.b = -1;
  return unused;
}
int main(void) {
  pthread_t id;
  heap = malloc(sizeof *heap);
  there = calloc(1, sizeof *there);
  far = calloc(1, sizeof *far);
  rec = calloc(1, sizeof *rec);
  pthread_create(&id, NULL, f, NULL);
  pthread_join(id, NULL);
  assert(color == RED);
}
"""


@test
def values_are_as_the_source_has_them():
    write("values.c", VALUES)
    text = heddle("check", "--full", "--mend", "off", "values.c", code=1,
                  COLUMNS="400").stdout
    for words in ("write color = GREEN (sc)", "write part = 0.1 (na)",
                  "write turn = &slots[2].turn (na)", "write slot = &slots[1] (na)",
                  'write name = "hello" (na)', "write letter = 'x' (na)",
                  "write wide = 0x70000000000000009 (sc)",
                  "write longer = 0xa000000000000000 (na)",
                  "write both = 1.5 (both.d, na)",
                  "write word.half.high = 7 (na)",
                  "write turns.all = 6 (na)", "write far->all = 8 (",
                  "write *heap = 4.75 (malloc#1, na)",
                  "write flags = {0, -3} (flags.{a, b}, na)",
                  "write *there = {2, 0} (",
                  "write rec->w = 6.5 (", "write rec->c = BLUE (",
                  "write rec->s = &slots[3] (", "write rec->tag = '\\0' (",
                  "write rec->f = {0, -1} (", "read color = GREEN (sc, from T1"):
        assert words in text, f"{words}\n{text}"


REFERENCES = """\
#include <cassert>
struct Job { int &out; int &&in; };
static int result, source;
static Job job{result, static_cast<int &&>(source)};
int main() { job.out = 1; job.in = 2; assert(result == 0); }
"""


@test
def references_are_values_like_pointers():
    write("references.cpp", REFERENCES)
    text = heddle("check", "--full", "references.cpp", code=1,
                  COLUMNS="200").stdout
    for words in ("job.out = &result (na", "job.in = &source (na"):
        assert words in text, f"{words}\n{text}"


PADDING = """\
#include <stdatomic.h>
#include <stdlib.h>
struct pair { char low; int high; };
int main(void) {
#ifdef LOCAL
  _Atomic struct pair p;
#else
  _Atomic struct pair *object = malloc(sizeof *object);
#define p (*object)
#endif
  struct pair first = {1, 2}, expected, next = {3, 4};
  atomic_init(&p, first);
  expected.low = 1;
  expected.high = 2;
  return !atomic_compare_exchange_strong(&p, &expected, next);
}
"""

# A virtual base is no member of the class, and no padding.
VIRTUAL_BASE = """\
struct base { int below; };
struct part : virtual base { int own; };
struct whole : part { int more; };
static whole w;
int main() { w.below = w.own = w.more = 1; __builtin_abort(); }
"""


@test
def padding_is_called_so():
    write("padding.c", PADDING)
    text = heddle("check", "padding.c", code=1).stdout
    assert "+1 (padding)" in text, text
    text = heddle("check", "padding.c", "--", "-DLOCAL", code=1).stdout
    assert "compares all bytes, padding too" in text, text
    write("virtual.cpp", VIRTUAL_BASE)
    text = heddle("check", "--full", "virtual.cpp", code=1).stdout
    assert "w.own = 1" in text and "padding" not in text, text


tap.main()
