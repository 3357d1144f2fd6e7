/*
 * A consumer waits for a job; the producer puts it there and signals.
 * Wrong: the producer does not take the lock. Between the consumer's look and its wait the signal reaches nobody.
 */
// expects: deadlock, data-race, order-violation at ready
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int job;

static void *consumer(void *none) {
  pthread_mutex_lock(&lock);
  while (job == 0) pthread_cond_wait(&ready, &lock); // bug
  pthread_mutex_unlock(&lock);
  return none;
}

static void *producer(void *none) {
  usleep(25000);
  job = 42; // bug
  pthread_cond_signal(&ready); // bug
  return none;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, consumer, NULL);
  pthread_create(&b, NULL, producer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("job %d done\n", job);
  return 0;
}
