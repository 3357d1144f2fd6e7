/* A recursive mutex: a function that locks calls another that locks. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock;
static int files, folders;

static void add_file(void) {
  pthread_mutex_lock(&lock);
  files++;
  pthread_mutex_unlock(&lock);
}

static void *add_folder(void *none) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&lock);
    folders++;
    add_file();
    add_file();
    assert(files == 2 * folders);
    pthread_mutex_unlock(&lock);
  }
  return none;
}

int main(void) {
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&lock, &kind);
  pthread_mutexattr_destroy(&kind);
  pthread_t a, b;
  pthread_create(&a, NULL, add_folder, NULL);
  pthread_create(&b, NULL, add_folder, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_mutex_destroy(&lock);
  printf("%d files in %d folders\n", files, folders);
  return 0;
}
