// Unique pointers move through a queue: made by one thread, freed by the other.
#include <cassert>
#include <condition_variable>
#include <cstdio>
#include <memory>
#include <mutex>
#include <queue>
#include <string>
#include <thread>

static std::mutex lock;
static std::condition_variable changed;
static std::queue<std::unique_ptr<std::string>> queue;
static bool over;

static void produce() {
  for (int i = 0; i < 3; i++) {
    auto text = std::make_unique<std::string>("a message that does not fit into the string itself");
    std::lock_guard<std::mutex> guard(lock);
    queue.push(std::move(text));
    changed.notify_one();
  }
  std::lock_guard<std::mutex> guard(lock);
  over = true;
  changed.notify_one();
}

static void consume(std::size_t *length) {
  std::unique_lock<std::mutex> guard(lock);
  for (;;) {
    changed.wait(guard, [] { return over || !queue.empty(); });
    if (queue.empty()) return;
    auto text = std::move(queue.front());
    queue.pop();
    guard.unlock();
    *length += text->size();
    text.reset();
    guard.lock();
  }
}

int main() {
  std::size_t length = 0;
  std::thread a(produce), b(consume, &length);
  a.join();
  b.join();
  assert(length == 150);
  std::printf("%zu characters\n", length);
  return 0;
}
