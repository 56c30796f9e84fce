// SPDX-License-Identifier: MIT
// std::string, which headers promise to be in the library: instantiated from
// them.
#include <string>

template class std::basic_string<char>;
template class std::allocator<char>;
