// SPDX-License-Identifier: MIT
// The picture of an execution, first part: what there is (html_data.c has
// written it), which rows are folded, and where everything stands. layout.js,
// draw.js, memory.js and page.js are one script.
"use strict";

// -- what html_data.c has written

const CLASSES = { r: "read", w: "write", u: "update", l: "lock", o: "other" };
const MARKS = ["", "minor", "matters", "marked"];
const KINDS = ["rf", "co", "fr", "sync", "cycle", "addr", "data", "ctrl",
               "named"];
// What comes with an arrow: the name of a step of a cycle; the name and the
// colour of a relation of the model.
const WIDTH = { cycle: 3, named: 4 };

function pairs(list) {
  const out = [];
  for (let i = 0; i < (list || []).length; i += 2)
    out.push([list[i], list[i + 1]]);
  return out;
}

function unpack(facts) {
  if (facts.steps) return facts;
  facts.steps = facts.events.length;
  facts.events = facts.events.map((row, i) => {
    const [id, thread, text, kind, bits = 0, line = 0, file = 0, loc, rf, odd,
           own, floors] = row;
    const e = { id, column: thread, thread: facts.threads[thread].id, text,
                kind: CLASSES[kind], step: i + 1, mark: MARKS[bits & 3],
                fold: bits >> 2 };
    if (line) e.line = [file, line];
    if (loc) e.loc = loc - 1;
    if (rf) e.rf = rf - 1;
    if (odd) e.odd = odd === 1 ? "old" : "future";
    if (own && own.length) e.writes = own;
    e.floors = pairs(floors);
    if (e.writes) e.floors.push(e.writes);
    return e;
  });
  for (const t of facts.threads) t.floors = pairs(t.floors);
  facts.edges = [];
  for (const kind of KINDS) {
    const list = facts[kind] || [], width = WIDTH[kind] || 2;
    for (let i = 0, from = 0; i < list.length; i += width) {
      from += list[i];
      facts.edges.push({ kind, from, to: from + list[i + 1],
                         label: width > 2 ? list[i + 2] : kind,
                         color: width > 3 ? list[i + 3] : null });
    }
  }
  return facts;
}

// -- folds: rows that the text report leaves out are one box

function findFolds(entry) {
  const now = new Map();
  entry.folds = [];
  for (const e of entry.facts.events) {
    if (!e.fold) continue;
    let fold = now.get(e.column);
    if (!fold) {
      fold = { number: entry.folds.length, column: e.column, events: [] };
      entry.folds.push(fold);
      now.set(e.column, fold);
    }
    fold.events.push(e);
    e.folded = fold;
    if (e.fold === 2) now.delete(e.column);
  }
  entry.section.querySelector(".unfold").hidden = !entry.folds.length;
}

function redraw(entry) {
  layOut(entry);
  entry.range = null;
  setZoom(entry, entry.zoom);
  draw(entry);
}

function unfold(entry, number) {
  entry.open.add(number);
  redraw(entry);
}

function unfoldAll(entry) {
  const isAll = entry.open.size === entry.folds.length;
  entry.open = new Set(isAll ? [] : entry.folds.map((f) => f.number));
  entry.section.querySelector(".unfold").textContent =
    isAll ? "unfold all" : "fold again";
  redraw(entry);
  reveal(entry);
}

// -- where everything stands

const MARGIN = 16, HEADER = 46, PADDING = 12;
const LEAST_LANE = 110, CHARACTER = 7.25;
const widthOf = (text) => Math.ceil(CHARACTER * [...text].length);
// Boxes, what is from one to the next, and what is between lanes. Where wide
// ones could hardly be read beside each other, texts stand in two lines.
const WIDE = { box: 26, pitch: 46, gap: 96, letters: Infinity };
const DENSE = { box: 42, pitch: 60, gap: 56, letters: 16 };
const LEAST_WIDE = .8; // the zoom at which wide ones would fit
const topOf = (entry, level) => MARGIN + HEADER + entry.shape.pitch * level;

// An item is an event or a fold. It stands below everything that it comes
// after by po, rf and sync; in the order of reading, what comes before has
// its level already, and an arrow from something later (load buffering)
// points upwards.
function layOut(entry) {
  entry.items = [];
  entry.itemOf = new Map();
  const ofFold = new Map();
  for (const e of entry.facts.events) {
    if (!e.folded || entry.open.has(e.folded.number)) {
      addItem(entry, { e, column: e.column, text: e.text,
                       label: labelOf(entry, e) }, [e]);
    } else if (e === e.folded.events[e.folded.events.length - 1]) {
      const n = e.folded.events.length;
      addItem(entry, { fold: e.folded, e, column: e.column, label: "",
                       text: "... " + n + (n > 1 ? " events" : " event") +
                         ", unfold" },
              e.folded.events);
    }
  }
  entry.arrows = arrowsOf(entry);
  findShape(entry);
  findLevels(entry);
}

