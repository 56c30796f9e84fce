// SPDX-License-Identifier: MIT
// Exceptions of libc++ and their classes. Those that both libraries name alike
// and lay out alike (std::logic_error, a pointer to its text) are rt/cxx's.
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>

#include "../cxx.h"

namespace std {

static_assert(sizeof(logic_error) == 2 * sizeof(void *));
logic_error::logic_error(const string &text) : logic_error(text.c_str()) {}
runtime_error::runtime_error(const string &text)
    : runtime_error(text.c_str()) {}

bad_optional_access::~bad_optional_access() noexcept {}
const char *bad_optional_access::what() const noexcept {
  return "bad_optional_access";
}

// -- std::exception_ptr

exception_ptr::exception_ptr(const exception_ptr &other) noexcept
    : __ptr_(other.__ptr_) {
  if (__ptr_)
    exception_hold(__ptr_);
}
exception_ptr &exception_ptr::operator=(const exception_ptr &other) noexcept {
  if (other.__ptr_)
    exception_hold(other.__ptr_);
  if (__ptr_)
    exception_release(__ptr_);
  __ptr_ = other.__ptr_;
  return *this;
}
exception_ptr::~exception_ptr() noexcept {
  if (__ptr_)
    exception_release(__ptr_);
}
exception_ptr
exception_ptr::__from_native_exception_pointer(void *object) noexcept {
  exception_ptr result;
  result.__ptr_ = object;
  exception_hold(object);
  return result;
}
void rethrow_exception(exception_ptr p) {
  exception_throw_again(p.__ptr_);
}
nested_exception::nested_exception() noexcept : __ptr_(current_exception()) {}
void nested_exception::rethrow_nested() const {
  if (__ptr_ == nullptr)
    terminate();
  rethrow_exception(__ptr_);
}

} // namespace std

_LIBCPP_BEGIN_NAMESPACE_STD

bad_weak_ptr::~bad_weak_ptr() noexcept {}
const char *bad_weak_ptr::what() const noexcept {
  return "bad_weak_ptr";
}
bad_function_call::~bad_function_call() noexcept {}
void __libcpp_verbose_abort(const char *, ...) {
  abort();
}

// -- categories

error_category::~error_category() noexcept {}
error_condition
error_category::default_error_condition(int error) const noexcept {
  return error_condition(error, *this);
}
bool error_category::equivalent(int error,
                                const error_condition &other) const noexcept {
  return default_error_condition(error) == other;
}
bool error_category::equivalent(const error_code &code,
                                int error) const noexcept {
  return *this == code.category() && code.value() == error;
}
string error_code::message() const {
  return category().message(value());
}
string error_condition::message() const {
  return category().message(value());
}

namespace {
struct numbers : error_category {
  const char *text;
  constexpr numbers(const char *name) : text(name) {}
  const char *name() const noexcept override { return text; }
  string message(int error) const override { return strerror(error); }
};
struct futures : error_category {
  constexpr futures() {}
  const char *name() const noexcept override { return "future"; }
  string message(int error) const override {
    switch (static_cast<future_errc>(error)) {
    case future_errc::future_already_retrieved:
      return "Future already retrieved";
    case future_errc::promise_already_satisfied:
      return "Promise already satisfied";
    case future_errc::no_state:
      return "No associated state";
    case future_errc::broken_promise:
      return "Broken promise";
    }
    return "Unknown error";
  }
};
// They live for ever, and cost no constructor.
template <class T> union holder {
  T it;
  template <class... A> constexpr holder(A... a) : it(a...) {}
  ~holder() {}
};
constinit holder<numbers> generic("generic"), systems("system");
constinit holder<futures> future_errors;
} // namespace

const error_category &generic_category() noexcept {
  return generic.it;
}
const error_category &system_category() noexcept {
  return systems.it;
}
const error_category &future_category() noexcept {
  return future_errors.it;
}

// -- errors of the system and of futures

static string text_of(error_code code, string text) {
  if (code)
    text += (text.empty() ? "" : ": ") + code.message();
  return text;
}
system_error::system_error(error_code code, const string &text)
    : runtime_error(text_of(code, text)), __ec_(code) {}
system_error::system_error(error_code code, const char *text)
    : runtime_error(text_of(code, text)), __ec_(code) {}
system_error::system_error(error_code code)
    : runtime_error(text_of(code, "")), __ec_(code) {}
system_error::system_error(int error, const error_category &c,
                           const string &text)
    : system_error(error_code(error, c), text) {}
system_error::system_error(int error, const error_category &c, const char *text)
    : system_error(error_code(error, c), text) {}
system_error::system_error(int error, const error_category &c)
    : system_error(error_code(error, c)) {}
system_error::~system_error() noexcept {}
void __throw_system_error(int error, const char *text) {
  throw system_error(error_code(error, system_category()), text);
}

future_error::future_error(error_code code)
    : logic_error(code.message()), __ec_(code) {}
future_error::~future_error() noexcept {}

_LIBCPP_END_NAMESPACE_STD
