/*
 * Accounts with a lock each, made on the heap; transfers take both locks.
 * Right: both at once, by std::lock. A third thread audits, one account at a time.
 */
#include <chrono>
#include <cstdio>
#include <memory>
#include <mutex>
#include <thread>

struct Account {
  std::mutex lock;
  long balance = 100;
};

static void move(Account &from, Account &to, long amount) {
  std::lock(from.lock, to.lock);
  from.balance -= amount;
  to.balance += amount;
  to.lock.unlock();
  from.lock.unlock();
}

static long audit(Account &account) {
  std::lock_guard<std::mutex> hold(account.lock);
  return account.balance;
}

int main() {
  auto one = std::make_shared<Account>(), two = std::make_shared<Account>();
  long seen = 0;
  std::thread first([=] { move(*one, *two, 10); });
  std::thread auditor([=, &seen] { seen = audit(*one) + audit(*two); });
  std::thread second([=] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    move(*two, *one, 5);
  });
  first.join();
  auditor.join();
  second.join();
  std::printf("%ld\n", one->balance + two->balance);
  return one->balance + two->balance == 200 ? 0 : 1;
}
