/*
 * Two threads exclude each other with a flag each and a turn.
 * Right: first the flag, then the turn.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_int wants[2], turn;
static int inside;

static void *enter(void *which) {
  int me = (int)(long)which, other = 1 - me;
  wants[me] = 1;
  turn = other;
  while (wants[other] && turn == other) sched_yield();
  inside++;
  if (inside != 1) abort();
  inside--;
  wants[me] = 0;
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, enter, (void *)0);
  pthread_create(&second, NULL, enter, (void *)1);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  puts("one at a time");
  return 0;
}
