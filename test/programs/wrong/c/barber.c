/*
 * A barber sleeps until somebody waits. A neighbour rings the bell, too.
 * Wrong: it looks once. The neighbour can wake it with nobody there.
 */
// expects: atomicity, order-violation, data-race, lost-wakeup, not isolated
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t bell = PTHREAD_COND_INITIALIZER;
static int waiting;

static void *barber(void *unused) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&lock);
    if (waiting == 0) pthread_cond_wait(&bell, &lock); // bug
    waiting--; // bug
    if (waiting < 0) abort(); // bug
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

static void *customer(void *unused) {
  pthread_mutex_lock(&lock);
  waiting++;
  pthread_cond_broadcast(&bell);
  pthread_mutex_unlock(&lock);
  return unused;
}

static void *neighbour(void *unused) {
  pthread_mutex_lock(&lock);
  pthread_cond_broadcast(&bell);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t threads[4];
  pthread_create(&threads[0], NULL, customer, NULL);
  pthread_create(&threads[1], NULL, customer, NULL);
  usleep(2000);
  pthread_create(&threads[2], NULL, barber, NULL);
  pthread_create(&threads[3], NULL, neighbour, NULL);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  puts("closed");
  return 0;
}
