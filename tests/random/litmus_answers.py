# SPDX-License-Identifier: MIT
"""Litmus tests that a script makes, what `heddle litmus` answers, and how that
is compared with final states that an oracle has found."""
import itertools
import json
import subprocess


def table(columns):
    """The rows of a litmus test, with one column per thread."""
    rows = [[f"P{t}" for t in range(len(columns))],
            *itertools.zip_longest(*columns, fillvalue="")]
    return "".join(" | ".join(row) + " ;\n" for row in rows)


def answers(options, folder, texts, *more):
    """What the litmus tests are answered, in their order."""
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    for i, text in enumerate(texts):
        (folder / f"{i:03}.litmus").write_text(text)
    done = subprocess.run([options.heddle, "litmus", "--json", "--jobs", "1",
                           *more, str(folder)],
                          capture_output=True, text=True, timeout=300)
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(said) == len(texts), f"{len(said)} answers: {done.stderr}"
    return said


def states(answer):
    return {json.dumps(s, sort_keys=True) for s in answer["states"]}


def compare_states(options, folder, tests, oracle, also=lambda a, want: ""):
    """Tests whose final states by the oracle (None: too many candidates) are
    not those of the answer, or of which `also` has to say something; as a
    campaign has it (tap.campaign)."""
    known = [(test, want) for test in tests
             if (want := oracle(test)) is not None]
    said = answers(options, folder, [test.text() for test, _ in known])
    wrong = []
    for answer, (test, want) in zip(said, known):
        if "error" in answer:
            wrong.append(f"{answer['file']}: {answer['error']}\n{test.text()}")
            continue
        got, wanted, more = states(answer), set(want), also(answer, want)
        if got != wanted or more:
            wrong.append(f"{answer['file']}: {more}lost "
                         f"{sorted(wanted - got)}, has too many "
                         f"{sorted(got - wanted)}\n{test.text()}")
    return f"{len(known)} tests", "\n".join(wrong) or None
