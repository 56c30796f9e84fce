// SPDX-License-Identifier: MIT
// A pool of one thread that runs tasks with results until it is told to stop.
// Whoever stops it without the mutex (CARELESS) has a race.
// run: sc,rc11 ok
// run: flags=-DCARELESS sc,rc11 error race
#include <cassert>
#include <condition_variable>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <queue>
#include <thread>

class Pool {
public:
  Pool() : worker_([this] { run(); }) {
  }
  ~Pool() {
    {
#ifndef CARELESS
      std::lock_guard<std::mutex> guard(mutex_);
#endif
      is_stopped_ = true;
    }
    changed_.notify_all();
    worker_.join();
  }
  template <class F> auto submit(F f) {
    auto task = std::make_shared<std::packaged_task<decltype(f())()>>(f);
    {
      std::lock_guard<std::mutex> guard(mutex_);
      tasks_.push([task] { (*task)(); });
    }
    changed_.notify_one();
    return task->get_future();
  }

private:
  void run() {
    for (;;) {
      std::function<void()> task;
      {
        std::unique_lock<std::mutex> lock(mutex_);
        changed_.wait(lock, [this] { return is_stopped_ || !tasks_.empty(); });
        if (tasks_.empty())
          return;
        task = std::move(tasks_.front());
        tasks_.pop();
      }
      task();
    }
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  std::queue<std::function<void()>> tasks_;
  bool is_stopped_ = false;
  std::thread worker_;
};

int main() {
  Pool pool;
  auto result = pool.submit([] { return 6 * 7; });
  assert(result.get() == 42);
}
