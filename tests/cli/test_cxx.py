#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""C++ from the outside: names of files, flags, and how reports speak.

    tests/cli/test_cxx.py build/heddle [WORD...]
"""
import json
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap
from clang import CLANG
from heddle import HEDDLE, WORK, heddle, says, write
from tap import test

PLAIN = """\
#ifndef __cplusplus
#error this is C++
#endif
int main() { return 0; }
"""


@test
def endings_of_files():
    for ending in ("cpp", "cc", "cxx", "C", "c++"):
        heddle("check", write(f"plain.{ending}", PLAIN), code=0)
    heddle("check", write("plain.c", PLAIN), code=2)
    heddle("check", write("plain.c", PLAIN), "--", "-x", "c++", code=0)
    heddle("check", write("plain.c", PLAIN), "--", "-xc++", code=0)


@test
def standards_are_for_their_language():
    two = write("second.c", "int two(void);\nint two(void) { return 2; }\n")
    one = write("first.cpp", 'extern "C" int two(void);\n'
                "static_assert(__cplusplus == 201402L);\n"
                "int main() { return two() - 2; }\n")
    heddle("check", one, two, "--", "-std=c++14", "-std=c99", code=0)


WAITS = """\
#include <atomic>
#include <thread>
std::atomic<bool> flag{false};
int data;
int main() {
  std::jthread a([] {
    data = 1;
    flag.store(true, std::memory_order_relaxed);
    flag.notify_one();
  });
  std::jthread b([] {
    flag.wait(false, std::memory_order_relaxed);
    return data;
  });
}
"""


@test
def orders_inside_of_the_library_are_not_to_be_changed():
    text = heddle("check", write("waits.cpp", WAITS), code=1).stdout
    assert "[race]" in text and "With " not in text, text


RACE = """\
#include <thread>
#include <vector>
namespace app {
template <class T> class Log {
public:
  void add(const T &value) { values_.push_back(value); }
private:
  std::vector<T> values_;
};
}
static app::Log<int> log_;
int main() {
  std::thread t([] { log_.add(1); });
  log_.add(2);
  t.join();
}
"""


@test
def races_in_headers_are_at_the_users_call():
    path = write("race.cpp", RACE)
    answer = json.loads(heddle("check", "--json", path, code=1).stdout)
    error = answer["errors"][0]
    assert error["kind"] == "race" and error["line"] == 6, error
    text = heddle("check", path, code=1).stdout
    assert "in app::Log::add" in text, text
    assert "main::{lambda#1}" in text, text
    assert "/usr/" not in text, text


EXCEPTION = """\
namespace app { struct Error { int code; }; }
static void fail() { throw app::Error{3}; }
int main() {
  try {
    fail();
  } catch (int) {
  }
}
"""


CHANNEL = """\
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
std::mutex m;
std::condition_variable filled;
std::deque<int> queue;
static void take() {
  std::unique_lock lock(m);
  filled.wait(lock, [] { return !queue.empty(); });
  queue.pop_front();
}
int main() {
  std::jthread a(take), b(take);
  {
    std::lock_guard lock(m);
    queue.push_back(1);
    queue.push_back(2);
  }
  filled.notify_one(); // BUG: one of the two
}
"""


@test
def a_lost_wake_up_is_told_in_the_words_of_the_calls():
    out = heddle("check", write("channel.cpp", CHANNEL), code=1).stdout
    rows = " ".join(out.split("The execution")[1].split())
    for row in ("filled.wait(m): waits", "filled.notify_one(): wakes T1"):
        assert row in rows, out
    for private in ("__cond", "__data", "_M_", "choose", "std::thread"):
        assert private not in out, f"{private}:\n{out}"


@test
def uncaught_exceptions_have_type_and_place():
    text = heddle("check", write("uncaught.cpp", EXCEPTION), code=1).stdout
    assert "an exception of type `app::Error` is not caught" in text, text
    assert "uncaught.cpp:2 in fail" in text, text


@test
def what_is_missing_is_refused_by_its_name():
    path = write("streams.cpp", """\
