# SPDX-License-Identifier: MIT
"""The cost of a check in instructions, which does not depend on how busy the
machine is. Skips the test without valgrind."""
import re
import shutil
import subprocess

import tap
from heddle import HEDDLE, write


def instructions(text, *args):
    """Those of a check whose compile is cached."""
    if not shutil.which("valgrind"):
        raise tap.Skip("valgrind is not installed")
    command = [HEDDLE, "check", "--symmetry", "off", *args,
               write("program.c", text)]
    first = subprocess.run(command, capture_output=True, text=True)
    assert first.returncode == 0, first.stdout[-500:] + first.stderr
    result = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
         *command], capture_output=True, text=True)
    counted = re.search(r"Collected : (\d+)", result.stderr)
    assert counted, result.stderr[-500:]
    return int(counted.group(1))
