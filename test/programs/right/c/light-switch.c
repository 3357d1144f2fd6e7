/*
 * The first guest takes the room, and the last one gives it back.
 * Right: a lock guards the count, and each guest gives back what it took.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t count_lock = PTHREAD_MUTEX_INITIALIZER, room = PTHREAD_MUTEX_INITIALIZER;
static int count, left_by;

static void *guest(void *nth) {
  usleep((useconds_t)(long)nth * 12000);
  pthread_mutex_lock(&count_lock);
  count++;
  pthread_mutex_unlock(&count_lock);
  pthread_mutex_lock(&room);
  pthread_mutex_unlock(&room);
  pthread_mutex_lock(&count_lock);
  if (--count == 0) left_by++;
  pthread_mutex_unlock(&count_lock);
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
