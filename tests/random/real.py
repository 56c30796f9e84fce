# SPDX-License-Identifier: MIT
"""What real code has besides the statements of gen.py: library calls, inline
assembly, volatile, numbers of all widths, jumps out of calls, accesses of
different size to the same bytes, and the loops of locks.

Each construct is a function that writes statements with a Writer of gen.py.
CONSTRUCTS lists them with their weights; HEAD declares what they need. They
keep the rules of C unless they break them on purpose, and they may be mixed as
one likes: whatever a program means, there must be an answer to it.
"""

INCLUDES = """\
#include <alloca.h>
#include <limits.h>
#include <math.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <strings.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
"""

# These come from the host, and everything is compiled once more.
HOST_INCLUDES = """\
#include <err.h>
#include <getopt.h>
#include <linux/futex.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/syscall.h>
"""

DECLARATIONS = r"""
// -- inline assembly
static int cell, cells[2];

static int asm_load(const int *at) {
  int r;
#ifdef __aarch64__
  __asm__ volatile("ldar %w0, %1" : "=r"(r) : "Q"(*at) : "memory");
#else
  __asm__ volatile("movl %1, %0" : "=q"(r) : "m"(*at) : "memory");
#endif
  return r;
}

static void asm_store(int *at, int value) {
#ifdef __aarch64__
  __asm__ volatile("stlr %w1, %0" : "=Q"(*at) : "rZ"(value) : "memory");
#else
  __asm__ volatile("movl %1, %0" : "=m"(*at) : "iq"(value) : "memory");
#endif
}

static int asm_add(int *at, int n) {
#ifdef __aarch64__
  int r, sum;
  unsigned failed;
  __asm__ volatile("1: ldxr %w0, %3\n"
                   "   add %w1, %w0, %w4\n"
                   "   stxr %w2, %w1, %3\n"
                   "   cbnz %w2, 1b"
                   : "=&r"(r), "=&r"(sum), "=&r"(failed), "+Q"(*at)
                   : "Ir"(n)
                   : "memory");
  return r;
#else
  __asm__ volatile("lock; xaddl %0, %1" : "+r"(n), "+m"(*at)::"memory");
  return n;
#endif
}

static int asm_swap(int *at, int value) {
#ifdef __aarch64__
  int old;
  __asm__ volatile("swpal %w2, %w0, %1"
                   : "=r"(old), "+Q"(*at)
                   : "r"(value)
                   : "memory");
  return old;
#else
  __asm__ volatile("xchgl %0, %1" : "+q"(value), "+m"(*at)::"memory");
  return value;
#endif
}

static bool asm_cas(int *at, int expected, int wanted) {
#ifdef __aarch64__
  int seen, failed;
  __asm__ volatile("1: ldaxr %w0, [%2]\n"
                   "   cmp %w0, %w4\n"
                   "   b.ne 2f\n"
                   "   stlxr %w1, %w3, [%2]\n"
                   "   cbnz %w1, 1b\n"
                   "2:"
                   : "=&r"(seen), "=&r"(failed)
                   : "r"(at), "r"(wanted), "r"(expected)
                   : "memory", "cc");
  return seen == expected;
#else
  bool done;
  __asm__ volatile("lock cmpxchgl %2, %0; setz %1"
                   : "+m"(*at), "=a"(done)
                   : "q"(wanted), "a"(expected)
                   : "memory", "cc");
  return done;
#endif
}

static void asm_bits(int *at, int n) {
#ifdef __aarch64__
  __asm__ volatile("stset %w1, %0" : "+Q"(*at) : "r"(n) : "memory");
#else
  __asm__ volatile("lock orl %1, %0" : "+m"(*at) : "ir"(n) : "memory");
  __asm__ volatile("lock decl %0" : "+m"(*at)::"memory", "cc");
#endif
}

// Waits until the word is 0 and makes it 1, with jumps.
static void asm_take(int *at) {
#ifdef __aarch64__
  while (asm_swap(at, 1))
    continue;
#else
  int wanted = 1;
  __asm__ volatile("1: xchgl %0, %1\n"
                   "   testl %1, %1\n"
                   "   jz 3f /* it was free */\n"
                   "2: pause; cmpl $0, %0\n"
                   "   jne 2b; jmp 1b\n"
                   "3:"
                   : "+m"(*at), "+q"(wanted)::"memory", "cc");
#endif
}

// The larger one, by a jump.
static int asm_larger(int x, int y) {
#ifdef __aarch64__
  return x > y ? x : y;
#else
  __asm__("cmpl %1, %0; jge 1f; movl %1, %0; 1:" : "+r"(x) : "r"(y) : "cc");
  return x;
#endif
}

static int opaque(int x) {
  __asm__ volatile("" : "+r"(x) : : "memory");
  return x;
}

static void asm_fence(void) {
#ifdef __aarch64__
  __asm__ volatile("dmb ish" ::: "memory");
#else
  __asm__ volatile("mfence" ::: "memory");
#endif
}

static void relax(void) {
#ifdef __aarch64__
  __asm__ volatile("yield" ::: "memory");
#else
  __asm__ volatile("pause" ::: "memory");
#endif
}

// -- volatile, and plain accesses that are meant to be atomic
static volatile int noted[2];
static int assumed;
#define ONCE(x) (*(volatile __typeof__(x) *)&(x))

// -- numbers
typedef unsigned __int128 wide;
typedef int four __attribute__((vector_size(16)));
typedef short eight __attribute__((vector_size(16)));
typedef float reals __attribute__((vector_size(16)));
typedef double pair __attribute__((vector_size(16)));
struct bits {
  unsigned a : 3;
  int b : 7;
  unsigned long c : 33;
  atomic_int beside;
  unsigned short d : 9, e : 7;
};
union value {
  int number;
  long large;
  unsigned char text[12];
};
struct three {
  long a, b, c;
};
static wide sum_wide = 7;          // under lock 0
#ifndef __aarch64__
static long double sum_long = 0.5; // under lock 0
#endif
static four lanes = {1, 2, 3, 4};  // under lock 0
static reals parts = {0.5f, 1, 2}; // under lock 0
static struct bits fields;         // under lock 0, but for the atomic member
static union value united;         // under lock 0
static _Atomic struct three large;
static _Atomic wide both_halves;

static union value turned(union value v) {
  v.text[1] ^= 3;
  return v;
}

// -- accesses of different size to the same bytes
static union {
  _Atomic uint32_t word;
  _Atomic uint16_t half[2];
  _Atomic uint8_t byte[4];
} mixed;
static union {
  uint32_t word;
  uint16_t half[2];
  uint8_t byte[4];
} torn; // under lock 1

// -- jumps
static _Thread_local jmp_buf out;

static int leap(int depth, atomic_int *where) {
  int seen = atomic_load_explicit(where, memory_order_acquire);
  if (depth > 0)
    return leap(depth - 1, where);
  if (seen & 1)
    longjmp(out, seen + 1);
  return seen;
}

static int caught(atomic_int *where, int depth) {
  volatile int tries = 0;
  int way = setjmp(out);
  if (way && ++tries > 1)
    return way;
  return leap(depth, where) + tries;
}

// -- a linker set
#define MEMBER(name, n)                                                        \
  static atomic_int name __attribute__((section("randset"), used)) = n
MEMBER(member_a, 1);
MEMBER(member_b, 2);
extern atomic_int __start_randset[], __stop_randset[];

// -- the library
static sem_t permits;
static pthread_rwlock_t shared_lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static once_flag once_c11 = ONCE_FLAG_INIT;
static pthread_key_t key;
static mtx_t plain_mutex;
static int read_mostly, counted, made, made_c11; // each in its own way

static void make(void) {
  made++;
}

static void make_c11(void) {
  made_c11++;
}

static int compare(const void *x, const void *y) {
  return *(const int *)x - *(const int *)y;
}

// -- locks made by hand
struct waiter {
  _Atomic(struct waiter *) next;
  atomic_int locked;
};
static atomic_int spin, sequence, words[2], turns, serving;
static _Atomic(struct waiter *) tail;
static int covered, queued; // under spin; under tail

static bool try_queue(struct waiter *me) {
  struct waiter *none = NULL;
  atomic_store_explicit(&me->next, NULL, memory_order_relaxed);
  atomic_store_explicit(&me->locked, 1, memory_order_relaxed);
  return atomic_compare_exchange_strong_explicit(
      &tail, &none, me, memory_order_acq_rel, memory_order_relaxed);
}

static void leave_queue(struct waiter *me) {
  struct waiter *mine = me;
  struct waiter *next = atomic_load_explicit(&me->next, memory_order_acquire);
  if (!next) {
    if (atomic_compare_exchange_strong_explicit(&tail, &mine, NULL,
                                                memory_order_release,
                                                memory_order_relaxed))
      return;
    while (!(next = atomic_load_explicit(&me->next, memory_order_acquire)))
      continue;
  }
  atomic_store_explicit(&next->locked, 0, memory_order_release);
}

static void join_queue(struct waiter *me) {
  atomic_store_explicit(&me->next, NULL, memory_order_relaxed);
  atomic_store_explicit(&me->locked, 1, memory_order_relaxed);
  struct waiter *before =
      atomic_exchange_explicit(&tail, me, memory_order_acq_rel);
  if (!before)
    return;
  atomic_store_explicit(&before->next, me, memory_order_release);
  while (atomic_load_explicit(&me->locked, memory_order_acquire))
    relax();
}
"""

