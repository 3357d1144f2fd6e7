/*
 * A dictionary with a read-write lock that counts its hits.
 * Wrong: the hits are counted under the read lock, which two threads hold at the same time.
 */
// expects: data-race, atomicity, order-violation at dictionary
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static struct {
  pthread_rwlock_t lock;
  int words[4];
  int hits;
} dictionary = {PTHREAD_RWLOCK_INITIALIZER, {3, 1, 4, 1}, 0};

static int look_up(int i) {
  pthread_rwlock_rdlock(&dictionary.lock);
  int word = dictionary.words[i];
  dictionary.hits++; // bug
  pthread_rwlock_unlock(&dictionary.lock);
  return word;
}

static void *reader(void *delay) {
  usleep(*(int *)delay);
  for (int i = 0; i < 4; i++) assert(look_up(i) > 0);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int now = 0, later = 12000;
  pthread_create(&a, NULL, reader, &now);
  pthread_create(&b, NULL, reader, &later);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(dictionary.hits == 8);
  printf("%d hits\n", dictionary.hits);
  return 0;
}
