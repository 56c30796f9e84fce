// SPDX-License-Identifier: MIT
// Containers and what else is sequential in C++'s library. What is printed does
// not depend on the order in hash tables.
#include <algorithm>
#include <any>
#include <cstdio>
#include <deque>
#include <exception>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <queue>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <system_error>
#include <tuple>
#include <typeinfo>
#include <unordered_map>
#include <variant>
#include <vector>

static void trees() {
  std::map<int, int> m;
  std::minstd_rand next(7);
  for (int i = 0; i < 150; i++)
    m[next() % 64] = i;
  for (int i = 0; i < 80; i++)
    m.erase(next() % 64);
  for (auto [key, value] : m)
    printf("%d:%d ", key, value);
  for (auto it = m.rbegin(); it != m.rend(); ++it)
    printf("%d ", it->first);
  std::set<std::string> words{"b", "c", "a"};
  while (!words.empty()) {
    printf("%s", words.begin()->c_str());
    words.erase(words.begin());
  }
  printf("\n%d\n", (int)words.size());
}

static void lists() {
  std::list<int> l{5, 1, 4}, other{7, 8};
  l.sort();
  l.splice(std::next(l.begin()), other);
  l.reverse();
  l.remove(4);
  other.swap(l);
  std::list<int> third{9};
  third.swap(other);
  for (int x : third)
    printf("%d ", x);
  printf("%zu %zu %zu\n", l.size(), other.size(), third.size());
}

static void tables() {
  std::unordered_map<std::string, int> t;
  for (int i = 0; i < 60; i++)
    t["key" + std::to_string(i % 40)] += i;
  for (int i = 0; i < 40; i += 3)
    t.erase("key" + std::to_string(i));
  int sum = 0;
  for (auto &[key, value] : t)
    sum += value * (int)key.size();
  printf("%zu %d %d\n", t.size(), sum, t.at("key22"));
}

static void strings() {
  std::string s = "a short one";
  s += " and then a long tail that does not fit";
  s.replace(2, 5, "LONG").insert(0, "> ").erase(s.size() - 3);
  printf("%s|%zu|%zu|%d\n", s.c_str(), s.find("tail"), s.rfind('t'),
         s.compare("z") < 0);
  printf("%s %d %g\n", s.substr(4, 6).c_str(), std::stoi("0x1f", nullptr, 16),
         std::stod("2.5"));
}

static void errors() {
  std::vector<std::function<void()>> all = {
      [] { (void)std::vector<int>().at(3); },
      [] { std::string("abc").substr(9); },
      [] { (void)std::stoi("x"); },
      [] { (void)std::stoi("99999999999"); },
      [] { std::optional<int>().value(); },
      [] { (void)std::get<int>(std::variant<int, char>('c')); },
      [] { (void)std::any_cast<int>(std::any('c')); },
      [] { std::function<void()>()(); },
      [] { std::shared_ptr<int>(std::weak_ptr<int>()); },
      [] {
        throw std::system_error(std::make_error_code(std::errc::invalid_argument),
                                "here");
      },
      [] { std::unordered_map<int, int>().at(1); },
      [] { throw std::range_error("range"); },
  };
  for (auto &f : all)
    try {
      f();
    } catch (const std::logic_error &e) {
      printf("logic_error %s\n", e.what());
    } catch (const std::exception &e) {
      printf("%s %s\n", typeid(e).name(), e.what());
    }
  try {
    try {
      throw std::runtime_error("inner");
    } catch (...) {
      std::throw_with_nested(std::runtime_error("outer"));
    }
  } catch (const std::exception &e) {
    try {
      std::rethrow_if_nested(e);
    } catch (const std::exception &inner) {
      printf("%s in %s\n", inner.what(), e.what());
    }
  }
  std::exception_ptr kept;
  try {
    throw 17;
  } catch (...) {
    kept = std::current_exception();
  }
  try {
    std::rethrow_exception(kept);
  } catch (int n) {
    printf("%d %d\n", n, kept == std::current_exception());
  }
}

int main() {
  trees();
  lists();
  tables();
  strings();
  errors();
  std::deque<int> d;
  for (int i = 0; i < 200; i++)
    i % 3 ? d.push_back(i) : d.push_front(i);
  std::sort(d.begin(), d.end(), std::greater<>());
  std::priority_queue<int> q(d.begin(), d.begin() + 10);
  std::mt19937 random(5);
  auto [low, high] = std::minmax_element(d.begin(), d.end());
  printf("%d %d %d %d %lu\n", d[50], q.top(), *low, *high,
         (unsigned long)random());
  printf("%d\n", std::accumulate(d.begin(), d.end(), 0));
}
