#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Planted bugs, as people make them: the text report alone must show the rows
that name the bug. A row is looked for by its line, which a comment marks, and
by its words.

    tests/cli/test_planted.py build/heddle [WORD...]
"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap
from heddle import WORK, check_json, heddle, write
from tap import test

HEAD = """\
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#define rlx memory_order_relaxed
#define load(x, o) atomic_load_explicit(&x, o)
#define store(x, v, o) atomic_store_explicit(&x, v, o)
#define M PTHREAD_MUTEX_INITIALIZER
#define lock(m) pthread_mutex_lock(m)
#define unlock(m) pthread_mutex_unlock(m)
"""
MAIN = """
int main(void) {
  pthread_t a, b;
  SETUP
  pthread_create(&a, NULL, one, NULL);
  pthread_create(&b, NULL, two, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
"""


def program(globals_, one, two, setup=""):
    def function(name, body):
        return f"static void *{name}(void *unused) {{\n{body}\nreturn unused;\n}}\n"
    return (HEAD + globals_ + "\n" + function("one", one) + function("two", two)
            + MAIN.replace("SETUP", setup))


def line_of(text, mark):
    lines = [n for n, line in enumerate(text.splitlines(), 1)
             if f"/*{mark}*/" in line]
    assert len(lines) == 1, f"{mark}: {lines}"
    return lines[0]


def rows_of(text, *args):
    """The cells of the table: (mark, line, words)."""
    write("planted.c", text)
    out = heddle("check", *args, "planted.c", code=1, COLUMNS="400").stdout
    assert "woken+" not in out and "__" not in out.split("The execution")[1], out
    rows = []
    for line in out.split("The execution")[1].splitlines():
        for cell in line.split(" | "):
            words = cell[2:].split(None, 1)
            if len(words) == 2 and words[0].isdigit():
                rows.append((cell[0], int(words[0]), words[1].strip()))
    return rows, out


def shows(text, *wanted, args=()):
    """Each of (mark in the source, words) is a row of the report."""
    rows, out = rows_of(text, *args)
    for mark, words in wanted:
        line = line_of(text, mark)
        for other in "ABCDEF":
            if f"@{other}" in words:
                words = words.replace(f"@{other}",
                                      f"line {line_of(text, other)}")
        assert any(n == line and words in cell for _, n, cell in rows), \
            f"no row {line} {words!r} in\n{out}"


WAITER = """\
  lock(&m);
  int seen = ready;
  unlock(&m);
  lock(&m);
  if (!seen)
    pthread_cond_wait(&c, &m); /*A*/
  unlock(&m);"""
COND = "pthread_mutex_t m = M; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int ready;"


@test
def lost_wake_up():
    shows(program(COND, WAITER, """\
  lock(&m);
  ready = 1;
  pthread_cond_signal(&c); /*B*/
  unlock(&m);"""),
          ("B", "pthread_cond_signal(&c): no thread waits"),
          ("A", "pthread_cond_wait(&c, &m): waits"),
          ("A", "pthread_cond_wait(&c, &m): is never woken"))


@test
def signal_instead_of_broadcast():
    text = HEAD + COND + """
static void *waits(void *unused) {
  lock(&m);
  while (!ready)
    pthread_cond_wait(&c, &m); /*A*/
  unlock(&m);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, waits, NULL);
  pthread_create(&b, NULL, waits, NULL);
  lock(&m);
  ready = 1;
  pthread_cond_signal(&c); /*B*/
  unlock(&m);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
"""
    rows, out = rows_of(text)
    line = line_of(text, "B")
    woken = [cell for _, n, cell in rows if n == line and "wakes" in cell]
    assert woken in (["pthread_cond_signal(&c): wakes T1"],
                     ["pthread_cond_signal(&c): wakes T2"]), out
    shows(text, ("A", "pthread_cond_wait(&c, &m): woken by T0 @B"),
          ("A", "pthread_cond_wait(&c, &m): is never woken"))


@test
def if_instead_of_while():
    """A waiter takes what was meant for another."""
    text = HEAD + """
pthread_mutex_t m = M; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int items;
static void *takes(void *unused) {
  lock(&m);
  if (!items)
    pthread_cond_wait(&c, &m); /*A*/
  assert(items > 0); /*D*/
  items--; /*B*/
  unlock(&m);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, takes, NULL);
  pthread_create(&b, NULL, takes, NULL);
  lock(&m);
  items = 1;
  pthread_cond_broadcast(&c); /*C*/
  unlock(&m);
  lock(&m);
  items++;
  pthread_cond_broadcast(&c);
  unlock(&m);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
"""
    shows(text, ("C", "pthread_cond_broadcast(&c): wakes T"),
          ("B", "write items = 0"), ("D", "read items = 0"),
          ("A", "pthread_cond_wait(&c, &m): woken by T0 @C, has m again"))