function addItem(entry, item, events) {
  item.level = 0;
  item.index = entry.items.length;
  entry.items.push(item);
  for (const e of events) entry.itemOf.set(e.id, item);
}

function labelOf(entry, e) {
  if (!e.line) return "";
  const first = entry.mainFile === undefined
    ? (entry.mainFile = mainFile(entry)) : entry.mainFile;
  return (e.line[0] === first ? "" : fileNames[e.line[0]] + ":") + e.line[1];
}

const fileNames = [...document.querySelectorAll(".source h3")]
  .map((h) => h.textContent.split("/").pop());

function mainFile(entry) {
  const counts = new Map();
  for (const e of entry.facts.events)
    if (e.line) counts.set(e.line[0], (counts.get(e.line[0]) || 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]).map((c) => c[0])[0];
}

function arrowsOf(entry) {
  const seen = new Set(), arrows = [];
  for (const edge of entry.facts.edges) {
    const from = entry.itemOf.get(edge.from), to = entry.itemOf.get(edge.to);
    const key = edge.kind + edge.label + " " + (from && from.index) + " " +
      (to && to.index);
    if (!from || !to || from === to || seen.has(key)) continue;
    seen.add(key);
    arrows.push({ ...edge, from, to, first: edge.from, last: edge.to,
      isInside: from.column === to.column &&
                (edge.kind === "rf" || edge.kind === "co") });
  }
  // Of arrows side by side one has a name: that of the cycle, or the first.
  // The others have their colours and their titles.
  const named = new Map();
  for (const a of arrows) {
    const ends = a.from.index + " " + a.to.index, other = named.get(ends);
    a.isNamed = a.kind === "named" || !other || a.kind === "cycle";
    if (a.kind === "named") continue;
    if (other && a.isNamed && other.kind !== "cycle") other.isNamed = false;
    if (a.isNamed) named.set(ends, a);
  }
  return arrows;
}

// Once for all: what is unfolded later does not change it.
function findShape(entry) {
  const isNew = !entry.shape, room = entry.pane.clientWidth - 2;
  if (isNew) entry.shape = WIDE;
  findLanes(entry);
  if (!isNew || room <= 0 || room / entry.width >= LEAST_WIDE) return;
  entry.shape = DENSE;
  findLanes(entry);
}

// The text in a line or two of nearly the same length; a blank at the end of
// the first belongs to the text.
function splitText(entry, text) {
  if (text.length <= entry.shape.letters) return [text];
  let best = 0;
  for (let at = text.indexOf(" "); at > 0; at = text.indexOf(" ", at + 1))
    if (Math.abs(2 * at - text.length) < Math.abs(2 * best - text.length))
      best = at;
  return best ? [text.slice(0, best + 1), text.slice(best + 1)] : [text];
}

const widestOf = (lines) =>
  Math.max(...lines.map((line) => widthOf(line.trimEnd())));

function findLanes(entry) {
  const hasCycle = entry.arrows.some((a) => a.kind === "cycle");
  const gap = hasCycle ? WIDE.gap : entry.shape.gap;
  let x = MARGIN + (hasCycle ? gap / 2 : 0);
  entry.gap = gap;
  entry.lanes = entry.facts.threads.map((t) => ({
    title: t.label + (t.name && t.label[0] !== "P" ? " " + t.name : ""),
    label: 0, most: 0, end: splitText(entry, t.end), isError: t.error,
    levels: 0 }));
  for (const item of entry.items) {
    const lane = entry.lanes[item.column];
    lane.label = Math.max(lane.label, widthOf(item.label) + PADDING);
    item.lines = splitText(entry, item.text);
    lane.most = Math.max(lane.most, widestOf(item.lines));
  }
  for (const item of entry.items) // what fits after all
    if (widthOf(item.text) <= entry.lanes[item.column].most)
      item.lines = [item.text];
  for (const lane of entry.lanes) {
    const most = Math.max(lane.label + lane.most, widestOf(lane.end),
                          widthOf(lane.title) + lane.label);
    lane.x = x;
    lane.width = Math.max(LEAST_LANE, most + 2 * PADDING);
    x += lane.width + gap;
  }
  entry.width = x - gap + MARGIN + gap / 2;
}

function findLevels(entry) {
  const next = entry.lanes.map(() => 0), isPlaced = new Set();
  const down = new Map();
  for (const a of entry.arrows)
    if (a.kind === "rf" || a.kind === "sync") {
      if (!down.has(a.from)) down.set(a.from, []);
      down.get(a.from).push(a.to);
    }
  let levels = 0;
  for (const item of entry.items) {
    item.level = Math.max(item.level, next[item.column]);
    isPlaced.add(item);
    next[item.column] = item.level + 1;
    levels = Math.max(levels, item.level + 1);
    for (const to of down.get(item) || [])
      if (!isPlaced.has(to)) to.level = Math.max(to.level, item.level + 1);
  }
  entry.lanes.forEach((lane, i) => { lane.levels = next[i]; });
  entry.height = topOf(entry, levels) + entry.shape.pitch;
}
