/*
 * Two places and two objects, for delays: a thread comes to `touch` with x; main comes to `also`, first with y and then with x. Main waits until the thread is
 * there; with an argument, until it is past.
 */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

volatile int x, y;
static volatile int there, past;

static void touch(volatile int *p) { *p = 1; }
static void also(volatile int *p) { *p = 2; }

static void *thread(void *arg) {
  also(&x); /* its own does not count */
  there = 1;
  touch(&x);
  puts("touched x");
  past = 1;
  return arg;
}

int main(int argc, char **argv) {
  pthread_t t;
  (void)argv;
  setvbuf(stdout, NULL, _IOLBF, 0);
  pthread_create(&t, NULL, thread, NULL);
  while (argc > 1 ? !past : !there) usleep(1000);
  usleep(300000);
  also(&y);
  puts("y");
  also(&x);
  pthread_join(t, NULL);
  return 0;
}
