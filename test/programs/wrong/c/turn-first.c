/*
 * Two threads exclude each other with a flag each and a turn.
 * Wrong: the turn is given away before the own flag is set. The other one may not see that somebody wants in, and both are in.
 */
// expects: order-violation, atomicity, data-race, not isolated
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_int wants[2], turn;
static int inside;

static void *enter(void *which) {
  int me = (int)(long)which, other = 1 - me;
  turn = other;  // bug
  wants[me] = 1; // bug
  while (wants[other] && turn == other) sched_yield(); // bug
  inside++;                                            // bug
  if (inside != 1) abort();                            // bug
  inside--;                                            // bug
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
