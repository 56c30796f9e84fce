// SPDX-License-Identifier: MIT
// What moves in the page: steps, switches, highlights, sizes, panes.

const data = JSON.parse(document.getElementById("data").textContent);
const sections = [...document.querySelectorAll("section.entry")];
const entries = sections.map(makeEntry);
let current = 0;

// -- one execution

function makeEntry(section, number) {
  const facts = data.entries[number];
  return {
    section, facts, number, picture: null, step: facts.events.length, zoom: 1,
    slider: section.querySelector(".stepper input"),
    output: section.querySelector("output"),
    memory: section.querySelector(".memory"),
    pane: section.querySelector(".scroll"),
    boxes: new Map(), drawn: [], byId: new Map(), before: null,
    open: new Set(), found: null, over: new Set(),
  };
}

// An execution is prepared when it is looked at for the first time.
function prepare(entry) {
  if (entry.picture || !entry.facts.threads.length) return;
  unpack(entry.facts);
  for (const e of entry.facts.events) entry.byId.set(e.id, e);
  findFolds(entry);
  entry.slider.max = entry.slider.value = entry.facts.steps;
  entry.picture = svg("svg", { class: "picture", role: "group",
    "aria-label": "The execution: a lane for each thread" });
  entry.layers = ["lanes", "edges", "names", "events", "titles"].map((name) =>
    entry.picture.appendChild(svg("g", { class: name })));
  for (const layer of entry.layers.slice(1, 3))
    layer.setAttribute("aria-hidden", "true");
  entry.pane.append(entry.picture);
  const relations = [...entry.section.querySelectorAll("[data-relation]")];
  for (const box of relations) switchRelation(entry, box);
  layOut(entry);
  listen(entry);
  showChain(entry);
  fit(entry);
  showError(entry);
}

function listen(entry) {
  entry.slider.addEventListener("input",
    () => goTo(entry, Number(entry.slider.value)));
  entry.section.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button && button.dataset.go) move(entry, button.dataset.go);
    if (button && button.dataset.zoom) zoomBy(entry, button.dataset.zoom);
    if (button && button.dataset.step)
      goTo(entry, Number(button.dataset.step));
    if (button && button.classList.contains("unfold")) unfoldAll(entry);
    const box = event.target.closest(".event");
    if (box && !dragged) choosesBox(entry, box);
  });
  entry.section.addEventListener("change", (event) => {
    if (event.target.dataset.relation) switchRelation(entry, event.target);
  });
  const find = entry.section.querySelector(".find input");
  find.addEventListener("input", () => search(entry, find.value));
  find.addEventListener("keydown", (event) => {
    if (event.key === "Enter") nextFound(entry);
  });
  for (const kind of ["mouseover", "focusin"])
    entry.picture.addEventListener(kind, (event) => {
      const box = event.target.closest(".event");
      highlight(entry, box && box.dataset.event ? [idOf(box)] : []);
    });
  for (const kind of ["mouseleave", "focusout"])
    entry.picture.addEventListener(kind, () => highlight(entry, []));
  entry.picture.addEventListener("keydown", (event) => {
    const box = event.target.closest(".event");
    if (box && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      choosesBox(entry, box);
    }
  });
  dragToPan(entry.pane);
  entry.pane.addEventListener("scroll", () => {
    draw(entry);
    keepTitles(entry);
  });
  entry.pane.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    zoomBy(entry, event.deltaY < 0 ? "1" : "-1");
  }, { passive: false });
}

function idOf(box) {
  return Number(box.dataset.event);
}

function choosesBox(entry, box) {
  if (box.dataset.fold) unfold(entry, Number(box.dataset.fold));
  else goTo(entry, entry.byId.get(idOf(box)).step);
}

function switchRelation(entry, box) {
  const name = box.dataset.relation;
  const isInside = name === "inside";
  entry.picture.classList.toggle(isInside ? "inside" : "no-" + name,
                                 isInside === box.checked);
}

// -- steps

