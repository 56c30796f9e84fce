// SPDX-License-Identifier: MIT
// What libc++'s headers leave to its library about threads and what they wait
// with, on top of pthread.h and futexes, whose meanings the rest of rt/ has.
#include <atomic>
#include <barrier>
#include <cerrno>
#include <chrono>
#include <climits>
#include <condition_variable>
#include <ctime>
#include <future>
#include <mutex>
#include <pthread.h>
#include <shared_mutex>
#include <thread>
#include <unistd.h>

#include <linux/futex.h>
#include <sys/syscall.h>

_LIBCPP_BEGIN_NAMESPACE_STD

static void insist(int error, const char *what) {
  if (error)
    __throw_system_error(error, what);
}

// -- mutexes

void mutex::lock() {
  insist(pthread_mutex_lock(&__m_), "mutex lock failed");
}
bool mutex::try_lock() noexcept {
  return pthread_mutex_trylock(&__m_) == 0;
}
void mutex::unlock() noexcept {
  pthread_mutex_unlock(&__m_);
}

recursive_mutex::recursive_mutex() {
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  insist(pthread_mutex_init(&__m_, &kind),
         "recursive_mutex constructor failed");
  pthread_mutexattr_destroy(&kind);
}
recursive_mutex::~recursive_mutex() {
  pthread_mutex_destroy(&__m_);
}
void recursive_mutex::lock() {
  insist(pthread_mutex_lock(&__m_), "recursive_mutex lock failed");
}
bool recursive_mutex::try_lock() noexcept {
  return pthread_mutex_trylock(&__m_) == 0;
}
void recursive_mutex::unlock() noexcept {
  pthread_mutex_unlock(&__m_);
}

timed_mutex::timed_mutex() : __locked_(false) {}
timed_mutex::~timed_mutex() {}
void timed_mutex::lock() {
  unique_lock<mutex> own(__m_);
  while (__locked_)
    __cv_.wait(own);
  __locked_ = true;
}
bool timed_mutex::try_lock() noexcept {
  unique_lock<mutex> own(__m_, try_to_lock);
  bool is_free = own.owns_lock() && !__locked_;
  if (is_free)
    __locked_ = true;
  return is_free;
}
void timed_mutex::unlock() noexcept {
  lock_guard<mutex> own(__m_);
  __locked_ = false;
  __cv_.notify_one();
}

recursive_timed_mutex::recursive_timed_mutex() : __count_(0), __id_{} {}
recursive_timed_mutex::~recursive_timed_mutex() {}
void recursive_timed_mutex::lock() {
  __thread_id me = this_thread::get_id();
  unique_lock<mutex> own(__m_);
  while (__count_ && __id_ != me)
    __cv_.wait(own);
  __count_++;
  __id_ = me;
}
bool recursive_timed_mutex::try_lock() noexcept {
  __thread_id me = this_thread::get_id();
  unique_lock<mutex> own(__m_, try_to_lock);
  bool can = own.owns_lock() && (!__count_ || __id_ == me);
  if (can) {
    __count_++;
    __id_ = me;
  }
  return can;
}
void recursive_timed_mutex::unlock() noexcept {
  lock_guard<mutex> own(__m_);
  if (--__count_ == 0) {
    __id_ = __thread_id();
    __cv_.notify_one();
  }
}

// The state has the number of readers, and a bit for a writer who has entered:
// it waits at the second gate for the readers to leave; all others wait at the
// first. (The headers' timed functions keep to that.)
__shared_mutex_base::__shared_mutex_base() : __state_(0) {}
void __shared_mutex_base::lock() {
  unique_lock<mutex> own(__mut_);
  while (__state_ & __write_entered_)
    __gate1_.wait(own);
  __state_ |= __write_entered_;
  while (__state_ & __n_readers_)
    __gate2_.wait(own);
}
bool __shared_mutex_base::try_lock() {
  unique_lock<mutex> own(__mut_);
  if (__state_)
    return false;
  __state_ = __write_entered_;
  return true;
}
void __shared_mutex_base::unlock() {
  lock_guard<mutex> own(__mut_);
  __state_ = 0;
  __gate1_.notify_all();
}
void __shared_mutex_base::lock_shared() {
  unique_lock<mutex> own(__mut_);
  while (__state_ & __write_entered_)
    __gate1_.wait(own);
  __state_++;
}
bool __shared_mutex_base::try_lock_shared() {
  unique_lock<mutex> own(__mut_);
  if (__state_ & __write_entered_)
    return false;
  __state_++;
  return true;
}
void __shared_mutex_base::unlock_shared() {
  lock_guard<mutex> own(__mut_);
  if (--__state_ == __write_entered_)
    __gate2_.notify_one();
}

