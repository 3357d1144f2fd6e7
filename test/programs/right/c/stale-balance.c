/* An account: a deposit reads the balance, computes the interest, and writes the new balance, all in one section. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long balance = 1000;

static void *deposit(void *amount) {
  if (*(long *)amount > 100) usleep(12000); // large ones are looked at first
  pthread_mutex_lock(&lock);
  long now = balance;
  balance = now + *(long *)amount;
  pthread_mutex_unlock(&lock);
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
