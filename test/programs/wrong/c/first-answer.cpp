/*
 * Two threads offer an answer; the first one counts.
 * Wrong: the check of the flag and the change of it are two steps, so the promise can be set twice.
 */
// expects: data-race, order-violation, atomicity, stale-read, typestate
#include <atomic>
#include <chrono>
#include <cstdio>
#include <future>
#include <thread>

static std::promise<int> answer;
static std::atomic<bool> is_set{false};

static void offer(int value) {
  if (!is_set) { // bug
    is_set = true; // bug
    answer.set_value(value); // bug
  }
}

int main() {
  auto future = answer.get_future();
  std::thread a(offer, 1);
  std::thread b([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(12));
    offer(2);
  });
  a.join();
  b.join();
  std::puts(future.get() > 0 ? "answered" : "no answer");
  return 0;
}
