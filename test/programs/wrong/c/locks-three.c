/*
 * Three stages of a renderer, each with two of three buffers: its own and the next one's.
 * Wrong: stage 2 takes buffer 2 and then buffer 0. Three stages, each with one buffer, wait in a circle.
 */
// expects: deadlock at buffer
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t buffer[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int pixels[3];

static void *stage(void *number) {
  int own = *(int *)number, next = (own + 1) % 3;
  usleep(12000 * own);
  pthread_mutex_lock(&buffer[own]); // bug
  pthread_mutex_lock(&buffer[next]); // bug
  pixels[own]++;
  pixels[next]++;
  pthread_mutex_unlock(&buffer[next]);
  pthread_mutex_unlock(&buffer[own]);
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  int numbers[3] = {0, 1, 2};
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, stage, &numbers[i]);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  printf("%d %d %d\n", pixels[0], pixels[1], pixels[2]);
  return 0;
}