@test
def wrong_condition_variable():
    shows(program(COND + "pthread_cond_t d = PTHREAD_COND_INITIALIZER;", """\
  lock(&m);
  while (!ready)
    pthread_cond_wait(&c, &m); /*A*/
  unlock(&m);""", """\
  lock(&m);
  ready = 1;
  pthread_cond_signal(&d); /*B*/
  unlock(&m);"""),
          ("B", "pthread_cond_signal(&d): no thread waits"),
          ("A", "pthread_cond_wait(&c, &m): is never woken"))


PRODUCER = """\
  for (int i = 1; i <= 2; i++) {
    sem_wait(&empty); /*A*/
    slot = i;
    sem_post(&full); /*B*/
  }"""
SEMAPHORES = "sem_t empty, full; int slot;"


@test
def wrong_semaphore_posted():
    shows(program(SEMAPHORES, PRODUCER, """\
  for (int i = 1; i <= 2; i++) {
    sem_wait(&full); /*C*/
    assert(slot == i);
    sem_post(&full); /*D*/
  }""", "sem_init(&empty, 0, 1); sem_init(&full, 0, 0);"),
          ("A", "sem_wait(&empty): 1 -> 0 (after T0"),
          ("B", "sem_post(&full): 0 -> 1"),
          ("D", "sem_post(&full): 0 -> 1"),
          ("C", "sem_wait(&full): 1 -> 0 (after T2 @D)"))


@test
def semaphore_that_begins_too_high():
    shows(program(SEMAPHORES, PRODUCER, """\
  for (int i = 1; i <= 2; i++) {
    sem_wait(&full);
    assert(slot == i);
    sem_post(&empty);
  }""", "sem_init(&empty, 0, 2); /*E*/ sem_init(&full, 0, 0);"),
          ("E", "sem_init(&empty): 2"), ("A", "sem_wait(&empty): 2 -> 1"))


@test
def forgotten_post():
    shows(program("sem_t s; int x;", """\
  sem_wait(&s); /*A*/
  if (x)
    return unused;
  sem_post(&s); /*B*/""", """\
  sem_wait(&s); /*C*/
  x = 1;
  sem_post(&s); /*D*/""", "sem_init(&s, 0, 1);")
          .replace("pthread_join(b, NULL);",
                   "pthread_join(b, NULL); sem_wait(&s); /*E*/"),
          ("D", "sem_post(&s): 0 -> 1"),
          ("A", "sem_wait(&s): 1 -> 0 (after T2 @D)"),
          ("E", "sem_wait(&s): waits, value 0 (from T1 @A)"))


@test
def forgotten_unlock():
    shows(program("pthread_mutex_t m = M; int x;", """\
  lock(&m); /*A*/
  if (x++ == 1) /*C*/
    return unused;
  unlock(&m);""", """\
  lock(&m); /*B*/
  x++;
  unlock(&m); /*D*/""").replace("pthread_join(b, NULL);",
                         "pthread_join(b, NULL); lock(&m); /*E*/ unlock(&m);"),
          ("D", "unlock m"), ("A", "lock m (after T2 @D)"),
          ("C", "read x = 1"), ("E", "waits for mutex m, held by T1"))


@test
def locks_in_opposite_orders():
    shows(program("pthread_mutex_t m = M, n = M;",
                  "lock(&m); /*A*/\nlock(&n); /*B*/\nunlock(&n); unlock(&m);",
                  "lock(&n); /*C*/\nlock(&m); /*D*/\nunlock(&m); unlock(&n);"),
          ("A", "lock m"), ("C", "lock n"), ("B", "lock n: held (by T2 @C)"),
          ("D", "lock m: held (by T1 @A)"))


@test
def trylock_that_is_not_looked_at():
    shows(program("pthread_mutex_t m = M; int x;",
                  "lock(&m); /*A*/\nx++;\nunlock(&m);",
                  "pthread_mutex_trylock(&m); /*B*/\nx++; /*C*/"),
          ("B", "pthread_mutex_trylock(&m): busy (held by T1 @A)"),
          ("C", "x = "))