BEFORE_THREADS = """\
  sem_init(&permits, 0, 1);
  pthread_key_create(&key, NULL);
  mtx_init(&plain_mutex, mtx_plain);
"""


def block(w, text):
    """Statements with names of their own."""
    w.line("{")
    w.line("  " + text)
    w.line("}")


def under(w, index, *lines):
    """Statements under lock `index`, or none if that is held already."""
    if index in w.held or (w.held and min(w.held) >= index):
        return w.access()
    text = [f"pthread_mutex_lock(&locks[{index}]);", *lines,
            f"pthread_mutex_unlock(&locks[{index}]);"]
    return block(w, "\n  ".join(text))


# -- inline assembly and volatile

def assembly(w):
    w.budget -= 1
    where, value = w.pick(["&cell", "cells", "&cells[a & 1]"]), w.value()
    w.line(w.pick([
        f"{w.local()} = asm_load({where});",
        f"asm_store({where}, {value});",
        f"{w.local()} = asm_add({where}, {value});",
        f"{w.local()} = asm_swap({where}, {value});",
        f"{w.local()} = asm_cas({where}, {value}, {w.value()});",
        f"asm_bits({where}, {value});",
        f"{w.local()} = opaque({value});",
        f"{w.local()} = asm_larger({value}, {w.value()});",
        "asm_fence();", "relax();"]))


