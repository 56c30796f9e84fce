// SPDX-License-Identifier: MIT
// Streams that write into a string: formatting, places, moving, and that two
// threads which write to one of them race at their own lines.
// run: sc,rc11 ok
// run: flags=-std=c++14 rc11 ok
// run: flags=-std=c++23 rc11 ok
// run: args=--error=leak rc11 ok
// run: flags=-DSHARED sc,rc11 error race
#include <cassert>
#include <iomanip>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <thread>

static std::string text(int n) {
  std::ostringstream s;
  s << "n=" << n << ' ' << 1.5 << ' ' << std::hex << 255 << std::dec
    << std::setw(4) << std::setfill('0') << 7 << std::endl;
  s.put('c').write("xyz", 2);
  assert(s.str() == "n=" + std::to_string(n) + " 1.5 ff0007\ncxy");
  s.str("");
  s.clear();
  s << std::string("a long text that does not fit into the string itself") << n;
  return s.str();
}

static void log(std::ostream &o) {
  o << "log " << true;
}

static void places() {
  std::ostringstream over("abcdef"), behind("abc", std::ios::ate);
  over << "xy";
  behind << 1;
  assert(over.str() == "xycdef" && behind.str() == "abc1");
  auto made = std::make_unique<std::ostringstream>();
  log(*made);
  log(std::cout);
  assert(made->str() == "log 1" && *made && !made->fail());
  std::ostringstream moved(std::move(*made));
  moved << "!";
  assert(moved.str() == "log 1!" && made->str().empty());
  std::unique_ptr<std::ostream> base(new std::ostringstream);
  *base << 1;
}

static void both_ways() {
  std::stringstream s("abc");
  s << 'd';
  assert(s.str() == "dbc");
  std::ostream &o = s;
  o << "ee" << std::endl;
  assert(s.str() == "dee\n");
  std::stringstream moved(std::move(s));
  moved << 1;
  assert(moved.str() == "dee\n1");
  std::unique_ptr<std::ostream> out(new std::stringstream("q"));
  *out << 5;
  std::unique_ptr<std::istream> in(new std::stringstream("q"));
}

int main() {
  std::string one, other = text(2);
#ifdef SHARED
  std::ostringstream shared;
  std::thread t([&] { shared << 1; }); // BUG
  shared << 2;
#else
  std::thread t([&] { one = text(1); });
#endif
  t.join();
#ifndef SHARED
  assert(one.back() == '1' && other.back() == '2');
  places();
  both_ways();
#endif
}
