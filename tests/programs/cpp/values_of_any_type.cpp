// SPDX-License-Identifier: MIT
// std::variant, std::any and numbers as text, with what they throw: one thread
// hands a message to another.
// expect: sc,rc11 ok 2
#include <any>
#include <atomic>
#include <cassert>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <variant>

using Message = std::variant<int, std::string>;
static Message message;
static std::atomic<bool> ready{false};

static int size_of(const Message &m) {
  return std::visit(
      [](const auto &part) -> int {
        if constexpr (std::is_same_v<std::decay_t<decltype(part)>, int>)
          return part;
        else
          return (int)part.size();
      },
      m);
}

template <class Error, class F> static bool throws(F f) {
  try {
    f();
  } catch (const Error &) {
    return true;
  }
  return false;
}

int main() {
  std::thread t([] {
    message = "a text that is too long for the room in a string";
    ready.store(true, std::memory_order_release);
  });
  if (ready.load(std::memory_order_acquire))
    assert(size_of(message) == 48);
  t.join();
  assert(throws<std::bad_variant_access>([] { std::get<int>(message); }));
  assert(throws<std::bad_any_cast>([] { std::any_cast<int>(std::any(1.5)); }));
  assert(throws<std::bad_optional_access>(
      [] { (void)std::optional<int>().value(); }));
  assert(std::any_cast<std::string>(std::any(std::string("x"))) == "x");
  assert(std::to_string(1.5) == "1.500000" && std::stod("2.5") == 2.5);
  assert(std::stoi("-17") == -17 && std::stoul("ff", nullptr, 16) == 255);
  assert(throws<std::invalid_argument>([] { (void)std::stoi("x"); }));
  assert(throws<std::out_of_range>([] { (void)std::stoi("3000000000"); }));
}
