/*
 * An object in a slot with a count of references; the last one to let go marks it as gone.
 * Wrong: between taking the pointer and counting the reference the slot can be emptied, and the object is gone.
 */
// expects: order-violation, atomicity, data-race, not isolated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

typedef struct {
  atomic_int references;
  int data;
} Object;

static Object object = {1, 7};
static Object *_Atomic slot = &object;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void let_go(Object *o) {
  if (atomic_fetch_sub(&o->references, 1) == 1) o->data = -1; // bug
}

static void *reader(void *unused) {
  Object *o = slot;        // bug
  if (o) o->references++;  // bug
  if (!o) return unused;
  assert(o->data == 7);    // bug
  let_go(o);
  return unused;
}

static void *remover(void *unused) {
  usleep(2000);
  pthread_mutex_lock(&lock);
  Object *o = slot;
  slot = NULL; // bug
  pthread_mutex_unlock(&lock);
  let_go(o);   // bug
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, reader, NULL);
  pthread_create(&second, NULL, remover, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  puts("removed");
  return 0;
}