@test
def read_lock_for_a_write():
    shows(program("pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; int x;", """\
  pthread_rwlock_rdlock(&l); /*A*/
  x++;
  pthread_rwlock_unlock(&l);""", """\
  pthread_rwlock_rdlock(&l); /*B*/
  x++;
  pthread_rwlock_unlock(&l);"""),
          ("A", "pthread_rwlock_rdlock(&l): taken"),
          ("B", "pthread_rwlock_rdlock(&l): taken"))


@test
def writer_that_is_never_let_in():
    shows(program("pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; int x;", """\
  pthread_rwlock_rdlock(&l); /*A*/
  if (x)
    pthread_rwlock_unlock(&l);""", """\
  pthread_rwlock_wrlock(&l); /*B*/
  x++;
  pthread_rwlock_unlock(&l);"""),
          ("A", "pthread_rwlock_rdlock(&l): taken"),
          ("B", "pthread_rwlock_wrlock(&l): waits, 1 reader (last T1 @A)"))


@test
def barrier_for_one_too_many():
    shows(program("pthread_barrier_t gate;", "pthread_barrier_wait(&gate); /*A*/",
                  "pthread_barrier_wait(&gate); /*B*/",
                  "pthread_barrier_init(&gate, NULL, 3); /*C*/"),
          ("C", "pthread_barrier_init(&gate): for 3 threads"),
          ("A", "of 3 threads, waits"), ("B", "of 3 threads, waits"),
          ("A", "pthread_barrier_wait(&gate): never opens"))


@test
def write_after_the_barrier():
    shows(program("pthread_barrier_t gate; int x, y;", """\
  x = 1;
  pthread_barrier_wait(&gate); /*A*/
  y = 1; /*C*/""", """\
  pthread_barrier_wait(&gate); /*B*/
  assert(x + y == 2); /*D*/""", "pthread_barrier_init(&gate, NULL, 2);"),
          ("A", "pthread_barrier_wait(&gate): "),
          ("B", "pthread_barrier_wait(&gate): "), ("C", "write y = 1"))


@test
def once_that_is_not_once():
    """Two flags, so the function runs twice."""
    shows(program("once_flag f = ONCE_FLAG_INIT, g = ONCE_FLAG_INIT; int x;\n"
                  "static void init(void) { x++; /*E*/ }",
                  "call_once(&f, init); /*A*/", "call_once(&g, init); /*B*/"),
          ("A", "call_once(&f): runs the function"),
          ("B", "call_once(&g): runs the function"))


@test
def futex_wake_before_the_store():
    shows(program("""atomic_int flag;
static long futex(int op) {
  return syscall(SYS_futex, &flag, op, op == FUTEX_WAKE, NULL, NULL, 0); /*A*/
}""", """\
  while (!atomic_load(&flag)) /*B*/
    futex(FUTEX_WAIT);""", """\
  futex(FUTEX_WAKE);
  atomic_store(&flag, 1); /*C*/"""),
          ("A", "futex(&flag, FUTEX_WAIT): waits, value 0 (from initial value)"),
          ("A", "futex(&flag, FUTEX_WAIT): is never woken"),
          ("A", "futex(&flag, FUTEX_WAKE): "), ("C", "write flag = 1"))


@test
def relaxed_flag():
    shows(program("int data; atomic_int flag;",
                  "data = 1; /*A*/\nstore(flag, 1, rlx); /*B*/",
                  "if (load(flag, rlx)) /*C*/\n  assert(data); /*D*/"),
          ("A", "write data = 1"), ("B", "write flag = 1 (rlx)"),
          ("C", "read flag = 1 (rlx, from T1 @B)"), ("D", "read data"))


@test
def store_buffering_in_a_lock():
    shows(program("atomic_int a, b; int x;",
                  "store(a, 1, rlx); /*A*/\nif (!load(b, rlx)) /*B*/\n  x++;",
                  "store(b, 1, rlx); /*C*/\nif (!load(a, rlx)) /*D*/\n  x++;"),
          ("B", "read b = 0 (rlx, from initial value)"),
          ("D", "read a = 0 (rlx, from initial value)"))


@test
def use_after_free_of_a_node():
    shows(program("struct node { int value; } *_Atomic top;", """\
  struct node *n = top; /*A*/
  if (n)
    assert(n->value == 1); /*B*/""", """\
  struct node *n = atomic_exchange(&top, NULL); /*C*/
  free(n); /*D*/""", "top = malloc(sizeof *top); top->value = 1;"),
          ("A", "read top = &malloc#1"), ("D", "free malloc#1"))


