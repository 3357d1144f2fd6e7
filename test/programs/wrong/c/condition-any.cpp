/*
 * A visitor waits until the shop is open; readers share the lock.
 * Wrong: the lock is given back between the look and the wait. A notification in between is lost.
 */
// expects: deadlock, order-violation, atomicity
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex lock;
static std::condition_variable_any changed;
static bool is_open = false;

static void visitor() {
  bool seen;
  {
    std::shared_lock<std::shared_mutex> guard(lock);
    seen = is_open; // bug
  }
  if (!seen) {
    std::unique_lock<std::shared_mutex> guard(lock);
    changed.wait(guard); // bug
  }
}

int main() {
  std::thread a(visitor);
  std::this_thread::sleep_for(std::chrono::milliseconds(12));
  {
    std::unique_lock<std::shared_mutex> guard(lock);
    is_open = true; // bug
  }
  changed.notify_all(); // bug
  a.join();
  std::puts("open");
  return 0;
}
