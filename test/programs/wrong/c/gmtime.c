/*
 * Two threads show dates.
 * Wrong: gmtime gives all threads the same structure.
 */
// expects: data-race, order-violation, atomicity, stale-read, typestate
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static void *show(void *nth) {
  long years = (long)nth;
  usleep((useconds_t)years * 12000);
  time_t when = (time_t)(86400 * (365 * years + 40));
  struct tm *date = gmtime(&when); // bug
  assert(date->tm_year == 70 + years); // bug
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, show, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  printf("2 dates\n");
  return 0;
}