def assembly_wait(w):
    w.budget -= 2
    if w.rng.random() < 0.4:
        w.line("asm_take(&cell);")
    else:
        w.line("while (!asm_cas(&cell, 0, 1))")
        w.line("  " + w.pick(["relax();", "continue;", "sched_yield();"]))
    w.statement()
    w.line("asm_store(&cell, 0);")


def volatiles(w):
    w.budget -= 1
    which = w.pick(["noted[0]", "noted[a & 1]", "ONCE(assumed)", "assumed"])
    w.line(w.pick([f"{w.local()} = {which};", f"{which} = {w.value()};",
                   f"{which}++;"]))


# -- numbers

def wide_numbers(w):
    w.budget -= 2
    under(w, 0, *w.pick([
        ["sum_wide = sum_wide * 12345678901ul + (wide)(unsigned)a;",
         "b = (int)(sum_wide % 1000003u);"],
        ["sum_wide = (sum_wide << 40) / ((wide)(unsigned)b + 3);",
         "a = (int)(sum_wide >> 64) & 7;"],
        ["c = (__int128)-a / ((b & 3) + 1) < (__int128)sum_wide;"]]))


def long_doubles(w):
    w.budget -= 1
    under(w, 0, *w.pick([
        ["sum_long = sum_long * 1.5L + (long double)a;",
         "b = (int)(sum_long > 1e6L ? 3 : sum_long);"],
        ["char text[32];", 'a = snprintf(text, sizeof text, "%Lg", sum_long);'],
        ["sum_long = floorl(sum_long) + sqrtl(fabsl(sum_long));",
         "b = sum_long > 2 && !isnan(sum_long);"],
        ["int power;", "long double part = frexpl(sum_long, &power);",
         "sum_long = ldexpl(part, power & 7) + fmodl(sum_long, 3);",
         "a = signbit(sum_long) ? power : -power;"],
        ['sum_long = strtold("0.1", NULL) * b;',
         "c = (int)lroundl(sum_long);"],
        ["long double kept = sum_long / 3;", "sum_long = kept - (long)kept;",
         "c = sum_long < 0.25L;"]]))


