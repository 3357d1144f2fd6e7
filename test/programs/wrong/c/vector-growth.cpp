/*
 * Results are appended to a vector while another thread shows the first ones.
 * Wrong: the vector grows and moves its elements. The one who shows them reads the old, freed ones.
 */
// expects: data-race, order-violation, atomicity, typestate
#include <cassert>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

static std::vector<int> results;

static void show() {
  int sum = 0;
  const int *first = results.data(); // bug
  for (int i = 0; i < 2; i++) sum += first[i]; // bug
  assert(sum == 3);
}

static void append() {
  std::this_thread::sleep_for(std::chrono::milliseconds(12));
  for (int i = 3; i <= 5; i++) {
    results.push_back(i); // bug
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
