/* A signal handler sets a flag; a thread looks at it between two pieces of work. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>

static volatile sig_atomic_t reload;
static atomic_int reloaded;

static void handler(int number) {
  (void)number;
  reload = 1;
}

static void *worker(void *none) {
  while (!atomic_load(&reloaded)) sched_yield();
  return none;
}

int main(void) {
  signal(SIGUSR1, handler);
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_kill(pthread_self(), SIGUSR1);
  while (!reload) sched_yield();
  atomic_store(&reloaded, 1);
  pthread_join(thread, NULL);
  printf("reloaded\n");
  return 0;
}
