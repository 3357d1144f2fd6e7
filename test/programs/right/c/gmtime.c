/*
 * Two threads show dates.
 * Right: what gmtime gives to all threads is copied while a lock is held.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *show(void *nth) {
  long years = (long)nth;
  usleep((useconds_t)years * 12000);
  time_t when = (time_t)(86400 * (365 * years + 40));
  pthread_mutex_lock(&lock);
  struct tm date = *gmtime(&when);
  pthread_mutex_unlock(&lock);
  assert(date.tm_year == 70 + years);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, show, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  printf("2 dates\n");
  return 0;
}
