/* Two places and two objects, for delays: a thread comes to `touch` with x; main comes to `also`, a while later, first with y and then with x. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

volatile int x, y;

static void touch(volatile int *p) { *p = 1; }
static void also(volatile int *p) { *p = 2; }

static void *thread(void *arg) {
  also(&x); /* its own does not count */
  touch(&x);
  puts("touched x");
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, thread, NULL);
  usleep(40000);
  also(&y);
  puts("y");
  usleep(40000);
  also(&x);
  pthread_join(t, NULL);
  return 0;
}
