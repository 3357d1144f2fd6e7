/*
 * Two threads simulate heat: read the neighbour's cell, meet, write the own cell.
 * Wrong: there is no meeting at the end of a round. The faster thread reads a cell of the old round.
 */
// expects: data-race, order-violation, atomicity at cell
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#define ROUNDS 2
static pthread_barrier_t meet;
static int cell[2] = {1, 2};

static void *simulate(void *number) {
  int own = *(int *)number;
  for (int round = 0; round < ROUNDS; round++) {
    int neighbour = cell[1 - own]; // bug
    pthread_barrier_wait(&meet);
    cell[own] += neighbour; // bug
    usleep(12000); // draws the picture
  }
  return NULL;
}

int main(void) {
  pthread_barrier_init(&meet, NULL, 2);
  pthread_t threads[2];
  int numbers[2] = {0, 1};
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, simulate, &numbers[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(cell[0] == 6 && cell[1] == 6);
  printf("%d %d\n", cell[0], cell[1]);
  return 0;
}
