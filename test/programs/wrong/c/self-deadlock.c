/*
 * News are given to a listener, if there is one, under the lock of the channel.
 * Wrong: the listener counts what it got under the same lock. If it subscribes before the news come, it waits for itself.
 */
// expects: deadlock, order-violation, atomicity at listener
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void (*listener)(void);
static int got;

static void count_news(void) {
  pthread_mutex_lock(&lock); // bug
  got++;
  pthread_mutex_unlock(&lock);
}

static void *publish(void *none) {
  pthread_mutex_lock(&lock);
  if (listener) listener(); // bug
  pthread_mutex_unlock(&lock);
  return none;
}

static void *subscribe(void *none) {
  usleep(20000);
  pthread_mutex_lock(&lock);
  listener = count_news; // bug
  pthread_mutex_unlock(&lock);
  return none;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, publish, NULL);
  pthread_create(&b, NULL, subscribe, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("subscribed\n");
  return 0;
}
