/*
 * A queue of tasks with an owner, who takes from the bottom, and a thief, who takes from the top.
 * Wrong: both take the last task: the owner stores the top when only one is left, and does not exchange it.
 */
// expects: atomicity, order-violation
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#define TASKS 1
static atomic_int top, bottom = TASKS;
static atomic_int done[TASKS];

static void run(int task) {
  int before = atomic_fetch_add(&done[task], 1);
  assert(before == 0);
}

static void *owner(void *none) {
  usleep(12000); // what it did before
  for (;;) {
    int task = atomic_load(&bottom) - 1;
    atomic_store(&bottom, task); // bug
    int first = atomic_load(&top); // bug
    if (first < task) {
      run(task);
      continue;
    }
    if (first == task) {
      atomic_store(&top, task + 1); // bug
      run(task);
    }
    atomic_store(&bottom, task + 1);
    return none;
  }
}

static void *thief(void *none) {
  int first = atomic_load(&top);
  if (first >= atomic_load(&bottom)) return none; // bug
  if (atomic_compare_exchange_strong(&top, &first, first + 1)) run(first); // bug
  return none;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, owner, NULL);
  pthread_create(&b, NULL, thief, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("no task was run twice\n");
  return 0;
}
