/*
 * Two threads look pages up in a hash table and put in what is missing.
 * Right: a lock guards the table.
 */
#include <cassert>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>

static std::unordered_map<int, std::string> pages;
static std::mutex lock;

static std::string page(int number) {
  std::lock_guard<std::mutex> guard(lock);
  auto found = pages.find(number);
  if (found == pages.end()) found = pages.emplace(number, "page " + std::to_string(number)).first;
  return found->second;
}

int main() {
  std::thread a([] { assert(page(1) == "page 1"); });
  std::thread b([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(12));
    for (int i = 2; i < 16; i++) assert(page(i).size() >= 6);
  });
  a.join();
  b.join();
  assert(pages.size() == 15);
  std::puts("15 pages");
  return 0;
}
