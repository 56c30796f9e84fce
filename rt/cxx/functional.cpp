// SPDX-License-Identifier: MIT
// The placeholders of std::bind. They are empty; only their types matter.
#include <functional>

namespace std {
#ifdef _LIBCPP_VERSION
inline namespace _LIBCPP_ABI_NAMESPACE {
template <int n> using placeholder = placeholders::__ph<n>;
#else
template <int n> using placeholder = _Placeholder<n>;
#endif

namespace placeholders {
#define DEFINE(n) const placeholder<n> _##n{};
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
