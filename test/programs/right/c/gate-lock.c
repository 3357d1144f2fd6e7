/* Two locks in opposite orders, always inside a third one: the order does no harm. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER, one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;
static int both;

static void take(pthread_mutex_t *first, pthread_mutex_t *second) {
  pthread_mutex_lock(&gate);
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  both++;
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
  pthread_mutex_unlock(&gate);
}

static void *up(void *none) {
  take(&one, &two);
  return none;
}

static void *down(void *none) {
  take(&two, &one);
  return none;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, up, NULL);
  pthread_create(&b, NULL, down, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("%d\n", both);
  return 0;
}