def vectors(w):
    w.budget -= 2
    if w.rng.random() < 0.5:
        return under(w, 0, *w.pick([
            ["lanes = lanes * 3 + (four){a, b, c, 1};",
             "a = lanes[0] ^ lanes[3];"],
            ["four seen = lanes > 2;", "b = seen[a & 3];"],
            ["lanes[b & 3] = c;", "c = lanes[1];"],
            ["parts = parts * 2 + (reals){(float)a};", "a = parts[1] < 7;"],
            ["four whole = __builtin_convertvector(parts / 4096, four);",
             "lanes = whole - (parts < 1.5f);", "b = lanes[2];"],
            ["pair p = {parts[0], a};", "parts[b & 3] = (float)-p[1];",
             "c = p[0] > p[1];"]]))
    w.line("{")
    w.line("  eight v = {(short)a, 2, 3, 4, (short)b, 6, 7, 8};")
    w.line("  v = (v << 1) - __builtin_shufflevector(v, v, "
           "7, 6, 5, 4, 3, 2, 1, 0);")
    w.line(f"  {w.local()} = v[b & 7];")
    return w.line("}")


def bit_fields(w):
    w.budget -= 1
    if w.rng.random() < 0.3:
        return w.line(w.pick(["fields.beside++;", "a = fields.beside;"]))
    member = w.pick("abcde")
    return under(w, 0, *w.pick([
        [f"fields.{member}++;"], [f"a = (int)fields.{member};"],
        [f"fields.{member} = (unsigned)b;", "c = fields.b;"]]))


def unions(w):
    w.budget -= 2
    under(w, 0, *w.pick([
        ["united = turned(united);", "a = united.number;"],
        ["united.large = b;", "c = united.text[3];"],
        ["union value mine = united;", "mine.text[0]++;",
         "b = turned(mine).number;"]]))


def large_atomics(w):
    w.budget -= 2
    block(w, w.pick([
        "large = (struct three){a, a, a};",
        "b = (int)((struct three)large).c;",
        "struct three was = atomic_exchange(&large, ((struct three){1, 2, 3}));"
        "\n  a = (int)was.b;",
        "both_halves = (wide)(unsigned)a << 64 | 1;",
        "b = (int)(atomic_load(&both_halves) >> 64);",
        "c = (int)atomic_exchange(&both_halves, 5);"]))


def arrays(w):
    w.line("{")
    w.line("  int n = (a & 3) + 1, list[n], *copy = "
           "alloca(sizeof list);")
    w.line("  for (int i = 0; i < n; i++)")
    w.line("    list[i] = i * b;")
    w.line("  memcpy(copy, list, sizeof list);")
    w.line(f"  {w.local()} = copy[n - 1];")
    w.line("}")


