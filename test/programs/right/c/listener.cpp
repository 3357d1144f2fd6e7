/*
 * Listeners of a bus are called from another thread; a widget removes its own when it is deleted.
 * Right: they are called while the lock is held, so that none is removed meanwhile.
 */
#include <chrono>
#include <cstdio>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

class Bus {
 public:
  void add(int key, std::function<void()> listener) {
    std::lock_guard<std::mutex> guard(lock);
    listeners[key] = std::move(listener);
  }
  void remove(int key) {
    std::lock_guard<std::mutex> guard(lock);
    listeners.erase(key);
  }
  void fire() {
    std::lock_guard<std::mutex> guard(lock);
    for (auto &entry : listeners) entry.second();
  }

 private:
  std::mutex lock;
  std::map<int, std::function<void()>> listeners;
};

class Widget {
 public:
  explicit Widget(Bus &bus) : bus(bus) {
    bus.add(1, [this] { ++*state; });
  }
  ~Widget() {
    bus.remove(1);
    delete state;
  }

 private:
  Bus &bus;
  int *state = new int(1);
};

int main() {
  Bus bus;
  auto *widget = new Widget(bus);
  std::thread a([&] { bus.fire(); });
  std::this_thread::sleep_for(std::chrono::milliseconds(12));
  delete widget;
  a.join();
  std::puts("fired");
  return 0;
}
