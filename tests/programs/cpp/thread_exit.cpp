// SPDX-License-Identifier: MIT
// A thread that ends by pthread_exit, or is cancelled, leaves its functions as
// by an exception: destructors run, handlers of everything may look and throw
// again, a future has a broken promise.
// run: rc11 ok 2
// run: flags=-DCATCHES sc,rc11 ok 1
// run: flags=-DFUTURE rc11 ok 1
// run: flags=-DCANCELS sc,rc11 ok
// run: flags=-DKEEPS rc11 error exception
// run: flags=-DNOEXCEPT rc11 error exception
#include <cassert>
#include <condition_variable>
#include <exception>
#include <future>
#include <mutex>
#include <pthread.h>
#include <thread>

static int left, seen;
static std::mutex m;

struct note {
  ~note() { left++; }
};

static void leave(long result) {
  note n;
  pthread_exit(reinterpret_cast<void *>(result));
}

static void *looks(void *) {
  note n;
  try {
    leave(7);
  } catch (...) {
    assert(left == 1);
    assert(!std::current_exception() && !std::uncaught_exceptions());
    seen++;
    throw;
  }
  return nullptr;
}

static void *keeps(void *) {
  try {
    leave(7);
  } catch (...) {
  }
  return nullptr;
}

static void *tight(void *) noexcept {
  leave(7);
  return nullptr;
}

static void *waits(void *) {
  note n;
  static std::condition_variable never;
  std::unique_lock<std::mutex> lock(m);
  for (;;)
    never.wait(lock);
}

int main() {
#if defined(CATCHES) || defined(KEEPS) || defined(NOEXCEPT)
  pthread_t t;
  void *result;
#if defined(CATCHES)
  pthread_create(&t, nullptr, looks, nullptr);
#elif defined(KEEPS)
  pthread_create(&t, nullptr, keeps, nullptr);
#else
  pthread_create(&t, nullptr, tight, nullptr);
#endif
  pthread_join(t, &result);
  assert(reinterpret_cast<long>(result) == 7);
  assert(left == 2 && seen == 1);
#elif defined(FUTURE)
  auto f = std::async(std::launch::async, [] {
    leave(7);
    return 1;
  });
  try {
    f.get();
  } catch (const std::future_error &e) {
    seen = e.code() == std::future_errc::broken_promise;
  }
  assert(seen == 1 && left == 1);
#elif defined(CANCELS)
  pthread_t t;
  pthread_create(&t, nullptr, waits, nullptr);
  pthread_cancel(t);
  pthread_join(t, nullptr);
  std::lock_guard<std::mutex> lock(m);
  assert(left == 1);
#else
  std::thread t([] {
    std::lock_guard<std::mutex> lock(m);
    leave(7);
  });
  {
    std::lock_guard<std::mutex> lock(m);
    seen++;
  }
  t.join();
  assert(left == 1 && seen == 1);
#endif
}