# -- sizes

def sizes(w):
    w.budget -= 1
    where = w.pick(["word", "word", "half[0]", "half[1]", "byte[a & 3]",
                    "byte[2]"])
    orders = f"{w.order(['relaxed', 'acquire', 'seq_cst'])}"
    stores = f"{w.order(['relaxed', 'release', 'seq_cst'])}"
    w.line(w.pick([
        f"{w.local()} = (int)atomic_load_explicit(&mixed.{where}, {orders});",
        f"atomic_store_explicit(&mixed.{where}, {w.value()}, {stores});",
        f"{w.local()} = (int)atomic_fetch_add(&mixed.{where}, 1);",
        f"{w.local()} = (int)atomic_exchange(&mixed.{where}, "
        f"{w.value()});"]))


def plain_sizes(w):
    w.budget -= 2
    under(w, 1, *w.pick([
        ["torn.word += 0x10001;", "a = torn.half[1];"],
        ["torn.byte[b & 3] = 5;", "c = (int)torn.word;"],
        ["memset(&torn, a & 1, 3);", "b = torn.half[1];"],
        ["memcpy(&torn.half[1], &torn.byte[0], 2);"],
        ["torn.half[0] = (uint16_t)a;"]]))


# -- jumps and linker sets

def jumps(w):
    w.budget -= 2
    w.line(f"{w.local()} = caught({w.flag()}, {w.rng.randrange(3)});")


def linker_set(w):
    w.budget -= 2
    w.line("for (atomic_int *m = __start_randset; m != __stop_randset; m++)")
    w.line("  " + w.pick(["a += atomic_load(m);", "atomic_fetch_add(m, 1);",
                          "b ^= *m;"]))


# -- the library

def library(w):
    w.budget -= 1
    block(w, w.pick([
        "a = ffs(b) + ffsl(3) + ffsll(c);",
        "b = (int)(sysconf(_SC_PAGESIZE) / getpagesize());",
        "c = gettid() > 0 && sched_getcpu() >= 0;",
        'a = (int)strtod("1.5e1", NULL) + atoi("7");',
        'b = sscanf("12 3", "%d %d", &a, &c);',
        'char text[16];\n  c = snprintf(text, sizeof text, "%d-%g", a, 1.5);',
        "qsort(numbers, 3, sizeof *numbers, compare);",
        'c = strcmp("ab", "ac") < 0 && strchr("xyz", 121) != NULL;',
        "struct timespec now;\n  a = clock_gettime(CLOCK_MONOTONIC, &now);",
        'b = getenv("HEDDLE_NONE") == NULL;',
        "b = (int)ldexp(1, a & 7) + (int)lrint(1.5);",
        "n = calloc(1, sizeof *n);\n  n = realloc(n, 2 * sizeof *n);\n"
        "  a = n->data.first;\n  free(n);\n  n = NULL;",
        "n = aligned_alloc(64, 64);\n  free(n);\n  n = NULL;",
        "memmove(numbers, numbers + 1, 2 * sizeof *numbers);",
        "pthread_setspecific(key, p);\n  c = pthread_getspecific(key) == p;",
        "sched_yield();", "a = rand();",
        'printf("%d %p\\n", a, (void *)0);']))