// From one item to the next: a fold is one step.
function move(entry, where) {
  const last = entry.facts.steps, events = entry.facts.events;
  let goal = entry.step;
  if (where === "first") goal = 0;
  if (where === "last") goal = last;
  const item = (step) => step && entry.itemOf.get(events[step - 1].id);
  if (where === "on" && goal < last) {
    goal++;
    while (goal < last && item(goal + 1) === item(goal)) goal++;
  }
  if (where === "back" && goal > 0) {
    const now = item(goal);
    while (goal > 0 && item(goal) === now) goal--;
  }
  goTo(entry, goal);
}

function goTo(entry, step) {
  const before = entry.before;
  entry.step = step;
  entry.before = step;
  entry.slider.value = step;
  paint(entry);
  if (before !== null) reveal(entry);
  keepTitles(entry);
  say(entry);
  showMemory(entry, before);
  showLines(entry);
}

// Which of the drawn things are still to come, here, looked for.
function paint(entry) {
  const step = entry.step, isEnd = step === entry.facts.steps;
  const at = step && !isEnd &&
    entry.itemOf.get(entry.facts.events[step - 1].id);
  for (const d of entry.drawn) {
    const list = d.element.classList;
    if (d.item) {
      const first = d.item.fold ? d.item.fold.events[0].step : d.item.e.step;
      list.toggle("future", first > step);
      list.toggle("now", d.item === at);
      list.toggle("lost", Boolean(entry.found) &&
                  !entry.found.has(d.item.e.id));
    } else {
      const last = Math.max(entry.byId.get(d.arrow.first).step,
                            entry.byId.get(d.arrow.last).step);
      list.toggle("future", last > step);
    }
  }
}

// Scrolls the pane of the picture to the step; the page stays.
function reveal(entry) {
  if (!entry.step) {
    entry.pane.scrollTo(0, 0);
    return;
  }
  if (entry.step === entry.facts.steps) showError(entry);
  else showItem(entry,
    entry.itemOf.get(entry.facts.events[entry.step - 1].id));
}

function showItem(entry, item) {
  const pane = entry.pane, lane = entry.lanes[item.column], z = entry.zoom;
  const left = lane.x * z, right = (lane.x + lane.width) * z;
  const top = topOf(entry, item.level) * z;
  const bottom = top + entry.shape.box * z;
  if (left < pane.scrollLeft || right > pane.scrollLeft + pane.clientWidth)
    pane.scrollLeft = Math.max(0, Math.min(left - 10,
      (left + right - pane.clientWidth) / 2));
  if (top < pane.scrollTop + HEADER * z ||
      bottom > pane.scrollTop + pane.clientHeight - 30)
    pane.scrollTop = (top + bottom - pane.clientHeight) / 2;
  draw(entry);
}

// At the end the error is what one wants to see.
function showError(entry) {
  const marked = entry.items.filter((i) => !i.fold && i.e.mark === "marked");
  const ends = entry.items.filter((i) => entry.lanes[i.column].isError);
  const item = marked[marked.length - 1] || ends[ends.length - 1];
  if (!item) return draw(entry);
  showItem(entry, item);
  showLanes(entry, marked);
}

// All lanes of some items side by side, if there is room.
function showLanes(entry, items) {
  const pane = entry.pane, lanes = items.map((i) => entry.lanes[i.column]);
  const left = Math.min(...lanes.map((l) => l.x)) * entry.zoom;
  const right = Math.max(...lanes.map((l) => l.x + l.width)) * entry.zoom;
  if (right - left <= pane.clientWidth && (left < pane.scrollLeft ||
      right > pane.scrollLeft + pane.clientWidth))
    pane.scrollLeft = (left + right - pane.clientWidth) / 2;
}

function eventAt(entry, step) {
  return entry.facts.events[step - 1];
}

function say(entry) {
  const last = entry.facts.steps, e = eventAt(entry, entry.step);
  entry.output.textContent = "";
  if (entry.step === last) {
    entry.output.append(last + " steps: the whole execution. ");
    if (e && e.odd) sayOddity(entry, e);
    return;
  }
  if (!e) {
    entry.output.append("Before the first of " + last + " steps.");
    return;
  }
  const from = e.rf === undefined ? "" : ", from " + refer(entry, e.rf);
  entry.output.append("Step " + entry.step + " of " + last + ": " +
    entry.facts.threads[e.column].label + " " + e.text + from + ". ");
  sayOddity(entry, e);
}

