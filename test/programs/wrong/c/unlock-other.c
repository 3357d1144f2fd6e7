/*
 * A watchdog frees the lock of a job that hangs.
 * Wrong: a lock can only be given back by the one who holds it. Where the job is just slow, the watchdog breaks its section.
 */
// expects: order-violation, atomicity, data-race, typestate
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock;
static atomic_int working;

static void *job(void *none) {
  int failed = pthread_mutex_lock(&lock);
  assert(!failed);
  atomic_store(&working, 1); // bug
  atomic_store(&working, 0); // bug
  failed = pthread_mutex_unlock(&lock); // bug
  assert(!failed);
  return none;
}

static void *watchdog(void *none) {
  usleep(25000);
  if (atomic_load(&working)) { // bug
    int failed = pthread_mutex_unlock(&lock); // bug
    assert(!failed);
  }
  return none;
}

int main(void) {
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&lock, &kind);
  pthread_t a, b;
  pthread_create(&a, NULL, job, NULL);
  pthread_create(&b, NULL, watchdog, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_mutex_destroy(&lock);
  printf("the job is done\n");
  return 0;
}
