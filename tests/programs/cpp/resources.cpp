// SPDX-License-Identifier: MIT
// Memory from resources: a buffer on the stack that grows into the heap, one
// that may not grow, a default that is changed. RACE: two threads share a
// resource that has no lock. DEVICE: the values of std::random_device are
// choices, of which not all are tried.
// run: sc,rc11 ok 1
// run: flags=-DRACE sc,rc11 error race
// run: flags=-DDEVICE rc11 incomplete 4
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <new>
#include <random>
#include <string>
#include <thread>
#include <vector>

class Counting : public std::pmr::memory_resource {
public:
  int live = 0;

private:
  void *do_allocate(std::size_t size, std::size_t alignment) override {
    live++;
    return std::pmr::new_delete_resource()->allocate(size, alignment);
  }
  void do_deallocate(void *p, std::size_t size,
                     std::size_t alignment) override {
    live--;
    std::pmr::new_delete_resource()->deallocate(p, size, alignment);
  }
  bool do_is_equal(const memory_resource &other) const noexcept override {
    return this == &other;
  }
};

static void grows() {
  Counting counting;
  {
    alignas(16) std::byte room[40];
    std::pmr::monotonic_buffer_resource buffer(room, sizeof room, &counting);
    std::pmr::vector<long> numbers(&buffer);
    for (long i = 0; i < 9; i++)
      numbers.push_back(i);
    for (long i = 0; i < 9; i++)
      assert(numbers[i] == i);
    auto at = reinterpret_cast<std::uintptr_t>(buffer.allocate(8, 64));
    assert(at % 64 == 0 && counting.live > 0);
    std::pmr::string text("longer than what fits into a string itself",
                          &buffer);
    assert(text.back() == 'f');
  }
  assert(counting.live == 0);
}

static void full() {
  char room[32];
  std::pmr::monotonic_buffer_resource buffer(room, sizeof room,
                                             std::pmr::null_memory_resource());
  assert(buffer.allocate(20, 1) != buffer.allocate(12, 1));
  bool failed = false;
  try {
    (void)buffer.allocate(1, 1);
  } catch (const std::bad_alloc &) {
    failed = true;
  }
  assert(failed);
}

static void defaults() {
  Counting counting;
  assert(std::pmr::set_default_resource(&counting) ==
         std::pmr::new_delete_resource());
  {
    std::pmr::vector<int> numbers(3);
    assert(counting.live == 1);
  }
  std::pmr::set_default_resource(nullptr);
  assert(std::pmr::get_default_resource() == std::pmr::new_delete_resource());
}

int main() {
#if defined DEVICE
  std::random_device device;
  unsigned number = device();
  assert(number <= device.max());
#elif defined RACE
  std::pmr::monotonic_buffer_resource buffer(1000);
  std::thread t([&] { (void)buffer.allocate(8); });
  (void)buffer.allocate(8);
  t.join();
#else
  grows();
  full();
  defaults();
#endif
}
