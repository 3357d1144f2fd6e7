/*
 * Transfers between two accounts, each with its lock.
 * Wrong: the lock of the one who pays is taken first. Two transfers in opposite directions wait for each other.
 */
// expects: deadlock at accounts
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

typedef struct {
  pthread_mutex_t lock;
  long money;
} Account;

static Account accounts[2] = {{PTHREAD_MUTEX_INITIALIZER, 100}, {PTHREAD_MUTEX_INITIALIZER, 100}};

static void transfer(Account *from, Account *to, long amount) {
  pthread_mutex_lock(&from->lock); // bug
  pthread_mutex_lock(&to->lock);   // bug
  from->money -= amount;
  to->money += amount;
  pthread_mutex_unlock(&to->lock);
  pthread_mutex_unlock(&from->lock);
}

static void *rent(void *none) {
  transfer(&accounts[0], &accounts[1], 70);
  return none;
}

static void *salary(void *none) {
  usleep(12000);
  transfer(&accounts[1], &accounts[0], 30);
  return none;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, rent, NULL);
  pthread_create(&b, NULL, salary, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(accounts[0].money + accounts[1].money == 200);
  printf("%ld and %ld\n", accounts[0].money, accounts[1].money);
  return 0;
}
