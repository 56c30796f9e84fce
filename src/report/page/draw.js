// SPDX-License-Identifier: MIT
// The picture of an execution, second part: boxes and arrows as SVG, and what
// part of it is in view. Only what can be seen is drawn, so that long
// executions stay quick. Texts of the program enter the page through
// textContent alone.

// -- arrows

// Arrows of different kinds leave a box at different heights, and have their
// names at different places, since they cross in the middle.
const PORT = { rf: -5, co: 6, fr: 2, sync: -9, cycle: -1, addr: 0, data: 4,
               ctrl: -4, named: 9 };
const NAME = { rf: .3, co: .5, fr: .62, sync: .42, cycle: .5, addr: .4,
               data: .5, ctrl: .6, named: .7 };
const portOf = (entry, a, item) =>
  topOf(entry, item.level) + entry.shape.box / 2 + PORT[a.kind];

// Within a lane an arrow goes round the boxes: dependencies on the left, the
// rest on the right. Those of a cycle keep away from its arrows to other
// lanes. A way is a list of points, each three after the first a curve.
function wayWithin(entry, a) {
  const lane = entry.lanes[a.from.column];
  const isLeft = a.kind === "cycle" ? cycleGoesRight(entry, a.from.column)
    : ["addr", "data", "ctrl"].includes(a.kind);
  const span = Math.abs(a.from.level - a.to.level);
  const bend = Math.min(entry.gap - 10,
                        18 + 6 * span + 4 * KINDS.indexOf(a.kind));
  const x = isLeft ? lane.x : lane.x + lane.width;
  const far = isLeft ? x - bend : x + bend;
  const ya = portOf(entry, a, a.from), yb = portOf(entry, a, a.to);
  return [[x, ya], [far, ya], [far, yb], [x, yb]];
}

// Does the cycle leave the lane to the right more often than to the left?
function cycleGoesRight(entry, column) {
  let right = 0;
  for (const a of entry.arrows) {
    if (a.kind !== "cycle") continue;
    if (a.from.column === column) right += Math.sign(a.to.column - column);
    if (a.to.column === column) right += Math.sign(a.from.column - column);
  }
  return right > 0 || (right === 0 && column === 0);
}

const curve = (from, to) => {
  const middle = (from[0] + to[0]) / 2;
  return [from, [middle, from[1]], [middle, to[1]], to];
};

// Between lanes it is a curve; lanes on the way are crossed between two of
// their boxes.
function wayBetween(entry, a) {
  const from = entry.lanes[a.from.column], to = entry.lanes[a.to.column];
  const isRight = a.to.column > a.from.column, one = isRight ? 1 : -1;
  const start = [isRight ? from.x + from.width : from.x,
                 portOf(entry, a, a.from)];
  const end = [isRight ? to.x : to.x + to.width, portOf(entry, a, a.to)];
  if (Math.abs(a.from.column - a.to.column) <= 1) return curve(start, end);
  const first = entry.lanes[a.from.column + one];
  const last = entry.lanes[a.to.column - one];
  const y = topOf(entry, a.to.level) + PORT[a.kind] -
    (entry.shape.pitch - entry.shape.box) / 2;
  return [...curve(start, [isRight ? first.x : first.x + first.width, y]),
          ...curve([isRight ? last.x + last.width : last.x, y], end)];
}

function pathOf(way) {
  const point = (p) => Math.round(p[0]) + " " + Math.round(p[1]);
  let path = "M" + point(way[0]) + "C" + way.slice(1, 4).map(point).join(" ");
  if (way.length > 4)
    path += "L" + point(way[4]) + "C" + way.slice(5, 8).map(point).join(" ");
  return path;
}

// Names that would stand on each other move along their arrows.
function nameAt(a, way, taken) {
  const kind = a.kind === "cycle" && NAME[a.label.slice(0, 2)]
    ? a.label.slice(0, 2) : a.kind;
  const wide = widthOf(a.label) / 2 + 4;
  let best = null;
  for (const shift of [0, .1, -.1, .2, -.2, .3, -.25, .38]) {
    const t = NAME[kind] + (a.kind === "cycle" && kind !== "cycle" ? .08 : 0)
      + shift;
    if (t < .08 || t > .92) continue;
    const s = 1 - t, c = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t];
    const at = [0, 1].map((i) => way.slice(0, 4)
      .reduce((sum, p, k) => sum + c[k] * p[i], 0));
    best = best || at;
    if (!taken.some((o) => Math.abs(o[0] - at[0]) < wide + o[2] &&
                           Math.abs(o[1] - at[1]) < 14)) {
      best = at;
      break;
    }
  }
  taken.push([best[0], best[1], wide]);
  return best;
}

