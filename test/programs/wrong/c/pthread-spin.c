/*
 * A list of free ports behind a pthread spin lock.
 * Wrong: the fast path takes a port without the lock. Two threads get the same port.
 */
// expects: data-race, atomicity, order-violation at count
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_spinlock_t lock;
static int free_ports[4] = {8080, 8081, 8082, 8083};
static int count = 4;

static int take(void) {
  int port = 0;
  if (count > 1) return free_ports[--count]; // bug
  pthread_spin_lock(&lock);
  if (count > 0) port = free_ports[--count];
  pthread_spin_unlock(&lock);
  return port;
}

static void *server(void *port) {
  if (*(int *)port) usleep(12000);
  *(int *)port = take();
  return NULL;
}

int main(void) {
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  pthread_t a, b;
  int first = 0, second = 1;
  pthread_create(&a, NULL, server, &first);
  pthread_create(&b, NULL, server, &second);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_spin_destroy(&lock);
  assert(first != second);
  printf("%d ports are free\n", count);
  return 0;
}
