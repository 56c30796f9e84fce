#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page of --html, in a real browser.

    tests/html/test_html.py build/heddle [WORD...]
"""
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "cli")]
import browser
import tap
from heddle import MP, WORK, check_source, heddle, says, write
from tap import test

_browser = None


def opened(source, *args, code, name="program.c"):
    """The page of a check, open in the browser."""
    global _browser
    if browser.WHY_NOT:
        raise tap.Skip(browser.WHY_NOT)
    page = made(source, *args, code=code, name=name)
    if not _browser:
        _browser = browser.Browser()
    check_log(_browser)  # of the page before
    _browser.emulate()
    _browser.open(page)
    return _browser


def made(source, *args, code, name="program.c"):
    page = WORK / "page.html"
    page.unlink(missing_ok=True)
    check_source(source, "--html", str(page), *args, code=code, name=name)
    return page


def check_log(b):
    log = b.log()  # reading it empties it
    assert log == [], log


def count(b, selector):
    return b.js("return document.querySelectorAll(arguments[0]).length",
                selector)


def text(b, selector):
    return b.js("return document.querySelector(arguments[0]).textContent",
                selector)


def texts(b, selector):
    return b.js("return [...document.querySelectorAll(arguments[0])]"
                ".map((e) => e.textContent)", selector)


SC_MP = MP.replace("memory_order_relaxed", "memory_order_seq_cst") \
          .replace("== 1)", "!= 1)")
LOAD_BUFFERING = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
static void *left(void *r) {
  int a = atomic_load_explicit(&x, memory_order_relaxed);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  assert(a == 0);
  return r;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, NULL, left, NULL);
  int b = atomic_load_explicit(&y, memory_order_relaxed);
  atomic_store_explicit(&x, b, memory_order_relaxed);
  pthread_join(id, NULL);
}
"""


@test
def the_page_opens_from_disk_without_complaints():
    b = opened(MP, code=1)
    check_log(b)
    assert "assertion" in text(b, "h2") and "rc11" in text(b, ".verdict")


@test
def the_page_refers_to_nothing_outside():
    page = made(MP, code=1).read_text()
    assert "default-src 'none'" in page
    markup = re.sub(r"(?s)<script.*?</script>", "", page)
    assert not re.search(r"\s(src|href)\s*=\s*\"[^#]", markup), "a reference"
    assert "http:" not in page.replace("http://www.w3.org/2000/svg", "")


@test
def lanes_events_and_arrows_are_there():
    b = opened(MP, code=1)
    assert texts(b, ".titles .thread") == ["T0 main", "T1 writer"]
    assert count(b, ".event") == 5
    numbers = {k: count(b, f".picture .edge.{k}") for k in ("rf", "fr", "co")}
    assert numbers == {"rf": 1, "fr": 1, "co": 0}, numbers
    # The arrow of rf begins at the write of flag and ends at its read.
    ends = b.js("""const edge = document.querySelector(".edge.rf");
        return [edge.dataset.from, edge.dataset.to].map((id) =>
          document.querySelector(`[data-event="${id}"] .what`).textContent)""")
    assert ends == ["write flag = 1 (rlx)", "read flag = 1 (rlx)"], ends


@test
def boxes_do_not_overlap_and_hold_their_text():
    for source, args in ((MP, []), (LOAD_BUFFERING, ["--model", "imm"])):
        b = opened(source, *args, code=1)
        wrong = b.js("""
            const boxes = [...document.querySelectorAll(".event")].map((g) =>
              [g.querySelector("rect").getBoundingClientRect(),
               g.querySelector(".what").getBoundingClientRect()]);
            let wrong = 0;
            boxes.forEach(([a, text], i) => {
              if (text.right > a.right || text.left < a.left) wrong++;
              for (const [c] of boxes.slice(i + 1))
                if (a.left < c.right && c.left < a.right &&
                    a.top < c.bottom && c.top < a.bottom) wrong++;
            });
            return wrong""")
        assert wrong == 0, wrong


@test
def relations_can_be_switched_off():
    b = opened(MP, code=1)
    visible = ("return getComputedStyle(document.querySelector"
               "('.picture .edge.rf')).display !== 'none'")
    assert b.js(visible)
    b.click("[data-relation=rf]")
    assert not b.js(visible)
    b.press("r")
    assert b.js(visible)
    assert "reads from" in b.js("return document.querySelector("
                                "'label.rf').title")


@test
def steps_by_key_and_by_click():
    b = opened(MP, code=1)
    assert "whole execution" in text(b, "output")
    b.press("Home")
    assert count(b, ".event.future") == 5 and count(b, ".event.now") == 0
    b.press("Right", "Right")
    assert count(b, ".event.future") == 3 and count(b, ".event.now") == 1
    assert text(b, "output").startswith("Step 2 of 5: "), text(b, "output")
    assert text(b, ".event.now .what") in text(b, "output")
    b.press("Left")
    assert text(b, "output").startswith("Step 1 of 5: ")
    b.click("[data-go=last]")
    assert count(b, ".event.future") == 0
    b.press("Left")
    assert count(b, ".row.now") == 1