// -- drawing

const SVG = "http://www.w3.org/2000/svg";
const WHOLE = 300; // items: pictures with more are drawn where one looks
const MOST_NAMES = 12; // of arrows, before they only show on demand

function svg(name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  if (text !== undefined) element.textContent = text;
  return element;
}

// What part of the picture to draw: what can be seen, and as much again.
function rangeOf(entry) {
  if (entry.items.length <= WHOLE || printing) return [0, entry.height];
  const high = entry.pane.clientHeight / entry.zoom || 800;
  const top = entry.pane.scrollTop / entry.zoom;
  const old = entry.range;
  if (old && top >= old[0] + (old[0] ? high / 4 : 0) &&
      top + high <= old[1] - (old[1] < entry.height ? high / 4 : 0))
    return old;
  return [Math.max(0, top - high), Math.min(entry.height, top + 2 * high)];
}

let printing = false;

function draw(entry) {
  const range = rangeOf(entry);
  if (entry.range && range[0] === entry.range[0] && range[1] === entry.range[1])
    return;
  entry.range = range;
  entry.boxes.clear();
  entry.drawn = [];
  const isIn = (y, z) => z >= range[0] && y <= range[1];
  const box = entry.shape.box;
  entry.layers[0].replaceChildren(...entry.lanes.map((l) => drawLane(entry, l)));
  entry.layers[4].replaceChildren(
    svg("rect", { class: "behind", width: entry.width, height: MARGIN + 24 }),
    ...entry.lanes.map((l) => svg("text", { class: "thread",
      x: l.x + l.width / 2, y: MARGIN + 14 }, l.title)));
  const boxes = entry.items
    .filter((i) => isIn(topOf(entry, i.level), topOf(entry, i.level) + box))
    .map((i) => drawItem(entry, i));
  const taken = [];
  const arrows = entry.arrows.filter((a) => {
    const y = topOf(entry, a.from.level), z = topOf(entry, a.to.level);
    return isIn(Math.min(y, z), Math.max(y, z) + box);
  });
  const parts = arrows.map((a) => drawArrow(entry, a, taken));
  entry.layers[1].replaceChildren(...parts.map((p) => p[0]));
  entry.layers[2].replaceChildren(...parts.map((p) => p[1]));
  entry.layers[3].replaceChildren(...boxes);
  entry.picture.classList.toggle("crowded",
    arrows.filter((a) => !a.isInside).length > MOST_NAMES);
  paint(entry);
  markDifferences(entry);
}

// Its lines stand below each other, around the height y if it is in a box.
function drawLines(attributes, lines, x, y) {
  const text = svg("text", { ...attributes, x, y });
  lines.forEach((line, i) =>
    text.append(svg("tspan", i ? { x, dy: 15 } : {}, line)));
  return text;
}

function drawLane(entry, lane) {
  const g = svg("g", { class: "lane" }), middle = lane.x + lane.width / 2;
  const end = topOf(entry, lane.levels) + 14;
  g.append(
    svg("line", { x1: middle, y1: MARGIN + 24, x2: middle, y2: end - 12 }),
    drawLines({ class: "end" + (lane.isError ? " error" : "") }, lane.end,
              middle, end + 2));
  return g;
}

function drawItem(entry, item) {
  const lane = entry.lanes[item.column], e = item.e;
  const y = topOf(entry, item.level), high = entry.shape.box;
  const middle = y + high / 2 + 4;
  const label = entry.facts.threads[item.column].label +
    (e.line && !item.fold ? ", line " + e.line[1] : "") + ": " + item.text;
  const g = svg("g", { class: "event " + (item.fold ? "fold" : e.kind + " " +
    e.mark), tabindex: 0, role: "button", "aria-label": label });
  if (item.fold) {
    g.dataset.fold = item.fold.number;
  } else {
    g.dataset.event = e.id;
    g.id = "x" + entry.number + "-" + e.id;
    entry.boxes.set(e.id, g);
  }
  g.append(
    svg("rect", { x: lane.x, y, width: lane.width, height: high, rx: 6 }),
    svg("rect", { class: "stripe", x: lane.x + 3, y: y + 4, width: 4,
                  height: high - 8, rx: 2 }),
    svg("text", { class: "line", x: lane.x + lane.label, y: middle },
        item.label),
    drawLines({ class: "what" }, item.lines, lane.x + PADDING + lane.label,
              middle - 7.5 * (item.lines.length - 1)));
  entry.drawn.push({ element: g, item });
  return g;
}