@test
def unlock_in_the_wrong_thread():
    shows(program("pthread_mutex_t m = M; sem_t s;",
                  "lock(&m); /*A*/\nsem_post(&s); /*B*/",
                  "sem_wait(&s); /*C*/\nunlock(&m); /*D*/"),
          ("A", "lock m"), ("B", "sem_post(&s): 0 -> 1"),
          ("C", "sem_wait(&s): 1 -> 0 (after T1 @B)"))


@test
def check_then_act():
    shows(program("atomic_int free_seats = 1; int seated;", """\
  if (atomic_load(&free_seats) > 0) /*A*/
    assert(atomic_fetch_sub(&free_seats, 1) > 0); /*B*/""", """\
  if (atomic_load(&free_seats) > 0) /*C*/
    assert(atomic_fetch_sub(&free_seats, 1) > 0); /*D*/"""),
          ("A", "read free_seats = 1"), ("C", "read free_seats = 1"))


def starred(text):
    """The marks of the lines whose rows lead to the error."""
    rows, out = rows_of(text)
    stars = {n for mark, n, _ in rows if mark == "*"}
    return "".join(m for m in "ABCDEF" if f"/*{m}*/" in text and
                   line_of(text, m) in stars), out


@test
def what_led_to_the_error_is_marked():
    """The flag that does not order the two accesses of a race; the test that
    another thread has passed as well; who takes the same node."""
    marks, out = starred(program(
        "int data; atomic_int flag, other;",
        "store(other, 1, rlx); /*A*/\ndata = 1;\nstore(flag, 1, rlx); /*B*/",
        "int seen = load(other, rlx); /*C*/\nif (load(flag, rlx)) /*D*/\n"
        "  data += seen;"))
    assert marks == "BD", out
    marks, out = starred(program(
        "int data; atomic_flag lock = ATOMIC_FLAG_INIT;", *2 * ["""\
  while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
    ;
  data++;
  atomic_flag_clear_explicit(&lock, rlx);"""]).replace(
        "(&lock, rlx);", "(&lock, rlx); /*A*/", 1).replace(
        "(&lock, memory_order_acquire))",
        "(&lock, memory_order_acquire)) /*B*/", 1).replace(
        "(&lock, memory_order_acquire))\n",
        "(&lock, memory_order_acquire)) /*C*/\n", 1))
    assert marks in ("AC", "BC"), out
    sell = """\
  if (atomic_load(&tickets) > 0) { /*%s*/
    atomic_fetch_sub(&tickets, 1);
    atomic_fetch_add(&sold, 1); /*%s*/
  }"""
    text = program("atomic_int tickets = 1, sold;", sell % ("A", "B"),
                   sell % ("C", "D")).replace("return 0;", "assert(sold < 2);")
    marks, out = starred(text)
    assert marks == "ABCD", out
    text = program("""\
struct node { struct node *next; };
_Atomic(struct node *) top;""", *(f"""\
  struct node *n = load(top, memory_order_acquire); /*{mark}*/
  if (n) {{
    store(top, n->next, memory_order_release);
    free(n);
  }}""" for mark in "AB"), "top = calloc(1, sizeof(struct node));")
    marks, out = starred(text)
    assert marks == "AB", out
    # What a thread should have read, but not that it has taken a lock first.
    marks, out = starred(program(
        "pthread_mutex_t m = M; atomic_int want[2]; int inside;", *(f"""\
  lock(&m); unlock(&m);
  store(want[{me}], 1, memory_order_release); /*{mark}*/
  if (!load(want[{1 - me}], memory_order_acquire)) /*{other}*/
    inside++;""" for me, mark, other in ((0, "A", "B"), (1, "C", "D")))))
    assert marks in ("AD", "BC", "ABCD"), out
    assert all(mark == " " for mark, _, words in rows_of(
        (WORK / "planted.c").read_text())[0] if "lock m" in words), out


@test
def what_a_stopped_thread_looked_at_is_marked():
    """Where a null pointer, an index and a divisor came from, and which store
    another thread made of it; not what is stored there."""
    for globals_, stores, loads, uses in (
            ("_Atomic(int *) p;", "store(p, NULL, rlx);",
             "int *at = load(p, rlx);", "*at = load(other, rlx);"),
            ("int slots[4]; atomic_int i;", "store(i, 5, rlx);",
             "int at = load(i, rlx);", "slots[at] = load(other, rlx);"),
            ("atomic_int n;", "store(n, 0, rlx);",
             "int by = load(n, rlx);", "data = 7 / by;")):
        name = stores.split("(")[1].split(",")[0]
        marks, out = starred(program(
            f"{globals_} int data; atomic_int other;",
            f"{stores} /*A*/\nstore(other, 1, rlx); /*B*/",
            f"data = load(other, rlx); /*C*/\n{loads} /*D*/\n{uses} /*E*/",
            "static int first; atomic_store(&p, &first);" if name == "p" else
            f"atomic_store(&{name}, 1);"))
        assert marks == "AD", out