@test
def an_event_is_a_button():
    b = opened(MP, code=1)
    label = b.js("const e = document.querySelector('.event'); e.focus();"
                 "return e.getAttribute('role') + ': ' +"
                 "e.getAttribute('aria-label')")
    assert label.startswith("button: T0, line "), label
    b.press("Enter")
    assert text(b, "output").startswith("Step 1 of 5: "), text(b, "output")
    nameless = b.js("""return [...document.querySelectorAll("button, input")]
        .filter((e) => !e.textContent.trim() && !e.getAttribute("aria-label")
                       && !e.closest("label")).length""")
    assert nameless == 0


@test
def what_threads_can_see():
    b = opened(MP, code=1)
    table = b.js("""return [...document.querySelectorAll(".memory tr")]
        .map((r) => [...r.cells].map((c) => c.textContent))""")
    assert table == [["", "newest write", "T0", "T1"],
                     ["data", "1", "0 or 1", "1"],
                     ["flag", "1", "1", "1"]], table
    b.press("Home")
    assert texts(b, ".memory td") == ["0", "0", ""] * 2, "T1 is not there yet"
    b.press("Right")
    assert texts(b, ".memory td") == ["0"] * 6
    assert count(b, ".memory td.changed") == 2
    b.press("Right")
    assert texts(b, ".memory td") == ["1", "0 or 1", "1", "0", "0", "0"]
    assert count(b, ".memory td.changed") == 3


@test
def the_library_keeps_its_memory_for_itself():
    b = opened("""\
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
sem_t posted;
int data;
static void *reader(void *unused) {
  sem_wait(&posted);
  assert(data == 2);
  return unused;
}
int main(void) {
  pthread_t id;
  sem_init(&posted, 0, 0);
  pthread_create(&id, NULL, reader, NULL);
  data = 1;
  sem_post(&posted);
  pthread_join(id, NULL);
}
""", code=1)
    assert texts(b, ".memory tbody th") == ["data"], "steps show nothing else"


# What main writes before it creates a thread, and what threads tell each other
# by an update (its read has no step of its own) and by being joined.
HANDED_DOWN = """\
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y, z;
int r;
static void *leaf(void *unused) {
  atomic_store_explicit(&z, 7, memory_order_relaxed);
  r += atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}
static void *second(void *unused) {
  pthread_t id;
  if (atomic_fetch_add_explicit(&y, 2, memory_order_acq_rel) == 5)
    r = atomic_load_explicit(&x, memory_order_relaxed);
  pthread_create(&id, NULL, leaf, NULL);
  pthread_join(id, NULL);
  return unused;
}
int main(void) {
  pthread_t id;
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store_explicit(&y, 4, memory_order_relaxed);
  pthread_create(&id, NULL, second, NULL);
  atomic_store_explicit(&x, 2, memory_order_relaxed);
  atomic_store_explicit(&y, 5, memory_order_release);
  atomic_load_explicit(&z, memory_order_relaxed);
  pthread_join(id, NULL);
  atomic_load_explicit(&z, memory_order_relaxed);
}
"""


def tables_by_definition(facts):
    """The cells of each step: of a location, a thread can see the writes that
    are done, but none older than what an access that happens before (po,
    creation, join, release to acquire) has read or written."""
    shared = {e["loc"]: e["writes"][0] for e in facts["events"] if "writes" in e}
    by_id = {e["id"]: e for e in facts["events"]}
    values = [s["values"] for s in facts["shared"]]
    known, at = {facts["threads"][0]["id"]: {}}, {}  # thread, event: floors
    done = [[0] for _ in values]

    def learn(floors, more):
        for s, place in more.items():
            floors[s] = max(floors.get(s, 0), place)

    def has(e, orders):
        return any(f"({o}" in e["text"] or f", {o}" in e["text"] for o in orders)

    def cells():
        for s, places in enumerate(done):
            yield values[s][max(places)]
            for t in facts["threads"]:
                floor = known[t["id"]].get(s, 0) if t["id"] in known else None
                seen = [] if floor is None else \
                    [values[s][p] for p in sorted(places) if p >= floor]
                yield " or ".join(dict.fromkeys(seen))

    yield list(cells())
    for e in facts["events"]:
        mine, rf = known[e["thread"]], by_id.get(e.get("rf"))
        if e.get("loc") in shared:
            read = rf["writes"][1] if rf else 0
            learn(mine, {shared[e["loc"]]: e["writes"][1] if "writes" in e
                         else read})
        if rf and has(e, ["acq"]) and has(rf, ["rel", "acq_rel"]):
            learn(mine, at[rf["id"]])
        other = re.match(r"(create|join) T(\d+)", e["text"])
        if other and other[1] == "create":
            known[int(other[2])] = dict(mine)
        elif other:
            learn(mine, known[int(other[2])])
        if "writes" in e:
            done[e["writes"][0]].append(e["writes"][1])
        at[e["id"]] = dict(mine)
        yield list(cells())