function sayOddity(entry, e) {
  if (!e.odd) return;
  const note = document.createElement("span");
  note.className = "odd";
  note.textContent = e.odd === "old"
    ? "It does not see the newest write in this order."
    : "It sees a write that is still to come in this order.";
  entry.output.append(note);
}

// -- the chain of the error

const MOST_LINKS = 12;

function showChain(entry) {
  const chain = entry.facts.events.filter((e) =>
    e.mark === "matters" || e.mark === "marked");
  const place = entry.section.querySelector(".chain");
  const shown = chain.slice(-MOST_LINKS);
  if (!chain.length) return;
  place.hidden = false;
  place.append(entry.facts.cycle && entry.facts.cycle.length
    ? "On the cycle: " : "What led to it: ");
  if (shown.length < chain.length)
    place.append((chain.length - shown.length) + " events, then ");
  shown.forEach((e) => {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.step = e.step;
    button.className = e.mark;
    button.textContent = entry.facts.threads[e.column].label + " " + e.text;
    place.append(button, " ");
  });
}

// -- looking for a variable

function search(entry, words) {
  const wanted = words.trim().toLowerCase();
  const hits = entry.facts.events.filter((e) =>
    wanted && e.text.toLowerCase().includes(wanted));
  entry.found = wanted ? new Set(hits.map((e) => e.id)) : null;
  entry.section.querySelector(".find small").textContent =
    wanted ? hits.length + " rows" : "";
  paint(entry);
  const isThere = entry.step < entry.facts.steps &&
    hits.some((e) => e.step === entry.step);
  if (hits.length && !isThere) nextFound(entry);
}

function nextFound(entry) {
  if (!entry.found || !entry.found.size) return;
  const hits = entry.facts.events.filter((e) => entry.found.has(e.id));
  const next = hits.find((e) => e.step > entry.step) || hits[0];
  if (next.folded && !entry.open.has(next.folded.number))
    unfold(entry, next.folded.number);
  goTo(entry, next.step);
}

// -- source lines

const lineOf = (pair) =>
  pair && document.getElementById("f" + pair[0] + "-" + pair[1]);

// The lines in which something happens, each once.
function linesOf(entry) {
  if (!entry.lines) {
    const all = new Map();
    for (const e of entry.facts.events)
      if (e.line) all.set(e.line.join(), e.line);
    entry.lines = [...all.values()];
  }
  return entry.lines;
}

// Only the files in which something happens, if there are others.
function showFiles(entry) {
  const used = new Set(linesOf(entry).map((l) => l[0]));
  if (entry.facts.at) used.add(entry.facts.at[0]);
  for (const file of document.querySelectorAll(".of-file"))
    file.hidden = used.size > 0 && !used.has(Number(file.dataset.file));
}

function showLines(entry) {
  for (const line of document.querySelectorAll(".row.hit, .row.error, .row.now"))
    line.classList.remove("hit", "error", "now");
  for (const key of linesOf(entry))
    if (lineOf(key)) lineOf(key).classList.add("hit");
  const at = lineOf(entry.facts.at);
  for (const line of [at, lineOf(entry.facts.also)])
    if (line) line.classList.add("hit", "error");
  const e = eventAt(entry, entry.step);
  const isLast = entry.step === entry.facts.steps;
  const line = isLast ? at : e && lineOf(e.line);
  if (line && !isLast) line.classList.add("now");
  if (line) revealLine(line);
}

// Scrolls the pane, never the page.
function revealLine(line) {
  const pane = document.querySelector(".source");
  const top = line.offsetTop - pane.offsetTop;
  if (top < pane.scrollTop || top > pane.scrollTop + pane.clientHeight - 40)
    pane.scrollTop = top - pane.clientHeight / 2;
}

