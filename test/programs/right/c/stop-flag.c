/* A background thread works until it is told to stop by a volatile flag. How often it works does not matter. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

static volatile int stop;
static long rounds;

static void *background(void *none) {
  do {
    rounds++;
    sched_yield();
  } while (!stop);
  return none;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, background, NULL);
  usleep(500);
  stop = 1;
  pthread_join(thread, NULL);
  printf("%s\n", rounds > 0 ? "it has worked" : "it has not worked");
  return rounds > 0 ? 0 : 1;
}