shared_timed_mutex::shared_timed_mutex() {}
void shared_timed_mutex::lock() {
  __base_.lock();
}
bool shared_timed_mutex::try_lock() {
  return __base_.try_lock();
}
void shared_timed_mutex::unlock() {
  __base_.unlock();
}
void shared_timed_mutex::lock_shared() {
  __base_.lock_shared();
}
bool shared_timed_mutex::try_lock_shared() {
  return __base_.try_lock_shared();
}
void shared_timed_mutex::unlock_shared() {
  __base_.unlock_shared();
}

// -- condition_variable

condition_variable::~condition_variable() {
  pthread_cond_destroy(&__cv_);
}
void condition_variable::notify_one() noexcept {
  pthread_cond_signal(&__cv_);
}
void condition_variable::notify_all() noexcept {
  pthread_cond_broadcast(&__cv_);
}
void condition_variable::wait(unique_lock<mutex> &lock) noexcept {
  if (!lock.owns_lock())
    __throw_system_error(EPERM, "condition_variable::wait: mutex not locked");
  pthread_cond_wait(&__cv_, lock.mutex()->native_handle());
}
void condition_variable::__do_timed_wait(
    unique_lock<mutex> &lock,
    chrono::time_point<chrono::system_clock, chrono::nanoseconds>
        end) noexcept {
  long long ns = end.time_since_epoch().count();
  timespec at = {static_cast<time_t>(ns / 1000000000), ns % 1000000000};
  pthread_cond_timedwait(&__cv_, lock.mutex()->native_handle(), &at);
}

// -- thread

thread::~thread() {
  if (joinable())
    terminate();
}
void thread::join() {
  int error = EINVAL;
  if (joinable())
    error = pthread_join(__t_, nullptr);
  insist(error, "thread::join failed");
  __t_ = __libcpp_thread_t();
}
void thread::detach() {
  int error = EINVAL;
  if (joinable())
    error = pthread_detach(__t_);
  insist(error, "thread::detach failed");
  __t_ = __libcpp_thread_t();
}
unsigned thread::hardware_concurrency() noexcept {
  return 2;
}

namespace this_thread {
void sleep_for(const chrono::nanoseconds &time) {
  timespec wait = {static_cast<time_t>(time.count() / 1000000000),
                   static_cast<long>(time.count() % 1000000000)};
  if (time > chrono::nanoseconds::zero())
    nanosleep(&wait, nullptr);
}
} // namespace this_thread

// What a thread does at its end for those who asked.
class __thread_struct_imp {
public:
  condition_variable *wakes;
  mutex *held;
  __assoc_sub_state *made_ready;
  __thread_struct_imp *before;
};

// The creator makes one for each thread, and so the key before its threads could
// be in each other's way.
__thread_struct::__thread_struct() : __p_(nullptr) {
  __thread_local_data();
}
__thread_struct::~__thread_struct() {
  while (__thread_struct_imp *now = __p_) {
    __p_ = now->before;
    if (now->wakes) {
      now->wakes->notify_all();
      now->held->unlock();
    } else {
      now->made_ready->__make_ready();
      now->made_ready->__release_shared();
    }
    delete now;
  }
}
void __thread_struct::notify_all_at_thread_exit(condition_variable *c,
                                                mutex *held) {
  __p_ = new __thread_struct_imp{c, held, nullptr, __p_};
}
void __thread_struct::__make_ready_at_thread_exit(__assoc_sub_state *state) {
  state->__add_shared();
  __p_ = new __thread_struct_imp{nullptr, nullptr, state, __p_};
}
__thread_specific_ptr<__thread_struct> &__thread_local_data() {
  static __thread_specific_ptr<__thread_struct> data;
  return data;
}
void notify_all_at_thread_exit(condition_variable &c, unique_lock<mutex> lock) {
  auto &data = __thread_local_data();
  if (!data.get())
    data.set_pointer(new __thread_struct);
  data->notify_all_at_thread_exit(&c, lock.release());
}

// -- call_once

static pthread_mutex_t once_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t once_changed = PTHREAD_COND_INITIALIZER;

static void set_once(volatile once_flag::_State_type &flag,
                     once_flag::_State_type to) {
  pthread_mutex_lock(&once_lock);
  __atomic_store_n(&flag, to, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&once_lock);
  pthread_cond_broadcast(&once_changed);
}

