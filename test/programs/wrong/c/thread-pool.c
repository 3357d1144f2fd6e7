/*
 * A pool of two threads with a queue; main puts three jobs there and ends the pool.
 * Wrong: a worker ends when it sees the flag, even if jobs are left in the queue.
 */
// expects: order-violation, atomicity, data-race
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int waiting, over, done;

static void *worker(void *none) {
  pthread_mutex_lock(&lock);
  for (;;) {
    while (waiting == 0 && !over) pthread_cond_wait(&changed, &lock); // bug
    if (over) break; // bug
    waiting--; // bug
    done++;
  }
  pthread_mutex_unlock(&lock);
  return none;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&lock);
    waiting++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
  }
  usleep(25000);
  pthread_mutex_lock(&lock);
  over = 1; // bug
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(done == 3);
  printf("%d jobs\n", done);
  return 0;
}
