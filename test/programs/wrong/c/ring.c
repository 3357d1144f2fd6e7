/*
 * A ring of measurements, read by main. It was made for one producer, with atomic positions; now there are two.
 * Wrong: two producers can write to the same place and move the position by one.
 */
// expects: data-race, atomicity, order-violation
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#define SIZE 8
static int ring[SIZE];
static atomic_int written;

static void put(int value) {
  int place = atomic_load(&written); // bug
  ring[place] = value; // bug
  atomic_store(&written, place + 1); // bug
}

static void *sensor(void *offset) {
  int base = *(int *)offset;
  if (base) usleep(12000);
  for (int i = 0; i < 2; i++) put(base + i + 1);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int one = 0, two = 10, sum = 0;
  pthread_create(&a, NULL, sensor, &one);
  pthread_create(&b, NULL, sensor, &two);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  for (int i = 0; i < atomic_load(&written); i++) sum += ring[i];
  assert(sum == 1 + 2 + 11 + 12);
  printf("sum %d\n", sum);
  return 0;
}
