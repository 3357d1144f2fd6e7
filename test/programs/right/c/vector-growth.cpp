/* Results are appended to a vector while another thread shows the first ones, both under a lock. */
#include <cassert>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

static std::vector<int> results;
static std::mutex lock;

static void show() {
  int sum = 0;
  std::lock_guard<std::mutex> guard(lock);
  const int *first = results.data();
  for (int i = 0; i < 2; i++) sum += first[i];
  assert(sum == 3);
}

static void append() {
  std::this_thread::sleep_for(std::chrono::milliseconds(12));
  for (int i = 3; i <= 5; i++) {
    std::lock_guard<std::mutex> guard(lock);
    results.push_back(i);
  }
}

int main() {
  results.push_back(1);
  results.push_back(2);
  std::thread a(show), b(append);
  a.join();
  b.join();
  std::printf("%zu results\n", results.size());
  return 0;
}
