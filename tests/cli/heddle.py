# SPDX-License-Identifier: MIT
"""Calls of heddle for the tests in this folder: the binary is the first
argument of the script, programs are written into a folder of their own."""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HEDDLE = str(Path(sys.argv[1]).resolve())
_folder = tempfile.TemporaryDirectory(prefix="heddle-cli-")
WORK = Path(_folder.name)

MP = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int data, flag;

static void *writer(void *unused) {
  atomic_store_explicit(&data, 1, memory_order_relaxed);
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t id;
  pthread_create(&id, NULL, writer, NULL);
  if (atomic_load_explicit(&flag, memory_order_relaxed))
    assert(atomic_load_explicit(&data, memory_order_relaxed) == 1);
  pthread_join(id, NULL);
  return 0;
}
"""
EMPTY_MAIN = "int main(void) { return 0; }\n"


def write(name, text):
    """A file in the work folder; its path as a string."""
    path = WORK / name
    if isinstance(text, bytes):
        path.write_bytes(text)
    else:
        path.write_text(text)
    return str(path)


def heddle(*args, code=None, timeout=120, cwd=WORK, **env):
    """Runs heddle; checks its exit code when one is given."""
    result = subprocess.run([HEDDLE, *args], capture_output=True, text=True,
                            timeout=timeout, cwd=cwd,
                            env={**os.environ, **env}, errors="replace")
    if code is not None and result.returncode != code:
        raise AssertionError(
            f"exit code {result.returncode}, expected {code}: "
            f"heddle {' '.join(args)}\n{result.stdout[-2000:]}\n"
            f"{result.stderr[-3000:]}")
    return result


def check_source(text, *args, code=None, name="program.c"):
    return heddle("check", *args, write(name, text), code=code)


def check_json(text, *args, code=None):
    return json.loads(check_source(text, "--json", *args, code=code).stdout)


def says(result, *words):
    """Each of the words must be in the error output; none of it a crash."""
    for word in words:
        assert word in result.stderr, (
            f"`{word}` is not in the error output:\n{result.stderr}")
    assert "internal error" not in result.stderr, result.stderr