def random_program(seed):
    """Threads with a few random accesses; main begins, and joins them."""
    random = __import__("random").Random(seed)

    def access():
        name = random.choice("xyz")
        how = random.choice(["rel", "rlx", "acq", "rlx", "update"])
        if how == "update":
            return (f"atomic_fetch_add_explicit(&{name}, 1, "
                    "memory_order_acq_rel);")
        if how == "acq" or random.random() < .4:
            order = "acquire" if how == "acq" else "relaxed"
            return f"atomic_load_explicit(&{name}, memory_order_{order});"
        order = "release" if how == "rel" else "relaxed"
        return (f"atomic_store_explicit(&{name}, {random.randint(1, 9)}, "
                f"memory_order_{order});")

    bodies = [" ".join(access() for _ in range(random.randint(2, 3)))
              for _ in range(2)]
    threads = "".join(f"static void *f{i}(void *unused) {{ {body} "
                      "return unused; }\n" for i, body in enumerate(bodies))
    return ("#include <pthread.h>\n#include <stdatomic.h>\n"
            "atomic_int x, y, z;\n" + threads + "int main(void) {\n"
            "pthread_t a, b;\n" + access() +
            "pthread_create(&a, NULL, f0, NULL);" + access() +
            "pthread_create(&b, NULL, f1, NULL);"
            "pthread_join(a, NULL);" + access() + "pthread_join(b, NULL);\n}\n")


@test
def what_threads_can_see_is_as_the_model_says():
    sources = [HANDED_DOWN] + [random_program(seed) for seed in range(12)]
    checked = sum(tables_agree(source) for source in sources)
    assert checked > 60, checked
    print(f"# {checked} executions")


def tables_agree(source):
    """How many executions the page has; all of them must agree."""
    page = WORK / "handed.html"
    heddle("explore", write("h.c", source), "--html", str(page), "--full",
           code=0)
    b = opened(MP, code=1)
    b.open(page)
    entries = b.js("return [...document.querySelectorAll('.entry')]"
                   ".map((_, i) => heddle.facts(i))")
    for facts in entries:
        want = list(tables_by_definition(facts))
        tables = b.js("""\
            const entry = document.querySelector(".entry:not([hidden])");
            const slider = entry.querySelector(".stepper input");
            return [...Array(Number(slider.max) + 1).keys()].map((step) => {
              slider.value = step;
              slider.dispatchEvent(new Event("input"));
              return [...entry.querySelectorAll(".memory td")]
                .map((c) => c.textContent);
            });""")
        for step, (got, wanted) in enumerate(zip(tables, want, strict=True)):
            text = facts["events"][step - 1]["text"] if step else "start"
            assert got == wanted, \
                f"step {step}, {text}: {got}, not {wanted}\n{source}"
        b.press("n")
    check_log(b)
    return len(entries)


@test
def weak_executions_say_so():
    b = opened(MP, code=1)
    assert "No interleaving" in text(b, ".weak")
    b.press("Left")
    assert count(b, "output .odd") == 0
    b = opened(SC_MP, code=1)
    assert count(b, ".weak") == 0
    b = opened(LOAD_BUFFERING, "--model", "imm", code=1)
    assert "No interleaving" in text(b, ".weak")
    b.press("Home")
    odd = []
    for _ in range(4):
        b.press("Right")
        odd += texts(b, "output .odd")
    assert odd and "still to come" in odd[0], odd


@test
def hovering_shows_line_source_and_conflicts():
    b = opened(MP, code=1)
    read = b.js("""return [...document.querySelectorAll(".event")].find((e) =>
        e.textContent.includes("read flag")).id""")
    b.hover(f"#{read} .what")
    assert text(b, ".event.origin .what") == "write flag = 1 (rlx)"
    assert text(b, ".event.conflict .what") == "write flag = 1 (rlx)"
    assert "atomic_load_explicit(&flag" in text(b, ".row.over code")
    b.hover("h1")
    assert count(b, ".over") == 0
    b.hover(".row.error code")
    assert texts(b, ".event.over .what") == ["read data = 0 (rlx, initial)"]


@test
def light_and_dark():
    b = opened(MP, code=1)
    color = ("return getComputedStyle(document.body).backgroundColor"
             ".match(/\\d+/g).map(Number)[0]")
    b.emulate(prefers_color_scheme="light")
    assert b.js(color) > 200
    b.emulate(prefers_color_scheme="dark")
    assert b.js(color) < 60
    b.click("#theme")
    assert b.js(color) > 200
    b.press("t")
    assert b.js(color) < 60


@test
def printed_pages_have_everything_and_no_controls():
    b = opened(MP, code=1)
    b.press("Home")
    b.emulate(media="print")
    shown = ("return getComputedStyle(document.querySelector(arguments[0]))"
             ".display")
    assert b.js(shown, ".stepper") == "none"
    assert b.js(shown, ".picture") != "none"
    assert b.js("return getComputedStyle(document.querySelector("
                "'.event.future')).opacity") == "1"


@test
def zoom():
    b = opened(MP, code=1)
    width = "return document.querySelector('.picture').clientWidth"
    before = b.js(width)
    b.press("+", "+")
    assert b.js(width) > before * 1.4
    b.press("0")
    assert b.js(width) == before


def resize(b, wide, high=800):
    b.call("POST", "/goog/cdp/execute", {
        "cmd": "Emulation.setDeviceMetricsOverride",
        "params": {"width": wide, "height": high, "deviceScaleFactor": 1,
                   "mobile": False}})


def as_usual(b):
    b.call("POST", "/goog/cdp/execute",
           {"cmd": "Emulation.clearDeviceMetricsOverride", "params": {}})


