/*
 * Two workers wait for the gate to open.
 * Wrong: signal wakes one. If both wait already, the other one waits for ever; broadcast is needed.
 */
// expects: deadlock, order-violation
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static int is_open, through;

static void *worker(void *delay) {
  usleep(*(int *)delay);
  pthread_mutex_lock(&lock);
  while (!is_open) pthread_cond_wait(&opened, &lock); // bug
  through++;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int early = 0, late = 40000;
  pthread_create(&a, NULL, worker, &early);
  pthread_create(&b, NULL, worker, &late);
  usleep(12000);
  pthread_mutex_lock(&lock);
  is_open = 1; // bug
  pthread_cond_signal(&opened); // bug
  pthread_mutex_unlock(&lock);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("%d are through\n", through);
  return 0;
}
