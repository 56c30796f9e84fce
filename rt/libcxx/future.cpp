// SPDX-License-Identifier: MIT
// The shared state of libc++'s futures, and those that yield nothing.
#include <future>

_LIBCPP_BEGIN_NAMESPACE_STD

// -- the state

void __assoc_sub_state::__on_zero_shared() noexcept {
  delete this;
}
void __assoc_sub_state::__make_ready() {
  lock_guard<mutex> own(__mut_);
  __state_ |= ready;
  __cv_.notify_all();
}
void __assoc_sub_state::set_value() {
  lock_guard<mutex> own(__mut_);
  if (__has_value())
    __throw_future_error(future_errc::promise_already_satisfied);
  __state_ |= __constructed | ready;
  __cv_.notify_all();
}
void __assoc_sub_state::set_value_at_thread_exit() {
  lock_guard<mutex> own(__mut_);
  if (__has_value())
    __throw_future_error(future_errc::promise_already_satisfied);
  __state_ |= __constructed;
  __thread_local_data()->__make_ready_at_thread_exit(this);
}
void __assoc_sub_state::set_exception(exception_ptr p) {
  lock_guard<mutex> own(__mut_);
  if (__has_value())
    __throw_future_error(future_errc::promise_already_satisfied);
  __exception_ = p;
  __state_ |= ready;
  __cv_.notify_all();
}
void __assoc_sub_state::set_exception_at_thread_exit(exception_ptr p) {
  lock_guard<mutex> own(__mut_);
  if (__has_value())
    __throw_future_error(future_errc::promise_already_satisfied);
  __exception_ = p;
  __thread_local_data()->__make_ready_at_thread_exit(this);
}
void __assoc_sub_state::__sub_wait(unique_lock<mutex> &own) {
  if (__state_ & deferred && !(__state_ & ready)) {
    __state_ &= ~static_cast<unsigned>(deferred);
    own.unlock();
    __execute();
    return;
  }
  while (!(__state_ & ready))
    __cv_.wait(own);
}
void __assoc_sub_state::wait() {
  unique_lock<mutex> own(__mut_);
  __sub_wait(own);
}
void __assoc_sub_state::copy() {
  unique_lock<mutex> own(__mut_);
  __sub_wait(own);
  if (__exception_ != nullptr)
    rethrow_exception(__exception_);
}
void __assoc_sub_state::__execute() {
  __throw_future_error(future_errc::no_state);
}

// -- of nothing

namespace {
// Gives the state back, also when an exception comes.
struct giver {
  __assoc_sub_state *state;
  ~giver() { state->__release_shared(); }
};
} // namespace

future<void>::future(__assoc_sub_state *state) : __state_(state) {
  __state_->__attach_future();
}
future<void>::~future() {
  if (__state_)
    __state_->__release_shared();
}
void future<void>::get() {
  giver back{__state_};
  __state_ = nullptr;
  back.state->copy();
}

promise<void>::promise() : __state_(new __assoc_sub_state) {}
promise<void>::~promise() {
  if (!__state_)
    return;
  if (!__state_->__has_value() && __state_->use_count() > 1)
    __state_->set_exception(
        make_exception_ptr(future_error(future_errc::broken_promise)));
  __state_->__release_shared();
}
future<void> promise<void>::get_future() {
  if (!__state_)
    __throw_future_error(future_errc::no_state);
  return future<void>(__state_);
}
void promise<void>::set_value() {
  if (!__state_)
    __throw_future_error(future_errc::no_state);
  __state_->set_value();
}
void promise<void>::set_exception(exception_ptr p) {
  if (!__state_)
    __throw_future_error(future_errc::no_state);
  __state_->set_exception(p);
}
void promise<void>::set_value_at_thread_exit() {
  if (!__state_)
    __throw_future_error(future_errc::no_state);
  __state_->set_value_at_thread_exit();
}
void promise<void>::set_exception_at_thread_exit(exception_ptr p) {
  if (!__state_)
    __throw_future_error(future_errc::no_state);
  __state_->set_exception_at_thread_exit(p);
}

shared_future<void>::~shared_future() {
  if (__state_)
    __state_->__release_shared();
}
shared_future<void> &
shared_future<void>::operator=(const shared_future &other) {
  if (other.__state_)
    other.__state_->__add_shared();
  if (__state_)
    __state_->__release_shared();
  __state_ = other.__state_;
  return *this;
}

_LIBCPP_END_NAMESPACE_STD
