#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random C programs of csmith (Debian's package) against the compiler. What a
program computes is a checksum of its variables: natively, and when Heddle runs
it. A way is how Heddle gets it:

    source     the C text
    optimised  bitcode of clang -O1, -O2 or -O3
    thread     the C text, in a thread beside one that counts

Heddle must find no error, and must know the same checksum in every execution.
Programs that run for more than a second, or for longer than Heddle's limits
allow, say nothing and are counted. Prints TAP; each failure has its seed.

    csmith.py HEDDLE [--way WAY] [--seeds N] [--first SEED] [--small]
              [--include DIR] [--keep DIR]
"""
import argparse
import glob
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from clang import CLANG  # noqa: E402

WAYS = ("source", "optimised", "thread")
OPTIONS = ["--max-funcs", "4", "--max-block-depth", "3", "--max-block-size",
           "4", "--max-expr-complexity", "6", "--max-array-dim", "2",
           "--max-array-len-per-dim", "4"]
# Programs of a few hundred lines, for campaigns: many seeds in the same time.
SMALL = ["--max-funcs", "3", "--max-block-depth", "2", "--max-block-size", "3",
         "--max-expr-complexity", "4", "--max-array-dim", "1",
         "--max-array-len-per-dim", "4"]

# The program is a thread; another one works on variables of its own. Who reads
# the checksum has joined both.
BESIDE = """
#include <pthread.h>
#include <stdatomic.h>
static atomic_int heddle_count;
static void *heddle_other(void *unused) {
  for (int i = 0; i < 3; i++)
    atomic_fetch_add_explicit(&heddle_count, 1, memory_order_relaxed);
  return unused;
}
static void *heddle_program(void *unused) {
  heddle_main(0, 0);
  atomic_fetch_add_explicit(&heddle_count, 1, memory_order_release);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, heddle_program, 0);
  pthread_create(&b, 0, heddle_other, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(atomic_load(&heddle_count) == 4);
}
"""


class Nothing(Exception):
    """The program says nothing, for this reason."""


def run(command, cwd, seconds):
    try:
        return subprocess.run(command, cwd=cwd, capture_output=True, text=True,
                              timeout=seconds)
    except subprocess.TimeoutExpired:
        raise Nothing("takes too long") from None


def generate(seed, small, include, work):
    """The program and the checksum that it prints natively."""
    made = run(["csmith", "--seed", str(seed), *(SMALL if small else OPTIONS)],
               work, 60)
    text = made.stdout
    if made.returncode or "platform_main_end" not in text:
        raise Nothing("csmith gives up")
    (work / "native.c").write_text(text)
    subprocess.run([CLANG, "-w", "-O0", "-I", include, "native.c", "-o",
                    "native"], cwd=work, check=True)
    printed = run(["./native"], work, 1)
    found = re.fullmatch(r"checksum = ([0-9A-F]+)\n", printed.stdout)
    if not found:
        raise Nothing("ends without a checksum")
    return text, int(found[1], 16)


def with_checksum(text, checksum, way):
    """The program, which asserts what it should compute."""
    text = "#include <assert.h>\n" + re.sub(
        r"platform_main_end\(.*\);",
        f"assert((crc32_context ^ 0xFFFFFFFFUL) == {checksum:#x}UL);", text)
    if way == "thread":
        text = re.sub(r"int main \(int argc",
                      "static int heddle_main(int argc", text) + BESIDE
    return text


def answer(heddle, text, way, seed, include, work):
    """The exit code of Heddle and what it said."""
    (work / "program.c").write_text(text)
    flags = ["-w", "-I", include]
    command = [heddle, "check", "--disable", "leak"]
    if way == "optimised":
        level = f"-O{1 + seed % 3}"
        subprocess.run([CLANG, *flags, "-g", level, "-c", "-emit-llvm",
                        "program.c", "-o", "program.bc"], cwd=work, check=True)
        command += ["program.bc"]
    else:
        command += ["program.c", "--", *flags]
    done = run(command, work, 120)
    if done.returncode == 3:
        raise Nothing("is too long for Heddle's limits")
    return done.returncode, done.stdout + done.stderr


def check(options, way, seed, include):
    """None, or what is wrong."""
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        text, checksum = generate(seed, options.small, include, work)
        text = with_checksum(text, checksum, way)
        code, said = answer(options.heddle, text, way, seed, include, work)
        if code == 0:
            return None
        if options.keep:
            shutil.copytree(work, pathlib.Path(options.keep) / f"{way}{seed}",
                            dirs_exist_ok=True)
        return said


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("heddle", type=lambda p: str(pathlib.Path(p).resolve()))
    parser.add_argument("--way", choices=WAYS, action="append")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--include")
    parser.add_argument("--keep")
    options = parser.parse_args()
    found = [options.include] if options.include else [
        str(pathlib.Path(header).parent)
        for header in glob.glob("/usr/include/csmith*/csmith.h")]
    if not shutil.which("csmith") or not found:
        print("1..0 # SKIP csmith and libcsmith-dev are not installed")
        return 0
    count = failed = 0
    for way in options.way or WAYS:
        equal, nothing = 0, {}
        for seed in range(options.first, options.first + options.seeds):
            try:
                wrong = check(options, way, seed, found[-1])
            except Nothing as reason:
                nothing[str(reason)] = nothing.get(str(reason), 0) + 1
                continue
            equal += wrong is None
            if wrong is not None:
                count += 1
                failed += 1
                print(f"not ok {count} - {way}, seed {seed}")
                print("# " + wrong.strip().replace("\n", "\n# "), flush=True)
        count += 1
        print(f"ok {count} - {way}: seeds {options.first} to "
              f"{options.first + options.seeds - 1}, {equal} equal", flush=True)
        for reason, times in nothing.items():
            print(f"# {times}: {reason}")
    print(f"1..{count}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
