// SPDX-License-Identifier: MIT
// An executor without locks: tasks are pushed onto a list, and its thread sleeps
// with atomic::wait while the list is empty. The results are plain. A push that
// forgets to notify (FORGET) lets it sleep for ever; one that is relaxed hands
// over a task that cannot be seen.
// run: sc,rc11 ok
// run: flags=-DFORGET sc,rc11 error deadlock
// run: flags=-DPUSH=std::memory_order_relaxed rc11 error race
#include <atomic>
#include <cassert>
#include <functional>
#include <thread>

#ifndef PUSH
#define PUSH std::memory_order_seq_cst
#endif

class Executor {
public:
  Executor() : thread_([this] { run(); }) {
  }
  ~Executor() {
    push(new Task{nullptr, nullptr});
    thread_.join();
  }
  void post(std::function<void()> work) {
    push(new Task{std::move(work), nullptr});
  }

private:
  struct Task {
    std::function<void()> work;
    Task *next;
  };
  void push(Task *task) {
    task->next = tasks_.load(std::memory_order_relaxed);
    while (!tasks_.compare_exchange_strong(task->next, task, PUSH,
                                           std::memory_order_relaxed)) {
    }
#ifndef FORGET
    tasks_.notify_one();
#endif
  }
  // The newest task comes first; one without work is the last that is posted.
  void run() {
    for (bool is_done = false; !is_done;) {
      tasks_.wait(nullptr);
      for (Task *task = tasks_.exchange(nullptr); task;) {
        is_done |= !task->work;
        if (task->work)
          task->work();
        Task *next = task->next;
        delete task;
        task = next;
      }
    }
  }
  std::atomic<Task *> tasks_{nullptr};
  std::thread thread_;
};

int main() {
  int result = 0;
  {
    Executor executor;
    executor.post([&result] { result = 42; });
  }
  assert(result == 42);
}
