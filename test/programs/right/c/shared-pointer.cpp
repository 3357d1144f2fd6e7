/* The current configuration is a shared_ptr; a reload replaces it, a shut-down resets it, under a lock. */
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
static std::mutex lock;

static void reload() {
  auto fresh = std::make_shared<Configuration>(81);
  std::lock_guard<std::mutex> guard(lock);
  current = fresh;
}

static void shut_down() {
  std::this_thread::sleep_for(std::chrono::milliseconds(12));
  std::lock_guard<std::mutex> guard(lock);
  current.reset();
}

int main() {
  current = std::make_shared<Configuration>(80);
  std::thread a(reload), b(shut_down);
  a.join();
  b.join();
  current.reset();
  std::printf("%d left\n", living);
  return 0;
}
