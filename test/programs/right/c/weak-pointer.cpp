/*
 * A thread shows an image of a cache if it is still there.
 * Right: what lock() gives is looked at.
 */
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
    auto mine = cached.lock();
    if (mine) assert(mine->width == 640);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(12));
  image.reset();
  a.join();
  std::puts("shown");
  return 0;
}
