#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""--note-non-sc: how many executions no interleaving explains. Speaks TAP."""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
import tap
from tap import test

HEDDLE = str(Path(sys.argv[1]).resolve())
FOLDER = tempfile.TemporaryDirectory(prefix="heddle-non-sc-")
PROGRAM = Path(FOLDER.name) / "sb.c"
# Store buffering, then one interleaving less for each order that is seq_cst.
PROGRAM.write_text("""#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
void *left(void *p) { atomic_store_explicit(&x, 1, ORDER);
  (void)atomic_load_explicit(&y, ORDER); return p; }
void *right(void *p) { atomic_store_explicit(&y, 1, ORDER);
  (void)atomic_load_explicit(&x, ORDER); return p; }
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, left, 0); pthread_create(&t, 0, right, 0);
  pthread_join(s, 0); pthread_join(t, 0);
}
""")


def check(order, *args, code=0):
    result = subprocess.run(
        [HEDDLE, "check", "--note-non-sc", *args, str(PROGRAM), "--",
         f"-DORDER=memory_order_{order}"],
        capture_output=True, text=True, timeout=60)
    assert result.returncode == code, (result.returncode, result.stderr)
    return result.stdout + result.stderr


@test
def the_first_is_shown():
    for model in ("tso", "rc11", "c11", "jam21"):
        text = check("relaxed", "--model", model)
        assert "No interleaving explains 1 of 4 complete" in text, text
        assert "read x = 0" in text and "read y = 0" in text, text


@test
def executions_of_sc_are_none():
    for model in ("sc", "rc11", "c11", "jam21"):
        order = "relaxed" if model == "sc" else "seq_cst"
        text = check(order, "--model", model)
        assert "An interleaving explains each" in text, text


@test
def json_has_the_number():
    assert json.loads(check("relaxed", "--json"))["non_sc"] == 1
    assert json.loads(check("seq_cst", "--json"))["non_sc"] == 0


@test
def quiet_and_other_formats():
    assert "read" not in check("relaxed", "--quiet")
    text = check("relaxed", "--format", "github", code=2)
    assert "--note-non-sc" in text, text


tap.main()
