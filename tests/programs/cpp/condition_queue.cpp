// SPDX-License-Identifier: MIT
// A blocking queue. Without the predicate (IF), a consumer that was woken takes
// what is not there, or sleeps through the notification.
// run: sc,rc11 ok
// run: flags=-DIF sc,rc11 error deadlock
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

class Queue {
public:
  void push(int value) {
    {
      std::lock_guard<std::mutex> guard(mutex_);
      values_.push_back(value);
    }
    filled_.notify_one();
  }
  int pop() {
    std::unique_lock<std::mutex> lock(mutex_);
#ifdef IF
    filled_.wait(lock);
#else
    filled_.wait(lock, [this] { return !values_.empty(); });
#endif
    int value = values_.front();
    values_.pop_front();
    return value;
  }

private:
  std::mutex mutex_;
  std::condition_variable filled_;
  std::deque<int> values_;
};

int main() {
  Queue q;
  std::thread producer([&q] { q.push(1); });
  assert(q.pop() == 1);
  producer.join();
}
