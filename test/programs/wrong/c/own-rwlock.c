/*
 * A lock for readers and writers, made of a mutex and a condition.
 * Wrong: a writer waits for other writers, but not for readers.
 */
// expects: order-violation, atomicity, data-race, not isolated at data
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int readers, writing;
static volatile int data;

static void *reader(void *unused) {
  pthread_mutex_lock(&lock);
  while (writing) pthread_cond_wait(&changed, &lock);
  readers++;
  pthread_mutex_unlock(&lock);
  int first = data, second = data;   // bug
  if (first != second) abort();      // bug
  pthread_mutex_lock(&lock);
  readers--;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  return unused;
}

static void *writer(void *unused) {
  pthread_mutex_lock(&lock);
  while (writing) pthread_cond_wait(&changed, &lock); // bug
  writing = 1;
  pthread_mutex_unlock(&lock);
  data++; // bug
  pthread_mutex_lock(&lock);
  writing = 0;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, reader, NULL);
  pthread_create(&second, NULL, writer, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  puts("read and written");
  return 0;
}