RACE = """\
#include <pthread.h>
#include <stdatomic.h>
atomic_int locked;
int counter, quiet[6];
static void *thread(void *unused) {
  int expected = 0;
  if (atomic_compare_exchange_strong_explicit(&locked, &expected, 1,
          memory_order_acquire, memory_order_relaxed)) {
    counter++;
    atomic_store_explicit(&locked, 0, memory_order_relaxed);
  }
  return unused;
}
int main(void) {
  pthread_t a, b;
  for (int i = 0; i < 6; i++)
    quiet[i] = i;
  pthread_create(&a, NULL, thread, quiet);
  pthread_create(&b, NULL, thread, quiet);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
"""

# Names of arrows, boxes and their texts: what lies on what, what is cut.
PILED = """\
    const box = (e) => e.getBoundingClientRect();
    const apart = (a, c) => a.right <= c.left + 1 || c.right <= a.left + 1 ||
      a.bottom <= c.top + 1 || c.bottom <= a.top + 1;
    const seen = (e) => getComputedStyle(e).display !== "none" && e.textContent;
    const bad = [];
    const events = [...document.querySelectorAll(".event")];
    for (const g of events) {
      const r = box(g.querySelector("rect")), t = box(g.querySelector(".what"));
      if (t.right > r.right + 1 || t.left < r.left)
        bad.push("cut: " + g.textContent);
    }
    const names = [...document.querySelectorAll(".label text")].filter((e) =>
      seen(e) && getComputedStyle(e.parentNode).display !== "none");
    if (!document.querySelector(".label text")) bad.push("arrows have no names");
    names.forEach((a, i) => {
      for (const c of names.slice(i + 1))
        if (!apart(box(a), box(c))) bad.push(a.textContent + " on " + c.textContent);
      for (const g of events)
        if (!apart(box(a), box(g.querySelector("rect"))))
          bad.push(a.textContent + " under " + g.textContent);
    });
    events.forEach((a, i) => {
      for (const c of events.slice(i + 1))
        if (!apart(box(a.querySelector("rect")), box(c.querySelector("rect"))))
          bad.push(a.textContent + " on " + c.textContent);
    });
    for (const e of document.querySelectorAll("h1, h2, .at, .mend, .chain, button"))
      if (e.offsetParent && e.scrollWidth > e.clientWidth + 2 &&
          getComputedStyle(e).overflow === "hidden") bad.push("hidden: " + e.textContent);
    return bad"""
SEMAPHORES = """\
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
sem_t empty, full;
int slot;
static void *producer(void *unused) {
  for (int i = 1; i <= 2; i++) {
    sem_wait(&empty);
    slot = i;
    sem_post(&full);
  }
  return unused;
}
static void *consumer(void *unused) {
  for (int i = 1; i <= 2; i++) {
    sem_wait(&full);
    assert(slot == i);
    sem_post(&full);
  }
  return unused;
}
int main(void) {
  pthread_t p, c;
  sem_init(&empty, 0, 1);
  sem_init(&full, 0, 0);
  pthread_create(&p, NULL, producer, NULL);
  pthread_create(&c, NULL, consumer, NULL);
  pthread_join(p, NULL);
  pthread_join(c, NULL);
}
"""
CXX = """\
#include <atomic>
#include <thread>
struct Message { int id; double weight; };
std::atomic<Message *> slot{nullptr};
int main() {
  std::thread producer([] {
    slot.store(new Message{7, 2.5}, std::memory_order_relaxed);
  });
  if (auto *m = slot.load(std::memory_order_relaxed))
    (void)(m->weight + m->id);
  producer.join();
}
"""


@test
def nothing_is_piled_up_or_cut_at_any_width():
    for source, name in ((RACE, "race.c"), (MP, "mp.c"),
                         (SEMAPHORES, "semaphores.c"), (CXX, "message.cpp"),
                         (LANES, "lanes.c")):
        b = opened(source, code=1, name=name)
        for wide in (390, 1280, 1920):
            resize(b, wide)
            b.js("location.reload()")
            bad = b.js(PILED)
            assert not bad, (name, wide, bad)
            assert b.js("return document.documentElement.scrollWidth") <= wide
            share = b.js("return document.querySelector('.executions')"
                         ".offsetWidth") / wide
            assert share > (.9 if wide == 390 else .5), (wide, share)
        as_usual(b)


