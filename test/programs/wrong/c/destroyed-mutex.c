/*
 * A pool of buffers with a lock. Main ends the pool when the work is done.
 * Wrong: it does not wait for the thread that gives its buffer back. The lock is used after it was destroyed.
 */
// expects: order-violation, typestate, data-race at pool
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct {
  pthread_mutex_t lock;
  int buffers;
} pool;

static void *worker(void *none) {
  int failed = pthread_mutex_lock(&pool.lock); // bug
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
  usleep(25000);
  pthread_mutex_destroy(&pool.lock); // bug
  pthread_join(thread, NULL);
  printf("%d buffer\n", pool.buffers);
  return 0;
}
