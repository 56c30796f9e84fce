#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What Heddle cannot lower is refused with the place and the name of the
construct, but only where the program can reach it.

    refused.py HEDDLE      prints TAP
"""

import pathlib
import subprocess
import sys
import tempfile

# The line of the construct is always 2; None: nothing is wrong.
ROWS = {
    "inline assembly": ("""\
int main(void) {
  __asm__ volatile("hlt");
}""", "inline assembly `hlt`"),
    "assembly with results": ("""\
int main(void) { int x;
  __asm__ volatile("" : "=r"(x));
  return 0 * x; }""", None),
    "numbers of 128 bits": ("""\
int main(void) {
  __float128 x = 1; x *= 2;
  return (int)x; }""", "fp128"),
    "vectors of short floats": ("""\
typedef __bf16 v4 __attribute__((vector_size(8))); v4 a; int main(void) {
  v4 b = a; return (int)(float)b[0]; }""", "<4 x bfloat>"),
    "long double to half": ("""\
long double x; int main(void) {
  return (int)(_Float16)x; }""", "long double to _Float16"),
    "large _BitInt": ("""\
int main(int argc, char **argv) {
  _BitInt(200) x = argc; x *= 2; return (int)x; }""", "200-bit integers"),
    "unknown function": ("""\
int nowhere(int); int main(void) {
  return nowhere(1); }""", "unknown external function `nowhere`"),
    "unknown function, by pointer": ("""\
int nowhere(int); int (*f)(int) = nowhere; int main(void) {
  return f(1); }""", "unknown external function `nowhere`"),
    "unknown function, not called": ("""\
int nowhere(int); int (*f)(int) = nowhere; int x; int main(void) {
  return x ? nowhere(1) : 0; }""", None),
    "advice": ("""\
#include <sys/socket.h>
int main(void) { return socket(AF_INET, 0, 0); }""", "there is no network"),
    "unknown variable": ("""\
extern int nowhere; int main(void) {
  return nowhere; }""", "`nowhere` is declared but never defined"),
    "another frame": ("""\
int main(void) {
  return __builtin_frame_address(1) != 0; }""", "__builtin_frame_address"),
    "mprotect": ("""\
#include <sys/mman.h>
int main(void) { static char page[4096]; return mprotect(page, 4096, 1); }""",
                 "mprotect that forbids accesses"),
    "mprotect that allows": ("""\
#include <sys/mman.h>
int main(void) { static char page[4096]; return mprotect(page, 4096, 3); }""",
                             None),
    "robust mutexes": ("""\
#include <pthread.h>
int main(void) { pthread_mutexattr_t a; pthread_mutexattr_init(&a); return pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST); }""",
                       "a robust mutex"),
    "asm goto": ("""\
int main(void) {
  __asm__ goto("xbegin %l0" : : : : out); out: return 0; }""", "`xbegin"),
    "unreached": ("""\
long double f(long double x) { __asm__("hlt"); return x; } int g(int);
int h(void) { return g((int)f(1)); }
int main(void) { return 0; }""", None),
}


def check(heddle, source, expected):
    done = subprocess.run([heddle, "check", str(source)], text=True,
                          capture_output=True)
    said = done.stdout + done.stderr
    if expected is None:
        return None if done.returncode == 0 else said
    if done.returncode != 2 or expected not in said:
        return said
    return None if f"{source}:2" in said else f"no line: {said}"


def main():
    heddle = sys.argv[1]
    failed = 0
    with tempfile.TemporaryDirectory() as directory:
        for n, (name, (text, expected)) in enumerate(ROWS.items(), 1):
            source = pathlib.Path(directory) / "program.c"
            source.write_text(text + "\n")
            wrong = check(heddle, source, expected)
            failed += wrong is not None
            print(f"{'not ok' if wrong else 'ok'} {n} - {name}")
            for line in (wrong or "").splitlines():
                print(f"# {line}")
    print(f"1..{len(ROWS)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
