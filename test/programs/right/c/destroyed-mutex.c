/* A pool of buffers with a lock. Main waits for the thread that gives its buffer back and ends the pool. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct {
  pthread_mutex_t lock;
  int buffers;
} pool;

static void *worker(void *none) {
  int failed = pthread_mutex_lock(&pool.lock);
  if (failed) {
    fprintf(stderr, "the lock of the pool: error %d\n", failed);
    abort();
  }
  pool.buffers++;
  pthread_mutex_unlock(&pool.lock);
  return none;
}

int main(void) {
  pthread_mutex_init(&pool.lock, NULL);
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_join(thread, NULL);
  pthread_mutex_destroy(&pool.lock);
  printf("%d buffer\n", pool.buffers);
  return 0;
}
