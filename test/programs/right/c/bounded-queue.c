/* A bounded queue with two condition variables, two producers and two consumers. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define SIZE 2
#define EACH 3
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER, not_full = PTHREAD_COND_INITIALIZER;
static int items[SIZE], count, sum;

static void *producer(void *base) {
  for (int i = 0; i < EACH; i++) {
    pthread_mutex_lock(&lock);
    while (count == SIZE) pthread_cond_wait(&not_full, &lock);
    items[count++] = *(int *)base + i;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

static void *consumer(void *none) {
  for (int i = 0; i < EACH; i++) {
    pthread_mutex_lock(&lock);
    while (count == 0) pthread_cond_wait(&not_empty, &lock);
    sum += items[--count];
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&lock);
  }
  return none;
}

int main(void) {
  pthread_t threads[4];
  int bases[2] = {10, 20};
  for (int i = 0; i < 2; i++) {
    pthread_create(&threads[2 * i], NULL, producer, &bases[i]);
    pthread_create(&threads[2 * i + 1], NULL, consumer, NULL);
  }
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  assert(sum == 96 && count == 0);
  printf("sum %d\n", sum);
  return 0;
}
