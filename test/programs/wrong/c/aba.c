/*
 * A stack of free nodes without locks: pop reads the top and its next, and exchanges them.
 * Wrong: in between another thread can pop two nodes and push the first one back. The top is the same again, its next is in use.
 */
// expects: atomicity, order-violation, data-race at next
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#define NODES 3
static atomic_int next[NODES + 1];
static atomic_int used[NODES + 1];
static atomic_int top;

static int pop(void) {
  for (;;) {
    int node = atomic_load(&top); // bug
    if (node == 0) return 0;
    int below = atomic_load(&next[node]); // bug
    if (!atomic_compare_exchange_strong(&top, &node, below)) continue; // bug
    int users = atomic_fetch_add(&used[node], 1);
    assert(users == 0);
    return node;
  }
}

static void push(int node) {
  atomic_fetch_sub(&used[node], 1);
  int old = atomic_load(&top);
  do atomic_store(&next[node], old);                            // bug
  while (!atomic_compare_exchange_strong(&top, &old, node)); // bug
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