#include <sstream>
int main(int argc, char **) {
  if (argc > 1)
    std::istringstream text;
}
""")
    heddle("check", path, code=0)
    result = heddle("check", path, "--args", "more", code=2)
    says(result, "streams.cpp:4", "std::__cxx11::basic_istringstream")
    path = write("derived.cpp", """\
#include <streambuf>
struct Buffer : std::streambuf {};
int main() { Buffer b; }
""")
    says(heddle("check", path, code=2), "std::", "derived from this one")


@test
def headers_that_are_not_there():
    """A newcomer's <format> with libstdc++ 12."""
    for header, advice in (("no_such_part", "the library of C++"),
                           ("no/such.h", "-I DIR")):
        path = write("missing.cpp", f"#include <{header}>\nint main() {{}}\n")
        says(heddle("check", path, code=2), f"<{header}>", advice)
    path = write("missing.c", '#include "mine.h"\nint main(void) {}\n')
    says(heddle("check", path, code=2), "-I DIR after -- says where <mine.h>")


@test
def optimise_knows_orders_of_cxx():
    path = write("orders.cpp", """\
#include <atomic>
#include <cassert>
#include <thread>
std::atomic<int> ready{0}, data{0};
int main() {
  std::thread t([] {
    data.store(1, std::memory_order_seq_cst);
    ready.store(1, std::memory_order_seq_cst);
  });
  if (ready.load(std::memory_order_seq_cst))
    assert(data.load(std::memory_order_seq_cst) == 1);
  t.join();
}
""")
    text = heddle("optimize", path, code=0).stdout
    for line, change in ((7, "relaxed"), (8, "release"), (10, "acquire"),
                         (11, "relaxed")):
        assert any(f"orders.cpp:{line}:" in row and f"-> {change}" in row
                   for row in text.splitlines()), text


@test
def an_exchange_of_pointers_with_one_order_can_be_mended():
    # Its member computes the order of failure before it chooses.
    path = write("push.cpp", """\
#include <atomic>
#include <cassert>
#include <pthread.h>
struct Node { int value; Node *next; };
static std::atomic<Node *> head{nullptr};
static Node node;
static void *push(void *unused) {
  node.value = 42;
  while (!head.compare_exchange_weak(node.next, &node,
                                     std::memory_order_relaxed))
    ;
  return unused;
}
int main() {
  pthread_t t;
  pthread_create(&t, nullptr, push, nullptr);
  if (Node *n = head.load(std::memory_order_acquire))
    assert(n->value == 42);
  pthread_join(t, nullptr);
}
""")
    text = heddle("check", path, "--mend", "on", code=1).stdout
    assert "With release in line 9 the error is gone" in text, text


@test
def a_value_whose_address_is_kept_does_not_keep_a_function():
    # As std::atomic_ref of GCC 14 stores.
    path = write("ref.cpp", """\
#include <atomic>
#define ALWAYS [[gnu::always_inline]] inline
template<class T> ALWAYS T *clear_padding(T &value) {
  T *at = std::addressof(value);
  return at;
}
template<class T> ALWAYS void store(T *at, T value, std::memory_order o) {
  __atomic_store(at, clear_padding(value), int(o));
}
struct Ref {
  int *at;
  void store(int value, std::memory_order o) const { ::store(at, value, o); }
};
static int plain;
int main() { Ref{&plain}.store(1, std::memory_order_seq_cst); }
""")
    text = heddle("dump", path, code=0).stdout
    main = text[text.index("function main"):].split("\n\n")[0]
    assert "store     &plain, 1 4 sc" in main and "call" not in main, main


# -- libc++

PROGRAMS = Path(__file__).resolve().parent.parent / "programs" / "cpp"