@test
def a_weak_exchange_before_hides_no_mark():
    """What it may choose is in the thread's way to the error."""
    marks, out = starred(program(
        "atomic_int n, x;", "store(x, 1, rlx); /*A*/",
        "int e = 0;\natomic_compare_exchange_weak(&n, &e, 1);\n"
        "int seen = load(x, rlx); /*B*/\nassert(seen == 0);"))
    assert marks == "AB", out


@test
def what_led_to_a_throw_is_marked():
    """And not what the library looks at to throw."""
    text = """\
#include <atomic>
#include <stdexcept>
#include <thread>
std::atomic<int> stock{1};
static void take() {
  if (stock.load() == 0) // A
    throw std::runtime_error("sold out");
  stock.fetch_sub(1); // B
}
int main() {
  std::thread a(take), b(take);
  a.join();
  b.join();
}
"""
    out = heddle("check", write("throw.cpp", text), code=1, COLUMNS="400").stdout
    stars = [cell[2:].strip() for line in out.splitlines()
             for cell in line.split(" | ") if cell.startswith("*")]
    assert len(stars) == 3 and all("stock" in s for s in stars), out
    assert "terminate_handler" not in out, out


ENTER = """\
  for (;;) {{
    atomic_store(&wants{}, 1); /*{}*/
    if (!atomic_load(&wants{})) /*{}*/
      break;
    atomic_store(&wants{}, 0); /*{}*/
  }}
  inside++;
  atomic_store(&wants{}, 0);"""


@test
def a_livelock_ends_with_the_round_that_is_repeated():
    """What the search did after that, such as letting one of them through, is
    not shown."""
    text = program("atomic_int wants1, wants2; int inside;",
                   ENTER.format(1, "A", 2, "B", 1, "C", 1),
                   ENTER.format(2, "D", 1, "E", 2, "F", 2))
    rows, out = rows_of(text)
    lines = {mark: line_of(text, mark) for mark in "ABCDEF"}
    marked = sorted(n for mark, n, _ in rows if mark == ">")
    assert marked == sorted(lines.values()), out
    order = [mark for mark, n, _ in rows if n in lines.values()]
    assert order == sorted(order), order  # " " before ">"
    assert "inside" not in out.split("Reproduce")[0].split("execution")[1], out
    assert out.count("again from the first >") == 2, out
    assert "waits for T1 to finish" in out, out
    assert "nothing ran to its end" not in out, out
    assert out.count("(--unroll)") == 1, out


# -- what stands around the rows

BANK = """\
#include <mutex>
#include <thread>
struct account { std::mutex m; int balance = 100; };
static void transfer(account &from, account &to) {
  std::lock_guard a(from.m); // A
  std::lock_guard b(to.m); // B
  from.balance--, to.balance++;
}
int main() {
  account x, y;
  std::thread t(transfer, std::ref(x), std::ref(y));
  std::thread u(transfer, std::ref(y), std::ref(x));
  t.join(), u.join();
}
"""


@test
def a_thread_of_cxx_shows_its_own_rows_alone():
    """Not how std::thread hands over what it runs, nor how a mutex is set up;
    and what leads to the deadlock are the locks that are held."""
    out = heddle("check", write("bank.cpp", BANK), code=1).stdout
    head, table = out.split("The execution")
    assert "T0 main" in table and "  |   T1 transfer" in table, out
    for private in ("std::", "__lock", "not shown", "(--full)", "(co)"):
        assert private not in table, f"{private}:\n{out}"
    marked = [cell.split()[:4] for line in table.splitlines()
              for cell in line.split("|") if cell.strip().startswith("*")]
    assert sorted(marked) == [["*", "5", "lock", "x.m"],
                              ["*", "5", "lock", "y.m"]], out
    full = heddle("check", "--full", WORK / "bank.cpp", code=1).stdout
    assert "std::thread::thread#1" in full and "x.m.__lock" in full, full


COUNTED = """\
#include <atomic>
#include <thread>
struct Buffer { std::atomic<int> refs{2}; int data[4] = {}; };
static void release(Buffer *b) {
  if (b->refs.fetch_sub(1, std::memory_order_relaxed) == 1) // A
    delete b;
}
int main() {
  auto *b = new Buffer;
  std::thread t([b] { b->data[0] = 1; release(b); });
  b->data[1] = 2;
  release(b);
  t.join();
}
"""