def host_library(w):
    w.budget -= 2
    block(w, w.pick([
        "n = mmap(NULL, 64, PROT_READ | PROT_WRITE, MAP_PRIVATE | "
        "MAP_ANONYMOUS, -1, 0);\n  n->data.first = a;\n  munmap(n, 64);\n"
        "  n = NULL;",
        "unsigned char random_byte;\n"
        "  a = (int)getrandom(&random_byte, 1, 0) + (random_byte & 1);",
        "syscall(SYS_futex, &words[0], FUTEX_WAKE, 1, NULL, NULL, 0);",
        "if (atomic_load(&words[0]) == 0)\n"
        "    syscall(SYS_futex, &words[0], FUTEX_WAKE, 1, NULL, NULL, 0);\n"
        "  else\n"
        "    syscall(SYS_futex, &words[0], FUTEX_WAIT, 0, NULL, NULL, 0);",
        "b = poll(NULL, 0, 1) + (write(1, \"x\", 1) == 1);",
        "cpu_set_t set;\n  CPU_ZERO(&set);\n  CPU_SET(3, &set);\n"
        "  c = CPU_COUNT(&set);",
        "time_t day = 86400 * (a & 7);\n  struct tm date;\n"
        "  b = gmtime_r(&day, &date)->tm_wday;",
        "char *name[] = {\"x\", NULL};\n  a = getopt(1, name, \"a\");"]))


def synchronisation(w):
    w.budget -= 2
    if w.held:
        return w.access()
    return block(w, w.pick([
        "if (sem_trywait(&permits) == 0)\n    sem_post(&permits);",
        "sem_wait(&permits);\n  a++;\n  sem_post(&permits);",
        "pthread_rwlock_rdlock(&shared_lock);\n  b = read_mostly;\n"
        "  pthread_rwlock_unlock(&shared_lock);",
        "pthread_rwlock_wrlock(&shared_lock);\n  read_mostly++;\n"
        "  pthread_rwlock_unlock(&shared_lock);",
        "pthread_once(&once, make);\n  a = made;",
        "call_once(&once_c11, make_c11);\n  b = made_c11;",
        "mtx_lock(&plain_mutex);\n  counted++;\n"
        "  mtx_unlock(&plain_mutex);",
        "pthread_mutex_lock(&locks[1]);\n  guarded[1].first++;\n"
        "  pthread_cond_signal(&changed);\n  pthread_mutex_unlock(&locks[1]);",
        "pthread_mutex_lock(&locks[1]);\n"
        "  struct timespec soon = {0, 0};\n"
        "  if (guarded[1].first == 0)\n"
        "    pthread_cond_timedwait(&changed, &locks[1], &soon);\n"
        "  pthread_mutex_unlock(&locks[1]);"]))


# -- loops of locks

BACK_OFFS = [
    ("int delay = 1;", ["for (int i = 0; i < delay; i++)", "  relax();",
                        "if (delay < 64)", "  delay *= 2;"]),
    ("unsigned spins = 0;", ["if (++spins > 3)", "  sched_yield();"]),
    ("unsigned delay = 1;",
     ["for (volatile unsigned i = 0; i < delay; i++)", "  continue;",
      "delay = delay * 2 > 64 ? 64 : delay * 2;"]),
    ("long delay = 1;", ["long left = delay;", "while (left--)", "  relax();",
                         "delay = delay > 8 ? 1 : delay + 3;"]),
    ("int unused = 0;", ["(void)unused;", "relax();"]),
]
TAKES = ["atomic_exchange_explicit(&spin, 1, memory_order_acquire)",
         "atomic_load(&spin) || atomic_exchange(&spin, 1)",
         "!atomic_compare_exchange_weak(&spin, &(int){0}, 1)"]


def back_off(w):
    """A spin lock whose rounds count how long they wait."""
    if w.held or w.spins:
        return w.access()
    w.budget -= 3
    declaration, lines = w.pick(BACK_OFFS)
    w.line("{")
    w.line(f"  {declaration}")
    w.line(f"  while ({w.pick(TAKES)}) {{")
    for line in lines:
        w.line(f"    {line}")
    w.line("  }")
    w.spins = True
    w.line("  covered++;")
    w.statement()
    w.spins = False
    if w.rng.random() < 0.97:
        w.line("  atomic_store_explicit(&spin, 0, memory_order_release);")
    return w.line("}")


