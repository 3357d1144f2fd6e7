/* A thread waits until another has opened the database: it looks first, and waits while it is not. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static int database;

static void *reader(void *none) {
  pthread_mutex_lock(&lock);
  while (database == 0) pthread_cond_wait(&opened, &lock);
  database++;
  pthread_mutex_unlock(&lock);
  return none;
}

static void *opener(void *none) {
  usleep(25000);
  pthread_mutex_lock(&lock);
  database = 7;
  pthread_cond_signal(&opened);
  pthread_mutex_unlock(&lock);
  return none;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, reader, NULL);
  pthread_create(&b, NULL, opener, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("database %d\n", database);
  return 0;
}