# Four threads and main, and long names.
LANES = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int published_sequence, consumer_position;
int a1, a2, b1, b2;
static void *writer_one(void *p) {
  atomic_store_explicit(&published_sequence, 1, memory_order_release);
  return p;
}
static void *writer_two(void *p) {
  atomic_store_explicit(&consumer_position, 1, memory_order_release);
  return p;
}
static void *reader_one(void *p) {
  a1 = atomic_load_explicit(&published_sequence, memory_order_acquire);
  a2 = atomic_load_explicit(&consumer_position, memory_order_acquire);
  return p;
}
static void *reader_two(void *p) {
  b1 = atomic_load_explicit(&consumer_position, memory_order_acquire);
  b2 = atomic_load_explicit(&published_sequence, memory_order_acquire);
  return p;
}
int main(void) {
  pthread_t t[4];
  void *(*f[4])(void *) = {writer_one, writer_two, reader_one, reader_two};
  for (int i = 0; i < 4; i++)
    pthread_create(&t[i], 0, f[i], 0);
  for (int i = 0; i < 4; i++)
    pthread_join(t[i], 0);
  assert(!(a1 == 1 && a2 == 0 && b1 == 1 && b2 == 0));
}
"""


@test
def five_lanes_fit_into_a_small_window():
    b = opened(LANES, code=1)
    resize(b, 1280)
    b.js("location.reload()")
    right = b.js("""const pane = document.querySelector(".scroll");
        const last = [...document.querySelectorAll(".event rect")]
          .map((r) => r.getBoundingClientRect().right);
        return Math.max(...last) - pane.getBoundingClientRect().right""")
    assert right <= 0, f"{right} px are cut"
    shown = texts(b, ".event .what")
    assert "write published_sequence = 1 (rel)" in shown, shown
    as_usual(b)


@test
def both_accesses_of_a_race_are_named_and_marked():
    b = opened(CXX, code=1, name="message.cpp")
    at = text(b, ".at")
    assert "message.cpp:10 in main" in at and "and line 7 in" in at, at
    lines = texts(b, ".row.error .number")
    assert lines == ["7", "10"], lines


@test
def what_the_library_of_cxx_does_for_itself_is_not_told():
    b = opened(CXX, code=1, name="message.cpp")
    b.press("u")
    said = " ".join(texts(b, ".event .what"))
    assert "vtable" not in said and "weight" in said, said
    assert "vtable" not in text(b, ".memory")
    files = texts(b, ".of-file h3")
    assert len(files) == 1 and files[0].endswith("message.cpp"), files
    b = opened(CXX, "--full", code=1, name="message.cpp")
    assert "vtable" in " ".join(texts(b, ".event .what"))


@test
def the_picture_fits_at_the_start_and_the_error_comes_first():
    b = opened(RACE, code=1)
    resize(b, 1280)
    b.js("location.reload()")
    right = b.js("""const pane = document.querySelector(".scroll");
        const last = [...document.querySelectorAll(".event rect")]
          .map((r) => r.getBoundingClientRect().right);
        return Math.max(...last) - pane.getBoundingClientRect().right""")
    assert right <= 0, f"{right} px are cut"
    resize(b, 390)
    b.js("location.reload()")
    tops = b.js("""return [".entry h2", ".source"].map((s) =>
        document.querySelector(s).getBoundingClientRect().top)""")
    assert tops[0] < tops[1], tops
    marked = b.js("""const pane = document.querySelector(".scroll")
          .getBoundingClientRect();
        const box = [...document.querySelectorAll(".event.marked rect")].pop()
          .getBoundingClientRect();
        return box.top >= pane.top && box.bottom <= pane.bottom &&
          box.left < pane.right && box.right > pane.left""")
    assert marked, "the error is out of sight"
    as_usual(b)


@test
def folds_are_those_of_the_text():
    b = opened(RACE, code=1)
    assert texts(b, ".event.fold .what") == ["... 6 events, unfold"]
    steps = b.js("return heddle.facts(0).steps")
    b.press("Home", "Right")
    assert text(b, "output").startswith(f"Step 6 of {steps}: "), text(b, "output")
    b.press("Home")
    b.click(".event.fold")
    assert count(b, ".event.fold") == 0 and count(b, ".event") == steps
    b.press("u", "u")
    assert count(b, ".event.fold") == 0
    b = opened(RACE, "--full", code=1)
    assert count(b, ".event.fold") == 0 and count(b, ".event") == steps


@test
def arrows_inside_a_thread_come_on_demand():
    b = opened(RACE, code=1)
    shown = ("return [...document.querySelectorAll('.edge.own')].filter((e) =>"
             " getComputedStyle(e).display !== 'none').length")
    assert count(b, ".edge.own") > 0 and b.js(shown) == 0
    b.press("i")
    assert b.js(shown) == count(b, ".edge.own")
    b.press("i")
    b.hover(".event.update .what")
    assert b.js(shown) > 0


@test
def a_variable_can_be_looked_for():
    b = opened(RACE, code=1)
    b.press("/")
    b.press(*"counter")
    hits = b.js("return heddle.facts(0).events.filter((e) => "
                "e.text.includes('counter')).length")
    assert text(b, ".find small") == f"{hits} rows"
    assert "counter" in text(b, "output"), text(b, "output")
    first = text(b, "output")
    b.press("Enter")
    assert "counter" in text(b, "output") and text(b, "output") != first
    assert count(b, ".event.lost") > 0
    b.press("\ue00c")  # Esc
    assert count(b, ".event.lost") == 0 and text(b, ".find small") == ""
    b.press("?")
    assert b.js("return !document.getElementById('help').hidden")
    b.press("\ue00c")
    assert b.js("return document.getElementById('help').hidden")


@test
def the_picture_follows_the_steps():
    b = opened(LONG, "--full", code=1)
    inside = """const pane = document.querySelector(".scroll")
          .getBoundingClientRect();
        const now = document.querySelector(".event.now rect")
          .getBoundingClientRect();
        return now.top >= pane.top && now.bottom <= pane.bottom &&
          now.left < pane.right && now.right > pane.left"""
    b.press("Home", "Right")
    assert b.js(inside)
    for at in (0.3, 0.7, 0.99):
        b.js("""const s = document.querySelector(".stepper input");
            s.value = Math.floor(s.max * arguments[0]);
            s.dispatchEvent(new Event("input"))""", at)
        assert b.js(inside), at
        b.press("Right", "Right")
        assert b.js(inside), at


@test
def names_of_threads_stay_in_view():
    b = opened(LONG, code=1)
    b.press("u")
    for key in ("Home", "End"):
        b.press(key)
        below = b.js("""return document.querySelector(".titles .thread")
            .getBoundingClientRect().top -
            document.querySelector(".scroll").getBoundingClientRect().top""")
        assert 0 <= below < 40, (key, below)


@test
def the_source_can_be_hidden_and_made_wider():
    b = opened(MP, code=1)
    wide = "return document.querySelector('.source').offsetWidth"
    before = b.js(wide)
    b.js("document.querySelector('.divider').focus()")
    b.press("Right", "Right")
    assert b.js(wide) == before + 60, (before, b.js(wide))
    b.press("h")
    assert b.js(wide) == 0
    b.click("#hide")
    assert b.js(wide) > 0


@test
def advice_is_that_of_the_text():
    b = opened(SEMAPHORES.replace("sem_init(&full, 0, 0);", "").replace(
        "assert(slot == i);", ""), code=1)
    assert text(b, ".mend").startswith("Each wait needs a post"), text(b, ".mend")
    b = opened(RACE, code=1)
    assert text(b, ".mend").startswith("With release in line"), text(b, ".mend")


@test
def the_chain_of_the_error_is_named_first():
    b = opened(MP, code=1)
    links = texts(b, ".chain button")
    assert links and links[-1].startswith("T0 read data = 0"), links
    b.click(".chain button")
    assert text(b, ".event.now .what") in links[0], links


@test
def ten_thousand_events_are_small_and_quick():
    b = opened(LONG.replace("150", "3400"), code=1)
    size = (WORK / "page.html").stat().st_size
    steps = b.js("return heddle.facts(0).steps")
    assert steps > 10000 and size < 1_000_000, (steps, size)
    times = b.js("""
        const key = (name) => document.dispatchEvent(
          new KeyboardEvent("keydown", { key: name, bubbles: true }));
        key("u");
        key("Home");
        const times = [];
        for (let i = 0; i < 30; i++) {
          const start = performance.now();
          key(i < 15 ? "ArrowRight" : "ArrowLeft");
          document.body.getBoundingClientRect();
          times.push(performance.now() - start);
        }
        return times.sort((a, b) => a - b)""")
    print(f"# {steps} events, {size} bytes: a step takes {times[15]:.1f} ms, "
          f"at most {times[-1]:.1f} ms")
    assert times[15] < 50, times


@test
def the_page_is_never_wider_than_the_window():
    b = opened(MP, code=1)
    for wide in (1400, 1000, 640, 400):
        b.call("POST", "/goog/cdp/execute", {
            "cmd": "Emulation.setDeviceMetricsOverride",
            "params": {"width": wide, "height": 800, "deviceScaleFactor": 1,
                       "mobile": False}})
        most = b.js("return document.documentElement.scrollWidth")
        assert most <= wide, (wide, most)
    b.call("POST", "/goog/cdp/execute",
           {"cmd": "Emulation.clearDeviceMetricsOverride", "params": {}})


@test
def several_errors_are_several_entries():
    b = opened("""\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
