// Every kind of synchronization once: the same answer whoever comes first.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <future>
#include <mutex>
#include <pthread.h>
#include <queue>
#include <semaphore.h>
#include <shared_mutex>
#include <thread>
#include <unistd.h>
#include <vector>

static std::mutex mutex;
static std::condition_variable more;
static std::queue<int> queue;
static bool done;
static std::atomic<int> sum{0};
static std::shared_mutex shared;
static int table[4], bad, onced;
static pthread_barrier_t barrier;
static sem_t semaphore;
static std::once_flag once;

static void consume() {
  for (;;) {
    std::unique_lock<std::mutex> lock(mutex);
    more.wait(lock, [] { return done || !queue.empty(); });
    if (queue.empty()) return;
    sum += queue.front();
    queue.pop();
  }
}

static void rounds(int me) {
  for (int k = 0; k < 5; k++) {
    pthread_barrier_wait(&barrier);
    {
      std::unique_lock<std::shared_mutex> lock(shared);
      table[me]++;
    }
    pthread_barrier_wait(&barrier);
    {
      std::shared_lock<std::shared_mutex> lock(shared);
      int all = 0;
      for (int i = 0; i < 4; i++) all += table[i];
      if (all != 4 * (k + 1)) bad++;
    }
    sem_wait(&semaphore);
    usleep(10);
    sem_post(&semaphore);
    std::call_once(once, [] { onced++; });
    std::this_thread::yield();
  }
  std::unique_lock<std::mutex> lock(mutex);
  more.wait_for(lock, std::chrono::milliseconds(5));
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; i++) threads.emplace_back(consume);
  for (int i = 0; i < 100; i++) {
    {
      std::lock_guard<std::mutex> lock(mutex);
      queue.push(i);
    }
    more.notify_one();
  }
  {
    std::lock_guard<std::mutex> lock(mutex);
    done = true;
  }
  more.notify_all();
  for (auto &thread : threads) thread.join();
  threads.clear();
  pthread_barrier_init(&barrier, nullptr, 4);
  sem_init(&semaphore, 0, 2);
  for (int i = 0; i < 4; i++) threads.emplace_back(rounds, i);
  for (auto &thread : threads) thread.join();
  auto later = std::async(std::launch::async, [] { return 7; });
  std::atomic<bool> flag{false};
  std::thread spins([&] {
    while (!flag) {
    }
    sum += 1;
  });
  flag = true;
  spins.join();
  std::printf("%d %d %d %d\n", sum.load(), onced, later.get(), bad);
}
