/*
 * A table that is made when it is first needed; a flag saves the call of call_once.
 * Wrong: the flag is set before the table is there.
 */
// expects: data-race, order-violation, atomicity, stale-read, typestate
#include <atomic>
#include <cassert>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

static std::once_flag once;
static std::atomic<bool> ready{false};
static std::vector<int> *table;

static void init() {
  ready = true; // bug
  table = new std::vector<int>{1, 2, 3}; // bug
}

static int look_up(int i) {
  if (!ready) std::call_once(once, init);
  return (*table)[i]; // bug
}

int main() {
  int first = 0, last = 0;
  std::thread a([&] { first = look_up(0); });
  std::thread b([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(12));
    last = look_up(2);
  });
  a.join();
  b.join();
  assert(first + last == 4);
  std::printf("%d\n", first + last);
  delete table;
  return 0;
}