static void *f(void *unused) { atomic_store(&x, 1); return unused; }
int main(void) {
  pthread_t id;
  pthread_create(&id, NULL, f, NULL);
  int r = atomic_load(&x);
  assert(r != 0);
  assert(r != 1);
  pthread_join(id, NULL);
}
""", "--all-errors", code=1)
    shown = "return [...document.querySelectorAll('.entry')]" \
            ".findIndex((e) => !e.hidden)"
    assert count(b, "nav .choose") == count(b, ".entry") == 2
    assert b.js(shown) == 0
    b.press("n")
    assert b.js(shown) == 1
    b.click("[data-entry='0'].choose")
    assert b.js(shown) == 0


@test
def a_page_says_when_it_has_not_all_findings():
    lines = "  y = x + 1;\n" * 101
    source = f"int x = 0x7fffffff, y;\nint main(void) {{\n{lines}}}\n"
    page = made(source, code=0).read_text()
    assert page.count('<section class="entry"') == 100
    assert "This page has 100 of 101 findings." in page
    page = made(source.replace(lines, lines[13:]), code=0).read_text()
    assert page.count('<section class="entry"') == 100
    assert "This page has" not in page


@test
def without_an_error_there_is_a_sample():
    b = opened(SC_MP.replace("!= 1", "== 1"), code=0)
    assert "No errors" in text(b, ".verdict")
    assert count(b, ".event") >= 5 and "One of" in text(b, "h2")
    b = opened("int main(void) { return 0; }\n", code=0)
    check_log(b)


@test
def hostile_strings_are_text():
    attack = "</script><script>window.hacked=1</script>" \
             "<img src=x onerror=window.hacked=2>"
    folder = WORK / "a<b>&quot;'\""
    folder.mkdir(exist_ok=True)
    b = opened(f"""\
