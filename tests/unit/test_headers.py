# SPDX-License-Identifier: MIT
"""The headers of the checked program: each compiles alone, in C and C++, and
what rt/ relies on has the layout and the values of the host's headers."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))
import tap  # noqa: E402
from clang import CLANG  # noqa: E402

HEADERS = ROOT / "include/heddle"
OURS = ["-nostdinc", "-isystem", str(HEADERS)]
C_ONLY = {"stdatomic.h": []}

LAYOUT = """
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <threads.h>
#include <time.h>
long numbers[] = {%s};
"""
TYPES = """pthread_t pthread_attr_t pthread_mutex_t pthread_mutexattr_t
  pthread_cond_t pthread_condattr_t pthread_rwlock_t pthread_rwlockattr_t
  pthread_barrier_t pthread_barrierattr_t pthread_spinlock_t pthread_once_t
  pthread_key_t sem_t thrd_t mtx_t cnd_t tss_t once_flag max_align_t time_t
  clock_t int_fast8_t int_fast16_t int_fast32_t uint_fast64_t intmax_t wchar_t
  size_t""".split() + ["struct timespec"]
NUMBERS = """EPERM ESRCH EAGAIN ENOMEM EBUSY EINVAL EDEADLK ETIMEDOUT ERANGE
  ENOTSUP EOWNERDEAD PTHREAD_MUTEX_NORMAL PTHREAD_MUTEX_RECURSIVE
  PTHREAD_MUTEX_ERRORCHECK PTHREAD_CREATE_DETACHED PTHREAD_BARRIER_SERIAL_THREAD
  PTHREAD_PROCESS_SHARED PTHREAD_ONCE_INIT mtx_plain mtx_recursive mtx_timed
  thrd_success thrd_busy thrd_error thrd_nomem thrd_timedout CLOCK_MONOTONIC
  INT_MIN LONG_MAX CHAR_MIN INT_FAST16_MAX PTRDIFF_MIN WCHAR_MIN""".split()


def clang(arguments, source):
    result = subprocess.run([CLANG, *arguments, "-"], input=source,
                            capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return result.stdout


def compile_alone(header, language, standard):
    clang([f"-x{language}", f"-std={standard}", *OURS, "-fsyntax-only",
           "-Wall", "-Wextra", "-Wsystem-headers", "-Werror"],
          f"#include <{header}>\n#include <{header}>\n")


for path in sorted(HEADERS.rglob("*.h")):
    name = str(path.relative_to(HEADERS))
    for kind in [("c", "gnu17")] + C_ONLY.get(name, [("c++", "c++17")]):
        tap.add(f"{name} alone in {kind[1]}",
                lambda n=name, k=kind: compile_alone(n, *k))


@tap.test
def layout_is_that_of_the_host():
    terms = [f"{f}({t})" for t in TYPES for f in ["sizeof", "_Alignof"]]
    terms += NUMBERS

    def numbers(flags):
        text = clang(["-xc", "-D_GNU_SOURCE", *flags, "-S", "-emit-llvm",
                      "-o-"], LAYOUT % ", ".join(terms))
        line = next(l for l in text.splitlines() if l.startswith("@numbers"))
        return dict(zip(terms, re.findall(r"i64 (-?[0-9]+)", line)))
    ours, host = numbers(OURS), numbers([])
    assert len(ours) == len(terms)
    for term in terms:
        assert ours[term] == host[term], f"{term}: {ours[term]}, {host[term]}"


@tap.test
def every_format_macro_fits_its_type():
    lines = []
    for conversion in "dioxXu":
        for width in ["8", "16", "32", "64", "LEAST16", "FAST8", "FAST16",
                      "FAST32", "MAX", "PTR"]:
            sign = "" if conversion in "di" else "u"
            word = width.lower()
            middle = "_" if word.startswith(("least", "fast")) else ""
            lines.append(f'snprintf(b, 9, "%" PRI{conversion}{width}, '
                         f'({sign}int{middle}{word}_t)0);')
    clang(["-xc", *OURS, "-fsyntax-only", "-Wformat", "-Werror"],
          "#include <inttypes.h>\n#include <stdio.h>\nvoid f(char *b) {"
          + "\n".join(lines) + "}\n")


@tap.test
def atomics_cover_c11():
    clang(["-xc", "-std=c11", *OURS, "-fsyntax-only", "-Wall", "-Werror"], """
#include <stdatomic.h>
atomic_flag flag = ATOMIC_FLAG_INIT;
atomic_int number = ATOMIC_VAR_INIT(3);
_Atomic(struct { long a, b; }) pair;
_Atomic double real;
int *_Atomic pointer;
int f(memory_order o) {
  int seen = 0;
  atomic_init(&number, 1);
  atomic_store(&number, 2);
  atomic_store_explicit(&real, 1.5, o);
  seen += atomic_exchange(&number, 3) + atomic_fetch_add(&number, 1);
  seen += atomic_fetch_sub_explicit(&number, 1, memory_order_consume);
  seen += atomic_fetch_or(&number, 1) + atomic_fetch_and(&number, 1);
  seen += atomic_fetch_xor_explicit(&number, 1, memory_order_acq_rel);
  atomic_fetch_add(&pointer, 1);
  atomic_compare_exchange_strong(&number, &seen, 1);
  atomic_compare_exchange_weak_explicit(&number, &seen, 1, o,
                                        memory_order_relaxed);
  pair = atomic_load(&pair);
  number += 2;
  real *= 2;
  atomic_thread_fence(memory_order_seq_cst);
  atomic_signal_fence(memory_order_release);
  if (!atomic_flag_test_and_set(&flag))
    atomic_flag_clear_explicit(&flag, memory_order_release);
  _Static_assert(ATOMIC_INT_LOCK_FREE == 2, "");
  return seen + kill_dependency(seen) + atomic_is_lock_free(&number);
}
""")


tap.main(sys.argv[1:])
