#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the smallest check costs, with slack for a busy machine.

The goals are 40 ms of CPU when clang has to run, 4 ms when the bitcode is
cached, 20 MB resident, 50 ms beyond the compile for a thread of 4,000
loads, and half a millisecond for a litmus test of two threads. Each is measured as the best of several runs and printed; a test fails
only when the best is twice the goal.

    tests/cli/test_floors.py build/heddle
"""
import json
import os
import resource
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap
from heddle import HEDDLE, MP, WORK, write
from tap import test

SLACK = 2.0
CACHE = {**os.environ, "HEDDLE_CACHE": str(WORK / "cache")}
LOADS = """\
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

static void *thread(void *unused) {
  for (int i = 0; i < 4000; i++)
    atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t id;
  return pthread_create(&id, 0, thread, 0);
}
"""


def cpu_seconds(command):
    """CPU time of a command and its children, and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = subprocess.run(command, capture_output=True, text=True, env=CACHE)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert result.returncode in (0, 1), result.stderr
    return (after.ru_utime - before.ru_utime + after.ru_stime
            - before.ru_stime), result.stdout


def best(command, runs):
    return min(cpu_seconds(command)[0] for _ in range(runs))


def floor(what, measured, goal, unit):
    print(f"# {what}: {measured:.3g} {unit}, goal {goal} {unit}")
    assert measured <= goal * SLACK, f"{measured:.1f} {unit} > {goal} {unit}"


@test
def cold_check():
    command = [HEDDLE, "check", "--json", "--no-cache", write("mp.c", MP)]
    floor("litmus test, cold", 1000 * best(command, 10), 40, "ms")


@test
def warm_check():
    command = [HEDDLE, "check", "--json", write("mp.c", MP)]
    best(command, 1)
    floor("litmus test, warm", 1000 * best(command, 30), 4, "ms")


@test
def resident_memory():
    command = [HEDDLE, "check", "--json", write("mp.c", MP)]
    used = min(json.loads(cpu_seconds(command)[1])["max_rss_kb"]
               for _ in range(3))
    floor("litmus test, resident", used / 1024, 20, "MB")


LITMUS = {
    "AArch64": """{ 0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x; }
 P0 | P1 ;
 MOV W0,#1 | LDR W0,[X1] ;
 STR W0,[X1] | EOR W4,W0,W0 ;
 DMB SY | LDR W2,[X3,W4,SXTW] ;
 STR W0,[X3] | ;
exists (1:X0=1 /\\ 1:X2=0)
""",
    "PPC": """{ 0:r2=x; 0:r4=y; 1:r2=y; 1:r4=x; }
 P0 | P1 ;
 li r1,1 | lwz r1,0(r2) ;
 stw r1,0(r2) | xor r3,r1,r1 ;
 lwsync | lwzx r5,r3,r4 ;
 stw r1,0(r4) | ;
exists (1:r1=1 /\\ 1:r5=0)
""",
    "RISCV": """{ 0:x5=1; 0:x6=x; 0:x8=y; 1:x6=y; 1:x8=x; }
 P0 | P1 ;
 sw x5,0(x6) | lw x5,0(x6) ;
 fence w,w | fence r,r ;
 sw x5,0(x8) | lw x7,0(x8) ;
exists (1:x5=1 /\\ 1:x7=0)
""",
    "X86": """{ }
 P0 | P1 ;
 MOV [x],$1 | MOV [y],$1 ;
 MFENCE | MFENCE ;
 MOV EAX,[y] | MOV EAX,[x] ;
exists (0:EAX=0 /\\ 1:EAX=0)
""",
}


@test
def litmus_tests():
    many = 400
    for arch, body in LITMUS.items():
        path = write(f"{arch}.litmus", f"{arch} floor\n{body}")
        listed = write(f"{arch}.list", f"{path}\n" * many)
        spent = best([HEDDLE, "litmus", "--summary", f"@{listed}"], 5)
        floor(f"a litmus test of {arch}", spent / many * 1000, 0.5, "ms")


@test
def long_thread():
    command = [HEDDLE, "check", "--json", write("loads.c", LOADS)]
    answer = json.loads(cpu_seconds(command)[1])
    assert answer["executions"] == 1, answer
    floor("4,000 loads, warm", 1000 * best(command, 10), 50, "ms")


tap.main()
