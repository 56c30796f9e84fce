#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""C++ from the outside: names of files, flags, and how reports speak.

    tests/cli/test_cxx.py build/heddle [WORD...]
"""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap
from heddle import heddle, says, write
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
    std::ostringstream text;
}
""")
    heddle("check", path, code=0)
    result = heddle("check", path, "--args", "more", code=2)
    says(result, "streams.cpp:4", "std::__cxx11::basic_ostringstream")


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


tap.main()