document.querySelector(".source").addEventListener("mouseover", (event) => {
  const line = event.target.closest(".row.hit");
  const entry = entries[current];
  if (!entry || !entry.picture) return;
  const ids = !line ? [] : entry.facts.events
    .filter((e) => lineOf(e.line) === line).map((e) => e.id);
  highlight(entry, ids);
});

// -- highlights

const writes = (e) => ["write", "update", "lock"].includes(e.kind);
const conflict = (a, b) => a.loc !== undefined && a.loc === b.loc &&
  a.thread !== b.thread && (writes(a) || writes(b));

function highlight(entry, ids) {
  const marks = ["over", "origin", "conflict"];
  if (!entry.picture) return;
  for (const box of entry.picture.querySelectorAll(".over, .origin, .conflict"))
    box.classList.remove(...marks);
  const add = (id, mark) => {
    const box = entry.boxes.get(id);
    if (box) box.classList.add(mark);
  };
  for (const line of document.querySelectorAll(".row.over"))
    line.classList.remove("over");
  for (const id of ids) {
    const e = entry.byId.get(id);
    add(id, "over");
    const line = lineOf(e.line);
    if (line) line.classList.add("over");
    if (ids.length > 1) continue;
    for (const other of entry.facts.events)
      if (conflict(e, other)) add(other.id, "conflict");
    add(e.rf, "origin");
    const item = entry.itemOf.get(id);
    for (const d of entry.drawn)
      if (d.arrow && (d.arrow.from === item || d.arrow.to === item))
        d.element.classList.add("over");
  }
}

// -- the page

function choose(number) {
  if (!entries[number]) return;
  current = number;
  sections.forEach((s, i) => { s.hidden = i !== number; });
  for (const button of document.querySelectorAll(".choose"))
    button.setAttribute("aria-pressed", String(Number(button.dataset.entry) === number));
  for (const row of document.querySelectorAll(".outcomes tbody tr"))
    row.classList.toggle("current",
      Boolean(row.querySelector("[aria-pressed='true']")));
  prepare(entries[number]);
  if (!entries[number].picture) return;
  showFiles(entries[number]);
  goTo(entries[number], entries[number].step);
  markDifferences(entries[number]);
}

// The next execution that the filter leaves.
function chooseNext(direction) {
  const isHidden = (n) => {
    const button = document.querySelector(".choose[data-entry='" + n + "']");
    return button && button.closest("[hidden]");
  };
  let next = current + direction;
  while (entries[next] && isHidden(next)) next += direction;
  choose(next);
}

// -- outcomes

const filter = document.getElementById("filter");
const against = document.getElementById("against");

if (filter)
  filter.addEventListener("input", () => {
    const words = filter.value.toLowerCase().split(/[\s,]+/).join("");
    for (const row of document.querySelectorAll(".outcomes tbody tr")) {
      const text = row.querySelector("th").textContent.toLowerCase();
      row.hidden = !text.replace(/[\s,]+/g, "").includes(words);
    }
  });
if (against)
  against.addEventListener("change", () => markDifferences(entries[current]));

// Events are the same when they are at the same place of the same thread and
// say the same, where the value comes from included.
function markDifferences(entry) {
  if (!entry.picture) return;
  for (const box of entry.picture.querySelectorAll(".differs"))
    box.classList.remove("differs");
  const other = against && against.value !== "" && entries[against.value];
  if (!other || other === entry) return;
  const source = (of, e) => e.rf === undefined ? "" : JSON.stringify(
    (({ column, line }) => [column, line])(
      of.facts.events.find((o) => o.id === e.rf) || {}));
  const words = (of) => byThread(of).map(([key, event]) =>
    [key + event.text + source(of, event), event]);
  unpack(other.facts);
  const known = new Set(words(other).map(([key]) => key));
  for (const [key, event] of words(entry))
    if (!known.has(key) && entry.boxes.has(event.id))
      entry.boxes.get(event.id).classList.add("differs");
}

function byThread(entry) {
  const seen = new Map();
  return entry.facts.events.map((e) => {
    const place = (seen.get(e.thread) || 0) + 1;
    seen.set(e.thread, place);
    return [e.thread + "." + place + ":", e];
  });
}