// The arrow, and its name, which no other arrow crosses out.
function drawArrow(entry, a, taken) {
  const way = a.from.column === a.to.column ? wayWithin(entry, a)
    : wayBetween(entry, a);
  const kind = a.kind + (a.isInside ? " own" : "");
  const g = svg("g", { class: "edge " + kind });
  const name = svg("g", { class: "label " + kind });
  for (const part of a.color ? [g, name] : [])
    part.style.setProperty("--kind", a.color);
  g.dataset.from = a.first;
  g.dataset.to = a.last;
  g.append(svg("title", {}, a.label + ": " + refer(entry, a.first) + " to " +
               refer(entry, a.last) + ". " + meaningOf(entry, a.kind)),
           svg("path", { d: pathOf(way),
                         "marker-end": "url(#arrow-" + a.kind + ")" }));
  const at = nameAt(a, way, a.isInside ? [] : taken);
  name.append(svg("text", { x: Math.round(at[0]), y: Math.round(at[1]) + 4 },
                  a.isNamed ? a.label : ""));
  entry.drawn.push({ element: g, arrow: a }, { element: name, arrow: a });
  return [g, name];
}

function meaningOf(entry, kind) {
  const label = entry.section.querySelector("label." + kind);
  return label ? label.title : "";
}

// "T1 line 24".
function refer(entry, id) {
  const e = entry.byId.get(id);
  return entry.facts.threads[e.column].label +
    (e.line ? " line " + labelOf(entry, e) : "");
}

// -- size and place

const LEAST_FIT = .5; // below that nothing can be read

function setZoom(entry, zoom) {
  entry.zoom = Math.max(.1, Math.min(4, zoom));
  entry.picture.setAttribute("viewBox", "0 0 " + entry.width + " " +
                             entry.height);
  entry.picture.setAttribute("width", entry.width * entry.zoom);
  entry.picture.setAttribute("height", entry.height * entry.zoom);
  entry.section.querySelector("[data-zoom='full']").textContent =
    Math.round(entry.zoom * 100) + "%";
  draw(entry);
  keepTitles(entry);
}

// The names of the threads stay in view when the picture is scrolled.
function keepTitles(entry) {
  const y = printing ? 0 : entry.pane.scrollTop / entry.zoom;
  entry.layers[4].setAttribute("transform", "translate(0 " + y + ")");
}

// As wide as the pane, but no larger than it is made.
function fit(entry) {
  const room = entry.pane.clientWidth - 2;
  setZoom(entry, room > 0
    ? Math.max(LEAST_FIT, Math.min(1, room / entry.width)) : 1);
}

function zoomBy(entry, how) {
  const pane = entry.pane, before = entry.zoom;
  const x = (pane.scrollLeft + pane.clientWidth / 2) / before;
  const y = (pane.scrollTop + pane.clientHeight / 2) / before;
  if (how === "fit") fit(entry);
  else if (how === "full") setZoom(entry, 1);
  else setZoom(entry, before * (how === "1" ? 1.2 : 1 / 1.2));
  pane.scrollLeft = x * entry.zoom - pane.clientWidth / 2;
  pane.scrollTop = y * entry.zoom - pane.clientHeight / 2;
}

let dragged = false;
function dragToPan(pane) {
  let from = null;
  pane.addEventListener("pointerdown", (event) => {
    dragged = false;
    from = [event.clientX, event.clientY, pane.scrollLeft, pane.scrollTop];
  });
  window.addEventListener("pointermove", (event) => {
    if (!from) return;
    const x = event.clientX - from[0], y = event.clientY - from[1];
    if (Math.abs(x) + Math.abs(y) < 5) return;
    dragged = true;
    pane.classList.add("dragged");
    pane.scrollLeft = from[2] - x;
    pane.scrollTop = from[3] - y;
  });
  window.addEventListener("pointerup", () => {
    from = null;
    pane.classList.remove("dragged");
  });
}
