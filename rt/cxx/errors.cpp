// SPDX-License-Identifier: MIT
// Exceptions that the library throws, and their classes. The headers declare
// them; what is here is what they leave to the library.
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <typeinfo>

#include "../cxx.h"

// -- classes

namespace std {

exception::~exception() noexcept {}
const char *exception::what() const noexcept {
  return "std::exception";
}

#define PLAIN_ERROR(name)                                                      \
  name::~name() noexcept {}                                                    \
  const char *name::what() const noexcept {                                    \
    return "std::" #name;                                                      \
  }
PLAIN_ERROR(bad_exception)
PLAIN_ERROR(bad_alloc)
PLAIN_ERROR(bad_array_new_length)
PLAIN_ERROR(bad_cast)
PLAIN_ERROR(bad_typeid)
bad_function_call::~bad_function_call() noexcept {}
const char *bad_function_call::what() const noexcept {
  return "bad_function_call";
}
bad_weak_ptr::~bad_weak_ptr() noexcept {}
const char *bad_weak_ptr::what() const noexcept {
  return "bad_weak_ptr";
}
nested_exception::~nested_exception() noexcept {}
type_info::~type_info() {}

// A text with several owners, who count themselves before it.
static long *count_of(const __cow_string *s) {
  return reinterpret_cast<long *>(const_cast<char *>(s->_M_p)) - 1;
}

static void set(__cow_string *s, const char *text, size_t n) {
  long *memory = static_cast<long *>(malloc(sizeof(long) + n + 1));
  char *copy = reinterpret_cast<char *>(memory + 1);
  *memory = 1;
  memcpy(copy, text, n);
  copy[n] = 0;
  s->_M_p = copy;
}

static void release(const __cow_string *s) {
  if (__atomic_fetch_sub(count_of(s), 1, __ATOMIC_ACQ_REL) == 1)
    free(count_of(s));
}

__cow_string::__cow_string() {
  set(this, "", 0);
}
__cow_string::__cow_string(const std::string &text) {
  set(this, text.data(), text.size());
}
__cow_string::__cow_string(const char *text, size_t n) {
  set(this, text, n);
}
__cow_string::__cow_string(const __cow_string &other) noexcept {
  __atomic_fetch_add(count_of(&other), 1, __ATOMIC_RELAXED);
  _M_p = other._M_p;
}
__cow_string &__cow_string::operator=(const __cow_string &other) noexcept {
  __atomic_fetch_add(count_of(&other), 1, __ATOMIC_RELAXED);
  release(this);
  _M_p = other._M_p;
  return *this;
}
__cow_string::__cow_string(__cow_string &&other) noexcept
    : __cow_string(static_cast<const __cow_string &>(other)) {}
__cow_string &__cow_string::operator=(__cow_string &&other) noexcept {
  return *this = static_cast<const __cow_string &>(other);
}
__cow_string::~__cow_string() {
  release(this);
}

#define ERROR_WITH_TEXT(name)                                                  \
  name::name(const string &text) : _M_msg(text) {}                             \
  name::name(const char *text) : _M_msg(text, strlen(text)) {}                 \
  name::name(const name &other) noexcept                                       \
      : exception(other), _M_msg(other._M_msg) {}                              \
  name &name::operator=(const name &other) noexcept {                          \
    _M_msg = other._M_msg;                                                     \
    return *this;                                                              \
  }                                                                            \
  name::name(name &&other) noexcept                                            \
      : exception(other), _M_msg(other._M_msg) {}                              \
  name &name::operator=(name &&other) noexcept {                               \
    _M_msg = other._M_msg;                                                     \
    return *this;                                                              \
  }                                                                            \
  name::~name() noexcept {}                                                    \
  const char *name::what() const noexcept {                                    \
    return _M_msg._M_p;                                                        \
  }
ERROR_WITH_TEXT(logic_error)
ERROR_WITH_TEXT(runtime_error)

#define DERIVED_ERROR(name, base)                                              \
  name::name(const string &text) : base(text) {}                               \
  name::name(const char *text) : base(text) {}                                 \
  name::~name() noexcept {}
DERIVED_ERROR(domain_error, logic_error)
DERIVED_ERROR(invalid_argument, logic_error)
DERIVED_ERROR(length_error, logic_error)
DERIVED_ERROR(out_of_range, logic_error)
DERIVED_ERROR(range_error, runtime_error)
DERIVED_ERROR(overflow_error, runtime_error)
DERIVED_ERROR(underflow_error, runtime_error)

// -- system_error and future_error

system_error::~system_error() noexcept {}
future_error::~future_error() noexcept {}
const char *future_error::what() const noexcept {
  return logic_error::what();
}

inline namespace _V2 {
error_category::~error_category() {}
__cow_string error_category::_M_message(int error) const {
  return __cow_string(message(error));
}
} // namespace _V2

error_condition error_code::default_error_condition() const noexcept {
  return category().default_error_condition(value());
}

// -- what headers call to throw

void __throw_bad_exception() {
  throw bad_exception();
}
void __throw_bad_alloc() {
  throw bad_alloc();
}
void __throw_bad_array_new_length() {
  throw bad_array_new_length();
}
void __throw_bad_cast() {
  throw bad_cast();
}
void __throw_bad_typeid() {
  throw bad_typeid();
}
void __throw_bad_function_call() {
  throw bad_function_call();
}
void __throw_logic_error(const char *text) {
  throw logic_error(text);
}
void __throw_domain_error(const char *text) {
  throw domain_error(text);
}
void __throw_invalid_argument(const char *text) {
  throw invalid_argument(text);
}
void __throw_length_error(const char *text) {
  throw length_error(text);
}
void __throw_out_of_range(const char *text) {
  throw out_of_range(text);
}
void __throw_out_of_range_fmt(const char *format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  throw out_of_range(text);
}
void __throw_runtime_error(const char *text) {
  throw runtime_error(text);
}
void __throw_range_error(const char *text) {
  throw range_error(text);
}
void __throw_overflow_error(const char *text) {
  throw overflow_error(text);
}
void __throw_underflow_error(const char *text) {
  throw underflow_error(text);
}
void __throw_system_error(int error) {
  throw system_error(error_code(error, generic_category()));
}
void __throw_future_error(int error) {
  throw future_error(make_error_code(static_cast<future_errc>(error)));
}

// -- std::exception_ptr

namespace __exception_ptr {
exception_ptr::exception_ptr(void *object) noexcept
    : _M_exception_object(object) {
  exception_hold(object);
}
void exception_ptr::_M_addref() noexcept {
  exception_hold(_M_exception_object);
}
void exception_ptr::_M_release() noexcept {
  exception_release(_M_exception_object);
  _M_exception_object = nullptr;
}
void *exception_ptr::_M_get() const noexcept {
  return _M_exception_object;
}
const type_info *exception_ptr::__cxa_exception_type() const noexcept {
  return reinterpret_cast<const type_info *>(
      exception_type(_M_exception_object));
}
} // namespace __exception_ptr

exception_ptr current_exception() noexcept {
  void *object = exception_current();
  exception_ptr result;
  if (object) {
    exception_hold(object);
    *reinterpret_cast<void **>(&result) = object;
  }
  return result;
}
void rethrow_exception(exception_ptr p) {
  exception_throw_again(*reinterpret_cast<void **>(&p));
}
bool uncaught_exception() noexcept {
  return exception_uncaught() > 0;
}
int uncaught_exceptions() noexcept {
  return exception_uncaught();
}

} // namespace std

// -- what the compiler calls to throw

extern "C" {
void __cxa_bad_cast() {
  throw std::bad_cast();
}
void __cxa_bad_typeid() {
  throw std::bad_typeid();
}
void __cxa_throw_bad_array_new_length() {
  throw std::bad_array_new_length();
}
}
