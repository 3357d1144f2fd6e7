/*
 * A monitor starts its thread in its constructor, before main.
 * Wrong: the thread uses the list of its targets, a global object that is constructed after the monitor.
 */
// expects: data-race, order-violation at targets
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

extern std::vector<int> targets;

struct Monitor {
  std::thread thread;
  Monitor() : thread([this] { watch(); }) {}
  void watch() {
    std::this_thread::sleep_for(std::chrono::milliseconds(25));
    if (targets.size() != 2 || targets[1] != 443) std::abort(); // bug
  }
};

static Monitor monitor;
std::vector<int> targets = {80, 443}; // bug

int main() {
  monitor.thread.join();
  std::printf("%zu targets\n", targets.size());
  return 0;
}
