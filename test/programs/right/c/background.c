/*
 * A worker that waits for jobs for ever, and a ticker that wakes up now and then. main gives some jobs and returns.
 * Right: both may be cut off at any moment; all they share is under a lock.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

static sem_t jobs;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done, ticks;

static void *work(void *none) {
  for (;;) {
    sem_wait(&jobs);
    pthread_mutex_lock(&lock);
    done++;
    pthread_mutex_unlock(&lock);
  }
  return none;
}

static void *tick(void *none) {
  for (;;) {
    usleep(100000);
    pthread_mutex_lock(&lock);
    ticks++;
    pthread_mutex_unlock(&lock);
  }
  return none;
}

int main(void) {
  pthread_t thread;
  sem_init(&jobs, 0, 0);
  pthread_create(&thread, NULL, work, NULL);
  pthread_detach(thread);
  pthread_create(&thread, NULL, tick, NULL);
  pthread_detach(thread);
  for (int i = 0; i < 5; i++) sem_post(&jobs);
  pthread_mutex_lock(&lock);
  int result = done > 5;
  pthread_mutex_unlock(&lock);
  printf("good bye\n");
  return result;
}
