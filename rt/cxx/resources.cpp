// SPDX-License-Identifier: MIT
// Memory resources and std::random_device, for libstdc++ and for libc++:
// compiled once for each. A random number is a choice among a few, as those of
// rand. The resources that keep pools are missing.
#include <memory_resource>
#include <new>
#include <random>
#include <string>

#include "../cxx.h"

using std::pmr::memory_resource;
using std::pmr::monotonic_buffer_resource;

// -- std::random_device

extern "C" long __heddle_sample(const char *what, long low, long high);

static unsigned random_number() {
  return static_cast<unsigned>(__heddle_sample("std::random_device", 0, 3));
}

#ifdef _LIBCPP_VERSION
std::random_device::random_device(const std::string &) {}
std::random_device::~random_device() {}
unsigned std::random_device::operator()() {
  return random_number();
}
double std::random_device::entropy() const noexcept {
  return 0;
}
#else
void std::random_device::_M_init(const std::string &) {}
void std::random_device::_M_fini() {}
unsigned std::random_device::_M_getval() {
  return random_number();
}
double std::random_device::_M_getentropy() const noexcept {
  return 0;
}
#endif

// -- resources without a state

namespace {
struct heap final : memory_resource {
  constexpr heap() {}
  void *do_allocate(size_t size, size_t alignment) override {
    return ::operator new(size, std::align_val_t(alignment));
  }
  void do_deallocate(void *p, size_t size, size_t alignment) override {
    ::operator delete(p, size, std::align_val_t(alignment));
  }
  bool do_is_equal(const memory_resource &other) const noexcept override {
    return this == &other;
  }
};
struct none final : memory_resource {
  constexpr none() {}
  void *do_allocate(size_t, size_t) override { throw std::bad_alloc(); }
  void do_deallocate(void *, size_t, size_t) override {}
  bool do_is_equal(const memory_resource &other) const noexcept override {
    return this == &other;
  }
};
constinit for_ever<heap> from_heap;
constinit for_ever<none> from_nowhere;
constinit memory_resource *usual = nullptr; // NULL: the heap
} // namespace

memory_resource::~memory_resource() {}

memory_resource *std::pmr::new_delete_resource() noexcept {
  return &from_heap.it;
}
memory_resource *std::pmr::null_memory_resource() noexcept {
  return &from_nowhere.it;
}
memory_resource *std::pmr::get_default_resource() noexcept {
  memory_resource *r = __atomic_load_n(&usual, __ATOMIC_ACQUIRE);
  return r ? r : &from_heap.it;
}
memory_resource *std::pmr::set_default_resource(memory_resource *r) noexcept {
  memory_resource *old = __atomic_exchange_n(&usual, r, __ATOMIC_ACQ_REL);
  return old ? old : &from_heap.it;
}

// -- buffers that only grow. One is a chunk of the resource behind: what is
// allocated, and at its end what is needed to give it back.

static size_t round_up(size_t n, size_t to) {
  return (n + to - 1) / to * to;
}

#ifdef _LIBCPP_VERSION

// Each allocation is a chunk of its own here, once the first buffer is full.
void *monotonic_buffer_resource::do_allocate(size_t size, size_t alignment) {
  size_t least = alignof(__chunk_footer);
  char *start = __initial_.__start_, *end = __initial_.__cur_;
  if (start && size_t(end - start) >= size) {
    size_t address = reinterpret_cast<size_t>(end - size);
    size_t over = address % alignment;
    if (size_t(end - start) >= size + over)
      return __initial_.__cur_ = end - size - over;
  }
  alignment = alignment < least ? least : alignment;
  size_t footer = round_up(size, least);
  char *chunk = static_cast<char *>(
      __res_->allocate(footer + sizeof(__chunk_footer), alignment));
  auto *f = reinterpret_cast<__chunk_footer *>(chunk + footer);
  f->__next_ = __chunks_;
  f->__start_ = chunk;
  f->__cur_ = chunk;
  f->__align_ = alignment;
  __chunks_ = f;
  return chunk;
}

#else

class monotonic_buffer_resource::_Chunk {
public:
  _Chunk *next;
  void *start;
  size_t size, alignment;
};

void monotonic_buffer_resource::_M_new_buffer(size_t size, size_t alignment) {
  size_t least = alignof(_Chunk);
  alignment = alignment < least ? least : alignment;
  size_t room = _M_next_bufsiz < size ? size : _M_next_bufsiz;
  room = round_up(room, least);
  char *start = static_cast<char *>(
      _M_upstream->allocate(room + sizeof(_Chunk), alignment));
  _M_head = new (start + room)
      _Chunk{_M_head, start, room + sizeof(_Chunk), alignment};
  _M_current_buf = start;
  _M_avail = room;
  _M_next_bufsiz = _S_next_bufsize(room);
}

void monotonic_buffer_resource::_M_release_buffers() noexcept {
  while (_M_head) {
    _Chunk chunk = *_M_head;
    _M_head = chunk.next;
    _M_upstream->deallocate(chunk.start, chunk.size, chunk.alignment);
  }
}

monotonic_buffer_resource::~monotonic_buffer_resource() {
  release();
}

#endif
