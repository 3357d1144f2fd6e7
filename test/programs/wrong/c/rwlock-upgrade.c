/*
 * Addresses of hosts: look up under the read lock, and put the address there where it is missing.
 * Wrong: the one who puts takes the write lock while it still holds the read lock. Whoever comes first waits for itself.
 */
// expects: deadlock, order-violation, atomicity
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int address;

static void put(int value) {
  pthread_rwlock_wrlock(&lock); // bug
  if (address == 0) address = value; // bug
  pthread_rwlock_unlock(&lock);
}

static void *preload(void *none) {
  put(127);
  return none;
}

static void *look_up(void *none) {
  usleep(12000);
  pthread_rwlock_rdlock(&lock);
  if (address == 0) put(127); // bug
  assert(address == 127);
  pthread_rwlock_unlock(&lock);
  return none;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, preload, NULL);
  pthread_create(&b, NULL, look_up, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("127\n");
  return 0;
}
