/*
 * A thread shows an image of a cache if it is still there.
 * Wrong: expired() says so, and then lock() gives nothing.
 */
// expects: data-race, order-violation, atomicity, stale-read, typestate
#include <cassert>
#include <chrono>
#include <cstdio>
#include <memory>
#include <thread>

struct Image {
  int width = 640;
};

int main() {
  auto image = std::make_shared<Image>();
  std::weak_ptr<Image> cached = image;
  std::thread a([cached] {
    if (cached.expired()) return; // bug
    auto mine = cached.lock(); // bug
    assert(mine->width == 640); // bug
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(12));
  image.reset(); // bug
  a.join();
  std::puts("shown");
  return 0;
}