def has_libcxx():
    """By asking the compiler, not Heddle."""
    return subprocess.run(
        [CLANG, "--driver-mode=g++", "-stdlib=libc++", "-fsyntax-only",
         write("has.cpp", "#include <atomic>\n_LIBCPP_BEGIN_NAMESPACE_STD\n"
               "_LIBCPP_END_NAMESPACE_STD\n")],
        capture_output=True).returncode == 0


def with_libcxx(name, flags, verdict, kind, count):
    def check():
        if not has_libcxx():
            raise tap.Skip("there are no headers of libc++")
        answer = json.loads(heddle(
            "check", "--json", "--stdlib", "libc++", str(PROGRAMS / name),
            "--", *flags).stdout)
        kinds = [error["kind"] for error in answer["errors"]]
        said = answer["verdict"], kinds, answer["executions"]
        assert said[:2] == (verdict, [kind] if kind else []), said
        assert count in (None, answer["executions"]), said
    return check


for name, flags, verdict, kind, count in (
        ("cxx11.cpp", [], "ok", None, 2),
        ("atomic_wait.cpp", [], "ok", None, None),
        ("atomic_wait.cpp", ["-DFORGET"], "error", "deadlock", None),
        ("library_latch.cpp", [], "ok", None, None),
        ("barrier_phases.cpp", [], "ok", None, None),
        ("wait_for_times_out.cpp", ["-DNOTIFIED"], "error", "assertion", None),
        ("condition_queue.cpp", [], "ok", None, None),
        ("condition_queue.cpp", ["-DIF"], "error", "deadlock", None),
        ("exception_lock.cpp", [], "ok", None, 2),
        ("exception_pointer.cpp", [], "ok", None, 1),
        ("async_throws.cpp", [], "ok", None, None),
        ("once_flag.cpp", [], "ok", None, None),
        ("resources.cpp", [], "ok", None, 1),
        ("resources.cpp", ["-DRACE"], "error", "race", None),
        ("resources.cpp", ["-DDEVICE"], "incomplete", None, 4),
        ("rw_lock.cpp", [], "ok", None, None),
        ("shared_handover.cpp", [], "ok", None, None),
        ("thread_not_joined.cpp", [], "error", "exception", None),
        # packaged_task::get_future beside operator(): a fault of libc++ 19.
        ("thread_pool.cpp", [], "error", "race", None),
        ("timed_locks.cpp", [], "ok", None, None),
        ("values_of_any_type.cpp", [], "ok", None, 2)):
    tap.add(" ".join(["libcxx", name, *flags]),
            with_libcxx(name, flags, verdict, kind, count))


@test
def without_libcxx_at_build_time_it_is_said_what_to_do():
    """By an archive without these parts."""
    archiver = shutil.which("llvm-ar-19") or shutil.which("llvm-ar")
    if not has_libcxx() or not archiver:
        raise tap.Skip("there are no headers of libc++, or no llvm-ar")
    root = Path(HEDDLE).resolve().parent
    data = WORK / "without"
    (data / "include").mkdir(parents=True)
    (data / "include/heddle").symlink_to(
        Path(__file__).resolve().parents[2] / "include/heddle")
    (data / "watch.so").symlink_to(root / "src/front/watch.so")
    shutil.copy(root / "rt/rt.a", data / "rt.a")
    parts = subprocess.run([archiver, "t", data / "rt.a"], check=True,
                           capture_output=True, text=True).stdout.split()
    subprocess.run([archiver, "d", data / "rt.a",
                    *(p for p in parts if p.startswith("libcxx"))], check=True)
    for text in ("#include <thread>\nint main() { std::thread([] {}).join(); }",
                 "#include <memory>\nint main() {"
                 " return *std::make_shared<int>(0); }"):
        says(heddle("check", "--stdlib", "libc++", write("bare.cpp", text),
                    code=2, HEDDLE_DATA=str(data)),
             "built where libc++ was missing")


