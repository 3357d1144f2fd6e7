/* Dekker's lock of two threads: both want, one has the turn, the other steps back. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int wants[2], turn;
static int balance = 10;

static void enter(int own) {
  atomic_store(&wants[own], 1);
  while (atomic_load(&wants[1 - own])) {
    if (atomic_load(&turn) == own) {
      sched_yield();
      continue;
    }
    atomic_store(&wants[own], 0);
    while (atomic_load(&turn) != own) sched_yield();
    atomic_store(&wants[own], 1);
  }
}

static void leave(int own) {
  atomic_store(&turn, 1 - own);
  atomic_store(&wants[own], 0);
}

static void *worker(void *number) {
  int own = *(int *)number;
  for (int i = 0; i < 2; i++) {
    enter(own);
    balance += own ? 3 : -3;
    leave(own);
  }
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int zero = 0, one = 1;
  pthread_create(&a, NULL, worker, &zero);
  pthread_create(&b, NULL, worker, &one);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(balance == 10);
  printf("balance %d\n", balance);
  return 0;
}
