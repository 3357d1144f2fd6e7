/*
 * The current configuration is a shared_ptr; a reload replaces it, a shut-down resets it.
 * Wrong: the counts are atomic, the shared_ptr itself is not. Two threads that reset it at the same time both let go of the old one.
 */
// expects: data-race, atomicity, order-violation, typestate
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>

static int living;
struct Configuration {
  int port;
  explicit Configuration(int p) : port(p) { living++; }
  ~Configuration() {
    if (port < 0) std::abort();
    port = -1;
    living--;
  }
};

static std::shared_ptr<Configuration> current;

static void reload() {
  auto fresh = std::make_shared<Configuration>(81);
  current = fresh; // bug
}

static void shut_down() {
  std::this_thread::sleep_for(std::chrono::milliseconds(12));
  current.reset(); // bug
}

int main() {
  current = std::make_shared<Configuration>(80);
  std::thread a(reload), b(shut_down);
  a.join();
  b.join();
  std::printf("%d left\n", living);
  return 0;
}
