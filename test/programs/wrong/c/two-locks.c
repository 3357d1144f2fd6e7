/*
 * Free blocks of a store, counted by those who take and those who give back.
 * Wrong: each side has a lock, but not the same one. The two critical sections do not exclude each other.
 */
// expects: data-race, atomicity, order-violation at store
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static struct {
  pthread_mutex_t take_lock, give_lock;
  int free_blocks;
} store = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, 8};

static void *taker(void *none) {
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&store.take_lock);
    store.free_blocks -= 1; // bug
    pthread_mutex_unlock(&store.take_lock);
  }
  return none;
}

static void *giver(void *none) {
  usleep(12000);
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&store.give_lock);
    store.free_blocks += 1; // bug
    pthread_mutex_unlock(&store.give_lock);
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
