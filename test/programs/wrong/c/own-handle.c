/*
 * A thread names itself in a table by the handle that its creator keeps.
 * Wrong: the creator fills in the entry after it has made the thread. A thread that is faster reads an empty entry.
 */
// expects: data-race, order-violation at worker
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct {
  pthread_t handle;
  int number;
} worker;

static void *work(void *none) {
  usleep(20000); // connects to the server first
  if (worker.number != 7) abort(); // bug
  return none;
}

int main(void) {
  pthread_t handle;
  pthread_create(&handle, NULL, work, NULL);
  worker.number = 7; // bug
  worker.handle = handle;
  pthread_join(worker.handle, NULL);
  printf("worker %d\n", worker.number);
  return 0;
}
