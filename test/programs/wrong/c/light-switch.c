/*
 * The first guest takes the room, and the last one gives it back.
 * Wrong: the guests are counted without a lock.
 */
// expects: data-race, order-violation, atomicity, stale-read, typestate, deadlock
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t room = PTHREAD_MUTEX_INITIALIZER;
static int count, left_by;

static void *guest(void *nth) {
  usleep((useconds_t)(long)nth * 12000);
  if (++count == 1) pthread_mutex_lock(&room); // bug
  if (--count == 0) { // bug
    left_by++;
    pthread_mutex_unlock(&room); // bug
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, guest, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(count == 0 && left_by >= 1);
  printf("empty\n");
  return 0;
}
