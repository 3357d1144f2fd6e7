/* What the library does for its caller: every access and every block is of a line of this file. */
#include <map>
#include <thread>
#include <vector>

static std::vector<int> list;
static std::map<int, int> table;

static void grow() {
  list.push_back(1);
  list.push_back(2);
}
static void fill() { table[3] = 4; }

int main() {
  list.push_back(0);
  std::thread one(grow);
  one.join();
  std::thread two(fill);
  two.join();
  return static_cast<int>(list.size() + table.size()) - 4;
}
