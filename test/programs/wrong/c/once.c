/*
 * Two modules make sure that the table of types is there before they put their types into it.
 * Wrong: each has a once of its own. The table is made twice, and the second time it is emptied.
 */
// expects: data-race, order-violation, atomicity at types
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_once_t images_once = PTHREAD_ONCE_INIT, sounds_once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int types;

static void make_table(void) {
  pthread_mutex_lock(&lock);
  types = 0; // bug
  pthread_mutex_unlock(&lock);
}

static void put_type(void) {
  pthread_mutex_lock(&lock);
  types++; // bug
  pthread_mutex_unlock(&lock);
}

static void *images(void *none) {
  pthread_once(&images_once, make_table); // bug
  usleep(35000);
  put_type();
  return none;
}

static void *sounds(void *none) {
  usleep(8000);
  pthread_once(&sounds_once, make_table); // bug
  usleep(35000);
  put_type();
  return none;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, images, NULL);
  pthread_create(&b, NULL, sounds, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(types == 2);
  printf("%d types\n", types);
  return 0;
}
