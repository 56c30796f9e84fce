#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the pictures of the documents again: what the browser shows of pages
that heddle writes.

    tests/html/pictures.py build/heddle
"""
import subprocess
import sys
import tempfile
from pathlib import Path

from browser import WHY_NOT, Browser

ROOT = Path(__file__).resolve().parent.parent.parent
OUT = ROOT / "docs/pictures"
# name, arguments, size of the window, keys to press
PICTURES = [
    ("mp-relaxed", ["check", "examples/mp-relaxed.c"], (1440, 1000),
     ["Left", "Right"]),
]

if WHY_NOT:
    sys.exit(WHY_NOT)
OUT.mkdir(exist_ok=True)
for name, arguments, (width, height), keys in PICTURES:
    with tempfile.TemporaryDirectory() as folder:
        page = f"{folder}/page.html"
        subprocess.run([str(Path(sys.argv[1]).resolve()), *arguments, "-q",
                        "--html", page], cwd=ROOT, stdout=subprocess.DEVNULL,
                       check=False)
        browser = Browser(width, height)
        try:
            browser.open(page)
            browser.emulate(prefers_color_scheme="light",
                            prefers_reduced_motion="reduce")
            browser.press(*keys)
            browser.screenshot(OUT / f"{name}.png")
        finally:
            browser.close()
