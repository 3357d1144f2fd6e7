/*
 * A thread waits until another has opened the database.
 * Wrong: it just waits, and looks at nothing before. A signal that comes earlier reaches nobody, and there is no second one.
 */
// expects: deadlock at opened
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static int database;

static void *reader(void *none) {
  pthread_mutex_lock(&lock);
  pthread_cond_wait(&opened, &lock); // bug
  database++;
  pthread_mutex_unlock(&lock);
  return none;
}

static void *opener(void *none) {
  usleep(25000);
  pthread_mutex_lock(&lock);
  database = 7;
  pthread_cond_signal(&opened); // bug
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