#include <assert.h>
#include <stdio.h>
// {attack} --> ]]>
const char *volatile text;
int main(void) {{
  text = "{attack}\\xff";
  printf("{attack}");
  assert(text == 0 && "{attack}");
}}
""", code=1, name="a<b>&quot;'\"/p<i>.c")
    check_log(b)
    assert b.js("return window.hacked === undefined")
    assert count(b, "img") == 0 and count(b, "i") == 0
    assert count(b, "script") == 2
    assert attack in text(b, "h2")
    assert "p<i>.c" in text(b, "h1") and "p<i>.c" in text(b, ".source h3")
    assert any(attack in line for line in texts(b, ".row code"))


LONG = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
static void *f(void *unused) {
  for (int i = 0; i < 150; i++) {
    atomic_fetch_add(&x, 1);
    atomic_store(&y, i);
  }
  return unused;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, NULL, f, NULL);
  pthread_join(id, NULL);
  for (int i = 0; i < 150; i++)
    atomic_store(&y, i);
  assert(x < 150);
}
"""


@test
def three_hundred_events_are_quick():
    b = opened("""\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
static void *f(void *unused) {
  for (int i = 0; i < 110; i++) {
    atomic_fetch_add(&x, 1);
    atomic_store(&y, i);
    if (i == 109)
      assert(atomic_load(&x) < 110);
  }
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, f, NULL);
  pthread_create(&b, NULL, f, NULL);
  for (int i = 0; i < 120; i++)
    atomic_fetch_add(&x, 1);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
""", "--model", "sc", "--full", code=1)
    events = b.js("return heddle.facts(0).steps")
    assert events >= 300, events
    assert count(b, ".event") < events, "only what can be seen is drawn"
    worst = b.js("""
        let worst = 0;
        const key = (name) => document.dispatchEvent(
          new KeyboardEvent("keydown", { key: name, bubbles: true }));
        for (const name of ["Home", "ArrowRight", "ArrowRight", "End",
                            "ArrowLeft", "r", "r"]) {
          const start = performance.now();
          key(name);
          document.body.getBoundingClientRect();
          worst = Math.max(worst, performance.now() - start);
        }
        return worst""")
    assert f"of {events}: " in text(b, "output"), text(b, "output")
    print(f"# slowest step of {events} events: {worst:.1f} ms")
    assert worst < 200, f"{worst} ms"


@test
def outcomes_can_be_browsed():
    if browser.WHY_NOT:
        raise tap.Skip(browser.WHY_NOT)
    source = """\
#include <pthread.h>
#include <stdatomic.h>
atomic_int data, flag;
int r;
static void *writer(void *unused) {
  atomic_store_explicit(&data, 1, memory_order_relaxed);
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return unused;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, NULL, writer, NULL);
  r = atomic_load_explicit(&flag, memory_order_relaxed) * 10;
  r += atomic_load_explicit(&data, memory_order_relaxed);
  pthread_join(id, NULL);
}
"""
    page = WORK / "outcomes.html"
    heddle("explore", write("o.c", source), "--html", str(page), code=0)
    b = opened(MP, code=1)
    b.open(page)
    check_log(b)
    states = texts(b, ".outcomes tbody th")
    assert states == ["r = 0", "r = 1", "r = 10", "r = 11"], states
    assert texts(b, ".outcomes .count") == ["1", "1", "1", "1"]
    assert text(b, ".entry:not([hidden]) h2") == "r = 0"
    b.press("n")
    assert text(b, ".entry:not([hidden]) h2") == "r = 1"
    assert text(b, "tr.current th") == "r = 1"
    b.js("const s = document.getElementById('against'); s.value = '0';"
         "s.dispatchEvent(new Event('change'))")
    differs = texts(b, ".entry:not([hidden]) .event.differs .what")
    assert differs == ["read data = 1 (rlx)", "write r = 1 (na)"], differs
    b.js("const f = document.getElementById('filter'); f.value = 'r=1';"
         "f.dispatchEvent(new Event('input'))")
    shown = b.js("return [...document.querySelectorAll('.outcomes tbody tr')]"
                 ".filter((r) => !r.hidden).length")
    assert shown == 3, shown
    # r = 0 is out; n and p go over it
    b.js("document.getElementById('filter').blur()")
    b.press("p")
    assert text(b, ".entry:not([hidden]) h2") == "r = 1"
    b.press("n", "n", "n")
    assert text(b, ".entry:not([hidden]) h2") == "r = 11"


@test
def differences_of_models_are_entries():
    if browser.WHY_NOT:
        raise tap.Skip(browser.WHY_NOT)
    page = WORK / "compare.html"
    heddle("compare", "--models", "sc,rc11", write("c.c", MP), "--html",
           str(page), code=1)
    b = opened(MP, code=1)
    b.open(page)
    check_log(b)
    assert "rc11; not sc" in text(b, "h2"), text(b, "h2")
    rows = b.js("""return [...document.querySelectorAll(".outcomes tr")]
        .map((r) => [...r.cells].map((c) => c.textContent))""")
    assert rows[:3] == [["", "sc", "rc11"], ["verdict", "ok", "error"],
                        ["executions", "2", "2"]], rows
    assert [r[1:] for r in rows if "assertion" in r[0]] == [["-", "yes"]], rows
    assert count(b, ".outcomes tr.differs .choose[aria-pressed=true]") == 1