@test
def what_a_lambda_captured_is_no_cause():
    """Where it is read is no row, nor marked; a number that it captured is."""
    out = heddle("check", write("counted.cpp", COUNTED), code=1).stdout
    table = out.split("The execution")[1]
    assert "std::thread" not in table and "read this->b" not in table, out
    assert "update Buffer#1->refs = 2 -> 1" in table, out
    assert "write b->data[0] = 1 (Buffer#1" in table, out  # not this->b
    number = COUNTED.replace(
        "[b] {", "[n = 3, b] { if (n == 3) __builtin_trap();")
    out = heddle("check", write("number.cpp", number), code=1).stdout
    assert "n = 3 (" in out, out


POOL = """\
#include <thread>
#include <vector>
class Pool {
  std::vector<std::thread> workers;
  bool stop = false;
 public:
  Pool() {
    workers.emplace_back([this] {
      auto is_over = [this] { return stop; }; // A
      (void)is_over();
    });
  }
  ~Pool() {
    stop = true; // B
    workers[0].join();
  }
};
int main() { Pool pool; }
"""


@test
def members_are_named_as_in_lambdas():
    """And what a thread is handed over has no row if a vector makes it."""
    out = heddle("check", write("pool.cpp", POOL), code=1,
                 COLUMNS="200").stdout
    table = out.split("The execution")[1]
    assert "read this->stop = 1 (pool.stop" in table, out
    assert "this->this" not in table and "= &pool" not in table, out


SHARED = """\
#include <memory>
#include <string>
#include <thread>
struct Session { std::string user; int hits = 0; };
std::shared_ptr<Session> current = std::make_shared<Session>();
int main() {
  std::thread t([] { auto s = current; s->hits++; });
  current = std::make_shared<Session>();
  t.join();
}
"""


@test
def a_pointer_to_an_object_behind_counts_is_to_the_object():
    out = heddle("check", write("shared.cpp", SHARED), code=1,
                 COLUMNS="200").stdout
    assert "= &Session#" in out and "_M_dataplus" not in out, out


LATCH = """\
#include <latch>
#include <semaphore>
#include <thread>
std::counting_semaphore<4> s(0);
std::latch l(3);
int main() {
  std::thread r([] { s.release(); l.count_down(); });
  std::thread q([] { s.acquire(); l.arrive_and_wait(); });
  r.join(), q.join();
}
"""


@test
def a_latch_that_never_opens_is_told_without_the_library():
    """Its waiting is inline code of libstdc++: a spin, a table, a futex."""
    out = heddle("check", write("latch.cpp", LATCH), "--", "-std=c++20", code=1,
                 COLUMNS="200").stdout
    table = out.split("The execution")[1]
    for row in ("update l = 3 -> 2", "update l = 2 -> 1", "update s = 0 -> 1",
                "update s = 1 -> 0", "futex(&l, FUTEX_WAIT): waits, value 1",
                "> 8  futex(&l, FUTEX_WAIT): is never woken",
                "waits in futex(&l, FUTEX_WAIT)"):
        assert row in table, f"{row}:\n{out}"
    assert "__" not in table.replace("std::__", ""), out
    assert table.count("read l = ") <= 2, out


@test
def each_thread_of_a_deadlock_has_its_line():
    text = program("pthread_mutex_t m = M; sem_t s;",
                   "lock(&m);\nsem_wait(&s); /*A*/\nunlock(&m);",
                   "lock(&m); /*B*/\nsem_post(&s);\nunlock(&m);")
    out = heddle("check", write("both.c", text), code=1).stdout
    head = out.split("The execution")[0]
    for mark in "AB":
        assert f"both.c:{line_of(text, mark)} in " in head, out
        assert f"/*{mark}*/" in head, out
    assert "which waits" in head, out


ENDED = """\
  lock(&m);
  if (x)
    return unused;
  unlock(&m);"""
AGAIN = "lock(&m);\nx = 1;\nunlock(&m);\nlock(&m);\nunlock(&m);"


