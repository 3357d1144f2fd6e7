/* A stack of free nodes without locks. The top carries a number that changes with every exchange. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#define NODES 3
static atomic_int next[NODES + 1];
static atomic_int used[NODES + 1];
static _Atomic uint64_t top; // the node in the low half, the number of the exchange in the high one

static int pop(void) {
  for (;;) {
    uint64_t seen = atomic_load(&top);
    int node = (int)(uint32_t)seen;
    if (node == 0) return 0;
    uint64_t below = ((seen >> 32) + 1) << 32 | (uint32_t)atomic_load(&next[node]);
    if (!atomic_compare_exchange_strong(&top, &seen, below)) continue;
    int users = atomic_fetch_add(&used[node], 1);
    assert(users == 0);
    return node;
  }
}

static void push(int node) {
  atomic_fetch_sub(&used[node], 1);
  uint64_t old = atomic_load(&top);
  do atomic_store(&next[node], (int)(uint32_t)old);
  while (!atomic_compare_exchange_strong(&top, &old, ((old >> 32) + 1) << 32 | (uint32_t)node));
}

static void *one(void *none) {
  int node = pop();
  pop();
  push(node);
  return none;
}

static void *two(void *none) {
  usleep(12000);
  pop();
  pop();
  return none;
}

int main(void) {
  for (int i = 1; i <= NODES; i++) {
    used[i] = 1;
    push(i);
  }
  pthread_t a, b;
  pthread_create(&a, NULL, one, NULL);
  pthread_create(&b, NULL, two, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("no node was taken twice\n");
  return 0;
}
