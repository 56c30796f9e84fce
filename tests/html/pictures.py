#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the pictures of the documents again: what the browser shows of pages
that heddle writes, and what Graphviz makes of the pictures in side_by_side.py.

    tests/html/pictures.py build/heddle [FOLDER]
"""
import subprocess
import sys
import tempfile
from pathlib import Path

from browser import WHY_NOT, Browser
from side_by_side import EXECUTIONS, STYLES

ROOT = Path(__file__).resolve().parent.parent.parent
# name, arguments, size of the window, keys to press, what is shown (None: all)
PICTURES = [
    ("mp-relaxed", ["check", "examples/mp-relaxed.c"], (1440, 1000),
     ["Left", "Right"], None),
] + [
    (f"side-by-side/{name}", ["litmus", str(x.file)], (1900, 900), [],
     "svg.picture")
    for name, x in EXECUTIONS.items()
]


def shoot(browser, heddle, out, arguments, keys, selector):
    with tempfile.TemporaryDirectory() as folder:
        page = f"{folder}/page.html"
        subprocess.run([heddle, *arguments, "--html", page], cwd=ROOT,
                       stdout=subprocess.DEVNULL, check=False)
        browser.open(page)
        browser.emulate(prefers_color_scheme="light",
                        prefers_reduced_motion="reduce")
        if keys:
            browser.press(*keys)
        browser.screenshot(out, selector)


def draw(out):
    """The pictures in the manner of other tools."""
    for name, execution in EXECUTIONS.items():
        for style, write in STYLES.items():
            dot = out / f"side-by-side/{name}.{style}.dot"
            dot.write_text(write(execution))
            subprocess.run(["dot", "-Tsvg", str(dot), "-o",
                            str(dot.with_suffix(".svg"))], check=True)


def main():
    if WHY_NOT:
        sys.exit(WHY_NOT)
    heddle = str(Path(sys.argv[1]).resolve())
    out = Path(sys.argv[2]) if len(sys.argv) > 2 else ROOT / "docs/pictures"
    (out / "side-by-side").mkdir(exist_ok=True, parents=True)
    draw(out)
    for name, arguments, size, keys, selector in PICTURES:
        browser = Browser(*size)
        try:
            shoot(browser, heddle, out / f"{name}.png", arguments, keys,
                  selector)
        finally:
            browser.close()


if __name__ == "__main__":
    main()
