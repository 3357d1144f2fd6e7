// A local static object is constructed once, whoever comes first; std::call_once runs once; exceptions stay in their thread.
#include <atomic>
#include <cassert>
#include <cstdio>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

static std::atomic<int> constructed{0};
static std::once_flag flag;
static int prepared;

struct Registry {
  std::map<int, int> entries = {{1, 10}, {2, 20}};
  Registry() { constructed++; }
};

static Registry &registry() {
  static Registry instance;
  return instance;
}

static int use(int key) {
  std::call_once(flag, [] { prepared++; });
  try {
    if (registry().entries.at(key) == 10) return 1;
  } catch (const std::out_of_range &) {
    return 0;
  }
  return 2;
}

int main() {
  std::vector<std::thread> threads;
  int found[3] = {};
  for (int i = 0; i < 3; i++) threads.emplace_back([i, &found] { found[i] = use(i); });
  for (auto &thread : threads) thread.join();
  assert(constructed == 1 && prepared == 1);
  std::printf("%d %d %d\n", found[0], found[1], found[2]);
  return 0;
}
