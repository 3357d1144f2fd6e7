/*
 * An account: a deposit reads the balance, computes the interest, and writes the new balance.
 * Wrong: it reads under the lock and writes under the lock, but in two sections. A deposit in between is overwritten. No data race.
 */
// expects: atomicity, order-violation at balance
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long balance = 1000;

static long read_balance(void) {
  pthread_mutex_lock(&lock);
  long now = balance; // bug
  pthread_mutex_unlock(&lock);
  return now;
}

static void write_balance(long value) {
  pthread_mutex_lock(&lock);
  balance = value; // bug
  pthread_mutex_unlock(&lock);
}

static void *deposit(void *amount) {
  if (*(long *)amount > 100) usleep(12000); // large ones are looked at first
  long now = read_balance();
  write_balance(now + *(long *)amount);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  long small = 50, large = 500;
  pthread_create(&a, NULL, deposit, &small);
  pthread_create(&b, NULL, deposit, &large);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(balance == 1550);
  printf("balance %ld\n", balance);
  return 0;
}
