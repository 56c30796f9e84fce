#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Files as strings of a C header: tools/embed.py OUTPUT NAME=FILE..."""
import sys
from pathlib import Path

lines = ["// Made by tools/embed.py.", "#pragma once", ""]
for argument in sys.argv[2:]:
    name, path = argument.split("=", 1)
    data = ", ".join(map(str, Path(path).read_bytes() + b"\0"))
    lines.append(f"static const char {name}[] = {{{data}}};")
Path(sys.argv[1]).write_text("\n".join(lines) + "\n")
