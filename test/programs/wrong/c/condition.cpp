/*
 * Main waits until the background thread is ready.
 * Wrong: wait without a predicate. A notification that comes before the wait is lost.
 */
// expects: deadlock at ready
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable ready;
static bool is_ready;

static void background() {
  std::this_thread::sleep_for(std::chrono::milliseconds(25));
  std::lock_guard<std::mutex> guard(lock);
  is_ready = true;
  ready.notify_one(); // bug
}

int main() {
  std::thread thread(background);
  {
    std::unique_lock<std::mutex> guard(lock);
    ready.wait(guard); // bug
    std::printf("ready %d\n", is_ready);
  }
  thread.join();
  return 0;
}
