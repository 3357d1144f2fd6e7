/* Two phases by two atomic flags: request and answer, three times over the same two words of plain memory. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static int question, answer;
static atomic_int asked, answered;

static void *server(void *none) {
  for (int i = 1; i <= 3; i++) {
    while (atomic_load(&asked) < i) sched_yield();
    answer = question * question;
    atomic_store(&answered, i);
  }
  return none;
}

int main(void) {
  pthread_t thread;
  int sum = 0;
  pthread_create(&thread, NULL, server, NULL);
  for (int i = 1; i <= 3; i++) {
    question = i;
    atomic_store(&asked, i);
    while (atomic_load(&answered) < i) sched_yield();
    sum += answer;
  }
  pthread_join(thread, NULL);
  assert(sum == 14);
  printf("sum %d\n", sum);
  return 0;
}
