#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the documents show must be true.

    tests/docs/test_docs.py build/heddle [--promote]

- A ```console block holds commands (`$ heddle ...`) and what they print. Each
  is run again; times and memory may differ. A ```c block whose first line is
  `// NAME.c: ...` is a file for the commands below it.
- docs/manual/options.md is what `heddle doc options` prints; kinds.md and
  reductions.md are printed likewise.
- Links to files and headings of this repository lead somewhere.
- The models, the kinds of errors and the members of the JSON report are all
  described.

--promote writes what the commands print now into the documents where it is not
the same; a command that crashes promotes nothing.
"""
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))
import tap

HEDDLE = str(Path(sys.argv[1]).resolve())
PROMOTE = "--promote" in sys.argv
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
BLOCK = re.compile(r"^```(c|console)\n(.*?)^```$", re.M | re.S)
NUMBERS = re.compile(r" in \d+\.\d+ s, \d+ MB")


def run(arguments, folder):
    environment = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1"}
    result = subprocess.run([HEDDLE, *arguments], cwd=folder, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            env=environment, timeout=60)
    # What a crash leaves behind is not worth promoting.
    assert 0 <= result.returncode != 70, (arguments, result.returncode,
                                          result.stdout[-500:])
    return result.stdout


def output_of(command, folder):
    words = shlex.split(command)
    assert words[0] == "heddle", f"not a heddle command: {command}"
    return run(words[1:], folder)


def rerun(block, folder):
    """The text that a console block should have."""
    text = ""
    for line in block.splitlines():
        if line.startswith("$ "):
            text += line + "\n" + output_of(line[2:], folder)
    return text


def same(a, b):
    return NUMBERS.sub(" in T s, M MB", a) == NUMBERS.sub(" in T s, M MB", b)


def check_document(path):
    text = path.read_text()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "examples").symlink_to(ROOT / "examples")

        def check(match):
            kind, block = match.groups()
            if kind == "c":
                name = re.match(r"// ([\w-]+\.c):", block)
                if name:
                    (Path(folder) / name.group(1)).write_text(block)
                return match.group(0)
            now = rerun(block, folder)
            if same(block, now):
                return match.group(0)
            assert PROMOTE, f"it prints now:\n{now}"
            return f"```console\n{now}```"

        promoted = BLOCK.sub(check, text)
    if promoted != text:
        path.write_text(promoted)


def slug(heading):
    return re.sub(r"[^\w -]", "", heading.strip().lower()).replace(" ", "-")


def check_links(path):
    text = re.sub(r"^```.*?^```$", "", path.read_text(), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        goal = (path.parent / name).resolve() if name else path
        assert goal.exists(), f"{target} does not exist"
        if anchor:
            headings = re.findall(r"^#+ (.*)$", goal.read_text(), re.M)
            assert anchor in map(slug, headings), f"{target}: no such heading"


@tap.test
def printed_pages_are_the_tables():
    for name in ("options", "kinds", "reductions"):
        path = ROOT / f"docs/manual/{name}.md"
        printed = run(["doc", name], ROOT)
        if PROMOTE:
            path.write_text(printed)
        assert path.read_text() == printed, (
            f"{path}: heddle doc {name} prints something else")


@tap.test
def commit_messages_say_why():
    rows = (("vm: add an instruction\n\nPeople use it.\n", 0),
            ("Merge branch 'x'\n", 0),
            ("vm: add an instruction\n", 1), ("one\ntwo\n\nthree\n", 1),
            ("x" * 73 + "\n\nwhy\n", 1), ("x\n\nseen in /tmp/a\n", 1), ("", 1))
    with tempfile.NamedTemporaryFile("w+") as message:
        for text, code in rows:
            message.seek(0)
            message.truncate()
            message.write(text)
            message.flush()
            done = subprocess.run([ROOT / "tools/commit-msg", message.name],
                                  capture_output=True)
            assert done.returncode == code, (text, done)


@tap.test
def every_model_is_described():
    names = [line.split()[0] for line in run(["models"], ROOT).splitlines()]
    table = (ROOT / "README.md").read_text()
    page = (ROOT / "docs/manual/models.md").read_text()
    assert names
    for name in names:
        assert f"\n| `{name}` |" in table, f"README.md: {name}"
        assert f"\n## {name}" in page, f"models.md: {name}"


@tap.test
def every_kind_of_error_is_described():
    rows = re.findall(r'^FINDING\(\w+,\s*"([^"]+)",\s*"([^"]+)",$',
                      (ROOT / "src/base/finding.def").read_text(), re.M)
    assert rows
    page = (ROOT / "docs/manual/reading-a-report.md").read_text()
    for name, meaning in rows:
        assert f"| `{name}` | {meaning} |" in page, f"| `{name}` | {meaning} |"


def members(value):
    if isinstance(value, dict):
        for name, item in value.items():
            yield name
            yield from members(item)
    elif isinstance(value, list):
        for item in value:
            yield from members(item)


@tap.test
def every_json_member_is_described():
    page = (ROOT / "docs/json.md").read_text()
    report = json.loads(run(["check", "--json", "--stats",
                             "examples/mp-relaxed.c"], ROOT))
    assert report["verdict"] == "error", report["verdict"]
    for name in sorted(set(members(report))):
        assert f"`{name}`" in page or f'"{name}"' in page, name


for document in DOCUMENTS:
    title = str(document.relative_to(ROOT))
    tap.add(f"commands of {title}", lambda d=document: check_document(d))
    tap.add(f"links of {title}", lambda d=document: check_links(d))

if __name__ == "__main__":
    tap.main([word for word in sys.argv[2:] if word != "--promote"])