document.addEventListener("click", (event) => {
  const button = event.target.closest(".choose");
  if (button) choose(Number(button.dataset.entry));
});

function toggleTheme() {
  const root = document.documentElement;
  const isDark = root.dataset.theme ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
}

function toggleHelp() {
  const help = document.getElementById("help");
  help.hidden = !help.hidden;
  document.getElementById("keys")
    .setAttribute("aria-expanded", String(!help.hidden));
}

function toggleRelations(names) {
  const section = entries[current].section;
  for (const name of names) {
    const box = section.querySelector("[data-relation='" + name + "']");
    if (box) box.click();
  }
}

function closeAll() {
  const entry = entries[current];
  const help = document.getElementById("help");
  if (!help.hidden) toggleHelp();
  if (!entry || !entry.picture) return;
  const find = entry.section.querySelector(".find input");
  if (find.value) {
    find.value = "";
    search(entry, "");
  }
  if (document.activeElement) document.activeElement.blur();
  highlight(entry, []);
}

// -- panes

const main = document.querySelector("main");
const divider = document.querySelector(".divider");

function toggleSource() {
  const isHidden = main.classList.toggle("no-source");
  document.getElementById("hide")
    .setAttribute("aria-expanded", String(!isHidden));
}

function widen(pixels) {
  const wide = document.querySelector(".source").offsetWidth + pixels;
  main.style.setProperty("--left", Math.max(120,
    Math.min(main.clientWidth - 320, wide)) + "px");
}

divider.addEventListener("pointerdown", (event) => {
  divider.setPointerCapture(event.pointerId);
  let last = event.clientX;
  divider.onpointermove = (moved) => {
    widen(moved.clientX - last);
    last = moved.clientX;
  };
  divider.onpointerup = () => { divider.onpointermove = null; };
});
divider.addEventListener("keydown", (event) => {
  const by = { ArrowLeft: -30, ArrowRight: 30 }[event.key];
  if (!by) return;
  widen(by);
  event.stopPropagation();
  event.preventDefault();
});

for (const [kind, is] of [["beforeprint", true], ["afterprint", false]])
  window.addEventListener(kind, () => {
    printing = is;
    for (const entry of entries) {
      prepare(entry);
      if (!entry.picture) continue;
      draw(entry);
      keepTitles(entry);
    }
  });

document.getElementById("hide").addEventListener("click", toggleSource);
document.getElementById("theme").addEventListener("click", toggleTheme);
document.getElementById("keys").addEventListener("click", toggleHelp);

const keys = {
  ArrowLeft: () => move(entries[current], "back"),
  ArrowRight: () => move(entries[current], "on"),
  Home: () => move(entries[current], "first"),
  End: () => move(entries[current], "last"),
  "+": () => zoomBy(entries[current], "1"),
  "-": () => zoomBy(entries[current], "-1"),
  "1": () => zoomBy(entries[current], "full"),
  "0": () => zoomBy(entries[current], "fit"),
  i: () => toggleRelations(["inside"]),
  u: () => unfoldAll(entries[current]),
  h: toggleSource,
  "/": () => entries[current].section.querySelector(".find input").focus(),
  Escape: closeAll,
  r: () => toggleRelations(["rf"]),
  c: () => toggleRelations(["co"]),
  f: () => toggleRelations(["fr"]),
  s: () => toggleRelations(["sync"]),
  d: () => toggleRelations(["addr", "data", "ctrl"]),
  n: () => chooseNext(1),
  p: () => chooseNext(-1),
  t: toggleTheme,
  "?": toggleHelp,
};
document.addEventListener("keydown", (event) => {
  const target = event.target instanceof Element ? event.target : document.body;
  const isSlider = target.type === "range";
  if (event.ctrlKey || event.altKey || event.metaKey || !keys[event.key]) return;
  if (isSlider && event.key.length > 1) return;
  if (target.closest("input[type=search], select") && event.key !== "Escape")
    return;
  if (!entries.length || !entries[current].picture) return;
  event.preventDefault();
  keys[event.key]();
});

// For tests, and for use in the console.
window.heddle = { facts: (n) => unpack(data.entries[n]) };
choose(0);
