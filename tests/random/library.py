#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random calls of the C library against the host's. A program makes calls of
one family and prints what comes of them, errno too; compiled and run by the
host it must print the same as when Heddle's front end and vm run it with
Heddle's library. Prints TAP; each failure has its seed.

    library.py SEQ [--family NAME] [--seeds N] [--first SEED]
"""
import argparse
import ctypes
import pathlib
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from clang import CLANG  # noqa: E402

CALLS = 40
# "ab" for %3c, "1e" for %f and "0x" for %x are conversions up to glibc 2.41, as
# in rt/, and fail in glibc 2.43, as C says.
PREFIXES_ARE_ENOUGH = ctypes.CDLL(None).sscanf(
    b"ab", b"%3c", ctypes.create_string_buffer(3)) == 1
HEAD = """\
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#define ERRNO (*(volatile int *)&errno)
"""


def quoted(text):
    return '"' + "".join(c if c.isalnum() or c in " .,+-%[]^()_*#:" else
                         f"\\{ord(c):03o}" for c in text) + '"'


def number_text(r):
    pieces = ["0", "1", "9", "17", ".", "e", "E-", "e+3", "0x", "p-1", "+", "-",
              " ", "inf", "nan", "(1)", "a", ",", "999", "4294967296", "e308",
              "e-320", "18446744073709551616"]
    return "".join(r.choice(pieces) for _ in range(r.randrange(6)))


def scanf_item(r, i):
    """A conversion, the variable x<i> that it fills and a call that shows it."""
    width = r.choice(["", "", str(r.randrange(1, 9))])
    kind = r.choice("dixuolfgGsc[n")
    if kind == "c" and not PREFIXES_ARE_ENOUGH:
        kind = "s"
    if kind in "dixuo":
        size, type_ = r.choice([("", "int"), ("l", "long"), ("hh", "char"),
                                ("h", "short")])
        return (f"%{width}{size}{kind}", f"{type_} x{i} = 77",
                f'printf(" %lld", (long long)x{i})')
    if kind in "lfgG":
        size, type_ = r.choice([("", "float"), ("l", "double"),
                                ("L", "long double")])
        return (f"%{width}{size}{'f' if kind == 'l' else kind}",
                f"{type_} x{i} = 77", f'printf(" %.17Lg", (long double)x{i})')
    if kind == "n":
        return "%n", f"int x{i} = 77", f'printf(" %d", x{i})'
    letter = r.choice(["[0-9.]", "[^ ]"]) if kind == "[" else kind
    return (f"%{width or 20}{letter}", f"char x{i}[32] = {{0}}",
            f'printf(" <%s>", x{i})')


def scanf(r):
    items = [scanf_item(r, i) for i in range(3)]
    formats = "".join(f + r.choice(["", " ", ","]) for f, _, _ in items)
    text = number_text(r)
    if not PREFIXES_ARE_ENOUGH:
        text = re.sub("[a-zA-Z]", "", text)
    return ("".join(f"  {declared};\n" for _, declared, _ in items) +
            f"  int n = sscanf({quoted(text)}, {quoted(formats)}, "
            "&x0, &x1, &x2);\n  printf(\"%d\", n);\n" +
            "".join(f"  {show};\n" for _, _, show in items))


def strto(r):
    name = r.choice(["strtod", "strtof", "strtold", "strtol", "strtoul",
                     "strtoll", "strtoull"])
    text = quoted(number_text(r))
    is_real = name in ("strtod", "strtof", "strtold")
    base = "" if is_real else f", {r.choice([0, 2, 8, 10, 16, 36, 1, 37, -1])}"
    show = ('"%.20Lg %td %d", (long double)v' if is_real
            else '"%lld %td %d", (long long)v')
    type_ = {"strtof": "float", "strtold": "long double",
             "strtod": "double"}.get(name, "long long")
    return (f"  const char *t = {text};\n  char *e = (char *)t;\n"
            f"  {type_} v = {name}(t, &e{base});\n"
            f"  printf({show}, e - t, ERRNO);\n")


def real(r):
    return r.choice(["0.0", "-0.0", "1.0", "-1.5", "0.3", "1e300", "-1e300",
                     "1e-300", "INFINITY", "-INFINITY", "1e18", "710.5",
                     "-745.2", f"{r.uniform(-50, 50):.6f}"])


def mathematics(r):
    one = ["exp", "exp2", "log", "log2", "log10", "sqrt", "cbrt", "sin", "tan",
           "asin", "acosh", "atanh", "floor", "ceil", "round", "rint", "trunc",
           "tgamma", "expm1"]
    # Not fmin and fmax: of 0 and -0 either may be taken.
    two = ["pow", "fmod", "hypot", "atan2", "remainder", "fdim", "nextafter"]
    suffix, type_ = r.choice([("", "double"), ("f", "float"),
                              ("l", "long double")])
    if r.random() < 0.2:
        call = f"ldexp{suffix}(x, {r.randrange(-2100, 2100)})"
    elif r.random() < 0.5:
        call = f"{r.choice(one)}{suffix}(x)"
    else:
        call = f"{r.choice(two)}{suffix}(x, y)"
    return (f"  volatile {type_} x = ({type_}){real(r)}, y = ({type_}){real(r)};\n"
            "  (void)y;\n"
            f"  long double v = {call};\n"
            '  if (v != v) printf("nan %d", ERRNO);\n'
            '  else printf("%.20Lg %d", v, ERRNO);\n')


def printing(r):
    flags = "".join(c for c in "-+ 0" if r.random() < 0.25)
    width = r.choice(["", str(r.randrange(1, 20))])
    precision = r.choice(["", "", f".{r.randrange(12)}"])
    kind = r.choice("diuoxXcsfeEgGa")
    if kind in "diuoxX":
        size, cast = r.choice([("", "int"), ("l", "long"), ("hh", "int"),
                               ("h", "int"), ("z", "long")])
        flags += "#" if kind in "oxX" and r.random() < 0.3 else ""
        value = f"({cast}){r.choice([0, 1, -1, 255, 65536, -70000, 2**31 - 1])}"
    elif kind in "cs":
        size, precision = "", precision if kind == "s" else ""
        value = "'x'" if kind == "c" else quoted(r.choice(["", "word", "a b"]))
    else:
        size = r.choice(["", "L"])
        value = f"({'long ' if size else ''}double)({real(r)})"
    form = quoted(f"[%{flags}{width}{precision}{size}{kind}]")
    return (f"  char to[128];\n  int n = snprintf(to, sizeof to, {form}, "
            f"{value});\n  printf(\"%d %s\", n, to);\n")


def dates(r):
    flags = r.choice(["", "", "", "-", "_", "0", "^", "#", "_5", "-3", "05"])
    letter = r.choice("aAbBCdegGHIjklmMnpPStuUVwWyY%h") if flags else \
        r.choice("aAbBcCdDeFgGhHIjklmMnprRStTuUVwWxXyY%")
    return (f"  time_t s = {r.randrange(-2**31, 2**33)}l;\n"
            "  struct tm d;\n  gmtime_r(&s, &d);\n  char to[128];\n"
            f"  size_t n = strftime(to, {r.choice([128, 4, 1])}, "
            f"\"%{flags}{letter}\", &d);\n"
            '  printf("%zu %s", n, n ? to : "");\n')


def strings(r):
    a, b = (quoted("".join(r.choice("ab, ") for _ in range(r.randrange(8))))
            for _ in range(2))
    call = r.choice([
        "strcmp(a, b) < 0", "strncmp(a, b, N) > 0", "(int)strspn(a, b)",
        "(int)strcspn(a, b)", "strstr(a, b) ? (int)(strstr(a, b) - a) : -1",
        "strchr(a, 'b') ? (int)(strchr(a, 'b') - a) : -1",
        "strpbrk(a, b) ? (int)(strpbrk(a, b) - a) : -1",
        "(strncpy(s.x, b, N), s.x[0] + s.x[N])",
        "(strncpy(s.y, s.x, 8), s.y[7])", "(strncat(s.y, s.x, N), s.y[2])",
        "memcmp(a, b, 1) == 0", "(int)strnlen(a, N)",
        "(int)(strtok(strcpy(s.x, a), \",\") != NULL)"])
    return (f"  char a[] = {a}, b[] = {b};\n  struct {{ char x[8], y[32]; }} s ="
            " {\"12345678\", \"cd\"};\n"
            f"  printf(\"%d %.8s %s\", {call.replace('N', str(r.randrange(8)))},"
            " s.x, s.y);\n  (void)a, (void)b;\n")


KINDS = {"i": ("int", "%d", "{n}"), "l": ("long", "%ld", "{n}L"),
         "d": ("double", "%g", "{n}.5"), "D": ("long double", "%Lg", "{n}.5L"),
         "x": ("__int128", "%ld", "((__int128){n} << 64) + 1"),
         "a": ("struct al", None, "((struct al){{{n}, 2}})"),
         "A": ("struct one", None, "((struct one){{{n}}})"),
         "m": ("struct mix", None, "((struct mix){{{n}.5, 3}})"),
         "B": ("struct big", None, "((struct big){{{{1, 2, 3, {n}}}}})")}
SHOWN = {"a": "x.a, x.b", "A": "x.a, 0L", "m": "(long)x.d, (long)x.i",
         "B": "x.v[0], x.v[3]", "x": "(long)(x >> 64), (long)x"}
VARIADIC = """\
struct al { _Alignas(16) long a; long b; };
struct one { _Alignas(16) long a; };
struct mix { double d; int i; };
struct big { _Alignas(16) long v[4]; };
__attribute__((noinline)) static void show(const char *kinds, ...) {
  va_list list;
  va_start(list, kinds);
  for (; *kinds; kinds++)
    switch (*kinds) {
""" + "".join(
    f"    case '{k}': {{ {t} x = va_arg(list, {t}); "
    + (f'printf(" %ld,%ld", {SHOWN[k]});' if k in SHOWN
       else f'printf(" {f}", x);') + " break; }\n"
    for k, (t, f, _) in KINDS.items()) + "    }\n  va_end(list);\n}\n"


def variadic(r):
    # clang itself passes what follows a number of 128 bits in the wrong place
    # when that found but one register, so it comes last.
    kinds = [r.choice([k for k in KINDS if k != "x"])
             for _ in range(r.randrange(1, 14))] + r.choice([[], ["x"]])
    values = [KINDS[k][2].format(n=r.randrange(100)) for k in kinds]
    return f"  show({', '.join([quoted(''.join(kinds)), *values])});\n"


FAMILIES = {"scanf": scanf, "strto": strto, "math": mathematics,
            "printf": printing, "dates": dates, "strings": strings,
            "variadic": variadic}


def program(family, seed):
    r = random.Random(f"{family} {seed}")
    text = HEAD + (VARIADIC if family == "variadic" else "")
    for i in range(CALLS):
        text += f"static void call{i}(void) {{\n{FAMILIES[family](r)}}}\n"
    text += "int main(void) {\n"
    for i in range(CALLS):
        text += f'  errno = 0;\n  call{i}();\n  printf("\\n");\n'
    return text + "}\n"


def run(command):
    done = subprocess.run(command, capture_output=True, timeout=120)
    return done.returncode, (done.stdout + done.stderr).decode("latin-1")


def compare(sequential, family, seed, work):
    """None, or what is wrong."""
    source = work / "program.c"
    source.write_text(program(family, seed))
    subprocess.run([CLANG, "-w", "-std=gnu17", "-O0", "-fno-builtin",
                    str(source), "-o", str(work / "native"), "-lm"], check=True)
    want, got = run([str(work / "native")]), run([sequential, str(source)])
    if want == got:
        return None
    for i, (w, g) in enumerate(zip(want[1].split("\n"), got[1].split("\n"))):
        if w != g:
            return f"call{i}: {g!r}, not {w!r}"
    return f"exit code {got[0]}, not {want[0]}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("sequential")
    parser.add_argument("--family", choices=FAMILIES, action="append")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first", type=int, default=1)
    options = parser.parse_args()
    count = failed = 0
    with tempfile.TemporaryDirectory() as name:
        for family in options.family or FAMILIES:
            for seed in range(options.first, options.first + options.seeds):
                wrong = compare(options.sequential, family, seed,
                                pathlib.Path(name))
                if wrong:
                    count += 1
                    failed += 1
                    print(f"not ok {count} - {family}, seed {seed}")
                    print(f"# {wrong}", flush=True)
            count += 1
            last = options.first + options.seeds - 1
            print(f"ok {count} - {family}: seeds {options.first} to {last}, "
                  f"{CALLS} calls each", flush=True)
    print(f"1..{count}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
