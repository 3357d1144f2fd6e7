/* Addresses of hosts: look up under the read lock; where one is missing give it back, take the write lock, and look again. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int address;

static void put(int value) {
  pthread_rwlock_wrlock(&lock);
  if (address == 0) address = value;
  pthread_rwlock_unlock(&lock);
}

static void *preload(void *none) {
  put(127);
  return none;
}

static void *look_up(void *none) {
  usleep(12000);
  pthread_rwlock_rdlock(&lock);
  int found = address;
  pthread_rwlock_unlock(&lock);
  if (found == 0) put(127);
  else assert(found == 127);
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
