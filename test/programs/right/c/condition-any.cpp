/*
 * A visitor waits until the shop is open; readers share the lock.
 * Right: the wait looks again while it has the lock.
 */
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
  std::shared_lock<std::shared_mutex> guard(lock);
  changed.wait(guard, [] { return is_open; });
}

int main() {
  std::thread a(visitor);
  std::this_thread::sleep_for(std::chrono::milliseconds(12));
  {
    std::unique_lock<std::shared_mutex> guard(lock);
    is_open = true;
  }
  changed.notify_all();
  a.join();
  std::puts("open");
  return 0;
}
