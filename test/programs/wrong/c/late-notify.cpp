/*
 * Main frees the result as soon as it is there.
 * Wrong: the other thread gives the lock back and only then notifies: by then the condition variable may be gone.
 */
// expects: typestate, order-violation
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

struct Result {
  std::mutex lock;
  std::condition_variable done;
  bool is_there = false;
  int value = 0;
};

static void compute(Result *result) {
  {
    std::lock_guard<std::mutex> guard(result->lock);
    result->value = 4;
    result->is_there = true;
  }
  result->done.notify_one(); // bug
}

int main() {
  auto *result = new Result;
  std::thread thread(compute, result);
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  {
    std::unique_lock<std::mutex> guard(result->lock);
    result->done.wait(guard, [&] { return result->is_there; });
    std::printf("%d\n", result->value);
  }
  delete result; // bug
  thread.join();
  return 0;
}
