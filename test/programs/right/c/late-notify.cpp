/*
 * Main frees the result as soon as it is there.
 * It is joined first, so nobody uses the result any more.
 */
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
  std::lock_guard<std::mutex> guard(result->lock);
  result->value = 4;
  result->is_there = true;
  result->done.notify_one();
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
  thread.join();
  delete result;
  return 0;
}
