# SPDX-License-Identifier: MIT
"""Small litmus tests, and how often their outcomes are seen."""
import json
from pathlib import Path

from heddle import WORK, heddle


def asm(arch, init, question, *threads):
    """A test; a thread is its instructions with ; between."""
    columns = [[cell.strip() for cell in code.split(";")] for code in threads]
    rows = max(map(len, columns))
    text = f"{arch} test\n{{ {init} }}\n"
    text += " | ".join(f"P{i}" for i in range(len(columns))) + " ;\n"
    for row in range(rows):
        text += " | ".join(c[row] if row < len(c) else "" for c in columns)
        text += " ;\n"
    return text + question + "\n"


def c(question, *bodies, init=""):
    text = f"C test\n{{ {init} }}\n"
    for i, body in enumerate(bodies):
        text += f"P{i} (int* x, int* y) {{ {body} }}\n"
    return text + question + "\n"


def observed(rows):
    """What is seen of each of the tests, by name, in one run."""
    folder = WORK / "rows"
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    for name, (text, _) in rows.items():
        (folder / f"{name}.litmus").write_text(text)
    out = heddle("litmus", "--json", str(folder)).stdout
    return {Path(a["file"]).stem: a.get("observation", a.get("error"))
            for a in map(json.loads, out.splitlines())}


def check_rows(rows):
    seen = observed(rows)
    wrong = {name: (seen.get(name), want) for name, (_, want) in rows.items()
             if seen.get(name) != want}
    assert not wrong, wrong
