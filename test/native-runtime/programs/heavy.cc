// Much memory, by all names, from constructors to the destructors of threads: the same result with and without the runtime.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <malloc.h>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <vector>

static std::atomic<long> total{0};
struct Early {
  std::map<int, std::string> names;
  Early() {
    for (int i = 0; i < 100; i++) names[i] = std::string(100, 'x');
  }
} early;
struct Late {
  char *block = nullptr;
  ~Late() {
    block = static_cast<char *>(realloc(block, 1000));
    total += block[0];
    free(block);
    delete new std::string(200, 'y');
  }
};
static thread_local Late late;
struct alignas(64) Wide {
  char data[128];
};

static void work(int seed) {
  late.block = static_cast<char *>(calloc(1, 10));
  late.block[0] = 1;
  std::vector<char *> blocks;
  unsigned random = seed;
  for (int i = 0; i < 5000; i++) {
    random = random * 1664525 + 1013904223;
    size_t size = random >> 20;
    char *p = (i & 3) == 0   ? static_cast<char *>(malloc(size + 1))
              : (i & 3) == 1 ? static_cast<char *>(calloc(1, size + 1))
              : (i & 3) == 2 ? static_cast<char *>(aligned_alloc(64, size + 64))
                             : static_cast<char *>(memalign(32, size + 1));
    memset(p, i, size + 1);
    blocks.push_back(p);
    if (blocks.size() > 100) {
      size_t at = random % blocks.size();
      if (i & 1) {
        blocks[at] = static_cast<char *>(realloc(blocks[at], size + 2));
        total += blocks[at] != nullptr;
      } else {
        free(blocks[at]);
        blocks[at] = blocks.back();
        blocks.pop_back();
      }
    }
  }
  for (char *p : blocks) free(p);
  auto wide = std::make_unique<Wide[]>(10);
  total += reinterpret_cast<size_t>(wide.get()) % 64;
  delete new Wide;
  delete[] new int[100];
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; i++) threads.emplace_back(work, i);
  for (auto &thread : threads) thread.join();
  void *page = nullptr;
  if (posix_memalign(&page, 3, 10) == 0 || posix_memalign(&page, 4096, 10) != 0) return 3;
  total += reinterpret_cast<size_t>(page) % 4096;
  free(page);
  free(nullptr);
  try {
    volatile size_t much = size_t(1) << 60;
    char *volatile made = new char[much];
    return made ? 3 : 4;
  } catch (const std::bad_alloc &) {
    char *volatile made = new (std::nothrow) char[size_t(1) << 60];
    if (made) return 3;
  }
  printf("total %ld names %zu\n", total.load(), early.names.size());
}
