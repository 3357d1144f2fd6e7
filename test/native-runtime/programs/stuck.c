/* Threads that wait for ever: for each other's locks, or for a signal that was given too early. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t signalled = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t both;

__attribute__((noinline)) static void take(pthread_mutex_t *lock) {
  pthread_mutex_lock(lock);
}

static void *cycle(void *unused) {
  pthread_mutex_lock(&b);
  pthread_barrier_wait(&both);
  take(&a);
  return unused;
}

static void *late(void *unused) {
  pthread_mutex_lock(&a);
  pthread_cond_wait(&signalled, &a);
  pthread_mutex_unlock(&a);
  return unused;
}

int main(int count, char **words) {
  int is_cycle = count > 1 && strcmp(words[1], "cycle") == 0;
  pthread_t thread;
  pthread_barrier_init(&both, NULL, 2);
  if (!is_cycle) pthread_cond_signal(&signalled);
  pthread_create(&thread, NULL, is_cycle ? cycle : late, NULL);
  if (is_cycle) {
    pthread_mutex_lock(&a);
    pthread_barrier_wait(&both);
    take(&b);
  }
  pthread_join(thread, NULL);
  return 0;
}
