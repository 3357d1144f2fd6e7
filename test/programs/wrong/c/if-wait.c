/*
 * Two cooks take dishes from a shelf; a cook who finds none waits until one is put there.
 * Wrong: `if` around the wait. Another cook can take the dish between the signal and the waking up of the one who waited.
 */
// expects: atomicity, order-violation, data-race at dishes
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t put = PTHREAD_COND_INITIALIZER;
static int dishes, cooks;

static void *cook(void *delay) {
  usleep(*(int *)delay);
  pthread_mutex_lock(&lock);
  cooks++;
  if (dishes == 0) pthread_cond_wait(&put, &lock); // bug
  dishes--; // bug
  assert(dishes >= 0);
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int early = 0, late = 35000;
  pthread_create(&a, NULL, cook, &early);
  pthread_create(&b, NULL, cook, &late);
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&lock);
    while (cooks == 0) { // the kitchen opens when a cook is there
      pthread_mutex_unlock(&lock);
      usleep(2000);
      pthread_mutex_lock(&lock);
    }
    dishes++;
    pthread_cond_signal(&put);
    pthread_mutex_unlock(&lock);
    usleep(12000);
  }
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(dishes == 0);
  printf("%d dishes are left\n", dishes);
  return 0;
}