@test
def every_thread_that_waits_is_marked():
    """Of three philosophers, all three; and who left with the lock has it in
    its last row."""
    three = "pthread_mutex_t f[3] = {M, M, M};\n" + "".join(
        f"static void *p{i}(void *unused) {{ lock(&f[{i}]); "
        f"lock(&f[{(i + 1) % 3}]); unlock(&f[{(i + 1) % 3}]); "
        f"unlock(&f[{i}]); return unused; }}\n" for i in range(3))
    text = HEAD + three + """
int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], NULL, p0, NULL);
  pthread_create(&t[1], NULL, p1, NULL);
  pthread_create(&t[2], NULL, p2, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
}
"""
    rows, out = rows_of(text)
    waits = sorted(words for mark, _, words in rows if mark == ">")
    assert [w[:9] for w in waits] == ["lock f[0]", "lock f[1]", "lock f[2]"], out
    assert all(": held (by T" in w for w in waits), out
    _, out = rows_of(program("pthread_mutex_t m = M; int x;", ENDED, AGAIN))
    assert out.count("finished, still has mutex m") == 1, out
    two = WAITER.replace("ready", "1").replace("!seen", "seen").replace("A", "{}")
    _, out = rows_of(program(COND, two.format("A"), two.format("B")))
    assert out.count("is never woken") == 2, out


@test
def a_report_ends_with_what_to_do():
    """The orders that mend it, or else what helps against errors of its kind;
    what an assertion says is the program's own."""
    def end(text, code=1):
        out = heddle("check", write("end.c", text), code=code,
                     COLUMNS="80").stdout
        rest = out.split("Reproduce with")[1].split("\n\n", 1)[1]
        assert max(map(len, rest.splitlines())) <= 85, out
        return " ".join(rest.split())
    locks = end(program("pthread_mutex_t m = M, n = M;",
                        "lock(&m);\nlock(&n);\nunlock(&n); unlock(&m);",
                        "lock(&n);\nlock(&m);\nunlock(&m); unlock(&n);"))
    assert locks.startswith("Advice: Take locks in the same order"), locks
    flag = "int data; atomic_int flag;"
    relaxed = end(program(flag, "data = 1;\nstore(flag, 1, rlx);",
                          "if (load(flag, rlx))\n  data++;"))
    assert relaxed.startswith("With ") and "Advice" not in relaxed, relaxed
    plain = end(program("int data;", "data = 1;", "data = 2;"))
    assert plain.startswith("Advice: Order the two accesses"), plain
    # Of a deadlock, what is said of what the threads wait for.
    for globals_, one, two, setup, advice in (
            (COND, WAITER, "", "", "A signal wakes only threads"),
            ("sem_t s;", "sem_wait(&s);", "", "sem_init(&s, 0, 0);",
             "Each wait needs a post"),
            ("pthread_mutex_t m = M; sem_t s;",
             "lock(&m); sem_wait(&s); unlock(&m);",
             "lock(&m); sem_post(&s); unlock(&m);", "",
             "Give the lock back before you wait"),
            ("pthread_mutex_t m = M; int x;", ENDED, AGAIN, "",
             "Unlock on every way out"),
            ("pthread_mutex_t m = M;", "lock(&m);\nunlock(&m);", "",
             "lock(&m);", "Release the lock before you join"),
            ("pthread_barrier_t all;", "pthread_barrier_wait(&all);", "",
             "pthread_barrier_init(&all, NULL, 2);", "In each round, as many"),
            ("pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;",
             "pthread_rwlock_rdlock(&l);", "pthread_rwlock_wrlock(&l);", "",
             "Release the lock as often"),
            ("int word;",
             "syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0);",
             "", "", "A wake-up reaches only")):
        said = end(program(globals_, one, two, setup))
        assert said.startswith(f"Advice: {advice}"), said
    local = HEAD + """
static void *t(void *p) { return (void *)(long)*(int *)p; }
int main(void) {
  pthread_t a;
  for (int i = 0; i < 1; i++)
    pthread_create(&a, NULL, t, &i);
  pthread_join(a, NULL);
}
"""
    said = end(local)
    assert said.startswith("Advice: A local variable ends with its"), said
    out = heddle("check", WORK / "end.c", code=1).stdout
    assert "variable of thread 0" in out and "free" not in out.split("[")[0], out
    said = end(program("int *p;", "free(p);", "*p = 1;",
                       "p = malloc(sizeof *p);"))
    assert "reference count" in said, said
    own = end(program("", "assert(0);", ""))
    assert own.startswith("1 error"), own


@test
def a_table_stands_as_long_as_its_words_fit():
    out = heddle("check", write("gate.c", program(
        "pthread_barrier_t gate;", "pthread_barrier_wait(&gate);",
        "pthread_barrier_wait(&gate);",
        "pthread_barrier_init(&gate, NULL, 3);")), code=1, COLUMNS="100").stdout
    assert "T0 main" in out and "|   T1 one" in out and "|   T2 two" in out, out
    assert "barrier_wait(&gate): never" in out, out
    assert max(map(len, out.split("The execution")[1].splitlines())) <= 100, out


