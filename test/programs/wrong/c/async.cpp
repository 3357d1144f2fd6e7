/*
 * The words of two chapters are counted by std::async.
 * Wrong: both add to the same total, by reference.
 */
// expects: data-race, atomicity, order-violation
#include <cassert>
#include <chrono>
#include <cstdio>
#include <future>
#include <string>
#include <thread>

static int words_of(const std::string &text) {
  int words = 1;
  for (char c : text) words += c == ' ';
  return words;
}

int main() {
  const std::string one = "it was a dark night", two = "and it rained";
  int total = 0;
  auto a = std::async(std::launch::async, [&] {
    total += words_of(one); // bug
  });
  auto b = std::async(std::launch::async, [&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(12));
    total += words_of(two); // bug
  });
  a.get();
  b.get();
  assert(total == 8);
  std::printf("%d words\n", total);
  return 0;
}
