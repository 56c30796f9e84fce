// SPDX-License-Identifier: MIT
// Exceptions of libc++ and their classes. Those that both libraries name alike
// and lay out alike (std::logic_error, a pointer to its text) are rt/cxx's.
#include <any>
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
#include <typeinfo>
#include <variant>

#include "../cxx.h"

namespace std {

static_assert(sizeof(logic_error) == 2 * sizeof(void *));
logic_error::logic_error(const string &text) : logic_error(text.c_str()) {}
runtime_error::runtime_error(const string &text)
    : runtime_error(text.c_str()) {}

bad_alloc::bad_alloc() noexcept {}
bad_array_new_length::bad_array_new_length() noexcept {}
bad_cast::bad_cast() noexcept {}
bad_typeid::bad_typeid() noexcept {}

bad_optional_access::~bad_optional_access() noexcept {}
const char *bad_optional_access::what() const noexcept {
  return "bad_optional_access";
}
const char *bad_variant_access::what() const noexcept {
  return "bad_variant_access";
}
const char *bad_any_cast::what() const noexcept {
  return "bad any cast";
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
void __libcpp_verbose_abort(const char *, ...) noexcept(
    noexcept(__libcpp_verbose_abort(""))) { // as its header declares it
  abort();
}

error_category::~error_category() noexcept {}
string error_code::message() const {
  return category().message(value());
}
string error_condition::message() const {
  return category().message(value());
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
