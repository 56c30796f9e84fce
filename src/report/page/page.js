// SPDX-License-Identifier: MIT
// The page is complete without this script; it only moves things: steps,
// switches, highlights, sizes. Texts of the program enter the page through
// textContent alone.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const sections = [...document.querySelectorAll("section.entry")];
  const entries = sections.map(makeEntry);
  let current = 0;

  // -- one execution

  function makeEntry(section, number) {
    const facts = data.entries[number];
    const picture = section.querySelector(".picture");
    const entry = {
      section, facts, picture, step: facts.events.length, zoom: 1,
      slider: section.querySelector(".stepper input"),
      output: section.querySelector("output"),
      memory: section.querySelector(".memory"),
      boxes: new Map(), edges: [], byId: new Map(), drawn: null,
    };
    if (!picture) return entry;
    for (const e of facts.events) entry.byId.set(e.id, e);
    for (const box of picture.querySelectorAll(".event"))
      entry.boxes.set(Number(box.dataset.event), box);
    for (const edge of picture.querySelectorAll(".edge"))
      entry.edges.push({
        element: edge, from: Number(edge.dataset.from),
        to: Number(edge.dataset.to),
      });
    entry.size = [picture.width.baseVal.value, picture.height.baseVal.value];
    listen(entry);
    return entry;
  }

  function listen(entry) {
    entry.slider.addEventListener("input",
      () => goTo(entry, Number(entry.slider.value)));
    entry.section.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button && button.dataset.go) move(entry, button.dataset.go);
      if (button && button.dataset.zoom)
        zoom(entry, Number(button.dataset.zoom));
      const box = event.target.closest(".event");
      if (box && !dragged) goTo(entry, entry.byId.get(idOf(box)).step);
    });
    entry.section.addEventListener("change", (event) => {
      const relation = event.target.dataset.relation;
      if (relation)
        entry.picture.classList.toggle("no-" + relation, !event.target.checked);
    });
    for (const kind of ["mouseover", "focusin"])
      entry.picture.addEventListener(kind, (event) => {
        const box = event.target.closest(".event");
        highlight(entry, box ? [idOf(box)] : []);
      });
    for (const kind of ["mouseleave", "focusout"])
      entry.picture.addEventListener(kind, () => highlight(entry, []));
    entry.picture.addEventListener("keydown", (event) => {
      const box = event.target.closest(".event");
      if (box && (event.key === "Enter" || event.key === " ")) {
        event.preventDefault();
        goTo(entry, entry.byId.get(idOf(box)).step);
      }
    });
    dragToPan(entry.section.querySelector(".scroll"));
    entry.section.querySelector(".scroll").addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      zoom(entry, event.deltaY < 0 ? 1 : -1);
    }, { passive: false });
  }

  function idOf(box) {
    return Number(box.dataset.event);
  }

  // -- steps

  function move(entry, where) {
    const last = entry.facts.events.length;
    const goal = { first: 0, last, back: entry.step - 1, on: entry.step + 1 };
    goTo(entry, Math.max(0, Math.min(last, goal[where])));
  }

  // Only what changes between two steps is touched: long executions stay quick.
  function goTo(entry, step) {
    const before = entry.drawn;
    entry.step = step;
    entry.drawn = step;
    entry.slider.value = step;
    for (const e of entry.facts.events) {
      const isFuture = e.step > step;
      const isNow = e.step === step && step < entry.facts.events.length;
      const wasFuture = before !== null && e.step > before;
      const box = entry.boxes.get(e.id);
      if (before === null || isFuture !== wasFuture || e.step === before || isNow) {
        box.classList.toggle("future", isFuture);
        box.classList.toggle("now", isNow);
      }
    }
    for (const edge of entry.edges) {
      const last = Math.max(entry.byId.get(edge.from).step,
                            entry.byId.get(edge.to).step);
      edge.element.classList.toggle("future", last > step);
    }
    say(entry);
    showMemory(entry, before);
    showLines(entry);
  }

  function eventAt(entry, step) {
    return entry.facts.events[step - 1];
  }

  function say(entry) {
    const last = entry.facts.events.length, e = eventAt(entry, entry.step);
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
    entry.output.append("Step " + entry.step + " of " + last + ": T" + e.thread +
                        " " + e.text + ". ");
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

  // -- memory

  // For each shared location: the places in co of the writes that are done,
  // and for each thread the oldest place that it may still read; a thread that
  // is not created yet has none.
  function memoryAt(facts, step) {
    const state = {
      done: facts.shared.map(() => [0]),
      floors: facts.threads.map((t) => (t.created || 0) > step ? null
        : facts.shared.map(() => 0)),
    };
    facts.threads.forEach((t, i) => {
      for (const [shared, place] of state.floors[i] && t.floors || [])
        state.floors[i][shared] = place;
    });
    const column = new Map(facts.threads.map((t, i) => [t.id, i]));
    for (const e of facts.events) {
      if (e.step > step) break;
      if (e.writes) state.done[e.writes[0]].push(e.writes[1]);
      for (const [shared, place] of e.floors || [])
        state.floors[column.get(e.thread)][shared] = place;
    }
    for (const places of state.done) places.sort((a, b) => a - b);
    return state;
  }

  function cellsAt(facts, step) {
    const state = memoryAt(facts, step);
    return facts.shared.map((location, s) => {
      const places = state.done[s];
      const newest = location.values[places[places.length - 1]];
      const seen = facts.threads.map((_, t) => {
        if (!state.floors[t]) return "";
        const floor = state.floors[t][s];
        const open = places.filter((p) => p >= floor);
        const values = (open.length ? open : [floor]).map((p) => location.values[p]);
        return [...new Set(values)].join(" or ");
      });
      return [newest, ...seen];
    });
  }

  function showMemory(entry, before) {
    const facts = entry.facts;
    entry.memory.textContent = "";
    if (!facts.shared.length) return;
    const now = cellsAt(facts, entry.step);
    const old = before === null || Math.abs(before - entry.step) !== 1
      ? now : cellsAt(facts, before);
    const table = document.createElement("table");
    const head = ["", "newest write", ...facts.threads.map((t) => t.label)];
    const note = document.createElement("p");
    const isEnd = entry.step === facts.events.length;
    note.textContent = (isEnd ? "Shared memory at the end. " : "Shared memory at "
      + "this step. ") + "Of a thread: what coherence leaves it to read; the "
      + "model may leave less.";
    const row = table.createTHead().insertRow();
    for (const text of head) addCell(row, "th", text);
    const body = table.createTBody();
    facts.shared.forEach((location, s) => {
      const line = body.insertRow();
      addCell(line, "th", location.name);
      now[s].forEach((text, i) => {
        const cell = addCell(line, "td", text);
        if (text !== old[s][i]) cell.classList.add("changed");
        if (i && text.includes(" or ")) cell.classList.add("many");
      });
    });
    entry.memory.append(note, table);
  }

  function addCell(row, kind, text) {
    const cell = document.createElement(kind);
    cell.textContent = text;
    row.append(cell);
    return cell;
  }

  // -- source lines

  const lineOf = (pair) =>
    pair && document.getElementById("f" + pair[0] + "-" + pair[1]);

  function showLines(entry) {
    for (const line of document.querySelectorAll(".row.hit, .row.error, .row.now"))
      line.classList.remove("hit", "error", "now");
    for (const e of entry.facts.events)
      if (e.line && lineOf(e.line)) lineOf(e.line).classList.add("hit");
    const at = lineOf(entry.facts.at);
    if (at) at.classList.add("hit", "error");
    const e = eventAt(entry, entry.step);
    const isLast = entry.step === entry.facts.events.length;
    const line = isLast ? at : e && lineOf(e.line);
    if (line && !isLast) line.classList.add("now");
    if (line) reveal(line);
  }

  // Scrolls the pane, never the page.
  function reveal(line) {
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

  const writes = (e) => e.kind === "write" || e.kind === "update";
  const conflict = (a, b) => a.loc !== undefined && a.loc === b.loc &&
    a.thread !== b.thread && (writes(a) || writes(b));

  function highlight(entry, ids) {
    const marks = ["over", "origin", "conflict"];
    for (const box of entry.picture.querySelectorAll(".over, .origin, .conflict"))
      box.classList.remove(...marks);
    for (const line of document.querySelectorAll(".row.over"))
      line.classList.remove("over");
    for (const id of ids) {
      const e = entry.byId.get(id);
      entry.boxes.get(id).classList.add("over");
      const line = lineOf(e.line);
      if (line) line.classList.add("over");
      if (ids.length > 1) continue;
      for (const other of entry.facts.events)
        if (conflict(e, other))
          entry.boxes.get(other.id).classList.add("conflict");
      if (entry.boxes.has(e.rf)) entry.boxes.get(e.rf).classList.add("origin");
      for (const edge of entry.edges)
        if (edge.from === id || edge.to === id)
          edge.element.classList.add("over");
    }
  }

  // -- size and place

  function zoom(entry, direction) {
    entry.zoom = direction ? Math.max(.25, Math.min(4,
      entry.zoom * (direction > 0 ? 1.2 : 1 / 1.2))) : 1;
    entry.picture.setAttribute("width", entry.size[0] * entry.zoom);
    entry.picture.setAttribute("height", entry.size[1] * entry.zoom);
    entry.section.querySelector("[data-zoom='0']").textContent =
      Math.round(entry.zoom * 100) + "%";
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
    if (!entries[number].picture) return;
    goTo(entries[number], entries[number].step);
    markDifferences(entries[number]);
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
    for (const box of entry.picture.querySelectorAll(".differs"))
      box.classList.remove("differs");
    const other = against && against.value !== "" && entries[against.value];
    if (!other || other === entry) return;
    const words = (e) => byThread(e).map(([key, event]) => [key + event.text, event]);
    const known = new Set(words(other).map(([key]) => key));
    for (const [key, event] of words(entry))
      if (!known.has(key)) entry.boxes.get(event.id).classList.add("differs");
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

  document.getElementById("theme").addEventListener("click", toggleTheme);
  document.getElementById("keys").addEventListener("click", toggleHelp);

  const keys = {
    ArrowLeft: () => move(entries[current], "back"),
    ArrowRight: () => move(entries[current], "on"),
    Home: () => move(entries[current], "first"),
    End: () => move(entries[current], "last"),
    "+": () => zoom(entries[current], 1),
    "-": () => zoom(entries[current], -1),
    "0": () => zoom(entries[current], 0),
    r: () => toggleRelations(["rf"]),
    c: () => toggleRelations(["co"]),
    f: () => toggleRelations(["fr"]),
    s: () => toggleRelations(["sync"]),
    d: () => toggleRelations(["addr", "data", "ctrl"]),
    n: () => choose(current + 1),
    p: () => choose(current - 1),
    t: toggleTheme,
    "?": toggleHelp,
  };
  document.addEventListener("keydown", (event) => {
    const target = event.target instanceof Element ? event.target : document.body;
    const isSlider = target.type === "range";
    if (event.ctrlKey || event.altKey || event.metaKey || !keys[event.key]) return;
    if (isSlider && event.key.length > 1) return;
    if (target.closest("input[type=search], select")) return;
    if (!entries.length || !entries[current].picture) return;
    event.preventDefault();
    keys[event.key]();
  });

  choose(0);
})();