@test
def names_of_libcxx_are_those_of_std():
    if not has_libcxx():
        raise tap.Skip("there are no headers of libc++")
    text = heddle("check", "--stdlib", "libc++", write("race.cpp", RACE),
                  code=1).stdout
    assert "in app::Log::add" in text and "std::vector#" in text, text
    assert "|   T1 main::{lambda#1}" in text and "_ZN" not in text, text
    assert "guard" not in text, text
    assert "std::__1::vector" not in text, text


@test
def missing_notifications_are_not_lost_to_a_clock_that_stands_still():
    """atomic::wait of libc++ sleeps only when time has passed."""
    if not has_libcxx():
        raise tap.Skip("there are no headers of libc++")
    for kind in ("int", "bool", "long"):
        heddle("check", "--stdlib", "libc++", write("forgets.cpp", f"""\
#include <atomic>
#include <thread>
std::atomic<{kind}> x{{0}};
int main() {{
  std::thread t([] {{ x.store(1); }});
  x.wait(0);
  t.join();
}}
"""), code=1)


OBJECTS = """\
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>
struct Node { int value; Node *next; Node(int v) : value(v) {} };
struct Job { int id; std::atomic<int> state{0}; };
struct Shape { virtual ~Shape() {} int sides = 3; };
int main() {
  auto node = std::unique_ptr<Node>(new Node(1));
  auto job = std::make_shared<Job>();
  auto own = std::make_unique<Job>();
  auto shape = new Shape;
  int *number = new int(5);
  std::jthread t([&node, number] { node->next = nullptr; *number = 6; });
  node->next = nullptr;
  own->id = shape->sides + *number;
  delete shape;
  auto copy = job;
  job->state = 1;
  assert(job->state == 0);
}
"""


@test
def heap_objects_have_their_types():
    """They were operator new#1, std::make_shared#2+20 and the like, and the
    virtual table of what a thread runs was the first element of an array."""
    path = write("objects.cpp", OBJECTS)
    text = heddle("check", "--full", "--disable", "race,overflow", path,
                  code=1).stdout
    for word in ("allocate Node#1 ", "write Node#1->value = 1",
                 "allocate Job#2 ", "Job#2->state = 1",
                 "update Job#2->_M_use_count = 1 -> 2",
                 "write Job#3->id =", "write Shape#4->sides = 3",
                 "write int#5 = 5", "= &int#5"):
        assert word in " ".join(text.split()), (word, text)
    for word in ("operator new#", "make_shared#", "make_unique#", "[0]"):
        assert word not in text, (word, text)


@test
def what_is_given_away_at_once_has_its_type():
    """A type without constructor, which no variable points to."""
    path = write("given.cpp", """\
#include <atomic>
#include <thread>
struct Message { int id; double weight; };
std::atomic<Message *> slot{nullptr};
static double seen;
int main() {
  std::thread t([] {
    slot.store(new Message{7, 2.5}, std::memory_order_relaxed);
  });
  if (auto *m = slot.load(std::memory_order_relaxed))
    seen = m->weight;
  t.join();
}
""")
    text = heddle("check", path, code=1).stdout
    for word in ("allocate Message#2 ", "write Message#2->weight = 2.5",
                 "write slot = &Message#2"):
        assert word in " ".join(text.split()), (word, text)


@test
def long_loops_of_the_library_are_where_they_are_called():
    """The message was cut off too, in a path of the library."""
    path = write("three.cpp", """#include <mutex>
#include <thread>
std::mutex a, b, c;
int main() {
  std::thread t([] { std::scoped_lock l(a, b, c); });
  std::scoped_lock l(b, c, a);
  t.detach();
}
""")
    text = heddle("check", "--disable", "livelock", "--max-events", "300", path,
                  code=3).stdout
    for word in (f"(in std::lock, called at {path}:", "--max-events 0."):
        assert word in text, text
    assert "/include/" not in text, text


tap.main()
