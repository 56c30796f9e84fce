// SPDX-License-Identifier: MIT
// Categories of errors, for libstdc++ and for libc++: compiled once for each.
#include <cstring>
#include <future>
#include <string>
#include <system_error>

#include "../cxx.h"

using std::error_category;

std::error_condition
error_category::default_error_condition(int error) const noexcept {
  return std::error_condition(error, *this);
}
bool error_category::equivalent(
    int error, const std::error_condition &other) const noexcept {
  return default_error_condition(error) == other;
}
bool error_category::equivalent(const std::error_code &code,
                                int error) const noexcept {
  return *this == code.category() && code.value() == error;
}

namespace {
struct numbers : error_category {
  const char *text;
  constexpr numbers(const char *name) : text(name) {}
  const char *name() const noexcept override { return text; }
  std::string message(int error) const override { return strerror(error); }
};
struct futures : error_category {
  constexpr futures() {}
  const char *name() const noexcept override { return "future"; }
  std::string message(int error) const override {
    switch (static_cast<std::future_errc>(error)) {
    case std::future_errc::future_already_retrieved:
      return "Future already retrieved";
    case std::future_errc::promise_already_satisfied:
      return "Promise already satisfied";
    case std::future_errc::no_state:
      return "No associated state";
    case std::future_errc::broken_promise:
      return "Broken promise";
    }
    return "Unknown error";
  }
};
constinit for_ever<numbers> generic("generic"), systems("system");
constinit for_ever<futures> future_errors;
} // namespace

const error_category &std::generic_category() noexcept {
  return generic.it;
}
const error_category &std::system_category() noexcept {
  return systems.it;
}
const error_category &std::future_category() noexcept {
  return future_errors.it;
}
