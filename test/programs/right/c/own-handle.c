/* A thread names itself in a table by the number that its creator filled in before it made the thread. */
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
  if (worker.number != 7) abort();
  return none;
}

int main(void) {
  worker.number = 7;
  pthread_t handle;
  pthread_create(&handle, NULL, work, NULL);
  worker.handle = handle;
  pthread_join(worker.handle, NULL);
  printf("worker %d\n", worker.number);
  return 0;
}
