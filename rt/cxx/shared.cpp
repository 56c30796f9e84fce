// SPDX-License-Identifier: MIT
// The functions std::atomic_load and so on of a shared_ptr take a lock that
// belongs to its address.
#include <memory>
#include <mutex>

namespace std {

enum { LOCKS = 32 };
static mutex locks[LOCKS];

// Objects that are not the same should seldom share a lock, since that would
// order what nothing orders. The upper bits of an address number objects.
static unsigned char lock_of(const void *p) {
  unsigned long address = reinterpret_cast<unsigned long>(p);
  return (address >> 4 ^ address >> 24 ^ address >> 41) % LOCKS;
}

_Sp_locker::_Sp_locker(const void *p) noexcept
    : _M_key1(lock_of(p)), _M_key2(_M_key1) {
  locks[_M_key1].lock();
}
_Sp_locker::_Sp_locker(const void *p, const void *q) noexcept
    : _M_key1(lock_of(p)), _M_key2(lock_of(q)) {
  if (_M_key2 < _M_key1)
    locks[_M_key2].lock();
  locks[_M_key1].lock();
  if (_M_key2 > _M_key1)
    locks[_M_key2].lock();
}
_Sp_locker::~_Sp_locker() {
  locks[_M_key1].unlock();
  if (_M_key2 != _M_key1)
    locks[_M_key2].unlock();
}

bool _Sp_make_shared_tag::_S_eq(const type_info &) noexcept {
  return false;
}

} // namespace std