@test
def a_table_of_many_models_keeps_its_words_on_a_phone():
    """Each letter of "verdict" had a line of its own."""
    if browser.WHY_NOT:
        raise tap.Skip(browser.WHY_NOT)
    page = WORK / "compare.html"
    heddle("compare", "--models", "sc,tso,pso,ra,rc11,c11,jam21,imm,armv8",
           write("c.c", MP), "--html", str(page), code=1)
    b = opened(MP, code=1)
    b.open(page)
    resize(b, 390)
    b.js("location.reload()")
    heads = b.js("""return [...document.querySelectorAll(".outcomes tbody th")]
        .filter((c) => !c.querySelector("button"))
        .map((c) => [c.textContent, c.offsetHeight, c.nextSibling.offsetHeight,
                     c.scrollWidth - c.clientWidth])""")
    as_usual(b)
    assert [h[0] for h in heads[:2]] == ["verdict", "executions"], heads
    assert all(high < 60 and more <= 0 for _, high, _, more in heads), heads


WHY = """\
#include <pthread.h>
#include <stdatomic.h>
atomic_int data, flag;
int r1, r2;
static void *writer(void *unused) {
  atomic_store_explicit(&data, 1, memory_order_relaxed);
  atomic_store_explicit(&flag, 1, memory_order_release);
  return unused;
}
static void *reader(void *unused) {
  r1 = atomic_load_explicit(&flag, memory_order_acquire);
  r2 = atomic_load_explicit(&data, memory_order_relaxed);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, writer, NULL);
  pthread_create(&b, NULL, reader, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
"""


@test
def why_not_has_the_edge_that_explains_it():
    page = WORK / "why.html"
    b = opened(MP, code=1)
    for model in ("rc11", "armv8"):
        heddle("why", "--model", model, "--html", str(page),
               "r1 == 1 && r2 == 0", write("w.c", WHY), code=0)
        b.open(page)
        check_log(b)
        ends = b.js("""return [...document.querySelectorAll(".edge.sync")].map(
            (edge) => [edge.dataset.from, edge.dataset.to].map((id) =>
              document.querySelector(`[data-event="${id}"] .what`).textContent))""")
        assert ["write flag = 1 (rel)", "read flag = 1 (acq)"] in ends, ends
        assert "takes weak memory" not in text(b, ".entry")
        assert "forbids" in text(b, ".weak")
        for wide in (390, 1280, 1920):
            resize(b, wide)
            b.js("location.reload()")
            bad = b.js(PILED)
            assert not bad, (wide, bad)
        as_usual(b)


@test
def a_folder_of_litmus_tests_shows_the_source_of_each():
    page = WORK / "folder.html"
    heddle("litmus", "--html", str(page),
           str(HERE.parent.parent / "examples/litmus"), code=0)
    b = opened(MP, code=1)
    b.open(page)
    check_log(b)
    names = set()
    for _ in range(count(b, ".entry")):
        shown = b.js("return [...document.querySelectorAll('.of-file')]"
                     ".filter((f) => !f.hidden).map((f) => f.innerText)")
        title = text(b, ".entry:not([hidden]) h2").split(":")[0]
        assert len(shown) == 1 and f"/{title}.litmus" in \
            shown[0].splitlines()[0], (title, shown)
        names.add(title)
        b.press("n")
    assert len(names) > 2, names


@test
def words_of_the_verdict_are_explained():
    b = opened(MP, code=1)
    title = b.js("return document.querySelector('.verdict .term').title")
    assert text(b, ".verdict .term") == "blocked" and "cannot go on" in title
    assert texts(b, "#words dt") == ["blocked"]
    b = opened("""\
#include <heddle.h>
int main(void) { heddle_assume(0); }
""", code=3)
    assert texts(b, ".verdict .term") == ["vacuous", "blocked"]


@test
def a_refused_execution_shows_its_cycle():
    if browser.WHY_NOT:
        raise tap.Skip(browser.WHY_NOT)
    page = WORK / "refused.html"
    heddle("litmus", "--html", str(page),
           str(HERE.parent.parent / "examples/litmus/MP+dmb.sy+addr.litmus"),
           code=0)
    b = opened(MP, code=1)
    b.open(page)
    check_log(b)
    assert "forbidden by armv8" in text(b, "h2"), text(b, "h2")
    assert texts(b, ".titles .thread") == ["P0", "P1"], texts(b, ".titles .thread")
    steps = texts(b, ".label.cycle text")
    assert steps == ["po", "po", "rf", "basic-addr", "fr"], steps
    assert "that is P0 line 9 again" in text(b, ".refusal pre")
    b.js("document.querySelector('[data-relation=cycle]').click()")
    shown = b.js("return getComputedStyle(document.querySelector('.edge.cycle'))"
                 ".display")
    assert shown == "none", shown
    assert texts(b, ".memory thead th") == ["", "newest write", "P0", "P1"]


@test
def a_page_that_cannot_be_written():
    says(check_source(MP, "--html", "/nowhere/x.html", code=2), "/nowhere")


try:
    tap.main()
finally:
    if _browser:
        _browser.close()
