/* Free blocks of a store, counted by those who take and those who give back, under the lock of the store. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static struct {
  pthread_mutex_t lock;
  int free_blocks;
} store = {PTHREAD_MUTEX_INITIALIZER, 8};

static void *taker(void *none) {
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&store.lock);
    store.free_blocks -= 1;
    pthread_mutex_unlock(&store.lock);
  }
  return none;
}

static void *giver(void *none) {
  usleep(12000);
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&store.lock);
    store.free_blocks += 1;
    pthread_mutex_unlock(&store.lock);
  }
  return none;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, taker, NULL);
  pthread_create(&b, NULL, giver, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(store.free_blocks == 8);
  printf("%d blocks are free\n", store.free_blocks);
  return 0;
}
