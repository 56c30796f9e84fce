// SPDX-License-Identifier: MIT
// Threads and what they wait with, on top of pthread.h and futexes, whose
// meanings the rest of rt/ has.
#define _GLIBCXX_THREAD_IMPL // thread::_State is private since libstdc++ 13
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <ctime>
#include <future>
#include <mutex>
#include <pthread.h>
#include <thread>
#include <unistd.h>
#if _GLIBCXX_RELEASE >= 16
#include <bits/atomic_timed_wait.h>
#endif

#include <linux/futex.h>
#include <sys/syscall.h>

namespace std {

// -- thread

static void *run(void *given) {
  thread::_State_ptr state(static_cast<thread::_State *>(given));
  state->_M_run();
  return nullptr;
}

thread::_State::~_State() = default;

void thread::_M_start_thread(_State_ptr state, void (*)()) {
  int error = pthread_create(&_M_id._M_thread, nullptr, run, state.get());
  if (error)
    __throw_system_error(error);
  state.release();
}

void thread::join() {
  int error = EINVAL;
  if (_M_id != id())
    error = pthread_join(_M_id._M_thread, nullptr);
  if (error)
    __throw_system_error(error);
  _M_id = id();
}

void thread::detach() {
  int error = EINVAL;
  if (_M_id != id())
    error = pthread_detach(_M_id._M_thread);
  if (error)
    __throw_system_error(error);
  _M_id = id();
}

unsigned thread::hardware_concurrency() noexcept {
  return 2;
}

// -- condition_variable

condition_variable::condition_variable() noexcept = default;
condition_variable::~condition_variable() noexcept = default;

void condition_variable::wait(unique_lock<mutex> &lock) {
  _M_cond.wait(*lock.mutex());
}
void condition_variable::notify_one() noexcept {
  _M_cond.notify_one();
}
void condition_variable::notify_all() noexcept {
  _M_cond.notify_all();
}

namespace {
// What a thread does at its end, the newest first. (The destructors of
// thread-local objects run in reverse, and those that are made later run
// first.)
struct at_end {
  __at_thread_exit_elt *newest = nullptr;
  void add(__at_thread_exit_elt *what, void (*does)(void *)) {
    what->_M_next = newest;
    what->_M_cb = does;
    newest = what;
  }
  ~at_end() {
    while (newest) {
      __at_thread_exit_elt *what = newest;
      newest = what->_M_next;
      what->_M_cb(what);
    }
  }
};
thread_local at_end at_end;

struct wake : __at_thread_exit_elt {
  condition_variable *wakes;
  mutex *held;
  static void run(void *what) {
    unique_ptr<wake> self(static_cast<wake *>(what));
    self->held->unlock();
    self->wakes->notify_all();
  }
};
} // namespace

void notify_all_at_thread_exit(condition_variable &c, unique_lock<mutex> lock) {
  wake *what = new wake;
  what->wakes = &c;
  what->held = lock.release();
  at_end.add(what, wake::run);
}

// What the state knows of a result that is there already, at the thread's end.
void __future_base::_State_baseV2::_Make_ready::_S_run(void *what) {
  unique_ptr<_Make_ready> self(static_cast<_Make_ready *>(what));
  if (auto state = self->_M_shared_state.lock())
    state->_M_status._M_store_notify_all(_Status::__ready,
                                         memory_order_release);
}
void __future_base::_State_baseV2::_Make_ready::_M_set() {
  at_end.add(this, _S_run);
}

// -- call_once

__thread void *__once_callable;
__thread void (*__once_call)();
extern "C" void __once_proxy() {
  __once_call();
}

// -- futures

__future_base::_Result_base::_Result_base() = default;
__future_base::_Result_base::~_Result_base() = default;

static long futex(unsigned *word, int operation, unsigned value,
                  const timespec *end) {
  return syscall(SYS_futex, word, operation, value, end, nullptr,
                 FUTEX_BITSET_MATCH_ANY);
}

static bool wait_until(unsigned *word, unsigned value, bool has_end,
                       chrono::seconds s, chrono::nanoseconds ns, int clock) {
  timespec end = {static_cast<time_t>(s.count()),
                  static_cast<long>(ns.count())};
  if (!has_end) {
    futex(word, FUTEX_WAIT, value, nullptr);
    return true;
  }
  return futex(word, FUTEX_WAIT_BITSET | clock, value, &end) == 0 ||
         errno != ETIMEDOUT;
}

bool __atomic_futex_unsigned_base::_M_futex_wait_until(unsigned *word,
                                                       unsigned value,
                                                       bool has_end,
                                                       chrono::seconds s,
                                                       chrono::nanoseconds ns) {
  return wait_until(word, value, has_end, s, ns, FUTEX_CLOCK_REALTIME);
}
bool __atomic_futex_unsigned_base::_M_futex_wait_until_steady(
    unsigned *word, unsigned value, bool has_end, chrono::seconds s,
    chrono::nanoseconds ns) {
  return wait_until(word, value, has_end, s, ns, 0);
}
void __atomic_futex_unsigned_base::_M_futex_notify_all(unsigned *word) {
  futex(word, FUTEX_WAKE, 0x7fffffff, nullptr);
}

// -- atomic::wait, which the headers had to themselves up to libstdc++ 15

#if _GLIBCXX_RELEASE >= 16
namespace __detail {
// What cannot be a futex waits for a word of a table, which changes with each
// notification. The upper bits of an address number objects (shared.cpp).
enum { WORDS = 64 };
static unsigned words[WORDS];

static unsigned *word_of(const void *p) {
  unsigned long address = reinterpret_cast<unsigned long>(p);
  return &words[(address >> 4 ^ address >> 24 ^ address >> 41) % WORDS];
}
static bool is_word(const void *p, const __wait_args_base &args) {
  return args._M_obj_size == sizeof(unsigned) &&
         reinterpret_cast<unsigned long>(p) % sizeof(unsigned) == 0;
}
static unsigned *word(const void *p) {
  return static_cast<unsigned *>(const_cast<void *>(p));
}

// Without an address, the word is looked at once more.
bool __wait_args::_M_setup_proxy_wait(const void *p) {
  if (p && is_word(p, *this))
    return false;
  if (p)
    _M_obj = word_of(p);
  _M_old = __atomic_load_n(word(_M_obj), __ATOMIC_ACQUIRE);
  return true;
}
__wait_result_type __wait_impl(const void *, __wait_args_base &args) {
  futex(word(args._M_obj), FUTEX_WAIT, static_cast<unsigned>(args._M_old),
        nullptr);
  return {};
}
__wait_result_type __wait_until_impl(const void *, __wait_args_base &args,
                                     const chrono::nanoseconds &end) {
  const auto s = chrono::floor<chrono::seconds>(end);
  __wait_result_type ret = {};
  ret._M_timeout =
      args & __wait_flags::__spin_only ||
      !wait_until(word(args._M_obj), static_cast<unsigned>(args._M_old),
                  /*has_end=*/true, s, end - s, 0);
  return ret;
}
void __notify_impl(const void *p, bool all, const __wait_args_base &args) {
  const bool is_own = is_word(p, args);
  unsigned *at = is_own ? word(p) : word_of(p);
  if (!is_own)
    __atomic_fetch_add(at, 1, __ATOMIC_RELEASE);
  futex(at, FUTEX_WAKE, all || !is_own ? 0x7fffffff : 1, nullptr);
}
} // namespace __detail
#endif

// -- clocks

extern "C" long long __heddle_rt_time_asked();
namespace chrono {
inline namespace _V2 {
system_clock::time_point system_clock::now() noexcept {
  return time_point(duration(__heddle_rt_time_asked()));
}
steady_clock::time_point steady_clock::now() noexcept {
  return time_point(duration(__heddle_rt_time_asked()));
}
} // namespace _V2
} // namespace chrono

} // namespace std