void __call_once(volatile once_flag::_State_type &flag, void *argument,
                 void (*function)(void *)) {
  pthread_mutex_lock(&once_lock);
  while (__atomic_load_n(&flag, __ATOMIC_RELAXED) == once_flag::_Pending)
    pthread_cond_wait(&once_changed, &once_lock);
  bool is_mine = __atomic_load_n(&flag, __ATOMIC_RELAXED) == once_flag::_Unset;
  if (is_mine)
    __atomic_store_n(&flag, once_flag::_Pending, __ATOMIC_RELAXED);
  pthread_mutex_unlock(&once_lock);
  if (!is_mine)
    return;
  try {
    function(argument);
  } catch (...) {
    set_once(flag, once_flag::_Unset);
    throw;
  }
  set_once(flag, once_flag::_Complete);
}

// -- std::atomic::wait

// A word that can be a futex is its own; others have one of a table, which
// changes with each notification. Nothing is left out for speed here: each
// notification wakes, so that what must not be lost is not.
enum { WORDS = 64 };
static int words[WORDS];

// The upper bits of an address number objects (rt/cxx/shared.cpp).
static int *word_of(const volatile void *p) {
  unsigned long address = reinterpret_cast<unsigned long>(p);
  return &words[(address >> 4 ^ address >> 24 ^ address >> 41) % WORDS];
}
static void futex_wait(const volatile void *word, int value) {
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, nullptr, nullptr, 0);
}
static void futex_wake(const volatile void *word, int most) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, most, nullptr, nullptr, 0);
}
static void notify(const volatile void *p) {
  int *word = word_of(p);
  __atomic_fetch_add(word, 1, __ATOMIC_RELEASE);
  futex_wake(word, INT_MAX); // others may wait there too
}

void __cxx_atomic_notify_one(const volatile void *p) noexcept {
  notify(p);
}
void __cxx_atomic_notify_all(const volatile void *p) noexcept {
  notify(p);
}
__cxx_contention_t __libcpp_atomic_monitor(const volatile void *p) noexcept {
  return __atomic_load_n(word_of(p), __ATOMIC_ACQUIRE);
}
void __libcpp_atomic_wait(const volatile void *p,
                          __cxx_contention_t seen) noexcept {
  futex_wait(word_of(p), static_cast<int>(seen));
}
void __cxx_atomic_notify_one(
    const volatile __cxx_atomic_contention_t *p) noexcept {
  futex_wake(p, 1);
}
void __cxx_atomic_notify_all(
    const volatile __cxx_atomic_contention_t *p) noexcept {
  futex_wake(p, INT_MAX);
}
void __libcpp_atomic_wait(const volatile __cxx_atomic_contention_t *p,
                          __cxx_contention_t seen) noexcept {
  futex_wait(p, static_cast<int>(seen));
}

// -- std::barrier

// `expected` is changed between phases, by the last of a phase.
class __barrier_algorithm_base {
public:
  ptrdiff_t &expected;
  atomic<ptrdiff_t> arrived;
};
__barrier_algorithm_base *
__construct_barrier_algorithm_base(ptrdiff_t &expected) {
  return new __barrier_algorithm_base{expected, {0}};
}
void __destroy_barrier_algorithm_base(__barrier_algorithm_base *b) noexcept {
  delete b;
}
bool __arrive_barrier_algorithm_base(__barrier_algorithm_base *b,
                                     __barrier_phase_t) noexcept {
  ptrdiff_t all = b->expected;
  bool is_last = b->arrived.fetch_add(1, memory_order_acq_rel) + 1 == all;
  if (is_last)
    b->arrived.store(0, memory_order_relaxed);
  return is_last;
}

// -- clocks

// std::atomic::wait looks at its word for as long as little time has passed,
// and sleeps then. So on the clock that measures it, a second more passes each
// time that a thread asks. Other loops look, sleep and look again; one that has
// slept since it asked last asks in vain, so that such a loop comes back to the
// state that it was in, and is known as one that waits.
extern "C" int __heddle_rt_time_slept();
extern "C" long long __heddle_rt_time_asked();
extern "C" long long __heddle_rt_time_stood();
namespace chrono {
static thread_local long long asked;
system_clock::time_point system_clock::now() noexcept {
  return time_point(duration(__heddle_rt_time_asked() / 1000));
}
steady_clock::time_point steady_clock::now() noexcept {
  if (!__heddle_rt_time_slept())
    asked++;
  return time_point(seconds(asked) + nanoseconds(__heddle_rt_time_stood()));
}
} // namespace chrono

_LIBCPP_END_NAMESPACE_STD
