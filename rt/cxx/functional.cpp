// SPDX-License-Identifier: MIT
// The placeholders of std::bind. They are empty; only their types matter. (With
// libstdc++ <functional> is not read: from GCC 13 on it defines them in C++17
// and later, and leaves them to the library before that.)
#include <version>

#ifdef _LIBCPP_VERSION
#include <functional>
#endif

namespace std {
#ifdef _LIBCPP_VERSION
inline namespace _LIBCPP_ABI_NAMESPACE {
template <int n> using placeholder = placeholders::__ph<n>;
#else
template <int n> struct _Placeholder {};
template <int n> using placeholder = _Placeholder<n>;
#endif

namespace placeholders {
#define DEFINE(n)                                                              \
  extern const placeholder<n> _##n;                                            \
  const placeholder<n> _##n{};
DEFINE(1)
DEFINE(2)
DEFINE(3)
DEFINE(4)
DEFINE(5)
DEFINE(6)
DEFINE(7)
DEFINE(8)
DEFINE(9)
DEFINE(10)
} // namespace placeholders

#ifdef _LIBCPP_VERSION
}
#endif
} // namespace std