@test
def a_weak_compare_exchange_fails_in_words():
    out = heddle("check", write("weak.c", HEAD + """
atomic_int x;
int main(void) {
  int old = 0;
  assert(atomic_compare_exchange_weak(&x, &old, 1));
}
"""), code=1).stdout
    assert "compare-exchange x = 0 fails spuriously (sc" in out, out
    assert "choose" not in out, out


@test
def what_has_no_contents_comes_from_nowhere():
    out = heddle("check", write("uninit.c", HEAD + """
int main(void) {
  int *p = malloc(sizeof *p);
  if (*p)
    free(p);
}
"""), code=1).stdout
    assert "= uninitialized (" in out and "initial value)" not in out, out


@test
def an_execution_without_events_has_a_file():
    path = write("null.c", "int main(void) { *(int *)0 = 1; }\n")
    out = heddle("check", path, code=1).stdout
    assert f"The execution (lines of {path}):" in out, out
    assert "> 1  stopped at the error" in out, out


# -- the words of calls that no planted bug needs

@test
def calls_that_may_give_up():
    text = program("""sem_t s; mtx_t m; cnd_t c; pthread_mutex_t p = M;
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; struct timespec at; int n;""", """\
  mtx_lock(&m); lock(&p); pthread_rwlock_wrlock(&l); /*A*/
  sem_post(&s); /*B*/""", """\
  sem_wait(&s); /*C*/
  int none = sem_trywait(&s); /*D*/
  none += sem_timedwait(&s, &at); /*E*/
  none += mtx_trylock(&m) == thrd_busy; /*F*/
  none += pthread_mutex_timedlock(&p, &at); /*G*/
  none += pthread_rwlock_tryrdlock(&l); /*H*/
  none += pthread_rwlock_trywrlock(&l); /*I*/
  none += pthread_rwlock_timedwrlock(&l, &at); /*J*/
  sem_getvalue(&s, &n); /*K*/
  assert(none == 0);""", "sem_init(&s, 0, 0); mtx_init(&m, mtx_plain); cnd_init(&c);")
    shows(text, ("C", "sem_wait(&s): 1 -> 0 (after T1 @B)"),
          ("D", "sem_trywait(&s): fails, value 0 (from T2 @C)"),
          ("E", "sem_timedwait(&s): times out, value 0 (from T2 @C)"),
          ("F", "mtx_trylock(&m): busy (held by T1 @A)"),
          ("G", "pthread_mutex_timedlock(&p): times out (held by T1 @A)"),
          ("H", "pthread_rwlock_tryrdlock(&l): busy (held by T1 @A)"),
          ("I", "pthread_rwlock_trywrlock(&l): busy (held by T1 @A)"),
          ("J", "pthread_rwlock_timedwrlock(&l): times out (held by T1 @A)"),
          ("K", "sem_getvalue(&s): 0 (from T2 @C)"))


@test
def calls_on_the_heap_and_through_pointers():
    text = program("struct box { int n; sem_t s; pthread_cond_t c; "
                   "pthread_mutex_t m; } *box;", """\
  sem_t *s = &box->s;
  lock(&box->m);
  sem_post(s); /*A*/
  pthread_cond_wait(&box->c, &box->m); /*B*/""", "sem_wait(&box->s); /*C*/",
                   "box = calloc(1, sizeof *box); box->n = 1;")
    shows(text, ("A", "sem_post(&calloc#1->s): 0 -> 1"),
          ("B", "pthread_cond_wait(&calloc#1->c, &calloc#1->m): waits"),
          ("C", "sem_wait(&calloc#1->s): 1 -> 0 (after T1 @A)"))


@test
def json_has_the_rows():
    text = program("sem_t s;", "sem_post(&s); /*A*/",
                   "sem_wait(&s); sem_wait(&s); /*B*/")
    events = check_json(text, code=1)["events"]
    told = [e["told"] for e in events if "told" in e]
    assert told == ["sem_post(&s): 0 -> 1",
                    f"sem_wait(&s): 1 -> 0 (after T1 line {line_of(text, 'A')})",
                    f"sem_wait(&s): waits, value 0 (from T2 line "
                    f"{line_of(text, 'B')})"], told
    for e in events:
        if "told_at" in e:
            assert any(o["thread"] == e["thread"] and o["index"] == e["told_at"]
                       and "told" in o for o in events), e


tap.main()
