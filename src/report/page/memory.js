// SPDX-License-Identifier: MIT
// What shared memory holds at a step, and what each thread can see of it.

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
    for (const [shared, place] of state.floors[i] ? t.floors : [])
      state.floors[i][shared] = place;
  });
  const column = new Map(facts.threads.map((t, i) => [t.id, i]));
  for (const e of facts.events) {
    if (e.step > step) break;
    if (e.writes) state.done[e.writes[0]].push(e.writes[1]);
    for (const [shared, place] of e.floors)
      state.floors[column.get(e.thread)][shared] = place;
  }
  for (const places of state.done) places.sort((a, b) => a - b);
  return state;
}

const MOST_VALUES = 8, MOST_PLACES = 200;

function cellsAt(facts, step) {
  if (facts.lastCells && facts.lastCells[0] === step) return facts.lastCells[1];
  const state = memoryAt(facts, step);
  const cells = facts.shared.map((location, s) => {
    const places = state.done[s];
    const newest = location.values[places[places.length - 1]];
    const seen = facts.threads.map((_, t) => {
      if (!state.floors[t]) return "";
      const floor = state.floors[t][s];
      let first = places.length; // of what it may still read
      while (first > 0 && places[first - 1] >= floor) first--;
      const open = first < places.length ? places.slice(first) : [floor];
      const values = new Set(open.slice(-MOST_PLACES)
        .map((p) => location.values[p]));
      const some = [...values].slice(-MOST_VALUES);
      const isCut = some.length < values.size || open.length > MOST_PLACES;
      return (isCut ? "others or " : "") + some.join(" or ");
    });
    return [newest, ...seen];
  });
  facts.lastCells = [step, cells];
  return cells;
}

function showMemory(entry, before) {
  const facts = entry.facts;
  entry.memory.textContent = "";
  if (!facts.shared.length) return;
  const old = before === null || Math.abs(before - entry.step) !== 1
    ? null : cellsAt(facts, before);
  const now = cellsAt(facts, entry.step);
  const table = document.createElement("table");
  const head = ["", "newest write", ...facts.threads.map((t) => t.label)];
  const note = document.createElement("p");
  const isEnd = entry.step === facts.steps;
  note.textContent = (isEnd ? "Shared memory at the end. " : "Shared memory at "
    + "this step. ") + "Per thread: the values that coherence still lets "
    + "it read; the model may allow fewer.";
  const row = table.createTHead().insertRow();
  for (const text of head) addCell(row, "th", text);
  const body = table.createTBody();
  facts.shared.forEach((location, s) => {
    const line = body.insertRow();
    addCell(line, "th", location.name);
    now[s].forEach((text, i) => {
      const cell = addCell(line, "td", text);
      if (old && text !== old[s][i]) cell.classList.add("changed");
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
