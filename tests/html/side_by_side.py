# SPDX-License-Identifier: MIT
"""Five executions of litmus tests, and the pictures of them that other tools
would draw: in the manner of herd7 and of GenMC, written here from what those
pictures show (docs/manual/side-by-side.md says what that is)."""
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "docs/pictures/side-by-side"
EXAMPLES = ROOT / "examples/litmus"


class Execution:
    """Threads of accesses: R or W, location, value; writes of one location have
    different values, which grow in coherence order, and 0 is the initial one.
    `links` are what is between the accesses of a thread, by thread."""

    def __init__(self, title, file, threads, links=()):
        self.title, self.file = title, file
        self.threads = [t.split() for t in threads.split("|")]
        self.events = [(t, i) for t, thread in enumerate(self.threads)
                       for i in range(len(thread))]
        self.links = dict(links)

    def access(self, event):
        return self.threads[event[0]][event[1]]

    def name(self, event):
        return chr(ord("a") + self.events.index(event))

    def source(self, read):
        """The write that a read takes its value from; None: the initial one."""
        text = self.access(read)
        return next((e for e in self.events
                     if self.access(e) == "W" + text[1:]), None)

    def writes(self, location):
        return sorted((e for e in self.events
                       if self.access(e)[:2] == "W" + location),
                      key=lambda e: int(self.access(e)[2:]))

    def po(self):
        return [((t, i), (t, i + 1)) for t, thread in enumerate(self.threads)
                for i in range(len(thread) - 1)]

    def rf(self):
        return [(self.source(e), e) for e in self.events
                if self.access(e)[0] == "R"]

    def co(self):
        pairs = []
        for location in sorted({self.access(e)[1] for e in self.events}):
            writes = self.writes(location)
            pairs += zip(writes, writes[1:])
        return pairs

    def fr(self):
        """To the nearest write that is not seen, of another thread."""
        pairs = []
        for source, read in self.rf():
            writes = self.writes(self.access(read)[1])
            after = writes[writes.index(source) + 1:] if source else writes
            if after and after[0][0] != read[0]:
                pairs.append((read, after[0]))
        return pairs


EXECUTIONS = {
    "MP": Execution("a message is seen before its data", EXAMPLES / "MP.litmus",
                    "Wx1 Wy1 | Ry1 Rx0"),
    "SB": Execution("both stores wait in their buffers", EXAMPLES / "SB.litmus",
                    "Wx1 Ry0 | Wy1 Rx0"),
    "LB": Execution("each thread reads what the other writes later",
                    FOLDER / "LB.litmus", "Rx1 Wy1 | Ry1 Wx1"),
    "MP+dmb.sy+addr": Execution(
        "refused: the barrier and the dependency forbid it",
        EXAMPLES / "MP+dmb.sy+addr.litmus", "Wx1 Wy1 | Ry1 Rx0",
        links={0: "dmb.sy", 1: "addr"}),
    "IRIW": Execution("two readers see two writes in different orders",
                      FOLDER / "IRIW.litmus", "Wx1 | Rx1 Ry0 | Wy1 | Ry1 Rx0",
                      links={1: "addr", 3: "addr"}),
}


def in_order(x):
    """Threads from left to right, which Graphviz does not promise."""
    first = [x.name((t, 0)) for t in range(len(x.threads))]
    return (f"  {{ rank=same; {' -> '.join(first)} [style=invis]; }}\n"
            if len(first) > 1 else "")


def herd_style(x):
    """Named accesses without boxes, a column for each thread, all relations in
    colours, no initial writes: a read of one has an arrow from nowhere."""
    def edge(a, b, label, color):
        return (f'  {a} -> {b} [label="{label}", color="{color}", '
                f'fontcolor="{color}"];\n')

    def node(name, label, column, row, more=""):
        return (f'  {name} [label="{label}", pos="{1.9 * column:g},'
                f'{-1.1 * row:g}!"{more}];\n')
    text = ('digraph G {\n  layout=neato; splines=true;\n'
            '  node [shape=none, fontname="helvetica", fontsize=11, '
            'height=0.3, margin=0];\n'
            '  edge [fontname="helvetica", fontsize=10, penwidth=2];\n')
    for t, thread in enumerate(x.threads):
        text += node(f"t{t}", f"Thread {t}", t, -0.55)
        for i, access in enumerate(thread):
            name = x.name((t, i))
            text += node(name, f"{name}: {access[0]}[{access[1]}]={access[2:]}",
                         t, i)
    for a, b in x.po():
        text += edge(x.name(a), x.name(b), x.links.get(a[0], "po"), "black")
    for a, b in x.rf():
        if not a:
            text += node(f"i{x.name(b)}", "", b[0] + 0.35, b[1] - 0.5,
                         ", shape=point, width=0.02, height=0.02")
        text += edge(x.name(a) if a else f"i{x.name(b)}", x.name(b), "rf", "red")
    for a, b in x.co():
        text += edge(x.name(a), x.name(b), "co", "blue")
    for a, b in x.fr():
        text += edge(x.name(a), x.name(b), "fr", "#ffa040")
    return text + "}\n"


def genmc_style(x):
    """A box for each event, a cluster for each thread, reads-from from the
    initial event too; no other relation."""
    text = ('strict digraph {\n  labeljust=l; newrank=true;\n'
            '  node [shape=box, fontname="courier", fontsize=11];\n'
            '  init [label="INIT"];\n')
    for t, thread in enumerate(x.threads):
        text += (f'  subgraph cluster_{t} {{\n    label="thread {t}"; '
                 'fontname="helvetica"; fontsize=10;\n')
        for i, access in enumerate(thread):
            text += (f'    {x.name((t, i))} [label="({t + 1}, {i + 1}): '
                     f'{access[0]}rlx ({access[1]}, {access[2:]})"];\n')
        text += "  }\n"
    text += in_order(x)
    for a, b in x.po():
        text += f"  {x.name(a)} -> {x.name(b)};\n"
    for a, b in x.rf():
        text += (f'  {x.name(a) if a else "init"} -> {x.name(b)} '
                 '[color="forestgreen", style=dashed, constraint=false];\n')
    for t in range(len(x.threads)):
        text += f"  init -> {x.name((t, 0))} [style=invis];\n"
    return text + "}\n"


STYLES = {"herd": herd_style, "genmc": genmc_style}
