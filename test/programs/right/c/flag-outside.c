/* A consumer waits for a job; the producer puts it there and signals, under the lock. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int job;

static void *consumer(void *none) {
  pthread_mutex_lock(&lock);
  while (job == 0) pthread_cond_wait(&ready, &lock);
  pthread_mutex_unlock(&lock);
  return none;
}

static void *producer(void *none) {
  usleep(25000);
  pthread_mutex_lock(&lock);
  job = 42;
  pthread_cond_signal(&ready);
  pthread_mutex_unlock(&lock);
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
