/* Two folders of a mail program; mails are moved from one to the other under the locks of both, taken by std::scoped_lock. */
#include <chrono>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

struct Folder {
  std::mutex lock;
  std::vector<int> mails;
};

static void move_all(Folder &from, Folder &to) {
  std::scoped_lock both(from.lock, to.lock);
  to.mails.insert(to.mails.end(), from.mails.begin(), from.mails.end());
  from.mails.clear();
}

int main() {
  Folder inbox, archive;
  inbox.mails = {1, 2, 3};
  std::thread a([&] { move_all(inbox, archive); });
  std::thread b([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(12));
    move_all(archive, inbox);
  });
  a.join();
  b.join();
  std::printf("%zu mails\n", inbox.mails.size() + archive.mails.size());
  return 0;
}
