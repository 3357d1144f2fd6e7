/*
 * Two threads of a server count the requests they have served.
 * Wrong: `served++` is a read and a write. What another thread counts between the two is lost.
 */
// expects: data-race, atomicity, order-violation at served
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#define EACH 5
static long served;

static void *serve(void *delay) {
  usleep(*(int *)delay);
  for (int i = 0; i < EACH; i++) served++; // bug
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  int delays[2] = {0, 12000};
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, serve, &delays[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(served == 2 * EACH);
  printf("%ld requests\n", served);
  return 0;
}
