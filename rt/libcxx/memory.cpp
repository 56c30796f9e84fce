// SPDX-License-Identifier: MIT
// Counts of libc++'s std::shared_ptr, its strings, and what containers ask for.
// A count is one less than the number of owners.
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <unordered_map>

_LIBCPP_BEGIN_NAMESPACE_STD

// -- shared_ptr

__shared_count::~__shared_count() {}
__shared_weak_count::~__shared_weak_count() {}

void __shared_weak_count::__release_weak() noexcept {
  if (__atomic_fetch_sub(&__shared_weak_owners_, 1, __ATOMIC_ACQ_REL) == 0)
    __on_zero_shared_weak();
}
// An owner more, unless there is none.
__shared_weak_count *__shared_weak_count::lock() noexcept {
  long owners = __atomic_load_n(&__shared_owners_, __ATOMIC_RELAXED);
  while (owners != -1)
    if (__atomic_compare_exchange_n(&__shared_owners_, &owners, owners + 1,
                                    /*weak=*/false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED))
      return this;
  return nullptr;
}
const void *
__shared_weak_count::__get_deleter(const type_info &) const noexcept {
  return nullptr;
}

// std::atomic_load and so on of a shared_ptr take a lock of its address.
enum { LOCKS = 32 };
static mutex locks[LOCKS];
constexpr __sp_mut::__sp_mut(void *lock) noexcept : __lx_(lock) {}
void __sp_mut::lock() noexcept {
  static_cast<mutex *>(__lx_)->lock();
}
void __sp_mut::unlock() noexcept {
  static_cast<mutex *>(__lx_)->unlock();
}
__sp_mut &__get_sp_mut(const void *p) {
#define SOME(n) &locks[n], &locks[n + 1], &locks[n + 2], &locks[n + 3]
  static constinit __sp_mut all[LOCKS] = {SOME(0),  SOME(4),  SOME(8),
                                          SOME(12), SOME(16), SOME(20),
                                          SOME(24), SOME(28)};
  unsigned long address = reinterpret_cast<unsigned long>(p);
  return all[(address >> 4 ^ address >> 24 ^ address >> 41) % LOCKS];
}

// -- what headers promise to be in the library

template class basic_string<char>;

static string printed(const char *text, int n) {
  return string(text, static_cast<size_t>(n));
}
#define TO_STRING(type, format)                                                \
  string to_string(type value) {                                               \
    char text[400];                                                            \
    return printed(text, snprintf(text, sizeof text, format, value));          \
  }
TO_STRING(int, "%d")
TO_STRING(unsigned, "%u")
TO_STRING(long, "%ld")
TO_STRING(unsigned long, "%lu")
TO_STRING(long long, "%lld")
TO_STRING(unsigned long long, "%llu")
TO_STRING(float, "%f")
TO_STRING(double, "%f")
TO_STRING(long double, "%Lf")

// The number that a text begins with. `fits`: it is one of the type.
static void look_at(const string &text, char *end, size_t *used, bool fits,
                    const char *function) {
  if (end == text.c_str())
    throw invalid_argument(string(function) + ": no conversion");
  if (!fits || errno == ERANGE)
    throw out_of_range(string(function) + ": out of range");
  if (used)
    *used = size_t(end - text.c_str());
}
#define TO_INTEGER(type, name, wide, convert)                                  \
  type name(const string &text, size_t *used, int base) {                      \
    int before = errno;                                                        \
    errno = 0;                                                                 \
    char *end;                                                                 \
    wide value = convert(text.c_str(), &end, base);                            \
    look_at(text, end, used, value == (type)value, #name);                     \
    errno = before;                                                            \
    return (type)value;                                                        \
  }
#define TO_FLOATING(type, name, convert)                                       \
  type name(const string &text, size_t *used) {                                \
    int before = errno;                                                        \
    errno = 0;                                                                 \
    char *end;                                                                 \
    type value = convert(text.c_str(), &end);                                  \
    look_at(text, end, used, true, #name);                                     \
    errno = before;                                                            \
    return value;                                                              \
  }
TO_INTEGER(int, stoi, long, strtol)
TO_INTEGER(long, stol, long, strtol)
TO_INTEGER(unsigned long, stoul, unsigned long, strtoul)
TO_INTEGER(long long, stoll, long long, strtoll)
TO_INTEGER(unsigned long long, stoull, unsigned long long, strtoull)
TO_FLOATING(float, stof, strtof)
TO_FLOATING(double, stod, strtod)
TO_FLOATING(long double, stold, strtold)

// (__less<int> is but a name for what is the default.)
template <class Compare, class Iterator>
void __sort(Iterator first, Iterator last, Compare) {
  make_heap(first, last);
  sort_heap(first, last);
}
#define SORT(type)                                                             \
  template void __sort<__less<type> &, type *>(type *, type *, __less<type> &);
SORT(char)
SORT(int)
SORT(unsigned)
SORT(long)
SORT(unsigned long)
SORT(double)

static bool is_prime(size_t n) {
  for (size_t k = 2; k * k <= n; k++)
    if (n % k == 0)
      return false;
  return n > 1;
}
size_t __next_prime(size_t n) {
  while (n && !is_prime(n))
    n++;
  return n;
}

_LIBCPP_END_NAMESPACE_STD
