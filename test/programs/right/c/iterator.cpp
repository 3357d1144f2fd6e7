/* Open sessions in a map: one thread greets them all, another removes the one that logs out, each in one section. */
#include <cassert>
#include <chrono>
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <thread>

static std::map<int, int> sessions = {{1, 0}, {2, 0}, {3, 0}};
static std::mutex lock;

static void greet() {
  int greeted = 0;
  std::unique_lock<std::mutex> guard(lock);
  for (auto it = sessions.begin(); it != sessions.end(); ++it) {
    it->second++;
    greeted++;
    assert(it->first >= 1 && it->first <= 3);
  }
  assert(greeted >= 2);
}

static void log_out() {
  std::this_thread::sleep_for(std::chrono::milliseconds(12));
  std::lock_guard<std::mutex> guard(lock);
  sessions.erase(2);
}

int main() {
  std::thread a(greet), b(log_out);
  a.join();
  b.join();
  std::printf("%zu sessions\n", sessions.size());
  return 0;
}
