/* Threads that share a variable on main's stack and one on a thread's. The number of words differs from run to run. */
#include <pthread.h>
#include <stdio.h>

static void *add(void *shared) {
  ++*(int *)shared;
  return NULL;
}

static void *inner(void *unused) {
  int own = 0;
  pthread_t thread;
  pthread_create(&thread, NULL, add, &own);
  pthread_join(thread, NULL);
  return own == 1 ? unused : NULL;
}

int main(void) {
  int mine = 0;
  pthread_t thread;
  pthread_create(&thread, NULL, add, &mine);
  pthread_join(thread, NULL);
  pthread_create(&thread, NULL, inner, &mine);
  pthread_join(thread, NULL);
  printf("%d\n", mine);
  return 0;
}