def try_once(w):
    """A lock that is tried, some other work if it is taken."""
    if w.held or w.spins:
        return w.access()
    w.budget -= 2
    w.line("if (atomic_exchange_explicit(&spin, 1, memory_order_acquire)) {")
    w.statement()
    w.line("} else {")
    w.line("  covered++;")
    w.line("  atomic_store_explicit(&spin, 0, memory_order_release);")
    return w.line("}")


def own_node(w):
    """A queued lock, taken by tries that make their own node ready, or by
    standing in line."""
    if w.held or w.spins:
        return w.access()
    w.budget -= 4
    w.line("{")
    w.line("  static struct waiter nodes[4];")
    w.line("  struct waiter *me = &nodes[(long)argument];")
    if w.rng.random() < 0.6:
        w.line("  while (!try_queue(me))")
        w.line("    relax();")
    else:
        w.line("  join_queue(me);")
    w.line(f"  {w.pick(['queued++', 'c++'])};")
    w.line("  leave_queue(me);")
    return w.line("}")


def tickets(w):
    if w.held or w.spins:
        return w.access()
    w.budget -= 3
    w.line("{")
    w.line("  int mine = atomic_fetch_add(&turns, 1);")
    w.line("  while (atomic_load_explicit(&serving, memory_order_acquire) != "
           "mine)")
    w.line("    relax();")
    w.statement()
    w.line("  atomic_store_explicit(&serving, mine + 1, "
           "memory_order_release);")
    return w.line("}")


def locked_rounds(w):
    """Rounds that take a lock, look, and give it back."""
    if w.held or w.spins:
        return w.access()
    w.budget -= 3
    # Where atomic accesses are in pieces, rounds with other locks are endless.
    kinds = 1 if any(k is sizes for k, _ in w.constructs) else 2
    take, give = w.pick([
        ("pthread_mutex_lock(&locks[0]);", "pthread_mutex_unlock(&locks[0]);"),
        ("while (atomic_exchange(&spin, 1))\n      relax();",
         "atomic_store(&spin, 0);")][:kinds])
    w.line("for (int is_set = 0; !is_set;) {")
    w.line(f"    {take}")
    w.line("    is_set = atomic_load_explicit(&flags[0], "
           "memory_order_relaxed);")
    w.line(f"    {give}")
    return w.line("}")


def sequence_lock(w):
    w.budget -= 4
    if w.rng.random() < 0.4:
        w.line("atomic_fetch_add_explicit(&sequence, 1, memory_order_acq_rel);")
        w.line("atomic_store_explicit(&words[0], a, memory_order_release);")
        w.line("atomic_store_explicit(&words[1], a, memory_order_release);")
        w.line("atomic_fetch_add_explicit(&sequence, 1, memory_order_release);")
        return
    w.line("{")
    w.line("  int begin, buffer[2];")
    w.line("  do {")
    w.line("    while ((begin = atomic_load_explicit(&sequence, "
           "memory_order_acquire)) & 1)")
    w.line("      relax();")
    w.line("    for (int i = 0; i < 2; i++)")
    w.line("      buffer[i] = atomic_load_explicit(&words[i], "
           "memory_order_acquire);")
    w.line("  } while (atomic_load_explicit(&sequence, memory_order_relaxed) "
           "!= begin);")
    w.line("  a = buffer[0] - buffer[1];")
    w.line("}")


X86_ONLY = (long_doubles, 2)
CONSTRUCTS = [
    (assembly, 6), (assembly_wait, 1), (volatiles, 3), (wide_numbers, 2),
    X86_ONLY, (vectors, 3), (bit_fields, 2), (unions, 2),
    (large_atomics, 2), (arrays, 1), (sizes, 4), (plain_sizes, 2), (jumps, 2),
    (linker_set, 1), (library, 4), (synchronisation, 3), (back_off, 3),
    (try_once, 2), (own_node, 2), (tickets, 2), (locked_rounds, 1),
    (sequence_lock, 2)]
HOST_CONSTRUCTS = [(host_library, 6)]
