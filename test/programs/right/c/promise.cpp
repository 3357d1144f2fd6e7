// A promise and its future, a shared mutex with readers and a writer, and a queue of std::function.
#include <cassert>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex names_lock;
static int names = 1;
static std::mutex lock;
static std::condition_variable changed;
static std::deque<std::function<void()>> jobs;

static int count_names() {
  std::shared_lock<std::shared_mutex> guard(names_lock);
  return names;
}

static void add_name() {
  std::unique_lock<std::shared_mutex> guard(names_lock);
  names++;
}

int main() {
  std::promise<int> promise;
  std::future<int> answer = promise.get_future();
  std::thread worker([] {
    std::unique_lock<std::mutex> guard(lock);
    changed.wait(guard, [] { return !jobs.empty(); });
    auto job = std::move(jobs.front());
    jobs.pop_front();
    guard.unlock();
    job();
  });
  std::thread reader([] { assert(count_names() >= 1); });
  {
    std::lock_guard<std::mutex> guard(lock);
    jobs.push_back([&] {
      add_name();
      promise.set_value(count_names());
    });
  }
  changed.notify_one();
  int value = answer.get();
  worker.join();
  reader.join();
  assert(value == 2);
  std::printf("%d names\n", value);
  return 0;
}
