/* Two threads write to different members of one structure and different bytes of one word of an array. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static struct {
  short head, tail;
  char bytes[8];
} shared;

static void *first(void *none) {
  for (int i = 0; i < 4; i++) {
    shared.head++;
    shared.bytes[2 * i] = 'a';
  }
  return none;
}

static void *second(void *none) {
  for (int i = 0; i < 4; i++) {
    shared.tail--;
    shared.bytes[2 * i + 1] = 'b';
  }
  return none;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(shared.head == 4 && shared.tail == -4);
  printf("%.8s\n", shared.bytes);
  return 0;
}
