/* A lock of C11's atomic_flag around a linked list. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Node {
  struct Node *next;
} Node;

static atomic_flag taken = ATOMIC_FLAG_INIT;
static Node *list;

static void *adder(void *none) {
  for (int i = 0; i < 3; i++) {
    Node *node = malloc(sizeof *node);
    while (atomic_flag_test_and_set_explicit(&taken, memory_order_acquire)) sched_yield();
    node->next = list;
    list = node;
    atomic_flag_clear_explicit(&taken, memory_order_release);
  }
  return none;
}

int main(void) {
  pthread_t a, b;
  int count = 0;
  pthread_create(&a, NULL, adder, NULL);
  pthread_create(&b, NULL, adder, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  while (list) {
    Node *node = list;
    list = node->next;
    free(node);
    count++;
  }
  assert(count == 6);
  printf("%d nodes\n", count);
  return 0;
}
