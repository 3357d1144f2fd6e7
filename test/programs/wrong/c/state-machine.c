/*
 * A download: started, then finished or cancelled; the end of it is told once.
 * Wrong: the state is locked while it is read and while it is written, not in between. It is finished and cancelled.
 */
// expects: atomicity, order-violation at state
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { STARTED, FINISHED, CANCELLED };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int state = STARTED;
static int told;

static int move(int from, int to) {
  pthread_mutex_lock(&lock);
  int now = state; // bug
  pthread_mutex_unlock(&lock);
  if (now != from) return 0;
  pthread_mutex_lock(&lock);
  state = to; // bug
  pthread_mutex_unlock(&lock);
  return 1;
}

static void tell(void) {
  if (__atomic_fetch_add(&told, 1, __ATOMIC_SEQ_CST) > 0) {
    fprintf(stderr, "told twice\n");
    exit(6);
  }
}

static void *download(void *none) {
  if (move(STARTED, FINISHED)) tell();
  return none;
}

static void *cancel(void *none) {
  usleep(12000);
  if (move(STARTED, CANCELLED)) tell();
  return none;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, download, NULL);
  pthread_create(&b, NULL, cancel, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("told %d\n", told);
  return 0;
}
