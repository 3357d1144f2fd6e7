/*
 * Open sessions in a map: one thread greets them all, another removes the one that logs out.
 * Wrong: the lock is given back while a session is greeted, and the iterator is kept. The session it stands on can be erased.
 */
// expects: data-race, order-violation, atomicity, typestate at heap
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
  for (auto it = sessions.begin(); it != sessions.end(); ++it) { // bug
    guard.unlock();
    it->second++; // bug
    greeted++;
    guard.lock();
    assert(it->first >= 1 && it->first <= 3); // bug
  }
  assert(greeted >= 2);
}

static void log_out() {
  std::this_thread::sleep_for(std::chrono::milliseconds(12));
  std::lock_guard<std::mutex> guard(lock);
  sessions.erase(2); // bug
}

int main() {
  std::thread a(greet), b(log_out);
  a.join();
  b.join();
  std::printf("%zu sessions\n", sessions.size());
  return 0;
}
