// SPDX-License-Identifier: MIT
// A binary semaphore as a mutex. In libstdc++ 12 a thread that is about to wait
// compares with a value that it has read long before: if the semaphore was
// taken and given back meanwhile, it sleeps although it could go on. That is
// wrong under every model, and mended in 16.
// run: before=16 sc,tso,rc11 error deadlock
// run: since=16 sc,tso,rc11 ok
#include <cassert>
#include <semaphore>
#include <thread>

static std::binary_semaphore s(1);
static int counter;

static void work() {
  s.acquire(); // BUG
  counter++;
  s.release();
}

int main() {
  std::thread a(work), b(work);
  a.join();
  b.join();
  assert(counter == 2);
}
